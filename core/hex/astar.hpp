// The player of the document hex-ai-player: minimax over neighbouring cells, evaluated by how many stones each side
// still needs.
//
//     value = other's distance / (own distance + 0.00001)      own: of the searching seat, on every ply
//
// It takes a win in one move if there is one. Otherwise it searches `depth` plies. Candidates, in this order and each
// once:
//
//     the centre; empty neighbours of stones of the seat on turn; empty neighbours of the other's stones
//
// On the first ply all stones count, in the order of their cells; deeper only the last three of each seat, the latest
// first, including those of the searched line. So cells that touch no such stone are no candidates, except the centre.
// Deeper, the candidates may run out while the board has room: then all stones count again.
//
// The search is that of search/minimax.hpp; HexNeighbours is its MinimaxGame.
#pragma once

#include <limits>

#include "hex/zobrist.hpp"
#include "hex/value_cache.hpp"
#include "hex/paths.hpp"
#include "search/iterative_deepening.hpp"
#include "search/minimax.hpp"

namespace ludoteca {

// The candidates, the evaluation, and a cache of values.
class HexNeighbours {
 public:
  static constexpr int kMaxDepth = 9, kMaxMoves = Hex::kMaxActions;
  static constexpr std::uint64_t kNodesPerCheck = 32;
  static constexpr int kRecent = 3;
  using Recent = std::array<std::vector<Action>, 2>;
  using Moves = ActionList<kMaxMoves>;
  using Rest = Line<kMaxDepth>;

  // The last moves of a seat, the latest first.
  struct Last {
    std::array<std::int16_t, kRecent> moves{};
    int size = 0;
    bool all = false;  // its last moves are unknown: all its stones count

    void push(Action action) {
      std::copy_backward(moves.begin(), moves.end() - 1, moves.end());
      moves[0] = static_cast<std::int16_t>(action);
      size = std::min(size + 1, kRecent);
    }
  };
  struct Node {
    State<Hex> state;
    std::uint64_t key;
    std::array<Last, 2> last{};
    int ply = 0;  // from the root
  };

  // cache: keep the value of a position for transpositions.
  HexNeighbours(const Hex& game, bool cache, Seat seat) : game_(game), cache_(cache), seat_(seat), paths_(game) {}

  // recent: see HexAstar.
  Node root(const State<Hex>& state, const Recent& recent) const {
    Node out{state, zobrist_.position(game_, state.pub)};
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      const std::vector<Action>& played = recent[index(seat)];
      for (const Action action : played) out.last[index(seat)].push(action);
      out.last[index(seat)].all = played.size() < std::min<std::size_t>(kRecent, count_stones(state, seat));
    }
    return out;
  }

  void list_near_all(const State<Hex>& state, Moves& moves) const {
    Listed listed{};
    list_centre(state, listed, moves);
    list_near_stones(state, state.pub.turn, listed, moves);
    list_near_stones(state, other(state.pub.turn), listed, moves);
  }

  bool is_max_node(const Node& node) const { return node.state.pub.turn == seat_; }

  void moves(const Node& node, Moves& out) const {
    list_near_recent(node, out);
    if (out.size == 0) list_near_all(node.state, out);
  }

  Node play(const Node& node, Action action) const {
    const Seat mover = node.state.pub.turn;
    Node next = node;
    game_.apply(next.state, action);
    next.key ^= zobrist_(action, mover);
    next.last[index(mover)].push(action);
    ++next.ply;
    return next;
  }

  std::optional<double> terminal_value(const Node& node) const {
    if (node.state.pub.winner == kNobody) return std::nullopt;
    return node.state.pub.winner == seat_ ? std::numeric_limits<double>::infinity() : 0;
  }

  double evaluate(const Node& node) {
    if (!may_transpose(node)) return distance_ratio(node.state);
    if (const double* found = leaves_.find(node.key)) return *found;
    const double value = distance_ratio(node.state);
    leaves_.add(node.key, value);
    return value;
  }

  std::optional<double> probe(const Node& node, int depth, Rest& line) const {
    if (!may_transpose(node)) return std::nullopt;
    const Cached* found = inner_.find(cache_key(node, depth));
    if (!found) return std::nullopt;
    for (const std::int16_t each : found->line) line.add_if(each != kNoAction, each);
    return found->value;
  }

  void store(const Node& node, int depth, double value, const Rest& line) {
    if (!may_transpose(node)) return;
    Cached found{value, {}};
    found.line.fill(kNoAction);
    std::copy(line.begin(), line.end(), found.line.begin());
    inner_.add(cache_key(node, depth), found);
  }

 private:
  static constexpr int kTransposePlies = 3;  // from this ply on another order of the same moves can lead here
  static constexpr double kEpsilon = 1e-5;

  // A cached value with its line, without which the search could not show where the value comes from.
  struct Cached {
    double value = 0;
    std::array<std::int16_t, kMaxDepth - kTransposePlies> line{};  // kNoAction beyond its end
  };
  static constexpr std::int16_t kNoAction = -1;

  const Hex& game_;
  const bool cache_;
  const Seat seat_;
  HexPaths paths_;
  const HexZobrist zobrist_{0};
  HexValueCache<double> leaves_;
  HexValueCache<Cached> inner_;

  bool may_transpose(const Node& node) const { return cache_ && node.ply >= kTransposePlies; }
  // The seat on turn follows from the depth, so position and depth are enough as a key.
  static std::uint64_t cache_key(const Node& node, int depth) {
    return node.key + static_cast<std::uint64_t>(depth) * 0x9e3779b97f4a7c15ULL;
  }

