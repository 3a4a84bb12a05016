// The program behind the document ai-hex-2025, with what its code decides where that differs from the document
// (hex/beam.hpp); docs/agents/beam.md has the table.
//
// Ev(B, X, c): X puts a stone on c. A shortest path is searched from there to both sides of X and joined; L counts its
// empty cells, those of both halves twice. One of them is blocked at random, until there are four paths, or none is
// left: then L is tot, which adds nothing.
//
//     Ev = sum of (tot - L[i]) / tot * L[0] / tot * ... * L[i - 1] / tot
//     score of the move c of X = max(Ev(B, X, c), 1 - Ev(B, Y, c)),   Y puts its stone on c instead
//
// So a cell through which Y has no path at all scores 1, as a win does. Sums and products are rounded as the program
// rounds them, since equal paths in another order decide which move comes first.
//
// The search is the document's, 8 wide, then 6, 4, 2 and 0; but a node whose best score is above 0.99999 is searched no
// further and has that score, at the other's plies one less it. There is no other end of a match in the tree: a move
// that wins scores 1, so it is never played there.
//
// Randomness: the generator of an evaluation is seeded with the HexZobrist(seed) key of the position with the stone,
// plus the evaluated seat.
#pragma once

#include <algorithm>

#include "hex/beam_moves.hpp"
#include "hex/zobrist.hpp"
#include "search/iterative_deepening.hpp"

namespace ludoteca {

class HexBeamProgram {
 public:
  static constexpr int kPaths = 4;
  static constexpr int kNarrower = 2;
  static constexpr int kMaxWidth = 28;
  static constexpr double kEnough = 0.99999;

  HexBeamProgram(const Hex& game, std::uint64_t seed, int width, Limits& limits)
      : game_(game), width_(width), limits_(limits), zobrist_(seed) {}

  // Chooses for the seat on turn; value and scores are the program's. All moves have scores if none was searched,
  // otherwise those that were.
  //
  // If the limits may end it early it takes the best score first, then searches width 4, 8, and so on.
  void choose(const State<Hex>& root, SharedChoice& shared) {
    start(root.pub);
    seat_ = root.pub.turn;
    Ranked moves;
    rank(seat_, game_.size * game_.size, moves);
    if (moves.empty()) return;
    const bool enough = moves[0].score > kEnough;
    if (width_ == 0 || enough || limits_.may_end_early()) {
      Iteration iteration(shared, 1);
      for (const Move& move : moves) iteration.add(move.action, move.score, Rest{});
      iteration.finish((width_ == 0 || enough) && !limits_.spent());
    }
    if (enough) return;
    const int first = limits_.may_end_early() ? kNextWidth : width_;
    for (int width = first; 0 < width && width <= width_ && !limits_.spent(); width += kNextWidth) {
      search_root(width, moves, shared);
    }
  }

  // L of each path of `seat` through its new stone on `action`; they end with a connection, 0, or with a missing path.
  std::vector<int> lengths(const Hex::Public& pub, Action action, Seat seat) {
    start(pub);
    std::vector<int> found;
    for_each_length(action, seat, [&](int length) { found.push_back(length); });
    return found;
  }

 private:
  struct Move {
    Action action;
    double score;
  };
  using Ranked = std::vector<Move>;
  using Cells = std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide>;
  using Rest = Line<kMaxWidth / kNarrower + 1>;
  static constexpr std::uint64_t kNodesPerCheck = 16;
  static constexpr int kNextWidth = 4;
  static constexpr std::uint8_t kRim = 4;
  static constexpr std::int16_t kUnseen = -1, kStart = -2;
  // Of Hex::neighbours (left, right, two above, two below): the order in which the program looks.
  static constexpr std::array<std::size_t, 6> kOrder{0, 1, 2, 5, 3, 4};

  const Hex& game_;
  const int width_;
  Limits& limits_;
  const HexZobrist zobrist_;
  Cells cells_{};  // 0 empty, otherwise the owner, or the rim
  std::uint64_t key_ = 0;
  Seat seat_ = 0;
  std::array<std::int16_t, Hex::kMaxSide * Hex::kMaxSide> from_{};  // where the search came from
  std::array<std::int16_t, 2 * Hex::kMaxSize * Hex::kMaxSize + 1> queue_;
  std::array<std::int16_t, 2 * Hex::kMaxSize * Hex::kMaxSize> path_;

  void start(const Hex::Public& pub) {
    cells_.fill(kRim);
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      const Seat seat = game_.owner(pub, action);
      cells_[index(game_.at(action))] = seat == kNobody ? std::uint8_t{0} : Hex::stone(seat);
    }
    key_ = zobrist_.position(game_, pub);
  }

  // The distance of a cell from the low side of the seat.
  int line_of(int cell, Seat seat) const {
    return (seat == game_.horizontal() ? cell % (game_.size + 2) : cell / (game_.size + 2)) - 1;
  }

