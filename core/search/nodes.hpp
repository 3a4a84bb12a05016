// The nodes of a search tree, their edges, and how an edge is chosen.
//
// A node has an edge for each action that was possible there, with what came of it. The edges of a node lie side by
// side, number by number, so that the best of a hundred is found four at a time:
//
//      sum    sum    sum    sum  …       what the seat on turn got in all the simulations through this edge
//      mean   mean   mean   mean …       the same by simulation; kUntried before the first
//      spread spread spread …            1 / √visits: how little the mean is known
//      visits … link … action …
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "game.hpp"
#include "search/tree_memory.hpp"

namespace ludoteca {

struct Node {
  std::uint32_t visits = 0;  // simulations that chose an edge here
  Place edges = 0;
  std::uint16_t count = 0, capacity = 0;  // of edges
  Seat turn = kNobody;                    // who chooses
};

// The edges of a node, where they lie now.
struct Edges {
  static constexpr int kLanes = 4;              // edges that are compared at a time; a capacity is a multiple of it
  // Means that no edge can reach by its results. Proven are those that surely win or lose, whatever is played after.
  static constexpr float kWon = 2e3f, kUntried = 1e3f, kLost = -1e3f, kNone = -2e3f;

  double* sum;
  float *mean, *spread;
  std::uint32_t* visits;
  std::uint32_t* link;  // perfect information: the Place of the node that it leads to; else in how many of the
                        // worlds that came here its action was legal
  std::int16_t* action;

  static std::size_t bytes(int capacity) {
    return static_cast<std::size_t>(capacity) * (sizeof *sum + 2 * sizeof *mean + 2 * sizeof *visits + sizeof *action);
  }

  Edges(Arena& arena, const Node& node) : Edges(arena, node.edges, node.capacity) {}
  Edges(Arena& arena, Place place, std::size_t capacity)
      : sum(arena.at<double>(place)),
        mean(reinterpret_cast<float*>(sum + capacity)),
        spread(mean + capacity),
        visits(reinterpret_cast<std::uint32_t*>(spread + capacity)),
        link(visits + capacity),
        action(reinterpret_cast<std::int16_t*>(link + capacity)) {}

  void begin(int edge, Action new_action) {
    sum[edge] = 0;
    mean[edge] = kUntried;
    spread[edge] = 0;
    visits[edge] = link[edge] = 0;
    action[edge] = static_cast<std::int16_t>(new_action);
  }
  // What stands behind the last edge never wins.
  void end(int count, int capacity) {
    std::fill(mean + count, mean + capacity, kNone);
    std::fill(spread + count, spread + capacity, 0.0f);
  }

  void add(int edge, double result) {
    const auto times = static_cast<double>(++visits[edge]);
    sum[edge] += result;
    if (proof(edge)) return;
    mean[edge] = static_cast<float>(sum[edge] / times);
    spread[edge] = static_cast<float>(1 / std::sqrt(times));
  }

  void prove(int edge, bool wins) {
    mean[edge] = wins ? kWon : kLost;
    spread[edge] = 0;
  }
  // 1 for an edge that surely wins, -1 for one that loses, 0 where that is not known.
  int proof(int edge) const { return mean[edge] == kWon ? 1 : mean[edge] == kLost ? -1 : 0; }

  // The edge with the highest mean + explore · spread, of equal ones the first: kLanes at a time, without a branch.
  int best(int count, float explore) const {
    Floats highest = Floats{} + 2 * kNone;
    Ints where{};
    for (std::int32_t from = 0; from < count; from += kLanes) {
      const Floats bound = load(mean + from) + explore * load(spread + from);
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
  // Vectors as GCC and Clang know them, for whatever processor they compile.
  using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
  using Ints = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

  static Floats load(const float* from) {
    Floats out;
    std::memcpy(&out, from, sizeof out);
    return out;
  }
};

// A node and its edges in an arena; 0 when there is no room.
template <class List>
Place new_node(Arena& arena, Seat turn, const List& actions) {
  const int capacity = (actions.size + Edges::kLanes - 1) / Edges::kLanes * Edges::kLanes;
  const Place place = arena.take(sizeof(Node)), edges = place ? arena.take(Edges::bytes(capacity)) : 0;
  if (!edges) return 0;
  auto& node = *new (arena.at<Node>(place)) Node{0, edges, static_cast<std::uint16_t>(actions.size),
                                                 static_cast<std::uint16_t>(capacity), turn};
  Edges all(arena, node);
  for (int i = 0; i < actions.size; ++i) all.begin(i, actions[i]);
  all.end(actions.size, capacity);
  return place;
}

// One edge more, which may move all of them; -1 when there is no room.
inline int add_edge(Arena& arena, Node& node, Action action) {
  if (node.count == node.capacity) {
    const int capacity = 2 * node.capacity;
    const Place place = arena.take(Edges::bytes(capacity));
    if (!place) return -1;
    const Edges old(arena, node);
    Edges wide(arena, place, static_cast<std::size_t>(capacity));
    std::copy_n(old.sum, node.count, wide.sum);
    std::copy_n(old.mean, node.count, wide.mean);
    std::copy_n(old.spread, node.count, wide.spread);
    std::copy_n(old.visits, node.count, wide.visits);
    std::copy_n(old.link, node.count, wide.link);
    std::copy_n(old.action, node.count, wide.action);
    wide.end(node.count, capacity);
    node.edges = place;
    node.capacity = static_cast<std::uint16_t>(capacity);
  }
  Edges(arena, node).begin(node.count, action);
  return node.count++;
}

}  // namespace ludoteca
