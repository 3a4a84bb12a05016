// The tree of the RAVE search: how nodes are made, and what is kept of them from one move to the next.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "hex/knowledge.hpp"
#include "hex/patterns.hpp"
#include "hex/rave_nodes.hpp"
#include "search/resources.hpp"

namespace ludoteca {

// When nodes are made and analysed, and what a new edge starts with.
struct RaveSettings {
  RaveWeights weights;
  std::uint32_t visits_to_expand = 10;  // an edge with so many visits gets a child
  // A node with so many visits gets the next level of knowledge: fill-in, then virtual connections.
  std::array<std::uint32_t, RaveNode::kKnowledgeLevels> knowledge_visits{40, 600};
  float initial_rave = 12;   // RAVE visits that a new edge starts with, half of them won,
  float inherited_rave = 8;  // and at most so many more from the same move two plies earlier
  Resources resources;
};

// One step of a simulation: a node and the edge selected there.
struct RaveStep {
  Offset node;
  int edge;
};

// Several threads may add nodes at the same time; only one may move the root.
class RaveTree {
 public:
  RaveTree(const Hex& game, const RaveSettings& settings)
      : game_(game),
        settings_(settings),
        playouts_(game),
        patterns_(game, playouts_),
        memory_(settings.resources.bytes) {}

  RaveNode& node(Offset offset) { return *memory_.at<RaveNode>(offset); }
  Offset root() const { return root_; }
  const HexPlayouts& playouts() const { return playouts_; }

  // How many visits an edge needs before it gets a child: see TreeMemory.
  float visits_to_expand() const { return visits_to_expand_.load(std::memory_order_relaxed); }

  // Makes a position the root. reuse: keep its subtree, if it lies not far below the last root.
  void set_root(const State<Hex>& last_root, const Hex::Public& root, bool reuse) {
    const Offset found = reuse && root_ ? find(root_, last_root, root, 3) : 0;
    if (found && has_proven_move(found)) {
      root_ = found;
      if (memory_.used() > 0.5) drop_other_nodes();
    } else {
      memory_.clear();
      root_ = expand(root, {});
      if (!root_) throw std::bad_alloc();
    }
  }

  // A new node for the position that this path led to. 0 when the memory is full: then the tree no longer grows.
  Offset expand(const Hex::Public& pub, const std::vector<RaveStep>& path) {
    int count = 0;
    for (Action action = 0; action < game_.size * game_.size; ++action) count += !pub.cell[index(game_.at(action))];
    const int capacity = lanes::padded(count);
    const Offset offset = allocate(sizeof(RaveNode) + RaveEdges::bytes(index(capacity)));
    if (!offset) return 0;
    RaveNode& made = *new (memory_.at<RaveNode>(offset)) RaveNode;
    made.turn = pub.turn;
    made.is_opening = game_.swap && pub.moves == 0;
    made.can_swap = game_.can_swap(pub);
    made.count = static_cast<std::uint16_t>(count);
    made.capacity = static_cast<std::uint16_t>(capacity);
    const RaveEdges edges(made);
    int edge = 0;
    for (Action action = 0; action < game_.size * game_.size; ++action) {
      if (!pub.cell[index(game_.at(action))]) edges.init(edge++, game_.at(action), settings_.initial_rave, 0.5f);
    }
    edges.pad(count, capacity);
    if (path.size() >= 2) inherit(node(path[path.size() - 2].node), made);
    set_priors(pub, made);
    return offset;
  }

  // Stores filled-in cells; 0 when the memory is full.
  Offset store(const std::vector<FilledCell>& cells) {
    const Offset offset = allocate(cells.size() * sizeof(FilledCell));
    if (offset) std::copy(cells.begin(), cells.end(), memory_.at<FilledCell>(offset));
    return offset;
  }

  // Puts the filled-in stones of a node on the board.
  void fill(const RaveNode& node, Hex::Public& pub) {
    const FilledCell* cells = node.filled ? memory_.at<FilledCell>(node.fill) : nullptr;
    for (int i = 0; i < node.filled; ++i) game_.put(pub, cells[i].owner, game_.at(cells[i].cell));
  }

  // 1 if some edge is proven to win, -1 if all are proven to lose, otherwise 0.
  int proof(const RaveNode& node) const {
    const RaveEdges edges(node);
    return edges.proof(edges.select(node.count, settings_.weights));
  }

 private:
  static constexpr std::uint32_t kLeastShare = 5000;  // nodes with fewer than visits of the root / this are dropped

