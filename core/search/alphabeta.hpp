// Alpha-beta for two seats with perfect information: principal variation search with a transposition table, killer
// moves, a history table, late-move reductions, futility pruning and iterative deepening with aspiration windows.
//
// A class describes the game to the search (concept AlphaBetaGame); everything is resolved at compile time:
//
//     Node                    a small position, copied at every ply; one of the two seats is on turn
//     kMaxMoves               the most moves of a node
//     kInfinity               beyond any value; values are integers for the seat on turn, below 2^15
//     moves(node, out)        the legal moves as numbers 0 to 255; only called while the bounds differ
//     play(node, move)        the node after the move; the other seat is on turn
//     key(node)               equal for nodes with the same future and the same values, different for others
//     Bounds                  has `lower` and `upper`: proven bounds of the value
//     bounds(node, alpha, beta)  proven bounds of the value; tight only inside the window
//     evaluate(node, bounds)  static evaluation, within the bounds
//     kFutilityMargin         margin per remaining ply: if the evaluation is outside the window by that much, it counts
//     kFutilityDepth          the most remaining plies at which that is done; 0: never
//     order_score(node, move) how early a move is tried, before anything is known of it; only the order counts
//     history_index(node, move)  slot of the history table, below kHistorySize; related moves share one
//
// A value is proven when it rests on such bounds alone and on no evaluation: searching deeper finds the same.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "search/choice.hpp"
#include "search/limits.hpp"
#include "search/transposition_table.hpp"

namespace ludoteca {

template <class P>
concept AlphaBetaGame = requires(const P p, const typename P::Node node, int move, ActionList<P::kMaxMoves> out) {
  { p.moves(node, out) } -> std::same_as<void>;
  { p.play(node, move) } -> std::same_as<typename P::Node>;
  { p.key(node) } -> std::same_as<std::uint64_t>;
  { p.bounds(node, 0, 1) } -> std::same_as<typename P::Bounds>;
  { p.evaluate(node, p.bounds(node, 0, 1)) } -> std::same_as<int>;
  { p.order_score(node, move) } -> std::same_as<int>;
  { p.history_index(node, move) } -> std::same_as<int>;
  requires P::kInfinity < 1 << 15 && P::kFutilityMargin >= 0 && P::kFutilityDepth >= 0 && P::kHistorySize > 0;
};

template <AlphaBetaGame P>
class AlphaBeta {
 public:
  using Node = typename P::Node;
  static constexpr int kMaxDepth = 128;
  static constexpr int kInfinity = P::kInfinity;

  struct Result {
    int value = 0;
    bool proven = true;
  };
  struct RootMove {
    int move, value;  // the value is exact for the best move, an upper bound for the others
    bool proven;
  };

  // game, limits and table must outlive the search. late_move_reductions: a depth then means fewer plies for moves that
  // are tried late.
  AlphaBeta(const P& game, Limits& limits, TranspositionTable& table, bool late_move_reductions)
      : game_(game), limits_(limits), table_(table), reduce_(late_move_reductions) {}

  std::uint64_t nodes() const { return nodes_; }
  // The root's moves, the best first. A move that the last iteration did not reach keeps the value of an earlier one.
  const std::vector<RootMove>& root_moves() const { return root_moves_; }
  // The principal variation, extended from the table as far as that remembers it.
  Line<kMaxDepth> line(const Node& root) const {
    Line<kMaxDepth> out = lines_[0];
    Node node = root;
    for (const int move : out) node = game_.play(node, move);
    while (out.size < kMaxDepth && is_open(node)) {
      const TableEntry entry = table_.probe(game_.key(node));
      ActionList<P::kMaxMoves> moves;
      game_.moves(node, moves);
      if (entry.bound == Bound::none || std::find(moves.begin(), moves.end(), entry.move) == moves.end()) break;
      out.add(entry.move);
      node = game_.play(node, entry.move);
    }
    return out;
  }

