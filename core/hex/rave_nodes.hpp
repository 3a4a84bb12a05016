// The nodes and edges of the RAVE tree, and how an edge is selected.
//
// An edge counts the simulations that went through it, and (RAVE) all simulations through its node at whose end its
// cell belonged to the mover: a move in Hex is about as good whenever it is played. RAVE counts are many at once but
// biased, so they weigh less as the real visits grow:
//
//      (wins + RAVE wins / d) / (visits + RAVE visits / d),    d = rave_divisor + RAVE visits / max_rave
//
// The edges of a node are stored as arrays, so that the best of a hundred is found four at a time (search/lanes.hpp).
#pragma once

#include <atomic>
#include <thread>

#include "hex/rules.hpp"
#include "search/lanes.hpp"
#include "search/tree_memory.hpp"

namespace ludoteca {

// A node of the tree; its edges lie behind it in memory.
struct RaveNode {
  static constexpr std::uint8_t kKnowledgeLevels = 2;

  std::atomic<bool> busy{false};     // locked by a thread, see NodeLock
  Seat turn = kNobody;
  std::int8_t proof = 0;             // 1 if the seat on turn is proven to win, -1 if to lose
  bool is_opening = false;           // the stone that is played here may be swapped
  bool can_swap = false;             // the seat on turn may also swap, which is no edge: see rave_search.hpp
  std::uint8_t knowledge_level = 0;  // how much of the knowledge has been computed, up to kKnowledgeLevels
  std::uint16_t count = 0, capacity = 0;  // of edges
  std::uint16_t filled = 0;          // number of filled-in cells
  std::uint32_t visits = 0;
  Offset fill = 0;                   // the filled-in cells
};

// An empty cell that counts as a stone of `owner`: see fill_in.hpp.
struct FilledCell {
  Action cell;
  Seat owner;
};

// Locks a node while it exists.
class NodeLock {
 public:
  explicit NodeLock(RaveNode& node) : node_(node) {
    for (int tries = 0; node_.busy.exchange(true, std::memory_order_acquire); ++tries) {
      if (tries > 64) std::this_thread::yield();
    }
  }
  ~NodeLock() { node_.busy.store(false, std::memory_order_release); }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  RaveNode& node_;
};

// How RAVE counts and priors weigh against visits: see the formula above.
struct RaveWeights {
  float rave_divisor = 0.5f;  // the first RAVE simulations count as 1 / rave_divisor visits each,
  float max_rave = 700;       // and all together never as more than so many visits
  float prior = 3;            // weight of the pattern prior of an edge
};

// The edges of a node, one array for each field.
struct RaveEdges {
  // Values of `wins` of a proven edge, which no sum of results reaches.
  static constexpr float kWon = 1e30f, kLost = -1e30f;

  float *visits, *wins, *rave_visits, *rave_wins;
  float* prior;          // the probability of the move by patterns, divided by visits + 1
  std::uint32_t* child;  // the Offset of the child node, 0 for none
  std::int16_t* cell;    // of the stone, as in Hex::Public::cell

  static std::size_t bytes(std::size_t capacity) {
    return capacity * (5 * sizeof *visits + sizeof *child + sizeof *cell);
  }

  // The edges lie behind their node.
  explicit RaveEdges(const RaveNode& node)
      : visits(reinterpret_cast<float*>(const_cast<RaveNode*>(&node) + 1)),
        wins(visits + node.capacity),
        rave_visits(wins + node.capacity),
        rave_wins(rave_visits + node.capacity),
        prior(rave_wins + node.capacity),
        child(reinterpret_cast<std::uint32_t*>(prior + node.capacity)),
        cell(reinterpret_cast<std::int16_t*>(child + node.capacity)) {}

  // Starts with `rave` RAVE visits whose mean result is `value`.
  void init(int edge, int new_cell, float rave, float value) const {
    visits[edge] = wins[edge] = 0;
    rave_visits[edge] = rave;
    rave_wins[edge] = rave * value;
    prior[edge] = 0;
    child[edge] = 0;
    cell[edge] = static_cast<std::int16_t>(new_cell);
  }
  // Fills the places after the last edge so that they are never selected.
  void pad(int count, int capacity) const {
    for (int edge = count; edge < capacity; ++edge) {
      init(edge, 0, 1, 0);
      prove(edge, false);
    }
  }

  // Counts a visit without its result. Until the backup adds a win it counts as lost: this is the virtual loss.
  void add_virtual_loss(int edge) const {
    visits[edge] += 1;
    prior[edge] *= visits[edge] / (visits[edge] + 1);
  }
  void prove(int edge, bool win) const { wins[edge] = win ? kWon : kLost; }
  // 1 for an edge that is proven to win, -1 for one that is proven to lose, otherwise 0.
  int proof(int edge) const { return wins[edge] == kWon ? 1 : wins[edge] == kLost ? -1 : 0; }

  // The value of an unproven edge without its prior, from 0 to 1.
  float q(int edge, const RaveWeights& w) const {
    const float d = w.rave_divisor + rave_visits[edge] / w.max_rave;
    return (wins[edge] * d + rave_wins[edge]) / (visits[edge] * d + rave_visits[edge]);
  }

  // The edge with the highest q plus prior, of equal ones the first.
  int select(int count, const RaveWeights& w) const {
    const float inverse = 1 / w.max_rave;
    return lanes::argmax(count, 10 * kLost, [&](std::int32_t from) {
      const lanes::Floats rave = lanes::load(rave_visits + from);
      const lanes::Floats d = w.rave_divisor + rave * inverse;
      return (lanes::load(wins + from) * d + lanes::load(rave_wins + from)) / (lanes::load(visits + from) * d + rave) +
             w.prior * lanes::load(prior + from);
    });
  }
};

}  // namespace ludoteca
