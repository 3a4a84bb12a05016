// Alpha-beta for two seats that play against each other and see everything: principal variation search with a
// transposition table, killer moves, history and aspiration windows, deepened ply by ply.
//
// What a game is to it, a class says (the concept Positions), and all calls are settled when it is compiled:
//
//     Node           a position, small, copied at every ply; one of the two seats is on turn
//     kMoves         the most moves that a node can have
//     kInfinity      beyond any value: values are whole numbers for the seat on turn, below 2^15
//     moves(n, out)  the legal moves as numbers from 0 to 255; only asked where `see` leaves the value open
//     play(n, move)  the node after it; the other seat is on turn
//     key(n)         equal for nodes that have the same future and the same values, different for others
//     Insight        what is seen at a glance: has `lower` and `upper`, between which the value lies for certain
//     see(n, a, b)   the insight; where the bounds lie within (a, b) they are as narrow as it can make them
//     guess(n, i)    an estimate of the value, between the bounds of the insight
//     kSlack         within so much for each ply that is left, a guess is right often enough to stop at it, …
//     kShallow       … where no more plies than these are left; 0: always search on
//     promise(n, m)  how good a move looks before anything is known; only the order counts
//     kindred(n, m)  a number below kKindred that moves share which tend to be good in the same nodes
//
// A value is called whole when it rests on such bounds alone and on no guess: searching deeper finds the same.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <utility>

#include "search/choice.hpp"
#include "search/limits.hpp"
#include "search/table.hpp"

namespace ludoteca {

template <class P>
concept Positions = requires(const P p, const typename P::Node node, int move, ActionList<P::kMoves> out) {
  { p.moves(node, out) } -> std::same_as<void>;
  { p.play(node, move) } -> std::same_as<typename P::Node>;
  { p.key(node) } -> std::same_as<std::uint64_t>;
  { p.see(node, 0, 1) } -> std::same_as<typename P::Insight>;
  { p.guess(node, p.see(node, 0, 1)) } -> std::same_as<int>;
  { p.promise(node, move) } -> std::same_as<int>;
  { p.kindred(node, move) } -> std::same_as<int>;
  requires P::kInfinity < 1 << 15 && P::kSlack >= 0 && P::kShallow >= 0 && P::kKindred > 0;
};

template <Positions P>
class AlphaBeta {
 public:
  using Node = typename P::Node;
  static constexpr int kMaxDepth = 128;
  static constexpr int kInfinity = P::kInfinity;

  struct Found {
    int value = 0;
    bool whole = true;
  };
  struct RootMove {
    int move, value;  // the value is exact for the best, an upper bound for the others
    bool whole;
  };

  // positions, limits and table must outlive it.
  AlphaBeta(const P& positions, Limits& limits, Table& table) : positions_(positions), limits_(limits), table_(table) {}

  std::uint64_t nodes() const { return nodes_; }
  // The root's moves, the best first. One that the last look did not come to has the value of a look before.
  const std::vector<RootMove>& ranking() const { return ranking_; }
  // The play that it expects, the best move first, as far as that is remembered.
  Line<kMaxDepth> line(const Node& root) const {
    Line<kMaxDepth> out = lines_[0];
    Node node = root;
    for (const int move : out) node = positions_.play(node, move);
    while (out.size < kMaxDepth && goes_on(node)) {
      const Known known = table_.find(positions_.key(node));
      ActionList<P::kMoves> moves;
      positions_.moves(node, moves);
      if (known.bound == Bound::none || std::find(moves.begin(), moves.end(), known.move) == moves.end()) break;
      out.add(known.move);
      node = positions_.play(node, known.move);
    }
    return out;
  }

