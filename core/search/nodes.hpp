// The nodes of a search tree, their edges, and how an edge is chosen.
//
// A node has an edge for each action that was possible there, with what came of it. The edges of a node lie side by
// side, number by number, so that the best of a hundred is found by a few vector instructions:
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
#include "search/arena.hpp"

namespace ludoteca {

struct Node {
  std::uint32_t visits = 0;  // simulations that chose an edge here
  Place edges = 0;
  std::uint16_t count = 0, capacity = 0;  // of edges
  Seat turn = kNobody;                    // who chooses
};

// The edges of a node, where they lie now.
struct Edges {
  static constexpr int kLanes = 8;              // edges that are compared at a time; a capacity is a multiple of it
  static constexpr float kUntried = 1e3f, kNone = -1e3f;  // means that win, and lose, every comparison

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
    mean[edge] = static_cast<float>(sum[edge] / times);
    spread[edge] = static_cast<float>(1 / std::sqrt(times));
  }

  // The first edge with the highest mean + explore · spread: eight at a time, without a branch.
  int best(int count, float explore) const {
    float highest[kLanes];
    std::int32_t where[kLanes];
    std::fill_n(highest, kLanes, 2 * kNone);
    std::fill_n(where, kLanes, 0);
    for (std::int32_t from = 0; from < count; from += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const float bound = mean[from + lane] + explore * spread[from + lane];
        const bool better = bound > highest[lane];
        highest[lane] = better ? bound : highest[lane];
        where[lane] = better ? from : where[lane];
      }
    }
    int found = 0;
    for (int lane = 1; lane < kLanes; ++lane) {
      const bool earlier = where[lane] + lane < where[found] + found;
      if (highest[lane] > highest[found] || (highest[lane] == highest[found] && earlier)) found = lane;
    }
    return where[found] + found;
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