  const Hex& game_;
  const RaveSettings settings_;
  const HexPlayouts playouts_;
  const HexPatterns patterns_;
  std::mutex growing_;
  TreeMemory memory_;
  std::atomic<float> visits_to_expand_{0};
  Offset root_ = 0;

  Offset allocate(std::size_t bytes) {
    const std::lock_guard lock(growing_);
    visits_to_expand_.store(memory_.visits_to_expand(static_cast<float>(settings_.visits_to_expand), 1e7f),
                            std::memory_order_relaxed);
    return memory_.allocate(bytes);
  }

  // The same moves two plies earlier give first RAVE counts.
  void inherit(RaveNode& from, const RaveNode& to) {
    if (from.turn != to.turn || settings_.inherited_rave <= 0) return;
    const NodeLock lock(from);
    const RaveEdges known(from), edges(to);
    for (int i = 0, k = 0; i < to.count; ++i) {
      while (k < from.count && known.cell[k] < edges.cell[i]) ++k;
      if (k == from.count || known.cell[k] != edges.cell[i] || known.proof(k)) continue;
      const float rave = std::min(settings_.inherited_rave, known.rave_visits[k] + known.visits[k]);
      edges.rave_visits[i] += rave;
      edges.rave_wins[i] += rave * known.q(k, settings_.weights);
    }
  }

  void set_priors(const Hex::Public& pub, const RaveNode& node) {
    const HexPatterns::Position position(patterns_, pub);
    const RaveEdges edges(node);
    float sum = 0;
    for (int i = 0; i < node.count; ++i) sum += edges.prior[i] = position.weight(edges.cell[i]);
    for (int i = 0; i < node.count; ++i) edges.prior[i] /= sum;
  }

  // The node of a position at most so many plies below a node, 0 for none.
  Offset find(Offset at, const State<Hex>& state, const Hex::Public& wanted, int plies) {
    if (state.pub.cell == wanted.cell && state.pub.turn == wanted.turn) return at;
    if (plies == 0) return 0;
    const RaveNode& from = node(at);
    const RaveEdges edges(from);
    for (int i = 0; i < from.count; ++i) {
      const int cell = edges.cell[i];
      if (!edges.child[i] || !(wanted.cell[index(cell)] & Hex::stone(from.turn))) continue;
      State<Hex> next = state;
      game_.apply(next, game_.action_at(cell));
      if (const Offset found = find(edges.child[i], next, wanted, plies - 1)) return found;
    }
    return 0;
  }

  // Whether a proven node also has the move that proves it.
  bool has_proven_move(Offset at) { return node(at).can_swap || proof(node(at)) == node(at).proof; }

  // Keeps the subtree of the root, without rarely visited nodes, and moves it to the beginning of the memory. A node
  // lies behind its parent, and its filled-in cells behind the node: so when a piece is moved, its owner has been moved
  // already.
  void drop_other_nodes() {
    struct Piece {
      Offset from;
      std::size_t owner;  // the piece that refers to it
      int edge;           // by which edge; kFill for filled-in cells
    };
    constexpr int kFill = -1;
    std::vector<Piece> pieces{{root_, 0, 0}};
    const std::uint32_t least = node(root_).visits / kLeastShare;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].edge == kFill) continue;
      const RaveNode& from = node(pieces[i].from);
      const RaveEdges edges(from);
      if (from.filled) pieces.push_back({from.fill, i, kFill});
      for (int edge = 0; edge < from.count; ++edge) {
        if (!edges.child[edge]) continue;
        if (node(edges.child[edge]).visits < least) edges.child[edge] = 0;
        else pieces.push_back({edges.child[edge], i, edge});
      }
    }
    std::vector<std::size_t> order(pieces.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pieces[a].from < pieces[b].from; });
    memory_.clear();
    for (const std::size_t i : order) {
      Piece& piece = pieces[i];
      RaveNode* owner = i ? &node(pieces[piece.owner].from) : nullptr;
      const bool fill = piece.edge == kFill;
      const std::size_t bytes = fill ? owner->filled * sizeof(FilledCell)
                                     : sizeof(RaveNode) + RaveEdges::bytes(node(piece.from).capacity);
      const Offset to = allocate(bytes);
      std::memmove(memory_.at<std::byte>(to), memory_.at<std::byte>(piece.from), bytes);
      piece.from = to;
      if (!owner) root_ = to;
      else if (fill) owner->fill = to;
      else RaveEdges(*owner).child[piece.edge] = to;
    }
  }
};

}  // namespace ludoteca
