// Minimax as the seed documents describe it: a fixed depth, moves in the order in which the game lists them, no memory
// except the game's. Alpha-beta skips only what cannot matter, so values, choices and lines are those of plain minimax,
// and the nodes can be counted on paper. For strength use alphabeta.hpp: it orders moves by what it has learned and
// searches null windows, so it visits other nodes and gives bounds instead of scores.
//
// A class describes the game to the search (concept MinimaxGame); everything is resolved at compile time:
//
//     Node                  a position, copied at every ply
//     kMaxMoves             the most moves of a node
//     kMaxDepth             the most plies of a search
//     kNodesPerCheck        nodes that take some tens of microseconds, see Limits
//     moves(node, out)      the moves in the order in which they are tried, at least one
//     play(node, move)      the node after the move
//     terminal_value(node)  the value if the game is over there; all values are for the searching seat
//     evaluate(node)        the static evaluation, used where the depth ends
//     is_max_node(node)     whether the searching seat is on turn
//     is_chance_node(node)  (optional) whether the value is the mean over the moves, all equally likely
//     probe(node, depth, line), store(node, depth, value, line)
//                           (optional) the remembered value and line of a node with `depth` plies left; only exact
//                           values are stored
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>

#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

template <class P>
concept MinimaxGame = requires(P p, const typename P::Node node, Action move, ActionList<P::kMaxMoves> out) {
  { p.moves(node, out) } -> std::same_as<void>;
  { p.play(node, move) } -> std::same_as<typename P::Node>;
  { p.terminal_value(node) } -> std::same_as<std::optional<double>>;
  { p.evaluate(node) } -> std::same_as<double>;
  { p.is_max_node(node) } -> std::same_as<bool>;
  requires P::kMaxDepth > 0 && P::kNodesPerCheck > 0;
};

template <MinimaxGame P>
class Minimax {
 public:
  using Node = typename P::Node;
  using Rest = Line<P::kMaxDepth>;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // prune: cut off what cannot matter. game and limits must outlive the search.
  Minimax(P& game, Limits& limits, bool prune = true) : game_(game), limits_(limits), prune_(prune) {}

  // The exact value of each of these root moves, searched `depth` plies deep; of equal moves the first is chosen. The
  // result is meaningless if the limits are spent afterwards.
  template <class List>
  Choice search_root(const Node& root, const List& moves, int depth) {
    Choice out;
    out.depth = depth;
    out.value = -kInfinity;
    exhaustive_ = true;
    Rest rest;
    for (const Action move : moves) {
      const double found = search_move(root, move, depth, -kInfinity, kInfinity, rest);
      out.scores.emplace_back(move, found);
      if (found <= out.value) continue;
      out.value = found;
      out.action = move;
      out.line.put_first(move, rest);
    }
    out.exhaustive = exhaustive_;
    return out;
  }

  // The value of playing `move`, the first of `depth` plies: exact within (alpha, beta), otherwise a bound on that
  // side. If it is exact, `line` is the line after the move.
  double search_move(const Node& node, Action move, int depth, double alpha, double beta, Rest& line) {
    line.size = 0;
    if (!limits_.spend(P::kNodesPerCheck)) return 0;
    const Node next = game_.play(node, move);
    if (const auto value = game_.terminal_value(next)) return *value;
    if (depth == 1) {
      exhaustive_ = false;
      return game_.evaluate(next);
    }
    if constexpr (kHasTable) {
      if (const auto known = game_.probe(next, depth - 1, line)) return *known;
      const double found = search(next, depth - 1, alpha, beta, line);
      // After a cutoff the value is only a bound: storing it would pass it off as exact.
      const bool exact = !prune_ || (alpha < found && found < beta);
      if (exact && !limits_.spent()) game_.store(next, depth - 1, found, line);
      return found;
    } else {
      return search(next, depth - 1, alpha, beta, line);
    }
  }

 private:
  static constexpr bool kHasTable = requires(P p, Node node, Rest line) { p.probe(node, 1, line); };

  P& game_;
  Limits& limits_;
  const bool prune_;
  bool exhaustive_ = false;

  double search(const Node& node, int depth, double alpha, double beta, Rest& line) {
    ActionList<P::kMaxMoves> moves;
    game_.moves(node, moves);
    if constexpr (requires { game_.is_chance_node(node); }) {
      if (game_.is_chance_node(node)) return mean(node, moves, depth);
    }
    return game_.is_max_node(node) ? best<true>(node, moves, depth, alpha, beta, line)
                                   : best<false>(node, moves, depth, alpha, beta, line);
  }

  template <bool highest>
  double best(const Node& node, const ActionList<P::kMaxMoves>& moves, int depth, double alpha, double beta,
              Rest& line) {
    double out = 0;
    bool first = true;
    Rest rest;
    for (const Action move : moves) {
      const double found = search_move(node, move, depth, alpha, beta, rest);
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

  double mean(const Node& node, const ActionList<P::kMaxMoves>& moves, int depth) {
    double sum = 0;
    Rest rest;
    for (const Action move : moves) {
      sum += search_move(node, move, depth, -kInfinity, kInfinity, rest);
      if (limits_.spent()) return 0;
    }
    return sum / moves.size;
  }
};

}  // namespace ludoteca
