// The player of the document ai-hex-2025: minimax over the moves with the best scores (a beam). A move scores well when
// four shortest paths, one after another, are hard to block.
//
// Ev(B, X): take a shortest path of X, block one of its empty cells at random, take a shortest path again, until there
// are four. L[i] counts the empty cells of the i-th path, tot all cells of the board:
//
//     P[i] = (tot - L[i]) / tot + L[i] / tot * P[i + 1],   P[4] = 0,   Ev = P[0]
//
// Since 1 - P[i] = L[i] / tot * (1 - P[i + 1]), this is 1 - L[0] L[1] L[2] L[3] / tot^4: so all values here are
// integers in units of 1 / tot^4, and equality is exact. When no path is left its L is tot, which adds nothing.
//
//     score of a move of X = max(Ev(B, X), 1 - Ev(B, Y)),   B the board after it, Y the other
//
// The second is never larger, so only the first is computed. Proof: let x and y be the L[0] of X and Y, and e the
// number of empty cells. With stones of X on any x - 1 of them X does not connect, so Y does with stones on all others:
// y is at most e - (x - 1), and as B holds a stone, x + y is at most tot. Hence
//
//     1 - Ev(B, Y) <= y / tot <= 1 - x / tot <= Ev(B, X)
//
// The search tries the 8 moves with the best scores, the 6 best answers to each, then 4, then 2, and at width 0 takes
// the best score as the value: five plies, the last one the searching seat's, which maximises; the other minimises. Of
// equal scores the lower cell comes first. A won position has the value 1, a lost one 0.
//
// Randomness: the generator of an evaluation is seeded with the HexZobrist(seed) key of the position plus the evaluated
// seat, so a position has one value for one seed, however it is reached.
//
// It does not use search/minimax.hpp, where a node is a move that is played: here a node is a move that is evaluated,
// and all moves of a position are evaluated before the first is played, so that nothing is left to count or to stop
// there.
#pragma once

#include <algorithm>

#include "hex/beam_moves.hpp"
#include "hex/zobrist.hpp"
#include "hex/paths.hpp"
#include "search/iterative_deepening.hpp"

namespace ludoteca {

class HexBeam {
 public:
  static constexpr int kPaths = 4;
  static constexpr int kNarrower = 2;  // by how much the width shrinks from ply to ply
  static constexpr int kMaxWidth = 28;
  using Lengths = std::array<int, kPaths>;

  HexBeam(const Hex& game, std::uint64_t seed, int width, Limits& limits)
      : game_(game), width_(width), limits_(limits), zobrist_(seed), paths_(game), one_(fourth_power(game)) {}

  // Chooses for the seat on turn; value and scores are those of the document, from 0 to 1. At width 0 all moves have
  // scores, otherwise those that were searched.
  //
  // If the limits may end it early it searches width 0 first, then 4, 8, and so on: a narrow search is quick, and in a
  // wide one not even the first move might be finished.
  void choose(const State<Hex>& root, SharedChoice& shared) {
    seat_ = root.pub.turn;
    const std::uint64_t key = zobrist_.position(game_, root.pub);
    Ranked moves;
    rank(root, key, game_.size * game_.size, moves);
    if (moves.empty()) return;
    if (width_ == 0 || limits_.may_end_early()) {
      Iteration iteration(shared, 1);
      for (const Move& move : moves) iteration.add(move.action, share(move.score), Rest{});
      iteration.finish(width_ == 0 && !limits_.spent());
    }
    const int first = limits_.may_end_early() ? kNextWidth : width_;
    for (int width = first; 0 < width && width <= width_ && !limits_.spent(); width += kNextWidth) {
      search_root(root, key, width, moves, shared);
    }
  }

  // L: the empty cells of the four paths of `seat`; all 0 if it has connected.
  Lengths lengths(const Hex::Public& pub, std::uint64_t key, Seat seat) {
    Lengths found;
    found.fill(pub.winner == seat ? 0 : game_.size * game_.size);
    if (pub.winner != kNobody) return found;
    Rng rng{key + static_cast<std::uint64_t>(seat)};
    HexPaths::SeatBoard board = paths_.board_of(paths_.stones(pub), seat);
    for (int& length : found) {
      if (!paths_.shortest(board, path_)) break;
      length = path_.size;
      board.block(path_[static_cast<int>(rng.below(static_cast<std::uint32_t>(length)))]);
    }
    return found;
  }

  std::uint64_t key_of(const Hex::Public& pub) const { return zobrist_.position(game_, pub); }