  // The empty cells of a shortest path through `start`, those from the low side first; -1 if there is none.
  int find_path(int start, Seat seat) {
    const std::uint8_t own = Hex::stone(seat);
    const auto put_off = static_cast<std::uint8_t>(~own);  // what is neither empty nor own
    from_.fill(kUnseen);
    from_[index(start)] = kStart;
    int head = Hex::kMaxSize * Hex::kMaxSize, tail = head;
    queue_[index(tail++)] = static_cast<std::int16_t>(start);
    int low = kUnseen, high = kUnseen;
    while (head < tail && (low == kUnseen || high == kUnseen)) {
      const int cell = queue_[index(head++)];
      for (const std::size_t side : kOrder) {
        const std::int16_t near = game_.neighbours(cell)[side];
        if (cells_[index(near)] & put_off || from_[index(near)] != kUnseen) continue;
        from_[index(near)] = static_cast<std::int16_t>(cell);
        queue_[index(cells_[index(near)] ? --head : tail++)] = near;  // own stones cost nothing: they come next
      }
      const int line = line_of(cell, seat);
      if (line == 0 && low == kUnseen) low = cell;
      if (line == game_.size - 1 && high == kUnseen) high = cell;
    }
    if (low == kUnseen || high == kUnseen) return -1;
    int count = 0;
    for (int end : {low, high}) {
      for (; end != kStart; end = from_[index(end)]) {
        if (!cells_[index(end)]) path_[index(count++)] = static_cast<std::int16_t>(end);
      }
    }
    return count;
  }

  // Calls `f` with L of up to four paths, the last one 0 for a connection or tot for a missing path.
  template <class F>
  void for_each_length(Action action, Seat seat, F f) {
    const int start = game_.at(action);
    Rng rng{(key_ ^ zobrist_(action, seat)) + static_cast<std::uint64_t>(seat)};
    std::array<std::int16_t, kPaths> blocked;
    std::size_t count = 0;
    cells_[index(start)] = Hex::stone(seat);
    for (int i = 0; i < kPaths; ++i) {
      const int length = find_path(start, seat);
      f(length < 0 ? game_.size * game_.size : length);
      if (length <= 0) break;
      blocked[count++] = path_[rng.below(static_cast<std::uint32_t>(length))];
      cells_[index(blocked[count - 1])] = Hex::stone(other(seat));
    }
    for (std::size_t i = 0; i < count; ++i) cells_[index(blocked[i])] = 0;
    cells_[index(start)] = 0;
  }

  double evaluate(Action action, Seat seat) {
    const double cells = game_.size * game_.size;
    double sum = 0, reach = 1;
    for_each_length(action, seat, [&](int length) {
      sum = sum + reach * (cells - length) / cells;
      reach = reach * length / cells;
    });
    return sum;
  }

  Move evaluate_move(Action action, Seat mover) {
    return {action, std::max(evaluate(action, mover), 1 - evaluate(action, other(mover)))};
  }

  // The best moves by score, at most `count`; if the limits end it, of those evaluated so far.
  void rank(Seat mover, int count, Ranked& moves) {
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      if (cells_[index(game_.at(action))]) continue;
      if (!limits_.spend(kNodesPerCheck)) break;
      moves.push_back(evaluate_move(action, mover));
    }
    keep_best(moves, count);
  }

  void search_root(int width, const Ranked& moves, SharedChoice& shared) {
    Iteration iteration(shared, width / kNarrower + 1);
    for (std::size_t i = 0; i < std::min(moves.size(), index(width)); ++i) {
      Rest rest;
      const double value = search_move(moves[i].action, seat_, width, -1, 2, rest);
      if (limits_.spent()) return;
      iteration.add(moves[i].action, value, rest);
    }
    iteration.finish(width == width_);
  }

  double search_move(Action action, Seat mover, int width, double alpha, double beta, Rest& line) {
    const std::size_t cell = index(game_.at(action));
    cells_[cell] = Hex::stone(mover);
    key_ ^= zobrist_(action, mover);
    const double value = search(other(mover), width - kNarrower, alpha, beta, line);
    key_ ^= zobrist_(action, mover);
    cells_[cell] = 0;
    return value;
  }

  double search(Seat mover, int width, double alpha, double beta, Rest& line) {
    if (width == 0) return best_score(mover, beta, line);
    const bool ours = mover == seat_;
    Ranked moves;
    rank(mover, width, moves);
    if (limits_.spent()) return 0;
    if (moves[0].score > kEnough) {
      line.put_first(moves[0].action, Rest{});
      return ours ? moves[0].score : 1 - moves[0].score;
    }
    return best_of_moves(moves, ours, ours ? -1.0 : 2.0, alpha, beta, limits_, line,
                         [&](const Move& move, double low, double high, Rest& rest) {
                           return search_move(move.action, mover, width, low, high, rest);
                         });
  }

  // The last ply: the best score of any move, or the first found that is at least beta.
  double best_score(Seat mover, double beta, Rest& line) {
    double best = -1;
    for (Action action = 0; action < game_.size * game_.size && best < beta; ++action) {
      if (cells_[index(game_.at(action))]) continue;
      if (!limits_.spend(kNodesPerCheck)) return 0;
      const double score = evaluate_move(action, mover).score;
      if (score <= best) continue;
      best = score;
      line.put_first(action, Rest{});
    }
    return best;
  }
};

}  // namespace ludoteca
