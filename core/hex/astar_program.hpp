// The program behind the document hex-ai-player, with what its code decides where that differs from the document
// (hex/astar.hpp); docs/agents/astar.md has the table.
//
//     value = other's estimate / (own estimate + 0.00001)
//
// The estimate of a seat: a path starts at a cell of its low side at N - 1. Every further cell costs N - 1 less the
// lines behind it, and one more when it is empty: A*'s guess of what is left, added again at each step. On the empty
// 11×11 board that is 10 + (1 + 9) + (1 + 8) + ... + (1 + 0) = 65. Every cost is positive or 0, so the search is
// Dijkstra's.
//
// Candidates of every ply: the centre, then the empty neighbours of the stones of seat 0, whichever seat is on turn:
// the list of the other seat is filled from the same stones. While more than two plies are left after this one, all its
// stones count, then its last three. These are the stones on the real board; what the search plays adds none.
//
// A candidate that wins is played, the last of several. No win is seen deeper: after it the search plays on. Every
// candidate is searched `depth` plies further with a full window. A node keeps its value for transpositions even where
// a cut made it a bound, so the value can depend on the order of the candidates. A node without candidates has the
// value of no move at all, infinity where the other moves and minus infinity where the searching seat does.
#pragma once

#include <limits>
#include <unordered_map>

#include "hex/zobrist.hpp"
#include "search/iterative_deepening.hpp"

namespace ludoteca {

// The estimate that adds up; the program compares with column 10, here it is the last one of any size.
class HexAddedEstimate {
 public:
  static constexpr int kBlocked = -1;
  using Cells = std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide>;  // 0 empty, otherwise not; see Hex::stone

  explicit HexAddedEstimate(const Hex& game) : game_(game) {
    for (Action action = 0; action < game.size * game.size; ++action) {
      const int row = action / game.size, column = action % game.size;
      ahead_[index(game.horizontal())][index(game.at(action))] = static_cast<std::uint8_t>(game.size - 1 - column);
      ahead_[index(other(game.horizontal()))][index(game.at(action))] = static_cast<std::uint8_t>(game.size - 1 - row);
    }
  }

  // kBlocked when no path is left. Only the owners' bits of the cells count; the rim is blocked.
  int operator()(const Cells& cells, Seat seat) {
    const auto& ahead = ahead_[index(seat)];
    const std::uint8_t own = Hex::stone(seat), others = Hex::stone(other(seat));
    const int last = game_.size - 1;
    bucket_size_.fill(0);
    closed_.fill(false);
    const bool across = seat == game_.horizontal();
    for (int i = 0; i < game_.size; ++i) {
      const int cell = across ? game_.at(i, 0) : game_.at(0, i);
      if (!(cells[index(cell)] & others)) add(cell, last);
    }
    // What enters a cell costs the same from every side, so the first way to it is the cheapest.
    for (int cost = last, empty = 0; empty < kBuckets; ++cost) {
      const std::size_t bucket = index(cost % kBuckets);
      empty = bucket_size_[bucket] ? 0 : empty + 1;
      for (std::size_t i = 0; i < bucket_size_[bucket]; ++i) {  // costs of 0 add to this bucket
        const int cell = buckets_[bucket][i];
        if (ahead[index(cell)] == 0) return cost;
        for (const std::int16_t near : game_.neighbours(cell)) {
          const std::uint8_t stone = cells[index(near)];
          if (stone & (others | kRim) || closed_[index(near)]) continue;
          add(near, cost + (stone & own ? 0 : 1) + ahead[index(near)]);
        }
      }
      bucket_size_[bucket] = 0;
    }
    return kBlocked;
  }

  // The position without the marks of its groups.
  Cells cells_of(const Hex::Public& pub) const {
    Cells out;
    out.fill(kRim);
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      const Seat seat = game_.owner(pub, action);
      out[index(game_.at(action))] = seat == kNobody ? std::uint8_t{0} : Hex::stone(seat);
    }
    return out;
  }

 private:
  static constexpr std::uint8_t kRim = 4;
  static constexpr int kBuckets = 32;  // more than the largest cost of a step
  static_assert(kBuckets > Hex::kMaxSize + 1);

  const Hex& game_;
  std::array<std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide>, 2> ahead_{};  // lines between it and the high side
  std::array<std::array<std::int16_t, Hex::kMaxSize * Hex::kMaxSize>, kBuckets> buckets_;
  std::array<std::size_t, kBuckets> bucket_size_;
  std::array<bool, Hex::kMaxSide * Hex::kMaxSide> closed_;

  void add(int cell, int cost) {
    const std::size_t bucket = index(cost % kBuckets);
    closed_[index(cell)] = true;
    buckets_[bucket][bucket_size_[bucket]++] = static_cast<std::int16_t>(cell);
  }
};

class HexAstarProgram {
 public:
  static constexpr int kMaxDepth = 9;

  // depth: the plies after the first move. stones: those of seat 0 in the order in which they came to be seen.
  HexAstarProgram(const Hex& game, int depth, const std::vector<Action>& stones, Limits& limits)
      : game_(game), depth_(depth), limits_(limits), estimate_(game) {
    for (const Action stone : stones) stones_.push_back(static_cast<std::int16_t>(game.at(stone)));
  }