 private:
  struct Move {
    Action action;
    std::int64_t score;  // in units of 1 / tot^4
    bool wins;
  };
  using Ranked = std::vector<Move>;
  static constexpr std::uint64_t kNodesPerCheck = 16;
  static constexpr int kNextWidth = 4;  // the last ply of each such width is the searching seat's
  using Rest = Line<kMaxWidth / kNarrower + 1>;

  const Hex& game_;
  const int width_;
  Limits& limits_;
  const HexZobrist zobrist_;
  HexPaths paths_;
  HexPaths::Path path_;
  const std::int64_t one_;  // the value 1, in units of 1 / tot^4
  const std::vector<Action> cells_ = from_the_centre(game_);
  Seat seat_ = 0;

  static std::int64_t fourth_power(const Hex& game) {
    const std::int64_t cells = game.size * game.size;
    return cells * cells * cells * cells;
  }
  double share(std::int64_t score) const { return static_cast<double>(score) / static_cast<double>(one_); }

  // All cells, the central ones first: with little time they are the ones to evaluate.
  static std::vector<Action> from_the_centre(const Hex& game) {
    std::vector<std::pair<int, Action>> cells;
    for (Action cell = 0; cell < game.size * game.size; ++cell) cells.emplace_back(game.off_centre(cell), cell);
    std::sort(cells.begin(), cells.end());
    std::vector<Action> out;
    for (const auto& [off, cell] : cells) out.push_back(cell);
    return out;
  }

  void search_root(const State<Hex>& root, std::uint64_t key, int width, const Ranked& moves, SharedChoice& shared) {
    Iteration iteration(shared, width / kNarrower + 1);
    for (std::size_t i = 0; i < std::min(moves.size(), index(width)); ++i) {
      Rest rest;
      const std::int64_t value = search_move(root, key, moves[i], width, -1, one_ + 1, rest);
      if (limits_.spent()) return;
      iteration.add(moves[i].action, share(value), rest);
      if (value == one_) break;  // a win: nothing is better
    }
    iteration.finish(width == width_);
  }

  std::int64_t evaluate(const Hex::Public& pub, std::uint64_t key, Seat seat) {
    std::int64_t product = 1;
    for (int length : lengths(pub, key, seat)) product *= length;
    return one_ - product;
  }

  Move evaluate_move(const State<Hex>& state, std::uint64_t key, Action action) {
    const Seat mover = state.pub.turn;
    State<Hex> next = state;
    game_.apply(next, action);
    if (next.pub.winner != kNobody) return {action, one_, true};
    return {action, evaluate(next.pub, key ^ zobrist_(action, mover), mover), false};
  }

  // The best moves by score, at most `count`; if the limits end it, of those evaluated so far.
  void rank(const State<Hex>& state, std::uint64_t key, int count, Ranked& moves) {
    for (const Action action : cells_) {
      if (game_.owner(state.pub, action) != kNobody) continue;
      if (!limits_.spend(kNodesPerCheck)) break;
      moves.push_back(evaluate_move(state, key, action));
    }
    keep_best(moves, count);
  }

  // The value of playing `move`, one of `width`.
  std::int64_t search_move(const State<Hex>& state, std::uint64_t key, const Move& move, int width, std::int64_t alpha,
                           std::int64_t beta, Rest& line) {
    const Seat mover = state.pub.turn;
    if (move.wins) return mover == seat_ ? one_ : 0;
    State<Hex> next = state;
    game_.apply(next, move.action);
    return search(next, key ^ zobrist_(move.action, mover), width - kNarrower, alpha, beta, line);
  }

  std::int64_t search(const State<Hex>& state, std::uint64_t key, int width, std::int64_t alpha, std::int64_t beta,
                      Rest& line) {
    if (width == 0) return best_score(state, key, beta, line);
    const bool ours = state.pub.turn == seat_;
    Ranked moves;
    rank(state, key, width, moves);
    if (limits_.spent()) return 0;
    return best_of_moves(moves, ours, ours ? -1 : one_ + 1, alpha, beta, limits_, line,
                         [&](const Move& move, std::int64_t low, std::int64_t high, Rest& rest) {
                           return search_move(state, key, move, width, low, high, rest);
                         });
  }

  // The last ply: the best score of any move, or the first found that is at least beta.
  std::int64_t best_score(const State<Hex>& state, std::uint64_t key, std::int64_t beta, Rest& line) {
    std::int64_t best = -1;
    for (Action action = 0; action < game_.size * game_.size && best < std::min(beta, one_); ++action) {
      if (game_.owner(state.pub, action) != kNobody) continue;
      if (!limits_.spend(kNodesPerCheck)) return 0;
      const std::int64_t score = evaluate_move(state, key, action).score;
      if (score <= best) continue;
      best = score;
      line.put_first(action, Rest{});
    }
    return best;
  }
};

}  // namespace ludoteca
