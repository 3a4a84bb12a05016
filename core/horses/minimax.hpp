// Minimax for Horses: the player of the seed document, looking a fixed number of plies ahead.
//
//     utility = (own score - the other's) + mobility * (own moves - the other's)      document: mobility 0.5
//
// Moves are counted in the position at hand for both knights, on turn or not. A pass is a ply like any other, and
// costs what the rules that are being played say it costs; positions in which the match is over are leaves.
//
// Every action of the root gets its exact minimax value: alpha-beta starts with an open window for each of them, so
// that only what cannot matter is left out. Actions are tried in ascending order and only a better one replaces
// the best, so action, values and line are those of plain minimax.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "horses/rules.hpp"
#include "search/deepen.hpp"

namespace ludoteca {

class HorsesMinimax {
 public:
  static constexpr int kMaxDepth = 64;

  HorsesMinimax(const Horses& game, double mobility, Limits& limits)
      : game_(game), mobility_(mobility), limits_(limits) {}

  // Chooses for the seat on turn in `root`, where the match is not over; value and scores are utilities.
  void choose(const State<Horses>& root, int depth, SharedChoice& shared) {
    assert(root.pub.turn != kNobody && depth >= 1 && depth <= kMaxDepth);
    deepen(limits_, shared, depth, [&](int plies) { return look(root, plies); });
  }

  // What `seat` likes about a position.
  double utility(const Horses::Public& pub, Seat seat) const {
    const auto mine = static_cast<std::size_t>(seat), theirs = 1 - mine;
    const int points = pub.score[mine] - pub.score[theirs];
    const int moves = std::popcount(game_.moves(pub, seat)) - std::popcount(game_.moves(pub, other(seat)));
    return points + mobility_ * moves;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  static constexpr std::uint64_t kNodesPerLook = 256;
  using Rest = Line<kMaxDepth>;

  const Horses& game_;
  const double mobility_;
  Limits& limits_;
  bool exhaustive_ = false;

  // Means nothing if the limits are spent afterwards.
  Choice look(const State<Horses>& root, int plies) {
    const Seat seat = root.pub.turn;
    Actions<Horses> actions;
    game_.legal(ViewRef<Horses>(root, seat), actions);
    Choice out;
    out.depth = plies;
    out.value = -kInfinity;
    exhaustive_ = true;
    Rest rest;
    for (const Action action : actions) {
      const double found = after(root, seat, action, plies, -kInfinity, kInfinity, rest) + 0.0;  // no minus zero
      out.scores.emplace_back(action, found);
      if (found <= out.value) continue;
      out.value = found;
      out.action = action;
      out.line.put_first(action, rest);
    }
    out.exhaustive = exhaustive_;
    return out;
  }

  // The value for `seat` of playing `action`, with `plies` left, this one included: exact within (alpha, beta),
  // else a bound on the same side. Where it is exact, `rest` is the best play after it.
  double after(const State<Horses>& state, Seat seat, Action action, int plies, double alpha, double beta,
               Rest& rest) {
    if (!limits_.spend(kNodesPerLook)) return 0;
    State<Horses> next = state;
    game_.apply(next, action);
    return -value(next, other(seat), plies - 1, -beta, -alpha, rest);
  }

  // The value for `seat`, which is on turn unless the match is over; bounds and line as above.
  double value(const State<Horses>& state, Seat seat, int plies, double alpha, double beta, Rest& line) {
    line.size = 0;
    const bool over = state.pub.turn == kNobody;
    if (over || plies == 0) {
      exhaustive_ &= over;
      return utility(state.pub, seat);
    }
    Actions<Horses> actions;
    game_.legal(ViewRef<Horses>(state, seat), actions);
    double best = -kInfinity;
    Rest rest;
    for (const Action action : actions) {
      const double found = after(state, seat, action, plies, alpha, beta, rest);
      if (limits_.spent()) return 0;
      best = std::max(best, found);
      if (found > alpha) {
        alpha = found;
        line.put_first(action, rest);
      }
      if (alpha >= beta) break;
    }
    return best;
  }
};

}  // namespace ludoteca
