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
    game_.on_sets([&]<class S>(S) {
      Utility<S> utility{game_, root.pub, mobility_};
      Minimax<Utility<S>> search(utility, limits_);
      const auto node = game_.position<S>(root.pub);
      iterative_deepening(limits_, shared, depth, [&](int plies) { return search.search_root(node, actions, plies); });
    });
  }

 private:
  // The MinimaxGame of this player, for boards whose sets of squares have type S.
  template <class S>
  struct Utility {
    using Node = Horses::Position<S>;
    static constexpr int kMaxMoves = Horses::kMaxActions, kMaxDepth = HorsesMinimax::kMaxDepth;
    static constexpr std::uint64_t kNodesPerCheck = 256;

    const Horses& game;
    const Horses::Public& root;  // has the values of squares; the seat on turn there searches
    const double mobility;

    bool is_max_node(const Node& node) const { return node.turn == root.turn; }

    void moves(const Node& node, Actions<Horses>& out) const { game.list_actions<S>(node, node.turn, out); }

    Node play(const Node& node, Action action) const {
      Node next = node;
      game.advance<S>(next, action, action == game.pass() ? 0 : root.value[index(action)]);
      return next;
    }

    std::optional<double> terminal_value(const Node& node) const {
      if (node.turn == kNobody) return evaluate(node);
      return std::nullopt;
    }

    double evaluate(const Node& node) const {
      const Seat mine = root.turn, theirs = other(mine);
      const int points = node.score[index(mine)] - node.score[index(theirs)];
      const int moves = count(game.moves<S>(node, mine)) - count(game.moves<S>(node, theirs));
      return points + mobility * moves;
    }
  };

  const Horses& game_;
  const double mobility_;
  Limits& limits_;
};

}  // namespace ludoteca
