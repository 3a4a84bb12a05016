// Monte Carlo tree search for Hex with RAVE, learned playouts, and proofs: the search of `classical.hpp`.
//
// Any number of threads may simulate in one tree at the same time. On its way down a simulation counts as lost (virtual
// loss), so that the other threads select other edges until its result is backed up.
//
// Swapping is no edge of the tree. It gives the other seat the same position with the colours exchanged, so its value
// is the negative of the best other answer, and a seat that may swap gets the better of the two. Hence the best opening
// stone is the one after which both seats have the most equal chances.
#pragma once

#include <memory>

#include "hex/analyser.hpp"
#include "hex/rave_tree.hpp"
#include "search/choice.hpp"

namespace ludoteca {

class RaveSearch {
 public:
  RaveSearch(const Hex& game, const RaveSettings& settings)
      : game_(game), settings_(settings), tree_(game, settings), knowledge_(HexKnowledge::make(game)) {}

  // What each thread needs for its simulations.
  struct Worker {
    Worker(const Hex& game, std::uint64_t seed) : rng{seed}, analyser(game, limits(game.size)) {}

    // An analysis must take only a few milliseconds, because a search that is stopped waits for it.
    static ConnectionLimits limits(int size) {
      return size <= 11 ? ConnectionLimits::quick() : ConnectionLimits{3, 5, 16, 4, 2, 12'000};
    }

    Rng rng;
    HexAnalyser analyser;
    HexKnowledge::Result knowledge;
    std::vector<RaveStep> path;
    State<Hex> state{};
    HexBoard board{};
    std::array<std::array<float, Hex::kMaxSide * Hex::kMaxSide>, 2> owned{};  // by seat and cell: 1 if it is the seat's
    int max_depth = 0;
  };

  // Makes a position with a seat on turn the root. reuse: keep its subtree.
  void set_root(const Hex::Public& pub, bool reuse) {
    tree_.set_root(root_, pub, reuse);
    root_.pub = pub;
    proof_ = tree_.node(tree_.root()).proof;
  }

  void simulate(Worker& worker) {
    State<Hex>& state = worker.state;
    state = root_;
    worker.path.clear();
    Seat winner = kNobody;  // if it is proven
    for (Offset at = tree_.root(); at && winner == kNobody;) {
      const Selection selected = select(worker, at);
      if (selected.knowledge_due) {
        compute_knowledge(worker, at);
        continue;
      }
      winner = selected.winner;
      if (selected.expand && winner == kNobody) expand(worker, at);
      at = selected.next;
    }
    worker.max_depth = std::max(worker.max_depth, static_cast<int>(worker.path.size()));
    if (winner != kNobody) {
      backup(worker, winner, false);
      prove(worker, winner);
      return;
    }
    tree_.playouts().set_up(state.pub, worker.board);
    const bool stone = state.pub.last >= 0 && state.pub.last != game_.swap_action();
    winner = tree_.playouts().fill(worker.board, state.pub.turn, stone ? game_.at(state.pub.last) : -1, worker.rng);
    note_owners(worker);
    backup(worker, winner, true);
  }

  // 1 if the seat on turn at the root is proven to win, -1 if to lose, otherwise 0.
  int proof() const { return proof_.load(std::memory_order_relaxed); }

  // Calls f(action, visits, value, proof) for each empty cell of the root; the value is from 0 to 1.
  template <class F>
  void each_root_action(F f) {
    RaveNode& root = tree_.node(tree_.root());
    const NodeLock lock(root);
    const RaveEdges edges(root);
    for (int i = 0; i < root.count; ++i) {
      const int proof = edges.proof(i);
      const float value = proof ? static_cast<float>(proof > 0)
                          : root.is_opening ? fairness(edges, i) : edges.q(i, settings_.weights);
      f(game_.action_at(edges.cell[i]), edges.visits[i], value, proof);
    }
  }

  // Appends `action` and the most visited actions after it.
  template <class Line>
  void append_line(Action action, Line& line) {
    for (Offset at = tree_.root(); at && line.size < Choice::kLongestLine;) {
      RaveNode& node = tree_.node(at);
      const NodeLock lock(node);
      const RaveEdges edges(node);
      const auto rank = [&](int edge) { return std::pair{edges.proof(edge), edges.visits[edge]}; };
      int next = 0;
      for (int i = 0; i < node.count; ++i) {
        if (at == tree_.root() ? game_.action_at(edges.cell[i]) == action : rank(i) > rank(next)) next = i;
      }
      if (!edges.visits[next] && !edges.proof(next)) return;
      line.add(game_.action_at(edges.cell[next]));
      at = edges.child[next];
    }
  }

