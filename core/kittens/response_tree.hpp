// A tree search for a best response in Kittens: one seat's information sets, with the opponent played by a model.
#pragma once

#include <cmath>
#include <unordered_map>
#include <vector>

#include "kittens/belief/opponent_model.hpp"
#include "search/hash.hpp"

namespace ludoteca {

// Each node is an information set of the searching seat, found by a hash of all that the seat sees. The opponent acts
// by its sampled type, so the tree converges to a best response to the model, not to an equilibrium; the seat learns
// the type only through what it sees.
class KittensResponseTree {
 public:
  // response: plays the seat's own actions beyond the tree; null for the rollout policy. Both must outlive this.
  KittensResponseTree(const Kittens& rules, const KittensOpponentModel& model, const NetworkPolicy<Kittens>* response,
                      std::size_t bytes)
      : rules_(rules), policy_(rules), model_(model), response_(response), max_edges_(bytes / kBytesPerEdge) {}

  // Plays `action` in a world with an opponent of that type, then to the end: through the tree, beyond it by `response`.
  // Backs the seat's return up the path and returns it. Against the network it plays only until the seat
  // has to choose again, and returns the network's value there.
  double simulate(const State<Kittens>& world, Action action, Seat seat, std::size_t opponent, Rng rng) {
    State<Kittens> state = world;
    rules_.apply(state, action);
    if (model_.is_network(opponent)) return evaluate(state, seat, rng);
    path_.clear();
    bool in_tree = true;
    while (state.pub.turn != kNobody) {
      const ViewRef<Kittens> v(state, state.pub.turn);
      if (v.seat != seat) action = model_.sample(opponent, v, rng);
      else action = in_tree ? select(v, in_tree, rng) : play_on(v, rng);
      rules_.apply(state, action);
    }
    const double value = rules_.returns(state.pub)[index(seat)];
    backup(value);
    return value;
  }

 private:
  struct Statistics {
    float visits = 0, sum = 0;
    void add(double value) {
      ++visits;
      sum += static_cast<float>(value);
    }
    double q() const { return visits > 0 ? static_cast<double>(sum / visits) : 0; }
  };
  struct Edge : Statistics {
    float prior = 0;
    Action action = 0;
  };
  struct Node : Statistics {
    std::uint32_t first = 0;
    std::uint8_t count = 0;  // edges
  };
  static constexpr std::size_t kBytesPerEdge = 48;  // nodes and the hash table included
  static constexpr double kExploration = 1.2;       // factor of the prior in PUCT
  static constexpr float kPolicyPrior = 0.6f;       // share of the policy in the prior; the rest is spread over all edges
  static constexpr float kRare = 0.05f;             // the network's actions below this are what remains of exploration

  const Kittens& rules_;
  const KittensRolloutPolicy policy_;
  const KittensOpponentModel& model_;
  const NetworkPolicy<Kittens>* const response_;
  const std::size_t max_edges_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_of_;  // by the hash of what the seat sees
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;  // nodes and edges of this simulation

  double evaluate(State<Kittens>& state, Seat seat, Rng& rng) {
    while (state.pub.turn != kNobody) {
      const ViewRef<Kittens> v(state, state.pub.turn);
      Actions<Kittens> legal;
      rules_.legal(v, legal);
      if (v.seat == seat && legal.size > 1) return static_cast<double>(model_.network()->value(v));
      rules_.apply(state, legal.size == 1 ? legal[0] : model_.sample(KittensOpponentModel::kSensible, v, rng));
    }
    return rules_.returns(state.pub)[index(seat)];
  }

  // PUCT. A new node is expanded, and ends the part of the simulation that is in the tree.
  Action select(ViewRef<Kittens> v, bool& in_tree, Rng& rng) {
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    if (legal.size == 1) return legal[0];
    const std::uint64_t key = Hasher(0).add(v.pub).add(v.own).value();
    const auto at = node_of_.find(key);
    if (at == node_of_.end()) {
      in_tree = false;
      return expand(key, v, legal, rng);
    }
    Node& node = nodes_[at->second];
    const double exploration = kExploration * std::sqrt(static_cast<double>(node.visits)), unvisited = node.q();
    std::uint32_t best = node.first;
    double best_score = -1e9;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Edge& edge = edges_[node.first + i];
      const double score =
          (edge.visits > 0 ? edge.q() : unvisited) + exploration * static_cast<double>(edge.prior) / (1 + static_cast<double>(edge.visits));
      if (score <= best_score) continue;
      best_score = score;
      best = node.first + i;
    }
    path_.emplace_back(at->second, best);
    return edges_[best].action;
  }

  // Beyond the tree.
  Action play_on(ViewRef<Kittens> v, Rng& rng) const {
    if (!response_) return policy_.sample(v, rng);
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    if (legal.size == 1) return legal[0];
    NetworkPolicy<Kittens>::Probabilities probabilities;
    response_->evaluate(v, legal, probabilities);
    return legal[NetworkPolicy<Kittens>::sample(probabilities, legal.size, kRare, rng.unit())];
  }

  Action expand(std::uint64_t key, ViewRef<Kittens> v, const Actions<Kittens>& legal, Rng& rng) {
    NetworkPolicy<Kittens>::Probabilities probabilities{};
    int chosen = 0;
    if (response_) {
      response_->evaluate(v, legal, probabilities);
      chosen = NetworkPolicy<Kittens>::sample(probabilities, legal.size, kRare, rng.unit());
    } else {
      chosen = static_cast<int>(std::find(legal.begin(), legal.end(), policy_.sample(v, rng)) - legal.begin());
      probabilities[index(chosen)] = 1;
    }
    if (edges_.size() + static_cast<std::size_t>(legal.size) > max_edges_) return legal[chosen];
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.first = static_cast<std::uint32_t>(edges_.size());
    node.count = static_cast<std::uint8_t>(legal.size);
    for (int i = 0; i < legal.size; ++i) {
      Edge& edge = edges_.emplace_back();
      edge.action = legal[i];
      edge.prior = kPolicyPrior * probabilities[index(i)] + (1 - kPolicyPrior) / static_cast<float>(legal.size);
    }
    node_of_.emplace(key, number);
    path_.emplace_back(number, node.first + static_cast<std::uint32_t>(chosen));
    return legal[chosen];
  }

  void backup(double value) {
    for (const auto& [node, edge] : path_) {
      nodes_[node].add(value);
      edges_[edge].add(value);
    }
  }
};

}  // namespace ludoteca