  // Chooses for the seat on turn; value and scores are the ratio above. A win in one move takes no nodes. Where the
  // program breaks off for want of candidates, all empty cells are candidates.
  //
  // If the limits may end it early it searches three plies first, which is quick, then four, and so on.
  void choose(const State<Hex>& state, SharedChoice& shared) {
    seat_ = turn_ = state.pub.turn;
    cells_ = estimate_.cells_of(state.pub);
    key_ = zobrist_.position(game_, state.pub);
    Moves moves;
    list_candidates(kAllStones, moves);
    for (Action action = 0; action < game_.size * game_.size && moves.size == 0; ++action) {
      if (!cells_[index(game_.at(action))]) moves.add(action);
    }
    if (wins_at_once(state, moves, shared)) return;
    shared.update([&](Choice& choice) {
      choice.action = moves[0];
      choice.line.put_first(moves[0], Rest{});
    });
    const int first = limits_.may_end_early() ? std::min(depth_, kFirstDepth) : depth_;
    for (int depth = first; depth <= depth_ && !limits_.spent(); ++depth) search_root(moves, depth, shared);
  }

 private:
  using Moves = ActionList<Hex::kMaxActions>;
  using Rest = Line<kMaxDepth>;
  struct Stored {
    double value;
    Rest line;  // leads to the leaf with this value, so that the search can show where the value comes from
  };
  static constexpr int kFirstDepth = 2, kRecent = 3;
  static constexpr int kAllStones = kRecent;  // with so many plies left
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kEpsilon = 1e-5;
  static constexpr std::uint64_t kNodesPerCheck = 32;
  // Of Hex::neighbours (left, right, two above, two below): the order in which the program lists them.
  static constexpr std::array<std::size_t, 6> kOrder{4, 3, 2, 0, 1, 5};

  const Hex& game_;
  const int depth_;
  Limits& limits_;
  HexAddedEstimate estimate_;
  std::vector<std::int16_t> stones_;
  const HexZobrist zobrist_{0};
  std::unordered_map<std::uint64_t, Stored> memo_;
  HexAddedEstimate::Cells cells_{};
  std::uint64_t key_ = 0;
  Seat seat_ = 0, turn_ = 0;

  bool wins_at_once(const State<Hex>& root, const Moves& moves, SharedChoice& shared) const {
    std::optional<Action> winning;
    for (const Action action : moves) {
      State<Hex> next = root;
      game_.apply(next, action);
      if (next.pub.winner != kNobody) winning = action;
    }
    if (!winning) return false;
    Iteration iteration(shared, 1);
    iteration.add(*winning, kInfinity, Rest{});
    iteration.finish(true);
    return true;
  }

  void search_root(const Moves& moves, int depth, SharedChoice& shared) {
    memo_.clear();  // a key stands for a position and the plies left, so only for one depth
    Iteration iteration(shared, depth + 1);
    for (const Action action : moves) {
      Rest rest;
      const double value = search_move(action, depth, -kInfinity, kInfinity, rest);
      if (limits_.spent()) return;
      iteration.add(action, value, rest);
    }
    iteration.finish(depth == depth_);
  }

  // The value after `action`, `depth` plies further.
  double search_move(Action action, int depth, double alpha, double beta, Rest& line) {
    line.size = 0;
    if (!limits_.spend(kNodesPerCheck)) return 0;
    const std::size_t cell = index(game_.at(action));
    const std::uint64_t before = key_;
    cells_[cell] = Hex::stone(turn_);
    key_ ^= zobrist_(action, turn_);
    turn_ = other(turn_);
    const double value = depth == 0 ? evaluate() : search(depth, alpha, beta, line);
    turn_ = other(turn_);
    key_ = before;
    cells_[cell] = 0;
    return value;
  }

  double search(int depth, double alpha, double beta, Rest& line) {
    const std::uint64_t key = key_ + static_cast<std::uint64_t>(depth) * 0x9e3779b97f4a7c15ULL;
    if (const auto found = memo_.find(key); found != memo_.end()) {
      line = found->second.line;
      return found->second.value;
    }
    const bool highest = turn_ == seat_;
    Moves moves;
    list_candidates(depth, moves);
    double best = highest ? -kInfinity : kInfinity;
    Rest rest;
    for (const Action action : moves) {
      const double value = search_move(action, depth - 1, alpha, beta, rest);
      if (limits_.spent()) return 0;
      if (line.size == 0 || (highest ? value > best : value < best)) {
        best = value;
        line.put_first(action, rest);
      }
      if (highest ? best > beta : best < alpha) break;
      (highest ? alpha : beta) = highest ? std::max(alpha, best) : std::min(beta, best);
    }
    memo_.emplace(key, Stored{best, line});
    return best;
  }

  // After an odd depth the searching seat is on turn, as in the program; the ratio is always its own.
  double evaluate() {
    const int own = estimate_(cells_, seat_), others = estimate_(cells_, other(seat_));
    if (own == HexAddedEstimate::kBlocked) return 0;
    if (others == HexAddedEstimate::kBlocked) return kInfinity;
    return others / (own + kEpsilon);
  }

  // depth: the plies left, this one included; kAllStones on the first ply.
  void list_candidates(int depth, Moves& moves) const {
    std::array<bool, Hex::kMaxSide * Hex::kMaxSide> listed{};
    const auto list = [&](int cell) {
      if (listed[index(cell)] || cells_[index(cell)]) return;
      listed[index(cell)] = true;
      moves.add(game_.action_at(cell));
    };
    moves.size = 0;
    list(game_.at(game_.size / 2, game_.size / 2));
    const bool all = depth >= kAllStones || stones_.size() < kRecent;
    for (std::size_t i = all ? 0 : stones_.size() - kRecent; i < stones_.size(); ++i) {
      for (const std::size_t side : kOrder) list(game_.neighbours(stones_[i])[side]);
    }
  }
};

}  // namespace ludoteca
