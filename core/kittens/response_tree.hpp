// A tree of what one seat of Kittens may see and do: the best answers to whoever the other may be.
//
// Only that seat's choices are nodes, found by all that it sees then. The other plays as it does, so what is looked for is
// the best reply to it and not an equilibrium; and who it is the seat learns only from what it sees.
#pragma once

#include <cmath>
#include <unordered_map>
#include <vector>

#include "kittens/opponent_model.hpp"
#include "search/hash.hpp"

namespace ludoteca {

class KittensResponseTree {
 public:
  KittensResponseTree(const Kittens& rules, const KittensOpponentModel& others, std::size_t bytes)
      : rules_(rules), habits_(rules), others_(others), most_edges_(bytes / kBytesPerEdge) {}

  // What a seat gets after an action in a world where the other is `who`: follows the tree, leaves it, plays on to the
  // end by habit, and remembers.
  double play(const State<Kittens>& world, Action action, Seat seat, std::size_t who, Rng rng) {
    State<Kittens> state = world;
    rules_.apply(state, action);
    path_.clear();
    bool inside = true;
    while (state.pub.turn != kNobody) {
      const ViewRef<Kittens> v(state, state.pub.turn);
      if (v.seat != seat) action = others_.choose(who, v, rng);
      else action = inside ? follow(v, inside, rng) : habits_.choose(v, rng);
      rules_.apply(state, action);
    }
    const double value = rules_.returns(state.pub)[static_cast<std::size_t>(seat)];
    for (const auto& [node, edge] : path_) {
      nodes_[node].add(value);
      edges_[edge].add(value);
    }
    return value;
  }

 private:
  struct Tried {
    float visits = 0, sum = 0;
    void add(double value) {
      ++visits;
      sum += static_cast<float>(value);
    }
    double mean() const { return visits > 0 ? static_cast<double>(sum / visits) : 0; }
  };
  struct Edge : Tried {
    Action action = 0;
  };
  struct Node : Tried {
    std::uint32_t first = 0;
    std::uint8_t count = 0, habit = 0;
  };
  static constexpr std::size_t kBytesPerEdge = 48;  // nodes and where they are found included
  static constexpr double kExplore = 1.2;  // how much what was tried little is tried more
  static constexpr double kHabit = 0.6;    // of that, what goes to the action of habit besides its share

  const Kittens& rules_;
  const KittensRolloutPolicy habits_;
  const KittensOpponentModel& others_;
  const std::size_t most_edges_;
  std::unordered_map<std::uint64_t, std::uint32_t> found_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;

  // The seat's own choice; a node that is new ends the way through the tree.
  Action follow(ViewRef<Kittens> v, bool& inside, Rng& rng) {
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    if (legal.size == 1) return legal[0];
    const std::uint64_t key = Hasher(0).add(v.pub).add(v.own).value();
    const auto at = found_.find(key);
    if (at == found_.end()) {
      inside = false;
      return add(key, v, legal, rng);
    }
    Node& node = nodes_[at->second];
    const double root = kExplore * std::sqrt(static_cast<double>(node.visits)), mean = node.mean();
    std::uint32_t best = node.first;
    double most = -1e9;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Edge& edge = edges_[node.first + i];
      const double share = (i == node.habit ? kHabit : 0) + (1 - kHabit) / node.count;
      const double worth = (edge.visits > 0 ? edge.mean() : mean) + root * share / (1 + static_cast<double>(edge.visits));
      if (worth <= most) continue;
      most = worth;
      best = node.first + i;
    }
    path_.emplace_back(at->second, best);
    return edges_[best].action;
  }

  Action add(std::uint64_t key, ViewRef<Kittens> v, const Actions<Kittens>& legal, Rng& rng) {
    const Action habit = habits_.choose(v, rng);
    if (edges_.size() + static_cast<std::size_t>(legal.size) > most_edges_) return habit;
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.first = static_cast<std::uint32_t>(edges_.size());
    node.count = static_cast<std::uint8_t>(legal.size);
    for (const Action action : legal) {
      if (action == habit) node.habit = static_cast<std::uint8_t>(edges_.size() - node.first);
      edges_.emplace_back().action = action;
    }
    found_.emplace(key, number);
    path_.emplace_back(number, node.first + node.habit);
    return habit;
  }
};

}  // namespace ludoteca
