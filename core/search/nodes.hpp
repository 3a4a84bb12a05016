// The nodes and edges of the UCT tree, and how an edge is selected.
//
// A node has an edge for each action that was possible there. Its edges are stored as arrays, so that the best of a
// hundred is found four at a time (lanes.hpp):
//
//      sum    sum    sum    sum  …       returns of the seat on turn, summed over all simulations through the edge
//      q      q      q      q    …       sum / visits; kUntried before the first visit
//      spread spread spread …            1 / √visits, to which the exploration bonus is proportional; at first 0
//      visits … child … action …
#pragma once

#include <algorithm>
#include <cmath>

#include "game.hpp"
#include "search/hash_table.hpp"
#include "search/lanes.hpp"
#include "search/tree_memory.hpp"

namespace ludoteca {

// A node of the tree; its edges lie elsewhere in the tree memory.
struct Node {
  std::uint32_t visits = 0;  // simulations that selected an edge here
  Offset edges = 0;
  std::uint16_t count = 0, capacity = 0;  // of edges
  Seat turn = kNobody;
};

// The edges of a node, at their present place in memory.
struct Edges {
  // Values of q outside the range of results. An edge is proven when it wins or loses whatever is played afterwards.
  static constexpr float kWon = 2e3f, kUntried = 1e3f, kLost = -1e3f, kNone = -2e3f;

  double* sum;
  float *q, *spread;
  std::uint32_t* visits;
  std::uint32_t* child;  // perfect information: the Offset of the child node. Hidden information: in how many of the
                         // worlds that came here the action was legal
  std::int16_t* action;

  static std::size_t bytes(int capacity) {
    return static_cast<std::size_t>(capacity) * (sizeof *sum + 2 * sizeof *q + 2 * sizeof *visits + sizeof *action);
  }

  Edges(TreeMemory& memory, const Node& node) : Edges(memory, node.edges, node.capacity) {}
  Edges(TreeMemory& memory, Offset offset, std::size_t capacity)
      : sum(memory.at<double>(offset)),
        q(reinterpret_cast<float*>(sum + capacity)),
        spread(q + capacity),
        visits(reinterpret_cast<std::uint32_t*>(spread + capacity)),
        child(visits + capacity),
        action(reinterpret_cast<std::int16_t*>(child + capacity)) {}

  void init(int edge, Action new_action) {
    sum[edge] = 0;
    q[edge] = kUntried;
    spread[edge] = 0;
    visits[edge] = child[edge] = 0;
    action[edge] = static_cast<std::int16_t>(new_action);
  }
  // Fills the places after the last edge so that they are never selected.
  void pad(int count, int capacity) {
    std::fill(q + count, q + capacity, kNone);
    std::fill(spread + count, spread + capacity, 0.0f);
  }

  void backup(int edge, double result) {
    const auto times = static_cast<double>(++visits[edge]);
    sum[edge] += result;
    if (proof(edge)) return;
    q[edge] = static_cast<float>(sum[edge] / times);
    spread[edge] = static_cast<float>(1 / std::sqrt(times));
  }

  void prove(int edge, bool wins) {
    q[edge] = wins ? kWon : kLost;
    spread[edge] = 0;
  }
  // 1 for an edge that is proven to win, -1 for one that is proven to lose, otherwise 0.
  int proof(int edge) const { return q[edge] == kWon ? 1 : q[edge] == kLost ? -1 : 0; }

  // The edge with the highest q + exploration · spread, of equal ones the first.
  int select(int count, float exploration) const {
    return lanes::argmax(count, 2 * kNone, [&](std::int32_t from) {
      return lanes::load(q + from) + exploration * lanes::load(spread + from);
    });
  }
};

// A new node with its edges; 0 when the memory is full.
template <class List>
Offset new_node(TreeMemory& memory, Seat turn, const List& actions) {
  const int capacity = lanes::padded(actions.size);
  const Offset offset = memory.allocate(sizeof(Node)), edges = offset ? memory.allocate(Edges::bytes(capacity)) : 0;
  if (!edges) return 0;
  auto& node = *new (memory.at<Node>(offset)) Node{0, edges, static_cast<std::uint16_t>(actions.size),
                                                   static_cast<std::uint16_t>(capacity), turn};
  Edges all(memory, node);
  for (int i = 0; i < actions.size; ++i) all.init(i, actions[i]);
  all.pad(actions.size, capacity);
  return offset;
}

// Adds an edge, which may move all edges of the node. Returns its index, -1 when the memory is full.
inline int add_edge(TreeMemory& memory, Node& node, Action action) {
  if (node.count == node.capacity) {
    const int capacity = 2 * node.capacity;
    const Offset offset = memory.allocate(Edges::bytes(capacity));
    if (!offset) return -1;
    const Edges old(memory, node);
    Edges wide(memory, offset, static_cast<std::size_t>(capacity));
    std::copy_n(old.sum, node.count, wide.sum);
    std::copy_n(old.q, node.count, wide.q);
    std::copy_n(old.spread, node.count, wide.spread);
    std::copy_n(old.visits, node.count, wide.visits);
    std::copy_n(old.child, node.count, wide.child);
    std::copy_n(old.action, node.count, wide.action);
    wide.pad(node.count, capacity);
    node.edges = offset;
    node.capacity = static_cast<std::uint16_t>(capacity);
  }
  Edges(memory, node).init(node.count, action);
  return node.count++;
}

// Finds the node of an information set by the hash of the view there: a hash table of fixed size.
class NodeTable {
 public:
  explicit NodeTable(std::size_t bytes) : table_(HashTable<Slot>::slots_in(bytes)) {}

  void clear() {
    if (count_) table_.clear();
    count_ = 0;
  }

  // The node of this key, 0 for none.
  Offset find(std::uint64_t key) const { return static_cast<Offset>(table_.slot(key).node); }

  // Adds a new key. Returns whether there was room.
  bool add(std::uint64_t key, Offset node) {
    if (count_ + count_ / 4 >= table_.slots()) return false;
    table_.slot(key) = Slot{key, node};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key, node;
    bool empty() const { return !node; }
    bool has(std::uint64_t sought) const { return key == sought; }
  };
  HashTable<Slot> table_;
  std::size_t count_ = 0;
};

}  // namespace ludoteca
