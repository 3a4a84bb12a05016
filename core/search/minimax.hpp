// Minimax as the documents of the seeds have it: a fixed depth, moves in the order in which the game lists them, nothing
// remembered but what the game remembers itself. Alpha-beta leaves out only what cannot matter, so values, choices and
// lines are those of plain minimax, and the nodes can be counted on paper. (For strength there is alphabeta.hpp, which
// orders moves by what it has seen and looks at them through narrower windows: other nodes, and bounds in place of scores.)
//
// What a game is to it, a class says (the concept Plies), and all calls are settled when it is compiled:
//
//     Node             a position, copied at every ply
//     kMoves           the most moves that a node can have
//     kMaxDepth        plies that a look can have
//     kNodesPerLook    nodes that take some tens of microseconds, see Limits
//     moves(n, out)    the moves in the order in which they are tried, at least one
//     play(n, move)    the node after it
//     end(n)           the value if nothing follows; values are always for the seat that searches
//     guess(n)         the value where the depth ends
//     maximises(n)     whether the seat that searches is on turn there
//     averages(n)      (if it has that) whether the value is the mean of what follows, each move counting the same
//     recall(n, d, line), remember(n, d, value, line)
//                      (if it has them) the value and line of a node with d plies left, if it was remembered; only
//                      what is exact is to be remembered
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>

#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

template <class P>
concept Plies = requires(P p, const typename P::Node node, Action move, ActionList<P::kMoves> out) {
  { p.moves(node, out) } -> std::same_as<void>;
  { p.play(node, move) } -> std::same_as<typename P::Node>;
  { p.end(node) } -> std::same_as<std::optional<double>>;
  { p.guess(node) } -> std::same_as<double>;
  { p.maximises(node) } -> std::same_as<bool>;
  requires P::kMaxDepth > 0 && P::kNodesPerLook > 0;
};

template <Plies P>
class Minimax {
 public:
  using Node = typename P::Node;
  using Rest = Line<P::kMaxDepth>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // prune: leave out what cannot matter. game and limits must outlive it.
  Minimax(P& game, Limits& limits, bool prune = true) : game_(game), limits_(limits), prune_(prune) {}

  // Values each of these moves of the root exactly, by a look so many plies ahead; of equal ones it chooses the first.
  // Means nothing if the limits are spent afterwards.
  template <class List>
  Choice look(const Node& root, const List& moves, int depth) {
    Choice out;
    out.depth = depth;
    out.value = -kInfinity;
    exhaustive_ = true;
    Rest rest;
    for (const Action move : moves) {
      const double found = after(root, move, depth, -kInfinity, kInfinity, rest);
      out.scores.emplace_back(move, found);
      if (found <= out.value) continue;
      out.value = found;
      out.action = move;
      out.line.put_first(move, rest);
    }
    out.exhaustive = exhaustive_;
    return out;
  }

  // The value of playing `move`, one of `depth` plies: exact within (alpha, beta), else a bound on the same side. Where it
  // is exact, `line` is the play after it.
  double after(const Node& node, Action move, int depth, double alpha, double beta, Rest& line) {
    line.size = 0;
    if (!limits_.spend(P::kNodesPerLook)) return 0;
    const Node next = game_.play(node, move);
    if (const auto end = game_.end(next)) return *end;
    if (depth == 1) {
      exhaustive_ = false;
      return game_.guess(next);
    }
    if constexpr (kRemembers) {
      if (const auto known = game_.recall(next, depth - 1, line)) return *known;
      const double found = value(next, depth - 1, alpha, beta, line);
      // What a cut gives is a bound and no value, and must not be used again as one.
      const bool exact = !prune_ || (alpha < found && found < beta);
      if (exact && !limits_.spent()) game_.remember(next, depth - 1, found, line);
      return found;
    } else {
      return value(next, depth - 1, alpha, beta, line);
    }
  }

 private:
  static constexpr bool kRemembers = requires(P p, Node node, Rest line) { p.recall(node, 1, line); };

  P& game_;
  Limits& limits_;
  const bool prune_;
  bool exhaustive_ = false;

  double value(const Node& node, int depth, double alpha, double beta, Rest& line) {
    ActionList<P::kMoves> moves;
    game_.moves(node, moves);
    if constexpr (requires { game_.averages(node); }) {
      if (game_.averages(node)) return mean(node, moves, depth);
    }
    return game_.maximises(node) ? best<true>(node, moves, depth, alpha, beta, line)
                                 : best<false>(node, moves, depth, alpha, beta, line);
  }

  template <bool highest>
  double best(const Node& node, const ActionList<P::kMoves>& moves, int depth, double alpha, double beta, Rest& line) {
    double out = 0;
    bool first = true;
    Rest rest;
    for (const Action move : moves) {
      const double found = after(node, move, depth, alpha, beta, rest);
      if (limits_.spent()) return 0;
      if (first || (highest ? found > out : found < out)) {
        first = false;
        out = found;
        line.put_first(move, rest);
      }
      if (!prune_) continue;
      (highest ? alpha : beta) = highest ? std::max(alpha, out) : std::min(beta, out);
      if (beta <= alpha) break;
    }
    return out;
  }

  double mean(const Node& node, const ActionList<P::kMoves>& moves, int depth) {
    double sum = 0;
    Rest rest;
    for (const Action move : moves) {
      sum += after(node, move, depth, -kInfinity, kInfinity, rest);
      if (limits_.spent()) return 0;
    }
    return sum / moves.size;
  }
};

}  // namespace ludoteca
