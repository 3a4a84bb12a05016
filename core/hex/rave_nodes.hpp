// The nodes of the classical engine's tree, and how one of their edges is chosen.
//
// An edge counts two things: the simulations that went along it, and, as moves in Hex are good or bad much the same
// whenever they are played, all the simulations through its node at whose end its cell was the mover's (RAVE). The
// second are many at once but only nearly right, so they count for ever less as the first become more:
//
//      (wins + helpful wins / d) / (visits + helpful visits / d),    d = first + helpful visits / most
//
// The numbers of a node lie side by side, so that the best of a hundred edges is found four at a time.
#pragma once

#include <atomic>
#include <thread>

#include "hex/rules.hpp"
#include "search/tree_memory.hpp"

namespace ludoteca {

struct RaveNode {
  std::atomic<bool> busy{false};  // a thread reads or changes the node
  Seat turn = kNobody;            // who chooses
  std::int8_t proof = 0;          // 1 where that seat surely wins, -1 where it loses
  bool opens = false;             // the stone that it puts may be swapped
  bool swappable = false;         // that seat might also swap, which is no edge: see rave.hpp
  std::uint8_t studied = 0;       // how much of what is certain about the position has been looked for, of kStudies
  static constexpr std::uint8_t kStudies = 2;
  std::uint16_t count = 0, capacity = 0;  // of edges
  std::uint16_t filled = 0;       // cells whose owner is known, though nobody has played there
  std::uint32_t visits = 0;
  Place fill = 0;                 // those cells
};

// A cell whose owner is certain, though nobody has played there.
struct HexSettled {
  Action cell;
  Seat owner;
};

// While it lives, nobody else reads or changes the node.
class Hold {
 public:
  explicit Hold(RaveNode& node) : node_(node) {
    for (int tries = 0; node_.busy.exchange(true, std::memory_order_acquire); ++tries) {
      if (tries > 64) std::this_thread::yield();
    }
  }
  ~Hold() { node_.busy.store(false, std::memory_order_release); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  RaveNode& node_;
};

// How much what is counted where.
struct RaveWeights {
  float first = 0.5f;         // the first helpful simulations count 1 / first of a visit each,
  float most = 700;           // and all together never more than so many visits
  float favour = 3;           // how much an edge gains at first by being what a good player often plays
};

struct RaveEdges {
  static constexpr int kLanes = 4;  // edges that are compared at a time; a capacity is a multiple of it
  // In place of the wins of an edge that is proven; no sum of results gets there.
  static constexpr float kWon = 1e30f, kLost = -1e30f;

  float *visits, *wins, *helpful, *helpful_wins;
  float* favour;        // the chance that a good player moves so, divided by visits + 1
  std::uint32_t* link;  // the Place of the node that it leads to, 0 while there is none
  std::int16_t* cell;   // where its stone would go, as in Hex::Public::cell

  static std::size_t bytes(std::size_t capacity) { return capacity * (5 * sizeof *visits + sizeof *link + sizeof *cell); }

  // They lie behind their node.
  explicit RaveEdges(const RaveNode& node)
      : visits(reinterpret_cast<float*>(const_cast<RaveNode*>(&node) + 1)),
        wins(visits + node.capacity),
        helpful(wins + node.capacity),
        helpful_wins(helpful + node.capacity),
        favour(helpful_wins + node.capacity),
        link(reinterpret_cast<std::uint32_t*>(favour + node.capacity)),
        cell(reinterpret_cast<std::int16_t*>(link + node.capacity)) {}

  // times, value: as if so many helpful simulations had been seen, and won so often.
  void begin(int edge, int new_cell, float times, float value) const {
    visits[edge] = wins[edge] = 0;
    helpful[edge] = times;
    helpful_wins[edge] = times * value;
    favour[edge] = 0;
    link[edge] = 0;
    cell[edge] = static_cast<std::int16_t>(new_cell);
  }
  // What stands behind the last edge is never chosen.
  void end(int count, int capacity) const {
    for (int edge = count; edge < capacity; ++edge) {
      begin(edge, 0, 1, 0);
      prove(edge, false);
    }
  }

  void visit(int edge) const {
    visits[edge] += 1;
    favour[edge] *= visits[edge] / (visits[edge] + 1);
  }
  void prove(int edge, bool win) const { wins[edge] = win ? kWon : kLost; }
  int proof(int edge) const { return wins[edge] == kWon ? 1 : wins[edge] == kLost ? -1 : 0; }

  // What an edge is guessed to be worth, from 0 to 1, when it is not proven.
  float value(int edge, const RaveWeights& w) const {
    const float d = w.first + helpful[edge] / w.most;
    return (wins[edge] * d + helpful_wins[edge]) / (visits[edge] * d + helpful[edge]);
  }

  // The edge to try next; of equal ones the first.
  int best(int count, const RaveWeights& w) const {
    const float inverse = 1 / w.most;
    Floats highest = Floats{} + 10 * kLost;
    Ints where{};
    for (std::int32_t from = 0; from < count; from += kLanes) {
      const Floats help = load(helpful + from);
      const Floats d = w.first + help * inverse;
      const Floats bound = (load(wins + from) * d + load(helpful_wins + from)) / (load(visits + from) * d + help) +
                           w.favour * load(favour + from);
      const Ints better = bound > highest;
      highest = better ? bound : highest;
      where = better ? Ints{} + from : where;
    }
    int found = 0;
    for (int lane = 1; lane < kLanes; ++lane) {
      const bool earlier = where[lane] + lane < where[found] + found;
      if (highest[lane] > highest[found] || (highest[lane] == highest[found] && earlier)) found = lane;
    }
    return where[found] + found;
  }

 private:
  using Floats = float __attribute__((vector_size(sizeof(float) * kLanes)));
  using Ints = std::int32_t __attribute__((vector_size(sizeof(float) * kLanes)));

  static Floats load(const float* from) {
    Floats out;
    std::memcpy(&out, from, sizeof out);
    return out;
  }
};

}  // namespace ludoteca
