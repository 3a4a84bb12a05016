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
#include <vector>

#include "horses/rules.hpp"
#include "search/choice.hpp"

namespace ludoteca {

class HorsesMinimax {
 public:
  static constexpr int kMaxDepth = 64;

  HorsesMinimax(const Horses& game, double mobility, const Budget& budget)
      : game_(game), mobility_(mobility), budget_(budget) {}

  // For the seat on turn in `root`, where the match is not over.
  Look search(const State<Horses>& root, int depth) {
    assert(root.pub.turn != kNobody && depth >= 1 && depth <= kMaxDepth);
    Actions<Horses> actions;
    game_.legal(ViewRef<Horses>(root, root.pub.turn), actions);
    return deepen(budget_, depth, actions[0], [&](int plies) { return look(root, actions, plies); });
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

  struct Line {
    std::array<std::int8_t, kMaxDepth> actions;
    int size = 0;

    Line() {}  // leaves the actions uninitialised: only [0, size) is ever read
    void set(Action first, const Line& rest) {
      actions[0] = static_cast<std::int8_t>(first);
      std::copy_n(rest.actions.begin(), rest.size, actions.begin() + 1);
      size = rest.size + 1;
    }
  };

  const Horses& game_;
  const double mobility_;
  Budget budget_;
  bool exhaustive_ = false;

  // Means nothing if the budget is spent afterwards.
  Look look(const State<Horses>& root, const Actions<Horses>& actions, int plies) {
    const Seat seat = root.pub.turn;
    Look out;
    out.depth = plies;
    exhaustive_ = true;
    double best = -kInfinity;
    Line rest, line;
    for (const Action action : actions) {
      const double found = after(root, seat, action, plies, -kInfinity, kInfinity, rest);
      out.values.push_back(found + 0.0);  // + 0.0 makes a zero of minus zero
      if (found > best) {
        best = found;
        out.action = action;
        line.set(action, rest);
      }
    }
    out.line.assign(line.actions.begin(), line.actions.begin() + line.size);
    out.exhaustive = exhaustive_;
    return out;
  }

  // The value for `seat` of playing `action`, with `plies` left, this one included: exact within (alpha, beta),
  // else a bound on the same side. Where it is exact, `rest` is the best play after it.
  double after(const State<Horses>& state, Seat seat, Action action, int plies, double alpha, double beta,
               Line& rest) {
    if (!budget_.spend()) return 0;
    State<Horses> next = state;
    game_.apply(next, action);
    return -value(next, other(seat), plies - 1, -beta, -alpha, rest);
  }

  // The value for `seat`, which is on turn unless the match is over; bounds and line as above.
  double value(const State<Horses>& state, Seat seat, int plies, double alpha, double beta, Line& line) {
    line.size = 0;
    const bool over = state.pub.turn == kNobody;
    if (over || plies == 0) {
      exhaustive_ &= over;
      return utility(state.pub, seat);
    }
    Actions<Horses> actions;
    game_.legal(ViewRef<Horses>(state, seat), actions);
    double best = -kInfinity;
    Line rest;
    for (const Action action : actions) {
      const double found = after(state, seat, action, plies, alpha, beta, rest);
      if (budget_.spent()) return 0;
      best = std::max(best, found);
      if (found > alpha) {
        alpha = found;
        line.set(action, rest);
      }
      if (alpha >= beta) break;
    }
    return best;
  }
};

}  // namespace ludoteca