  // Searches the root, which has moves, `depth` plies deep. The value is exact within (alpha, beta), otherwise a bound
  // on that side; it is meaningless if the limits are spent afterwards. Moves that are worse than the best by less than
  // `tolerance` get exact values too. `on_better(result)` is called for each move above alpha and all moves before it,
  // when root_moves() and line() begin with it.
  template <class F>
  Result search_root(const Node& root, int depth, int alpha, int beta, int tolerance, F on_better) {
    if (root_moves_.empty()) list_root_moves(root);
    const auto bounds = game_.bounds(root, alpha, beta);
    alpha = std::max(alpha, bounds.lower - 1);
    beta = std::min(beta, bounds.upper);
    Result best{-kInfinity, false};
    bool all_proven = true;
    for (std::size_t i = 0; i < root_moves_.size() && best.value < beta; ++i) {
      const int move = root_moves_[i].move;
      const int floor = std::max(alpha, best.value - tolerance);
      const Result result = search_move(root, move, depth, 0, floor, beta, static_cast<int>(i));
      if (limits_.spent()) return {};
      all_proven &= result.proven;
      root_moves_[i] = {move, result.value, result.proven};
      if (result.value <= best.value) continue;
      best = result;
      if (result.value <= alpha) continue;
      std::rotate(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(i),
                  root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      lines_[0].put_first(move, lines_[1]);
      on_better(result);
    }
    if (best.value < beta) best.proven = all_proven;
    return best;
  }

 private:
  static constexpr std::uint64_t kNodesPerCheck = 64;
  static constexpr int kKillerScore = 1 << 20;  // above any history
  static constexpr int kReducedMoves = 2, kReducedDepth = 4;  // late moves: after so many others, with plies enough

  const P& game_;
  Limits& limits_;
  TranspositionTable& table_;
  const bool reduce_;
  std::uint64_t nodes_ = 0;
  std::vector<RootMove> root_moves_;
  std::array<std::array<int, 2>, kMaxDepth + 1> killers_{};  // by ply; the initial zeros do no harm
  std::array<int, P::kHistorySize> history_{};
  std::array<Line<kMaxDepth>, kMaxDepth + 1> lines_;  // by ply

  bool is_open(const Node& node) const {
    const auto bounds = game_.bounds(node, -kInfinity, kInfinity);
    return bounds.lower < bounds.upper;
  }

  void list_root_moves(const Node& root) {
    ActionList<P::kMaxMoves> moves;
    game_.moves(root, moves);
    for (const int move : moves) root_moves_.push_back({move, -kInfinity, false});
    std::stable_sort(root_moves_.begin(), root_moves_.end(), [&](const RootMove& a, const RootMove& b) {
      return game_.order_score(root, a.move) > game_.order_score(root, b.move);
    });
  }

  // The value of playing `move` after `tried` others. After the first a better move is expected to be known, so a null
  // window first asks only whether this one is better still; for a late move, with fewer plies.
  Result search_move(const Node& node, int move, int depth, int ply, int alpha, int beta, int tried) {
    const Node next = game_.play(node, move);
    if (depth > 1) table_.prefetch(game_.key(next));
    if (reduce_ && tried >= kReducedMoves && depth >= kReducedDepth) {
      const int reduction = 1 + (tried > 3) + (depth > 8) + (depth > 16);
      const Result result = negated(search(next, depth - 1 - reduction, ply + 1, -alpha - 1, -alpha));
      if (result.value <= alpha || limits_.spent()) return result;
    }
    if (tried > 0 && beta - alpha > 1) {
      const Result result = negated(search(next, depth - 1, ply + 1, -alpha - 1, -alpha));
      if (result.value <= alpha || result.value >= beta || limits_.spent()) return result;
    }
    return negated(search(next, depth - 1, ply + 1, -beta, -alpha));
  }

  static Result negated(Result result) { return {-result.value, result.proven}; }

  Result search(const Node& node, int depth, int ply, int alpha, int beta) {
    if (!limits_.spend(kNodesPerCheck)) return {};
    ++nodes_;
    const bool pv_node = beta - alpha > 1;
    lines_[index(ply)].size = 0;  // also outside of the principal variation: a move that fails high ends its line here

    const auto bounds = game_.bounds(node, alpha, beta);
    if (bounds.upper <= alpha || bounds.lower == bounds.upper) return {bounds.upper, true};
    if (bounds.lower >= beta) return {bounds.lower, true};
    if (depth <= 0 || ply >= kMaxDepth) return {game_.evaluate(node, bounds), false};
    alpha = std::max(alpha, bounds.lower - 1);  // no value lies beyond the bounds
    beta = std::min(beta, bounds.upper);

    const std::uint64_t key = game_.key(node);
    const TableEntry entry = table_.probe(key);
    if (entry.bound != Bound::none && (entry.proven() || (entry.depth >= depth && !pv_node))) {
      const bool high = entry.bound != Bound::upper && entry.value >= beta;
      const bool low = entry.bound != Bound::lower && entry.value <= alpha;
      if (high || low || entry.bound == Bound::exact) return {entry.value, entry.proven()};
    }
    if (!pv_node && depth <= P::kFutilityDepth) {
      const int evaluation = game_.evaluate(node, bounds), margin = P::kFutilityMargin * depth;
      if (evaluation - margin >= beta || evaluation + margin <= alpha) return {evaluation, false};
    }
    return search_moves(node, key, entry, depth, ply, alpha, beta);
  }

  Result search_moves(const Node& node, std::uint64_t key, const TableEntry& entry, int depth, int ply, int alpha,
                      int beta) {
    ActionList<P::kMaxMoves> moves;
    game_.moves(node, moves);
    std::array<int, P::kMaxMoves> score;
    for (int i = 0; i < moves.size; ++i) score[index(i)] = move_score(node, moves[i], entry, ply);

    const std::uint64_t nodes_before = nodes_;
    const int first_alpha = alpha;
    Result best{-kInfinity, true};
    int best_move = 0;
    bool all_proven = true;
    for (int i = 0; i < moves.size; ++i) {
      const auto next = std::max_element(score.begin() + i, score.begin() + moves.size) - score.begin();
      std::swap(score[index(i)], score[static_cast<std::size_t>(next)]);
      std::swap(moves.items[index(i)], moves.items[static_cast<std::size_t>(next)]);
      const int move = moves[i];
      const Result result = search_move(node, move, depth, ply, alpha, beta, i);
      if (limits_.spent()) return {};
      all_proven &= result.proven;
      if (result.value > best.value) {
        best = result;
        best_move = move;
      }
      if (result.value <= alpha) continue;
      alpha = result.value;
      if (beta - first_alpha > 1) lines_[index(ply)].put_first(move, lines_[index(ply + 1)]);
      if (alpha < beta) continue;
      update_history(node, moves, i, depth, ply);
      break;
    }
    const bool cutoff = best.value >= beta;
    if (!cutoff) best.proven = all_proven;
    const Bound bound = cutoff ? Bound::lower : best.value > first_alpha ? Bound::exact : Bound::upper;
    table_.store(key, {best.value, best_move, best.proven ? TableEntry::kProven : depth, bound, nodes_ - nodes_before});
    return best;
  }

  int move_score(const Node& node, int move, const TableEntry& entry, int ply) const {
    if (entry.bound != Bound::none && move == entry.move) return 4 * kKillerScore;
    const auto& killers = killers_[index(ply)];
    const int killer = move == killers[0] ? kKillerScore : move == killers[1] ? kKillerScore / 2 : 0;
    return killer + game_.order_score(node, move) + history_[index(game_.history_index(node, move))];
  }

  // The move at `i` caused a cutoff: related moves will be tried earlier, those tried before it later.
  void update_history(const Node& node, const ActionList<P::kMaxMoves>& moves, int i, int depth, int ply) {
    auto& killers = killers_[index(ply)];
    if (killers[0] != moves[i]) killers = {moves[i], killers[0]};
    const int weight = std::min(depth * depth, 400);
    for (int j = 0; j <= i; ++j) {
      int& history = history_[index(game_.history_index(node, moves[j]))];
      const int target = j == i ? kMaxHistory : -kMaxHistory;
      history += (target - history) * weight / kMaxHistory;
    }
  }
  static constexpr int kMaxHistory = 1 << 14;  // a history lies between this and its negative

};

// Iterative deepening with aspiration windows: each iteration searches a narrow window around the last value.
// Searches first_depth, first_depth + 1, … max_depth plies until a value is proven or the limits are spent. Returns the
// result of the last finished iteration; {0, not proven} if none finished. half_width: half of the first window; 0 for
// full windows. `on_result(depth, result, finished)` is called for each better root move and after each iteration, when
// root_moves() and line() of the search begin with the best; after an iteration it returns whether to go on.
template <AlphaBetaGame P, class OnResult>
typename AlphaBeta<P>::Result aspiration_search(AlphaBeta<P>& search, const Limits& limits, const typename P::Node& root,
                                                int first_depth, int max_depth, int half_width, int tolerance,
                                                OnResult on_result) {
  constexpr int infinity = P::kInfinity;
  typename AlphaBeta<P>::Result last{0, false};
  for (int depth = first_depth; depth <= max_depth; ++depth) {
    const bool narrow = half_width && depth > first_depth + 1;
    int below = narrow ? half_width : 2 * infinity, above = below;
    while (true) {
      const int alpha = std::max(last.value - below, -infinity), beta = std::min(last.value + above, infinity);
      const auto result = search.search_root(root, depth, alpha, beta, tolerance,
                                             [&](const auto& better) { on_result(depth, better, false); });
      if (limits.spent()) return last;
      if (result.value <= alpha && alpha > -infinity) {
        below *= 4;
      } else if (result.value >= beta && beta < infinity) {
        above *= 4;
      } else {
        last = result;
        break;
      }
    }
    if (!on_result(depth, last, true) || last.proven) break;
  }
  return last;
}

}  // namespace ludoteca