  // Values the root, where a seat has moves, by a look `depth` plies ahead: exact within (alpha, beta), else a bound on
  // the same side. Means nothing if the limits are spent afterwards. Moves that are worse than the best by less than
  // `tolerance` are valued exactly too. `better(found)` is told whenever a move is found that is above alpha and all
  // before it, when `ranking` and `line` begin with it.
  template <class F>
  Found look(const Node& root, int depth, int alpha, int beta, int tolerance, F better) {
    if (ranking_.empty()) arrange_root(root);
    const auto seen = positions_.see(root, alpha, beta);
    alpha = std::max(alpha, seen.lower - 1);
    beta = std::min(beta, seen.upper);
    Found best{-kInfinity, false};
    bool all_whole = true;
    for (std::size_t i = 0; i < ranking_.size() && best.value < beta; ++i) {
      const int move = ranking_[i].move;
      const int enough = std::max(alpha, best.value - tolerance);
      const Found found = after(root, move, depth, 0, enough, beta, i > 0);
      if (limits_.spent()) return {};
      all_whole &= found.whole;
      ranking_[i] = {move, found.value, found.whole};
      if (found.value <= best.value) continue;
      best = found;
      if (found.value <= alpha) continue;
      std::rotate(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(i),
                  ranking_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      lines_[0].put_first(move, lines_[1]);
      better(found);
    }
    if (best.value < beta) best.whole = all_whole;
    return best;
  }

 private:
  static constexpr std::uint64_t kNodesPerLook = 64;
  static constexpr int kMost = 1 << 20;  // above any history

  const P& positions_;
  Limits& limits_;
  Table& table_;
  std::uint64_t nodes_ = 0;
  std::vector<RootMove> ranking_;
  std::array<std::array<int, 2>, kMaxDepth + 1> killers_{};  // by ply; what it holds at first harms nobody
  std::array<int, P::kKindred> history_{};
  std::array<Line<kMaxDepth>, kMaxDepth + 1> lines_;

  bool goes_on(const Node& node) const {
    const auto seen = positions_.see(node, -kInfinity, kInfinity);
    return seen.lower < seen.upper;
  }

  void arrange_root(const Node& root) {
    ActionList<P::kMoves> moves;
    positions_.moves(root, moves);
    for (const int move : moves) ranking_.push_back({move, -kInfinity, false});
    std::stable_sort(ranking_.begin(), ranking_.end(), [&](const RootMove& a, const RootMove& b) {
      return positions_.promise(root, a.move) > positions_.promise(root, b.move);
    });
  }

  // The value of playing `move`. `doubted`: a better one is expected to be known already, so it is asked first
  // only whether this one is better still.
  Found after(const Node& node, int move, int depth, int ply, int alpha, int beta, bool doubted) {
    const Node next = positions_.play(node, move);
    if (depth > 1) table_.fetch(positions_.key(next));
    if (doubted && beta - alpha > 1) {
      const Found found = negated(value(next, depth - 1, ply + 1, -alpha - 1, -alpha));
      if (found.value <= alpha || found.value >= beta || limits_.spent()) return found;
    }
    return negated(value(next, depth - 1, ply + 1, -beta, -alpha));
  }

  static Found negated(Found found) { return {-found.value, found.whole}; }

  Found value(const Node& node, int depth, int ply, int alpha, int beta) {
    if (!limits_.spend(kNodesPerLook)) return {};
    ++nodes_;
    const bool on_line = beta - alpha > 1;
    if (on_line) lines_[at(ply)].size = 0;

    const auto seen = positions_.see(node, alpha, beta);
    if (seen.upper <= alpha || seen.lower == seen.upper) return {seen.upper, true};
    if (seen.lower >= beta) return {seen.lower, true};
    if (depth <= 0 || ply >= kMaxDepth) return {positions_.guess(node, seen), false};
    alpha = std::max(alpha, seen.lower - 1);  // nothing is beyond the bounds, so nothing has to be searched there
    beta = std::min(beta, seen.upper);

    const std::uint64_t key = positions_.key(node);
    const Known known = table_.find(key);
    if (known.bound != Bound::none && (known.whole() || (known.depth >= depth && !on_line))) {
      const bool high = known.bound != Bound::upper && known.value >= beta;
      const bool low = known.bound != Bound::lower && known.value <= alpha;
      if (high || low || known.bound == Bound::exact) return {known.value, known.whole()};
    }
    if (!on_line && depth <= P::kShallow) {
      const int guessed = positions_.guess(node, seen), slack = P::kSlack * depth;
      if (guessed - slack >= beta || guessed + slack <= alpha) return {guessed, false};
    }
    return searched(node, key, known, depth, ply, alpha, beta);
  }

  Found searched(const Node& node, std::uint64_t key, const Known& known, int depth, int ply, int alpha, int beta) {
    ActionList<P::kMoves> moves;
    positions_.moves(node, moves);
    std::array<int, P::kMoves> merit;
    for (int i = 0; i < moves.size; ++i) merit[at(i)] = merit_of(node, moves[i], known, ply);

    const std::uint64_t nodes_before = nodes_;
    const int bottom = alpha;
    Found best{-kInfinity, true};
    int best_move = 0;
    bool all_whole = true;
    for (int i = 0; i < moves.size; ++i) {
      const auto first = std::max_element(merit.begin() + i, merit.begin() + moves.size) - merit.begin();
      std::swap(merit[at(i)], merit[static_cast<std::size_t>(first)]);
      std::swap(moves.items[at(i)], moves.items[static_cast<std::size_t>(first)]);
      const int move = moves[i];
      const Found found = after(node, move, depth, ply, alpha, beta, i > 0);
      if (limits_.spent()) return {};
      all_whole &= found.whole;
      if (found.value > best.value) {
        best = found;
        best_move = move;
      }
      if (found.value <= alpha) continue;
      alpha = found.value;
      if (beta - bottom > 1) lines_[at(ply)].put_first(move, lines_[at(ply + 1)]);
      if (alpha < beta) continue;
      praise(node, moves, i, depth, ply);
      break;
    }
    const bool cut = best.value >= beta;
    if (!cut) best.whole = all_whole;
    const Bound bound = cut ? Bound::lower : best.value > bottom ? Bound::exact : Bound::upper;
    table_.put(key, {best.value, best_move, best.whole ? Known::kWhole : depth, bound, nodes_ - nodes_before});
    return best;
  }

  int merit_of(const Node& node, int move, const Known& known, int ply) const {
    if (known.bound != Bound::none && move == known.move) return 4 * kMost;
    const auto& killers = killers_[at(ply)];
    const int killer = move == killers[0] ? kMost : move == killers[1] ? kMost / 2 : 0;
    return killer + positions_.promise(node, move) + history_[at(positions_.kindred(node, move))];
  }

  // The move at `i` has refuted the position: similar ones will be tried earlier, those tried in vain later.
  void praise(const Node& node, const ActionList<P::kMoves>& moves, int i, int depth, int ply) {
    auto& killers = killers_[at(ply)];
    if (killers[0] != moves[i]) killers = {moves[i], killers[0]};
    const int weight = std::min(depth * depth, 400);
    for (int j = 0; j <= i; ++j) {
      int& history = history_[at(positions_.kindred(node, moves[j]))];
      const int aim = j == i ? kHistory : -kHistory;
      history += (aim - history) * weight / kHistory;
    }
  }
  static constexpr int kHistory = 1 << 14;  // a history lies between this and its negative

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace ludoteca