 private:
  const Hex& game_;
  const RaveSettings settings_;
  RaveTree tree_;
  const std::unique_ptr<const HexKnowledge> knowledge_;
  State<Hex> root_{};
  std::atomic<int> proof_{0};  // of the root

  // Selects an opening stone, which may be swapped: every cell now and then, fair ones more often.
  static int select_opening(const RaveNode& node) {
    const RaveEdges edges(node);
    const float explore = 0.25f * std::sqrt(static_cast<float>(node.visits + 1));
    const auto score = [&](int edge) {
      return edges.proof(edge) ? RaveEdges::kLost : fairness(edges, edge) + explore / (edges.visits[edge] + 1);
    };
    int best = 0;
    for (int i = 1; i < node.count; ++i) {
      if (score(i) > score(best)) best = i;
    }
    return best;
  }
  // The value of an opening stone, from 0 to 0.5: the other seat takes the better side.
  static float fairness(const RaveEdges& edges, int edge) {
    const float won = (edges.wins[edge] + 1) / (edges.visits[edge] + 2);
    return std::min(won, 1 - won);
  }

  struct Selection {
    Offset next = 0;             // the child, 0 where the simulation leaves the tree
    Seat winner = kNobody;       // if it is proven
    bool knowledge_due = false;  // no move was made: the knowledge of this node has to be computed first
    bool expand = false;         // the edge has enough visits for a child
  };

  // Selects an edge and plays its move.
  Selection select(Worker& worker, Offset at) {
    RaveNode& node = tree_.node(at);
    Hex::Public& pub = worker.state.pub;
    const NodeLock lock(node);
    Selection out;
    if (node.proof) {
      out.winner = node.proof > 0 ? node.turn : other(node.turn);
      return out;
    }
    if (knowledge_due(node, at) && !may_be_swapped(pub)) {
      ++node.knowledge_level;
      out.knowledge_due = true;
      return out;
    }
    tree_.fill(node, pub);
    const RaveEdges edges(node);
    const int edge = node.is_opening ? select_opening(node) : edges.select(node.count, settings_.weights);
    ++node.visits;
    edges.add_virtual_loss(edge);
    worker.path.push_back({at, edge});
    out.next = edges.child[edge];
    out.expand = !out.next && edges.visits[edge] >= tree_.visits_to_expand();
    game_.apply(worker.state, game_.action_at(edges.cell[edge]));
    out.winner = pub.winner;
    return out;
  }

  // Adds a child behind the last step, unless another thread has just done so.
  void expand(const Worker& worker, Offset at) {
    const Offset made = tree_.expand(worker.state.pub, worker.path);
    RaveNode& node = tree_.node(at);
    const NodeLock lock(node);
    std::uint32_t& child = RaveEdges(node).child[worker.path.back().edge];
    if (!child) child = made;
  }

  void note_owners(Worker& worker) const {
    const std::uint8_t* cells = worker.board.cell.data();
    float *first = worker.owned[0].data(), *second = worker.owned[1].data();
    static_assert(Hex::stone(0) == 1 && Hex::stone(1) == 2);
    for (int cell = 0; cell < (game_.size + 2) * (game_.size + 2); ++cell) {
      second[cell] = static_cast<float>(cells[cell] >> 1);
      first[cell] = 1 - second[cell];
    }
  }

  // Backs the result up along the path. rave: the board is full, so RAVE counts are updated from the owners of its
  // cells.
  void backup(const Worker& worker, Seat winner, bool rave) {
    for (const RaveStep& step : worker.path) {
      RaveNode& node = tree_.node(step.node);
      const NodeLock lock(node);
      const RaveEdges edges(node);
      const bool won = winner == node.turn;
      if (won) edges.wins[step.edge] += 1;  // does not change the huge value of a proven edge
      if (!rave) continue;
      const auto& owned = worker.owned[index(node.turn)];
      for (int i = 0; i < node.count; ++i) {
        const float one = owned[index(edges.cell[i])];
        edges.rave_visits[i] += one;
        if (won) edges.rave_wins[i] += one;
      }
    }
  }

