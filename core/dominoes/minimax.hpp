// The minimax of the seed document for Dominoes, which knows its own hand and counts the opponent's tiles.
#pragma once

#include <bit>

#include "dominoes/rules.hpp"
#include "search/iterative_deepening.hpp"
#include "search/minimax.hpp"

namespace ludoteca {

// A node is what the seat can tell apart: its hand, the unseen tiles, the two ends, and how many tiles the opponent
// holds. Every ply lays one tile, or passes:
//
//     own turn             any tile of the hand that fits; with none, any unseen tile that fits is drawn and laid at
//                          once (other tiles drawn before it are not counted); the best for this seat
//     the opponent's turn  any unseen tile that fits, wherever it is; the worst for this seat, or the mean of all
//
//     value = 1000                                   the hand is empty
//             -1000                                  the opponent has no tile
//             0                                      the seat on turn finds no tile that fits
//             10 * (opponent's tiles - own) * chance  the depth is reached
//
// `chance` is that of the tile that was revealed last: n/u for one of u unseen tiles to be among the opponent's n when
// it is laid (0 if n > u, which no deal allows), 1/f for drawing one of f that fit, 1 before any. Without drawing, a
// seat that is stuck passes instead, and 0 means that both are stuck.
//
// Every action of the root gets its exact value. Actions are tried in ascending order and only a better one replaces
// the best.
class DominoesMinimax {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr double kWin = 1000;
  static constexpr double kTile = 10;

  enum class Reply { worst, mean };

  DominoesMinimax(const Dominoes& game, Reply reply, Limits& limits) : plies_(game, reply), limits_(limits) {}

  // For the seat of `view`, which is on turn and can lay a tile. Value and scores are those above.
  void choose(const View<Dominoes>& view, int depth, SharedChoice& shared) {
    assert(view.pub.turn == view.seat && depth >= 1 && depth <= kMaxDepth);
    Actions<Dominoes> actions;
    plies_.game.legal(view, actions);
    assert(actions[0] < plies_.game.draw_action());
    const auto me = index(view.seat);
    const Set unseen = plies_.game.unseen(view);
    Counted root{view.own.hand, unseen, view.pub.ends, view.pub.count[me], std::popcount(unseen), view.pub.count[1 - me]};
    root.own = root.hand;  // some of it fits, and before the first tile all does
    Minimax<Counting> search(plies_, limits_);
    iterative_deepening(limits_, shared, depth, [&](int plies) {
      Choice found = search.search_root(root, actions, plies);
      found.line = plies_.with_draws(root, found.line);
      return found;
    });
  }

 private:
  using Set = Dominoes::Set;

  struct Counted {
    Set hand, unseen;
    Dominoes::Ends ends;
    int mine, unknown, theirs;  // tiles: in hand, unseen, and how many of these the opponent holds
    bool ours = true;  // whose turn it is
    std::array<int, 2> chance{1, 1};  // numerator and denominator: only leaves divide
    Set own = 0, hidden = 0;  // tiles that can be laid: in hand, unseen
  };

  // The game that search/minimax.hpp searches.
  struct Counting {
    using Node = Counted;
    static constexpr int kMaxMoves = Dominoes::kMaxActions, kMaxDepth = DominoesMinimax::kMaxDepth;
    static constexpr std::uint64_t kNodesPerCheck = 256;

    const Dominoes& game;
    const Reply reply;

    Counting(const Dominoes& game_, Reply reply_) : game(game_), reply(reply_) {}

    static bool is_max_node(const Node& node) { return node.ours; }
    bool is_chance_node(const Node& node) const { return reply == Reply::mean && !node.ours && node.hidden; }
    bool draws(const Node& node) const { return node.ours && game.drawing && !node.own; }

    std::optional<double> terminal_value(const Node& node) const {
      if (!node.hand) return kWin;
      if (!node.theirs) return -kWin;
      if (!node.hidden && (!node.own || (!node.ours && game.drawing))) return 0;
      return std::nullopt;
    }

    static double evaluate(const Node& node) {
      const double chance = static_cast<double>(node.chance[0]) / node.chance[1];
      return kTile * (node.theirs - node.mine) * chance + 0.0;  // + 0.0: no minus zero
    }

    void moves(const Node& node, Actions<Dominoes>& out) const {
      const Set laid = node.ours && !draws(node) ? node.own : node.hidden;
      Dominoes::lays(laid, node.ends, out);
      if (!laid) out.add(game.pass_action());
    }

    // Drawing a tile and laying it at once is one move.
    Node play(const Node& node, Action action) const {
      Node next = node;
      next.ours = !node.ours;
      if (action == game.pass_action()) return next;
      const Set tile = Tiles::one(action / 2);
      if (node.ours && node.own) {
        next.hand ^= tile;
        --next.mine;
      } else {
        next.unseen ^= tile;
        --next.unknown;
        if (node.ours) next.chance = {1, std::popcount(node.hidden)};
        else next.chance = {node.theirs > node.unknown ? 0 : node.theirs, node.unknown};
        next.theirs -= !node.ours;
      }
      Dominoes::extend(next.ends, action / 2, index(action % 2));
      const Set fits = Dominoes::fitting(next.ends);
      next.own = next.hand & fits;
      next.hidden = next.unseen & fits;
      return next;
    }

    // The line with a `draw` before each drawn tile.
    template <class Line>
    Line with_draws(Node node, const Line& moves) const {
      Line out;
      for (const Action move : moves) {
        if (draws(node)) out.append(one(game.draw_action()));
        out.append(one(move));
        node = play(node, move);
      }
      return out;
    }
    static Line<1> one(Action action) {
      Line<1> out;
      out.add(action);
      return out;
    }
  };

  Counting plies_;
  Limits& limits_;
};

}  // namespace ludoteca
