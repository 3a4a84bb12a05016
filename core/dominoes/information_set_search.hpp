// Information-set Monte Carlo tree search for Dominoes with drawing, with a learned policy and a posterior over the hidden tiles.
#pragma once

#include <memory>
#include <vector>

#include "dominoes/posterior.hpp"
#include "search/choice.hpp"
#include "search/hash_table.hpp"
#include "search/resources.hpp"
#include "search/workers.hpp"

namespace ludoteca {

// The trees of both seats: a node is what the seat on turn knows. So no choice depends on what its seat does not see,
// and the opponent's depends on its hand (MO-ISMCTS). A simulation takes the opponent's hand from the posterior, selects
// by PUCT with the rollout policy as prior, expands a node where a seat leaves its tree, and plays on by the policy.
class DominoesInformationSetTree {
 public:
  DominoesInformationSetTree(const Dominoes& game, const View<Dominoes>& view, std::size_t bytes, Rng rng)
      : game_(game),
        view_(view),
        policy_(game),
        rng_(rng),
        posterior_(game, view, Rng{rng_.next()}),
        start_(game, view.pub),
        hidden_(game.unseen(view)),
        max_edges_(bytes / kBytesPerEdge),
        table_(kFirstSlots) {
    start_.hands[index(view.seat)] = view.own.hand;
  }

  void simulate() {
    DominoesRound round = start_;
    const Seat me = view_.seat;
    const std::size_t they = index(other(me));
    round.hands[they] = posterior_.next();
    std::array<std::uint8_t, Dominoes::kMaxTiles> order;
    if (round.boneyard) {
      int count = 0;
      Tiles::each(hidden_ & ~round.hands[they], [&](int tile) { order[index(count++)] = static_cast<std::uint8_t>(tile); });
      rng_.shuffle(order.data(), count);
    }
    round.order = order.data();
    path_.clear();
    std::array<bool, 2> in_tree = {true, true};
    std::uint64_t seen = 1;  // a hash of all that both seats have seen since the root
    for (;;) {
      const Seat before = round.turn;
      const int drawn = round.boneyard;
      if (!round.advance()) return backup(round.blocked(game_));
      seen = mix(seen, static_cast<std::uint64_t>((drawn - round.boneyard) * 2 + (round.turn != before)));
      const Seat seat = round.turn;
      const Action action = choose(round, seen, in_tree[index(seat)]);
      seen = mix(seen, static_cast<std::uint64_t>(action));
      round.lay(action);
      if (!round.hands[index(seat)]) return backup(round.won_by(game_, seat));
    }
  }

  // Calls f(action, visits, sum of returns) for each root action.
  template <class F>
  void each_root_action(F f) const {
    if (nodes_.empty()) return;
    for (std::uint32_t i = 0; i < nodes_[0].count; ++i) {
      const Edge& edge = edges_[nodes_[0].first + i];
      f(edge.action, static_cast<double>(edge.visits), static_cast<double>(edge.sum));
    }
  }

 private:
  struct Statistics {
    float visits = 0, sum = 0;
    void add(double value) {
      ++visits;
      sum += static_cast<float>(value);
    }
  };
  struct Edge : Statistics {
    float prior = 0;
    Action action = 0;
  };
  struct Node : Statistics {
    std::uint32_t first = 0;
    std::uint16_t count = 0;
    Seat seat = 0;
  };
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t node = 0;
    bool empty() const { return !key; }
    bool has(std::uint64_t sought) const { return key == sought; }
  };
  static constexpr std::size_t kFirstSlots = 1 << 12;
  static constexpr std::size_t kBytesPerEdge = 96;  // nodes and the table included
  static constexpr float kExploration = 1;
  static constexpr float kPolicyShare = 0.8f;  // of the prior; the rest is spread evenly

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const DominoesRolloutPolicy policy_;
  Rng rng_;
  DominoesPosterior posterior_;
  DominoesRound start_;
  const Tiles::Set hidden_;
  const std::size_t max_edges_;
  HashTable<Slot> table_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;  // nodes and edges of this simulation