  // The path led to a proven win of `winner`. Backs the proof up: a seat wins if one of its moves does, and loses if
  // all of them do.
  void prove(const Worker& worker, Seat winner) {
    for (auto step = worker.path.rbegin(); step != worker.path.rend(); ++step) {
      RaveNode& node = tree_.node(step->node);
      const NodeLock lock(node);
      const bool won = winner == node.turn;
      RaveEdges(node).prove(step->edge, won);
      if (!won && tree_.proof(node) >= 0) return;
      if (node.can_swap) winner = node.turn;
      set_proof(node, winner == node.turn);
    }
  }
  void set_proof(RaveNode& node, bool won) {
    node.proof = won ? 1 : -1;
    if (&node == &tree_.node(tree_.root())) proof_.store(node.proof, std::memory_order_relaxed);
  }

  // Whether it is time for the next level of knowledge. The root gets it at once, because it decides.
  bool knowledge_due(const RaveNode& node, Offset at) const {
    if (node.knowledge_level == RaveNode::kKnowledgeLevels) return false;
    return at == tree_.root() || node.visits >= settings_.knowledge_visits[node.knowledge_level];
  }

  // Whether a stone may still be mirrored and change its owner: then nothing is proven.
  bool may_be_swapped(const Hex::Public& pub) const { return game_.swap && pub.moves < 2 && pub.turn == pub.moves; }

  void compute_knowledge(Worker& worker, Offset at) {
    RaveNode& node = tree_.node(at);
    Hex::Public pub = worker.state.pub;
    bool first;
    {
      const NodeLock lock(node);
      first = node.knowledge_level == 1;
      tree_.fill(node, pub);
    }
    if (first) compute_fill_in(worker, pub, at);
    else compute_connections(worker, pub, at);
  }

  // Fills in dead and captured cells, and prunes inferior moves.
  void compute_fill_in(Worker& worker, Hex::Public& pub, Offset at) {
    HexKnowledge::Result& knowledge = worker.knowledge;
    knowledge_->compute(pub, knowledge);
    Seat winner = kNobody;
    for (const auto& [cell, owner] : knowledge.filled) {
      if (game_.put(pub, owner, game_.at(cell))) winner = owner;
    }
    // The root needs a move all the same.
    if (at == tree_.root() && (winner != kNobody || knowledge.moves.empty())) return;
    const bool fills = winner == kNobody && !knowledge.filled.empty();
    const Offset fill = fills ? tree_.store(knowledge.filled) : 0;
    if (fills && !fill) return;
    RaveNode& node = tree_.node(at);
    const NodeLock lock(node);
    if (winner != kNobody) return set_proof(node, winner == node.turn);
    node.fill = fill;
    node.filled = static_cast<std::uint16_t>(fill ? knowledge.filled.size() : 0);
    const RaveEdges edges(node);
    if (fill) std::fill(edges.child, edges.child + node.count, 0);  // the subtrees lack these stones
    prune_others(node, [&](Action action) {
      return std::binary_search(knowledge.moves.begin(), knowledge.moves.end(), action);
    });
  }

  // Looks for a winning virtual connection, and prunes moves outside the must-play region.
  void compute_connections(Worker& worker, const Hex::Public& pub, Offset at) {
    const HexAnalysis analysis = worker.analyser.analyse(pub);
    RaveNode& node = tree_.node(at);
    const bool root = at == tree_.root();
    const NodeLock lock(node);
    if (analysis.winner == node.turn) {
      const RaveEdges edges(node);
      int edge = 0;
      while (edge < node.count && game_.action_at(edges.cell[edge]) != analysis.move) ++edge;
      if (edge < node.count) edges.prove(edge, true);
      if (edge < node.count || !root) set_proof(node, true);
    } else if (analysis.winner != kNobody) {
      if (!root) set_proof(node, false);  // the root searches on for the most stubborn move
    } else {
      prune_others(node, [&](Action action) { return analysis.moves.has(action); });
    }
  }

  // Marks all moves but the wanted ones as lost.
  template <class F>
  void prune_others(RaveNode& node, F wanted) {
    const RaveEdges edges(node);
    for (int i = 0; i < node.count; ++i) {
      if (!wanted(game_.action_at(edges.cell[i]))) edges.prove(i, false);
    }
    if (tree_.proof(node) < 0) set_proof(node, false);
  }
};

}  // namespace ludoteca
