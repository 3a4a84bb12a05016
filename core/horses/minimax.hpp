// Minimax for Horses: the player of the seed document, with a fixed depth.
//
//     utility = (own score - the other's) + mobility * (own moves - the other's)      document: mobility 0.5
//
// Moves are counted for both knights, on turn or not. A pass is a ply like any other and costs what the rules of the
// match say; positions in which the match is over are leaves.
//
// Every root action gets its exact minimax value. Actions are tried in ascending order; only a better one replaces the
// best. The search is that of search/minimax.hpp.
#pragma once

#include <bit>

#include "horses/rules.hpp"
#include "search/iterative_deepening.hpp"
#include "search/minimax.hpp"

namespace ludoteca {

class HorsesMinimax {
 public:
  static constexpr int kMaxDepth = 64;

  HorsesMinimax(const Horses& game, double mobility, Limits& limits)
      : game_(game), mobility_(mobility), limits_(limits) {}

  // Chooses for the seat on turn in `root`, where the match is not over; value and scores are utilities.
  void choose(const State<Horses>& root, int depth, SharedChoice& shared) const {
    assert(root.pub.turn != kNobody && depth >= 1 && depth <= kMaxDepth);
    Actions<Horses> actions;
    game_.legal(ViewRef<Horses>(root, root.pub.turn), actions);
    Utility utility{game_, mobility_, root.pub.turn};
    Minimax<Utility> search(utility, limits_);
    iterative_deepening(limits_, shared, depth, [&](int plies) { return search.search_root(root, actions, plies); });
  }

 private:
  // The MinimaxGame of this player.
  struct Utility {
    using Node = State<Horses>;
    static constexpr int kMaxMoves = Horses::kMaxActions, kMaxDepth = HorsesMinimax::kMaxDepth;
    static constexpr std::uint64_t kNodesPerCheck = 256;

    const Horses& game;
    const double mobility;
    const Seat seat;  // that searches

    bool is_max_node(const Node& node) const { return node.pub.turn == seat; }

    void moves(const Node& node, Actions<Horses>& out) const { game.legal(ViewRef<Horses>(node, node.pub.turn), out); }

    Node play(const Node& node, Action action) const {
      Node next = node;
      game.apply(next, action);
      return next;
    }

    std::optional<double> terminal_value(const Node& node) const {
      if (node.pub.turn == kNobody) return evaluate(node);
      return std::nullopt;
    }

    double evaluate(const Node& node) const {
      const auto mine = index(seat), theirs = 1 - mine;
      const int points = node.pub.score[mine] - node.pub.score[theirs];
      const int moves = std::popcount(game.moves(node.pub, seat)) - std::popcount(game.moves(node.pub, other(seat)));
      return points + mobility * moves;
    }
  };

  const Horses& game_;
  const double mobility_;
  Limits& limits_;
};

}  // namespace ludoteca