  double distance_ratio(const State<Hex>& state) {
    const HexPaths::Stones stones = paths_.stones(state.pub);
    const int own = paths_.distance(paths_.board_of(stones, seat_));
    const int others = paths_.distance(paths_.board_of(stones, other(seat_)));
    assert(own > 0 && others > 0);  // otherwise the match would be over
    return others / (own + kEpsilon);
  }

  std::size_t count_stones(const State<Hex>& state, Seat seat) const {
    std::size_t count = 0;
    for (Action cell = 0; cell < game_.size * game_.size; ++cell) count += game_.owner(state.pub, cell) == seat;
    return count;
  }

  using Listed = std::array<bool, Hex::kMaxSide * Hex::kMaxSide>;

  void list_near_recent(const Node& node, Moves& moves) const {
    const State<Hex>& state = node.state;
    Listed listed{};
    list_centre(state, listed, moves);
    for (const Seat seat : {state.pub.turn, other(state.pub.turn)}) {
      const Last& last = node.last[index(seat)];
      if (last.all) {
        list_near_stones(state, seat, listed, moves);
        continue;
      }
      for (int i = 0; i < last.size; ++i) list_near(state, game_.at(last.moves[index(i)]), listed, moves);
    }
  }

  void list_centre(const State<Hex>& state, Listed& listed, Moves& moves) const {
    moves.size = 0;
    list(state, game_.at(game_.size / 2, game_.size / 2), listed, moves);
  }

  void list_near_stones(const State<Hex>& state, Seat seat, Listed& listed, Moves& moves) const {
    for (Action cell = 0; cell < game_.size * game_.size; ++cell) {
      if (game_.owner(state.pub, cell) == seat) list_near(state, game_.at(cell), listed, moves);
    }
  }

  void list_near(const State<Hex>& state, int cell, Listed& listed, Moves& moves) const {
    for (const std::int16_t n : game_.neighbours(cell)) list(state, n, listed, moves);
  }

  void list(const State<Hex>& state, int cell, Listed& listed, Moves& moves) const {
    if (listed[index(cell)] || state.pub.cell[index(cell)]) return;
    listed[index(cell)] = true;
    moves.add(game_.action_at(cell));
  }
};

class HexAstar {
 public:
  static constexpr int kMaxDepth = HexNeighbours::kMaxDepth;
  using Recent = HexNeighbours::Recent;

  struct Settings {
    int depth = 3;
    bool prune = true;  // cut off where beta <= alpha; without it the same choice takes longer
    bool cache = true;  // keep the value of a position for transpositions
  };

  // recent: the last moves of each seat, the latest last. If fewer than three are given, and fewer than the seat has
  // stones, its last moves are unknown: then all its stones count on every ply.
  HexAstar(const Hex& game, Settings settings, const Recent& recent, Limits& limits)
      : game_(game), settings_(settings), limits_(limits), recent_(recent) {}

  // Chooses for the seat on turn; value and scores are the ratio above, infinite for a win and 0 for a loss. The score
  // of an action that was cut off is an upper bound. A win in one move takes no nodes.
  //
  // If the limits may end it early it searches three plies first, which is quick, then four, and so on.
  void choose(const State<Hex>& state, SharedChoice& shared) const {
    if (wins_at_once(state, shared)) return;
    HexNeighbours neighbours(game_, settings_.cache, state.pub.turn);
    Moves moves;
    neighbours.list_near_all(state, moves);
    shared.update([&](Choice& choice) {
      choice.action = moves[0];
      choice.line.put_first(moves[0], Rest{});
    });
    const HexNeighbours::Node root = neighbours.root(state, recent_);
    Searcher search(neighbours, limits_, settings_.prune);
    const int first = limits_.may_end_early() ? std::min(settings_.depth, kFirstDepth) : settings_.depth;
    for (int plies = first; plies <= settings_.depth && !limits_.spent(); ++plies) {
      search_root(search, root, moves, plies, shared);
    }
  }

 private:
  using Searcher = Minimax<HexNeighbours>;
  using Moves = HexNeighbours::Moves;
  using Rest = HexNeighbours::Rest;
  static constexpr int kFirstDepth = 3;
  static constexpr double kNone = -1;

  const Hex& game_;
  const Settings settings_;
  Limits& limits_;
  const Recent& recent_;

  bool wins_at_once(const State<Hex>& root, SharedChoice& shared) const {
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      if (game_.owner(root.pub, action) != kNobody) continue;
      State<Hex> next = root;
      game_.apply(next, action);
      if (next.pub.winner == kNobody) continue;
      Iteration iteration(shared, 1);
      iteration.add(action, Searcher::kInfinity, Rest{});
      iteration.finish(true);
      return true;
    }
    return false;
  }

  void search_root(Searcher& search, const HexNeighbours::Node& root, const Moves& moves, int plies,
                   SharedChoice& shared) const {
    Iteration iteration(shared, plies);
    for (const Action action : moves) {
      Rest rest;
      const double best = iteration.empty() ? kNone : iteration.best();
      const double value = search.search_move(root, action, plies, best, Searcher::kInfinity, rest);
      if (limits_.spent()) return;
      iteration.add(action, value, rest);
      if (settings_.prune && iteration.best() == Searcher::kInfinity) break;
    }
    iteration.finish(plies == settings_.depth);
  }
};

}  // namespace ludoteca
