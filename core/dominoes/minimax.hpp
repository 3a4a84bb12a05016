// Minimax for Dominoes: the player of the seed document, which knows its own hand and counts the other's.
//
// It searches no State but what it can tell apart: its hand, the unseen tiles, the two ends, and how many tiles the
// other holds. Every ply lays one tile, or passes:
//
//     own turn          any tile of the hand that fits; with none, any unseen tile that fits is drawn and laid at
//                       once (tiles drawn in vain are not counted); the best for us
//     the other's turn  any unseen tile that fits, whoever may hold it; the worst for us, or the mean of all
//
//     value = 1000                                     the hand is empty
//             -1000                                    the other has no tile
//             0                                        whoever is on turn finds no tile that fits
//             10 * (the other's tiles - own) * chance  the depth is reached
//
// `chance` is that of the tile that was revealed last: n/u for one of u unseen tiles to be among the other's n when
// it is laid (0 if n > u, which no deal allows), 1/f for one of f that fit to be drawn, 1 when there was none yet.
//
// Where the rules know no drawing, who is stuck passes instead, and 0 is for both being stuck.
//
// Every action of the root gets its exact value: alpha-beta starts with an open window for each of them. Actions are
// tried in ascending order and only a better one replaces the best, as in plain minimax.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>

#include "dominoes/rules.hpp"
#include "search/deepen.hpp"

namespace ludoteca {

class DominoesMinimax {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr double kWin = 1000;
  static constexpr double kTile = 10;

  enum class Reply { worst, mean };

  DominoesMinimax(const Dominoes& game, Reply reply, Limits& limits) : game_(game), reply_(reply), limits_(limits) {}

  // Chooses for the seat of `view`, which is on turn and can lay a tile; value and scores are those above.
  void choose(const View<Dominoes>& view, int depth, SharedChoice& shared) {
    assert(view.pub.turn == view.seat && depth >= 1 && depth <= kMaxDepth);
    Actions<Dominoes> actions;
    game_.legal(view, actions);
    assert(actions[0] < game_.draw_action());
    const Node root{view.own.hand, game_.unseen(view), view.pub.ends,
                    view.pub.count[static_cast<std::size_t>(other(view.seat))]};
    deepen(limits_, shared, depth, [&](int plies) { return look(root, actions, plies); });
  }

 private:
  using Set = Dominoes::Set;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  struct Node {
    Set hand, unseen;
    Dominoes::Ends ends;
    int theirs;
    double chance = 1;
  };

  static constexpr std::uint64_t kNodesPerLook = 256;
  using Rest = Line<2 * kMaxDepth>;  // a tile that is drawn and laid makes two actions

  const Dominoes& game_;
  const Reply reply_;
  Limits& limits_;
  bool exhaustive_ = false;

  // Means nothing if the limits are spent afterwards.
  Choice look(const Node& root, const Actions<Dominoes>& actions, int plies) {
    Choice out;
    out.depth = plies;
    out.value = -kInfinity;
    exhaustive_ = true;
    Rest rest;
    for (const Action action : actions) {
      Node next = root;
      lay(next, next.hand, action);
      const double found = after(next, false, plies, -kInfinity, kInfinity, rest);
      out.scores.emplace_back(action, found);
      if (found <= out.value) continue;
      out.value = found;
      out.action = action;
      out.line.put_first(action, rest);
    }
    out.exhaustive = exhaustive_;
    return out;
  }

  static void lay(Node& node, Set& from, Action action) {
    Dominoes::extend(node.ends, action / 2, static_cast<std::size_t>(action % 2));
    from ^= Tiles::one(action / 2);
  }

  // The value of a node that one of `plies` leads to: exact within (alpha, beta), else a bound on the same side.
  // Where it is exact, `line` is the play from there on.
  double after(const Node& node, bool ours, int plies, double alpha, double beta, Rest& line) {
    line.size = 0;
    return limits_.spend(kNodesPerLook) ? value(node, ours, plies - 1, alpha, beta, line) : 0;
  }

  double value(const Node& node, bool ours, int plies, double alpha, double beta, Rest& line) {
    if (!node.hand) return kWin;
    if (!node.theirs) return -kWin;
    const Set fits = Dominoes::fitting(node.ends), own = node.hand & fits, unseen = node.unseen & fits;
    if (!unseen && (!own || (!ours && game_.drawing))) return 0;
    if (plies == 0) {
      exhaustive_ = false;
      return kTile * (node.theirs - std::popcount(node.hand)) * node.chance + 0.0;  // + 0.0: no minus zero
    }
    if (ours ? !own && !game_.drawing : !unseen) {
      Rest rest;
      const double found = after(node, !ours, plies, alpha, beta, rest);
      line.put_first(game_.pass_action(), rest);
      return found;
    }
    return ours ? best_of_ours(node, own, unseen, plies, alpha, beta, line)
                : reply_of_theirs(node, unseen, plies, alpha, beta, line);
  }

  double best_of_ours(const Node& node, Set own, Set unseen, int plies, double alpha, double beta, Rest& line) {
    Actions<Dominoes> actions;
    Dominoes::lays(own ? own : unseen, node.ends, actions);
    double best = -kInfinity;
    Rest rest;
    for (const Action action : actions) {
      Node next = node;
      lay(next, own ? next.hand : next.unseen, action);
      if (!own) next.chance = 1.0 / std::popcount(unseen);
      const double found = after(next, false, plies, alpha, beta, rest);
      if (limits_.spent()) return 0;
      if (found > best) {
        best = found;
        line.put_first(action, rest);
        if (!own) line.put_first(game_.draw_action(), Rest(line));
      }
      alpha = std::max(alpha, best);
      if (alpha >= beta) break;
    }
    return best;
  }

  double reply_of_theirs(const Node& node, Set unseen, int plies, double alpha, double beta, Rest& line) {
    const int hidden = std::popcount(node.unseen);
    Actions<Dominoes> actions;
    Dominoes::lays(unseen, node.ends, actions);
    double worst = kInfinity, sum = 0;
    Rest rest;
    for (const Action action : actions) {
      Node next = node;
      lay(next, next.unseen, action);
      next.chance = node.theirs > hidden ? 0 : static_cast<double>(node.theirs) / hidden;
      --next.theirs;
      const bool mean = reply_ == Reply::mean;
      const double found = after(next, true, plies, mean ? -kInfinity : alpha, mean ? kInfinity : beta, rest);
      if (limits_.spent()) return 0;
      sum += found;
      if (mean) continue;
      if (found < worst) {
        worst = found;
        line.put_first(action, rest);
      }
      beta = std::min(beta, worst);
      if (alpha >= beta) break;
    }
    return reply_ == Reply::mean ? sum / actions.size : worst;
  }
};

}  // namespace ludoteca
