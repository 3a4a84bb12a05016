// The classical engine's search: Monte Carlo tree search with RAVE, playouts that keep bridges, and proofs.
//
// Any number of threads may simulate in one tree at the same time. A simulation counts as lost on its way down, so that
// others are sent elsewhere, until it comes back with its result.
//
// To swap is no move of the tree. It gives the other seat the same position with the colours exchanged, so it is worth what
// the best other answer is worth to the one who would be answered: whoever may swap gets the better of the two. So the
// best stone to begin with is the one after which both seats do most nearly as well.
#pragma once

#include <memory>

#include "hex/analyser.hpp"
#include "hex/rave_tree.hpp"
#include "search/choice.hpp"

namespace ludoteca {

class RaveTree {
 public:
  RaveTree(const Hex& game, const RaveSettings& settings)
      : game_(game), settings_(settings), nodes_(game, settings), knowledge_(HexKnowledge::make(game)) {}

  // What one thread needs for its simulations.
  struct Walker {
    Walker(const Hex& game, std::uint64_t seed) : rng{seed}, connections(game, sight(game.size)) {}

    // A look for connections shall take no longer than a few milliseconds, for a search that is stopped waits for it.
    static LinkLimits sight(int size) { return size <= 11 ? LinkLimits::quick() : LinkLimits{3, 5, 16, 4, 2, 12'000}; }

    Rng rng;
    HexConnections connections;
    HexKnowledge::Known known;
    std::vector<RaveStep> path;
    State<Hex> state{};
    HexBoard board{};
    std::array<std::array<float, Hex::kMaxSide * Hex::kMaxSide>, 2> owned{};  // by seat and cell, 1 where it is the seat's
    int deepest = 0;
  };

  // Puts the root at a position with somebody on turn. `keep`: with all that is known of it from before.
  void begin(const Hex::Public& pub, bool keep) {
    nodes_.begin(world_, pub, keep);
    world_.pub = pub;
    proof_ = nodes_.node(nodes_.root()).proof;
  }

  void simulate(Walker& walker) {
    State<Hex>& state = walker.state;
    state = world_;
    walker.path.clear();
    Seat winner = kNobody;  // if it becomes certain
    for (Place at = nodes_.root(); at && winner == kNobody;) {
      const Way way = step(walker, at);
      if (way.study) {
        study(walker, at);
        continue;
      }
      winner = way.winner;
      if (way.expand && winner == kNobody) link(walker, at);
      at = way.next;
    }
    walker.deepest = std::max(walker.deepest, static_cast<int>(walker.path.size()));
    if (winner != kNobody) {
      count(walker, winner, false);
      prove(walker, winner);
      return;
    }
    nodes_.playouts().set_up(state.pub, walker.board);
    const bool stone = state.pub.last >= 0 && state.pub.last != game_.swap_action();
    winner = nodes_.playouts().fill(walker.board, state.pub.turn, stone ? game_.at(state.pub.last) : -1, walker.rng);
    note_owners(walker);
    count(walker, winner, true);
  }

  // 1 where the seat on turn surely wins, -1 where it loses, 0 where that is not known.
  int proof() const { return proof_.load(std::memory_order_relaxed); }

  // Calls f(action, visits, value, proof) for each cell of the root that is empty; the value is from 0 to 1.
  template <class F>
  void each(F f) {
    RaveNode& root = nodes_.node(nodes_.root());
    const Hold hold(root);
    const RaveEdges edges(root);
    for (int i = 0; i < root.count; ++i) {
      const int proof = edges.proof(i);
      const float value = proof ? static_cast<float>(proof > 0)
                          : root.opens ? fairness(edges, i) : edges.value(i, settings_.weights);
      f(game_.action_at(edges.cell[i]), edges.visits[i], value, proof);
    }
  }

  // Adds what is played most often after `action`, for as long as the tree tells.
  template <class Line>
  void follow(Action action, Line& line) {
    for (Place at = nodes_.root(); at && line.size < Choice::kLongestLine;) {
      RaveNode& node = nodes_.node(at);
      const Hold hold(node);
      const RaveEdges edges(node);
      const auto rank = [&](int edge) { return std::pair{edges.proof(edge), edges.visits[edge]}; };
      int next = 0;
      for (int i = 0; i < node.count; ++i) {
        if (at == nodes_.root() ? game_.action_at(edges.cell[i]) == action : rank(i) > rank(next)) next = i;
      }
      if (!edges.visits[next] && !edges.proof(next)) return;
      line.add(game_.action_at(edges.cell[next]));
      at = edges.link[next];
    }
  }

 private:
  const Hex& game_;
  const RaveSettings settings_;
  RaveNodes nodes_;
  const std::unique_ptr<const HexKnowledge> knowledge_;
  State<Hex> world_{};
  std::atomic<int> proof_{0};  // the root's

  // The edge of a stone that may be swapped which is to be tried next: all now and then, fair ones more often.
  static int most_even(const RaveNode& node) {
    const RaveEdges edges(node);
    const float explore = 0.25f * std::sqrt(static_cast<float>(node.visits + 1));
    const auto promise = [&](int edge) {
      return edges.proof(edge) ? RaveEdges::kLost : fairness(edges, edge) + explore / (edges.visits[edge] + 1);
    };
    int best = 0;
    for (int i = 1; i < node.count; ++i) {
      if (promise(i) > promise(best)) best = i;
    }
    return best;
  }
  // What such a stone is worth, from 0 to a half: the other takes the better part.
  static float fairness(const RaveEdges& edges, int edge) {
    const float won = (edges.wins[edge] + 1) / (edges.visits[edge] + 2);
    return std::min(won, 1 - won);
  }

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  // What a walker meets at a node.
  struct Way {
    Place next = 0;         // the node that it has come to, 0 beyond the tree
    Seat winner = kNobody;  // if it is certain
    bool study = false;     // it has not moved: first somebody has to look for what is certain here
    bool expand = false;    // a node is due where it has come to
  };

  // Goes on from a node by one move.
  Way step(Walker& walker, Place at) {
    RaveNode& node = nodes_.node(at);
    Hex::Public& pub = walker.state.pub;
    const Hold hold(node);
    Way way;
    if (node.proof) {
      way.winner = node.proof > 0 ? node.turn : other(node.turn);
      return way;
    }
    if (ripe(node, at) && !may_be_swapped(pub)) {
      ++node.studied;
      way.study = true;
      return way;
    }
    nodes_.fill(node, pub);
    const RaveEdges edges(node);
    const int edge = node.opens ? most_even(node) : edges.best(node.count, settings_.weights);
    ++node.visits;
    edges.visit(edge);
    walker.path.push_back({at, edge});
    way.next = edges.link[edge];
    way.expand = !way.next && edges.visits[edge] >= nodes_.visits_to_expand();
    game_.apply(walker.state, game_.action_at(edges.cell[edge]));
    way.winner = pub.winner;
    return way;
  }

  // Makes a node behind the last step, unless another thread has just done so.
  void link(const Walker& walker, Place at) {
    const Place made = nodes_.add(walker.state.pub, walker.path);
    RaveNode& node = nodes_.node(at);
    const Hold hold(node);
    std::uint32_t& link = RaveEdges(node).link[walker.path.back().edge];
    if (!link) link = made;
  }

  void note_owners(Walker& walker) const {
    for (int row = 0; row < game_.size; ++row) {
      const int first = game_.at(row, 0);
      for (int cell = first; cell < first + game_.size; ++cell) {
        const bool second = walker.board.cell[index(cell)] == Hex::stone(1);
        walker.owned[0][index(cell)] = second ? 0.0f : 1.0f;
        walker.owned[1][index(cell)] = second ? 1.0f : 0.0f;
      }
    }
  }

  // Tells all nodes on the way how the simulation ended; `helpful`: the board is full, and tells whom each cell helped.
  void count(const Walker& walker, Seat winner, bool helpful) {
    for (const RaveStep& step : walker.path) {
      RaveNode& node = nodes_.node(step.node);
      const Hold hold(node);
      const RaveEdges edges(node);
      const bool won = winner == node.turn;
      if (won) edges.wins[step.edge] += 1;  // what is proven is too large to be changed by that
      if (!helpful) continue;
      const auto& owned = walker.owned[index(node.turn)];
      for (int i = 0; i < node.count; ++i) {
        const float one = owned[index(edges.cell[i])];
        edges.helpful[i] += one;
        if (won) edges.helpful_wins[i] += one;
      }
    }
  }

  // The last step led to what `winner` surely wins. Whoever won could choose so, whoever lost had no better choice if all
  // the others lose as well, and so on upwards.
  void prove(const Walker& walker, Seat winner) {
    for (auto step = walker.path.rbegin(); step != walker.path.rend(); ++step) {
      RaveNode& node = nodes_.node(step->node);
      const Hold hold(node);
      const bool won = winner == node.turn;
      RaveEdges(node).prove(step->edge, won);
      if (!won && nodes_.proof(node) >= 0) return;
      if (node.swappable) winner = node.turn;
      conclude(node, winner == node.turn);
    }
  }
  void conclude(RaveNode& node, bool won) {
    node.proof = won ? 1 : -1;
    if (&node == &nodes_.node(nodes_.root())) proof_.store(node.proof, std::memory_order_relaxed);
  }

  // Whether it is time for the next study of a node. The root is studied at once, as it decides.
  bool ripe(const RaveNode& node, Place at) const {
    if (node.studied == RaveNode::kStudies) return false;
    return at == nodes_.root() || node.visits >= settings_.study[node.studied];
  }

  // While a stone may still be mirrored and change its owner nothing is certain.
  bool may_be_swapped(const Hex::Public& pub) const { return game_.swap && pub.moves < 2 && pub.turn == pub.moves; }

  // Looks for what is certain about the position that the walker has come to, and keeps it with its node.
  void study(Walker& walker, Place at) {
    RaveNode& node = nodes_.node(at);
    Hex::Public pub = walker.state.pub;
    bool first;
    {
      const Hold hold(node);
      first = node.studied == 1;
      nodes_.fill(node, pub);
    }
    if (first) settle(walker, pub, at);
    else connect(walker, pub, at);
  }

  // Dead and captured cells, and moves that need not be tried.
  void settle(Walker& walker, Hex::Public& pub, Place at) {
    HexKnowledge::Known& known = walker.known;
    knowledge_->study(pub, known);
    Seat winner = kNobody;
    for (const auto& [cell, owner] : known.settled) {
      if (game_.put(pub, owner, game_.at(cell))) winner = owner;
    }
    // At the root some move has to be found all the same.
    if (at == nodes_.root() && (winner != kNobody || known.moves.empty())) return;
    const bool fills = winner == kNobody && !known.settled.empty();
    const Place fill = fills ? nodes_.add(known.settled) : 0;
    if (fills && !fill) return;
    RaveNode& node = nodes_.node(at);
    const Hold hold(node);
    if (winner != kNobody) return conclude(node, winner == node.turn);
    node.fill = fill;
    node.filled = static_cast<std::uint16_t>(fill ? known.settled.size() : 0);
    const RaveEdges edges(node);
    if (fill) std::fill(edges.link, edges.link + node.count, 0);  // what lies below knew nothing of these stones
    leave_only(node, [&](Action action) { return std::binary_search(known.moves.begin(), known.moves.end(), action); });
  }

  // Connections from side to side that cannot be broken, and moves that do not meet those that threaten.
  void connect(Walker& walker, const Hex::Public& pub, Place at) {
    const HexInsight seen = walker.connections.look(pub);
    RaveNode& node = nodes_.node(at);
    const bool root = at == nodes_.root();
    const Hold hold(node);
    if (seen.winner == node.turn) {
      const RaveEdges edges(node);
      int edge = 0;
      while (edge < node.count && game_.action_at(edges.cell[edge]) != seen.move) ++edge;
      if (edge < node.count) edges.prove(edge, true);
      if (edge < node.count || !root) conclude(node, true);
    } else if (seen.winner != kNobody) {
      if (!root) conclude(node, false);  // at the root the most stubborn move has to be found all the same
    } else {
      leave_only(node, [&](Action action) { return seen.moves.has(action); });
    }
  }

  // Takes all moves but these for lost.
  template <class F>
  void leave_only(RaveNode& node, F wanted) {
    const RaveEdges edges(node);
    for (int i = 0; i < node.count; ++i) {
      if (!wanted(game_.action_at(edges.cell[i]))) edges.prove(i, false);
    }
    if (nodes_.proof(node) < 0) conclude(node, false);
  }
};

}  // namespace ludoteca