  static std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    return hash ^ (hash >> 29);
  }

  Action choose(const DominoesRound& round, std::uint64_t seen, bool& in_tree) {
    Actions<Dominoes> actions;
    round.actions(actions);
    if (actions.size == 1) return actions[0];
    if (in_tree) {
      const std::uint64_t key = mix(mix(seen, round.hands[index(round.turn)]), static_cast<std::uint64_t>(round.turn)) | 1;
      if (const Slot& slot = table_.slot(key); !slot.empty()) return select(slot.node);
      in_tree = nodes_.empty();  // at the root the simulation goes on in the tree
      if (edges_.size() + index(actions.size) <= max_edges_) return expand(key, round, actions);
    }
    DominoesRolloutPolicy::Probabilities probabilities;
    policy_.probabilities(policy_.situation(round), actions, 1, probabilities);
    return actions[DominoesRolloutPolicy::sample(probabilities, actions.size, rng_)];
  }

  // PUCT; an edge without visits counts as good as the node.
  Action select(std::uint32_t number) {
    const Node& node = nodes_[number];
    const float exploration = kExploration * std::sqrt(node.visits), unvisited = node.sum / std::max(node.visits, 1.0f);
    std::uint32_t best = node.first;
    float highest = -1e9f;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Edge& edge = edges_[i];
      const float q = edge.visits > 0 ? edge.sum / edge.visits : unvisited;
      const float score = q + exploration * edge.prior / (1 + edge.visits);
      if (score <= highest) continue;
      highest = score;
      best = i;
    }
    path_.emplace_back(number, best);
    return edges_[best].action;
  }

  Action expand(std::uint64_t key, const DominoesRound& round, const Actions<Dominoes>& actions) {
    if (2 * (nodes_.size() + 1) > table_.slots()) grow();
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    table_.slot(key) = {key, number};
    Node& node = nodes_.emplace_back();
    node.first = static_cast<std::uint32_t>(edges_.size());
    node.count = static_cast<std::uint16_t>(actions.size);
    node.seat = round.turn;
    DominoesRolloutPolicy::Probabilities probabilities;
    policy_.probabilities(policy_.situation(round), actions, 1, probabilities);
    for (int i = 0; i < actions.size; ++i) {
      Edge& edge = edges_.emplace_back();
      edge.action = actions[i];
      edge.prior = kPolicyShare * probabilities[index(i)] + (1 - kPolicyShare) / static_cast<float>(actions.size);
    }
    const int chosen = DominoesRolloutPolicy::sample(probabilities, actions.size, rng_);
    path_.emplace_back(number, node.first + static_cast<std::uint32_t>(chosen));
    return actions[chosen];
  }

  void grow() {
    HashTable<Slot> larger(4 * table_.slots());
    for (const Slot& slot : table_) {
      if (!slot.empty()) larger.slot(slot.key) = slot;
    }
    table_ = std::move(larger);
  }

  // value: what seat 0 gets.
  void backup(double value) {
    for (const auto& [node, edge] : path_) {
      const double own = nodes_[node].seat == 0 ? value : -value;
      nodes_[node].add(own);
      edges_[edge].add(own);
    }
  }
};

// Simulates within limits. With several threads each has its own tree and posterior, and the roots are added up.
class DominoesInformationSetSearch {
 public:
  DominoesInformationSetSearch(const Dominoes& game, const View<Dominoes>& view, Resources resources, Rng rng, Limits& limits)
      : view_(view), limits_(limits), workers_(limits.counts_nodes() ? 1 : resources.threads) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      trees_.push_back(std::make_unique<DominoesInformationSetTree>(game, view, resources.bytes / workers_.size(),
                                                                    Rng{rng.next()}));
    }
  }

  // Continues up to a total number of simulations; each is a node of the limits. Values are expected returns.
  void choose(std::uint64_t simulations, SharedChoice& shared) {
    const std::uint64_t threads = workers_.size();
    while (done_ < simulations && !limits_.spent()) {
      const std::uint64_t wanted = std::min(kPerRound * threads, simulations - done_);
      std::uint64_t granted = 0;
      while (granted < wanted && limits_.spend(kNodesPerCheck)) ++granted;
      if (!granted) break;
      workers_.run([&](std::size_t thread) {
        for (std::uint64_t i = thread; i < granted; i += threads) trees_[thread]->simulate();
      });
      done_ += granted;
      if (done_ < next_report_) continue;
      report(shared, false);
      next_report_ = done_ + std::min(done_, kMostPerReport);
    }
    if (done_) report(shared, done_ >= simulations);
  }

 private:
  static constexpr std::uint64_t kNodesPerCheck = 16, kPerRound = 16;
  static constexpr std::uint64_t kMostPerReport = 1024;  // each report wakes the thread that waits for it

  const View<Dominoes>& view_;
  Limits& limits_;
  Workers workers_;
  std::vector<std::unique_ptr<DominoesInformationSetTree>> trees_;
  std::uint64_t done_ = 0, next_report_ = 1;

  struct Total {
    Action action;
    double visits, sum;
  };

  // The choice is the most visited action.
  void report(SharedChoice& shared, bool complete) const {
    std::vector<Total> all;
    for (const auto& tree : trees_) {
      std::size_t i = 0;
      tree->each_root_action([&](Action action, double visits, double sum) {
        if (i == all.size()) all.push_back({action, 0, 0});
        all[i].visits += visits;
        all[i++].sum += sum;
      });
    }
    const Total& best =
        *std::max_element(all.begin(), all.end(), [](const Total& a, const Total& b) { return a.visits < b.visits; });
    Choice out;
    out.action = best.action;
    out.value = best.sum / best.visits;
    out.scores.emplace_back(best.action, out.value);
    for (const Total& each : all) {  // a less visited action with a higher mean owes that to chance
      if (&each != &best && each.visits > 0) {
        out.scores.emplace_back(each.action, std::min(each.sum / each.visits, out.value));
      }
    }
    out.line.add(out.action);
    out.worlds = static_cast<int>(done_);
    out.depth = view_.pub.count[0] + view_.pub.count[1];
    out.complete = complete;
    shared.update([&](Choice& choice) { choice = std::move(out); });
  }
};

}  // namespace ludoteca
