// Minimax for Horses: the player of the seed document, looking a fixed number of plies ahead.
//
//     utility = (own score - the other's) + mobility * (own moves - the other's)      document: mobility 0.5
//
// Moves are counted in the position at hand for both knights, on turn or not. A pass is a ply like any other, and
// costs what the rules that are being played say it costs; positions in which the match is over are leaves.
//
// Every action of the root gets its exact minimax value. Actions are tried in ascending order and only a better one
// replaces the best. The search is that of search/minimax.hpp.
#pragma once

#include <bit>

#include "horses/rules.hpp"
#include "search/deepen.hpp"
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
    Seen seen{game_, mobility_, root.pub.turn};
    Minimax<Seen> search(seen, limits_);
    deepen(limits_, shared, depth, [&](int plies) { return search.look(root, actions, plies); });
  }

 private:
  // What search/minimax.hpp has to know.
  struct Seen {
    using Node = State<Horses>;
    static constexpr int kMoves = Horses::kMaxActions, kMaxDepth = HorsesMinimax::kMaxDepth;
    static constexpr std::uint64_t kNodesPerLook = 256;

    const Horses& game;
    const double mobility;
    const Seat seat;  // the one that searches

    bool maximises(const Node& node) const { return node.pub.turn == seat; }

    void moves(const Node& node, Actions<Horses>& out) const { game.legal(ViewRef<Horses>(node, node.pub.turn), out); }

    Node play(const Node& node, Action action) const {
      Node next = node;
      game.apply(next, action);
      return next;
    }

    std::optional<double> end(const Node& node) const {
      if (node.pub.turn == kNobody) return guess(node);
      return std::nullopt;
    }

    // The utility.
    double guess(const Node& node) const {
      const auto mine = static_cast<std::size_t>(seat), theirs = 1 - mine;
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
