// The tree of a search with a network: each node has the network's priors of its actions and its value; there are no
// playouts.
//
//        ┌ prior .41 ─ child            The edges of a node are sorted by prior, and new ones are tried in that order, so
//   node ┼ prior .22 ─ child            those with a child come first. The value of an untried action is estimated from
//        ├ prior .09                    the tried ones and the network's value (`mixed_value`).
//        └ …
//
// A node selects an edge in one of two ways (`Selection`). When several leaves are selected before the network answers,
// virtual losses make them different.
//
// For perfect information only; search/tree.hpp is for hidden information and for playouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "zero/encoding.hpp"

namespace ludoteca {

// An action of a node, with its prior and, once it is tried, its child.
struct PriorEdge {
  float prior;
  std::int32_t child;  // -1 before it is tried
  Action action;
};

// A position of the tree. Its edges are consecutive and sorted by prior, so that the tried ones come first.
struct PriorNode {
  std::uint32_t visits = 0;        // simulations backed up through here
  std::uint32_t virtual_loss = 0;  // simulations selected through here that wait for the network
  std::uint32_t edges = 0;         // index of the first edge
  std::uint16_t count = 0, tried = 0;
  float value = 0;        // of the network, for seat 0
  float sum = 0;          // of the values of all visits, for seat 0
  float tried_prior = 0;  // sum over the tried edges
  Seat turn = kNobody;
  std::int8_t proof = 0;        // 1 or -1: seat 0 is proven to win or lose
  bool has_all_actions = true;  // there is an edge for every legal action
};

// How a node selects an edge.
enum class Selection {
  // So that the visits approach the improved policy, prior · exp(weight · q), the weight growing with the visits
  // (Danihelka et al., Policy improvement by planning with Gumbel, 2022).
  improved_policy,
  // By q and an exploration bonus that is proportional to the prior (Silver et al., AlphaZero, 2018). Better for play,
  // with few simulations only if the action is then chosen by the improved policy, not by visits.
  puct,
};

// Nodes and edges in two arrays, addressed by index.
template <Encodable G>
class PriorTree {
 public:
  using Index = std::int32_t;
  static constexpr Index kNone = -1;
  static constexpr float kNonsense = -1e9f;

  // max_edges: of a node, those with the highest priors.
  explicit PriorTree(Selection selection, int max_edges = G::kMaxActions)
      : selection_(selection), max_edges_(max_edges) {}

  void clear() {
    nodes_.clear();
    edges_.clear();
  }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.size() * sizeof(PriorNode) + edges_.size() * sizeof(PriorEdge); }
  PriorNode& node(Index i) { return nodes_[static_cast<std::size_t>(i)]; }
  const PriorNode& node(Index i) const { return nodes_[static_cast<std::size_t>(i)]; }
  PriorEdge& edge(const PriorNode& node, int i) { return edges_[node.edges + static_cast<std::uint32_t>(i)]; }
  const PriorEdge& edge(const PriorNode& node, int i) const {
    return edges_[node.edges + static_cast<std::uint32_t>(i)];
  }

  // Adds a node without edges. If the game is over there, it is proven.
  Index add(const G& g, const State<G>& state) {
    PriorNode fresh;
    fresh.turn = state.pub.turn;
    if (fresh.turn == kNobody) {
      fresh.value = static_cast<float>(g.returns(state.pub)[0]);
      fresh.proof = static_cast<std::int8_t>(fresh.value == 1 ? 1 : fresh.value == -1 ? -1 : 0);
    }
    nodes_.push_back(fresh);
    return static_cast<Index>(nodes_.size()) - 1;
  }

  // The priors of the allowed actions, from logits by cell; the `sorted` highest first and in order.
  template <class Allowed>
  void priors(const G& g, const State<G>& state, const float* logits, std::size_t sorted, const Allowed& allowed,
              std::vector<PriorEdge>& out) const {
    Actions<G> actions;
    legal(g, state, actions);
    out.clear();
    float highest = -1e30f;
    for (Action action : actions) {
      if (!allowed(action)) continue;
      const int cell = Encoding<G>::policy_index(g, state.pub, action);
      // A logit that is not finite must not break the sort below.
      const float logit = cell < 0 ? 0 : std::isfinite(logits[cell]) ? logits[cell] : kNonsense;
      highest = std::max(highest, logit);
      out.push_back({logit, kNone, action});
    }
    float total = 0;
    for (PriorEdge& each : out) total += each.prior = std::exp(each.prior - highest);
    for (PriorEdge& each : out) each.prior /= total;
    const auto better = [](const PriorEdge& a, const PriorEdge& b) {
      return a.prior != b.prior ? a.prior > b.prior : a.action < b.action;
    };
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(sorted, out.size()));
    std::partial_sort(out.begin(), end, out.end(), better);
  }

  // Adds the edges of a node from the network's logits by cell and its value, both for the seat on turn. Only the
  // allowed actions get edges; if any action wins, one of the allowed ones must.
  template <class Allowed>
  void expand(const G& g, const State<G>& state, Index at, const float* logits, float value, const Allowed& allowed) {
    priors(g, state, logits, static_cast<std::size_t>(max_edges_), allowed, scratch_);
    const auto kept = std::min(scratch_.size(), static_cast<std::size_t>(max_edges_));
    PriorNode& expanded = node(at);
    expanded.edges = static_cast<std::uint32_t>(edges_.size());
    expanded.count = static_cast<std::uint16_t>(kept);
    expanded.has_all_actions = kept == scratch_.size();
    expanded.value = std::isfinite(value) ? for_seat_0(expanded, value) : 0;
    edges_.insert(edges_.end(), scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(kept));
  }

  // Selects from `at`, the node of `state`, down to a node that is new, over or proven, and appends the nodes to
  // `path`. Returns kNone if it comes to one that waits for the network; then the tree has not changed.
  Index select(const G& g, State<G>& state, Index at, std::vector<Index>& path) {
    path.push_back(at);
    while (node(at).turn != kNobody) {
      if (!node(at).count) return node(at).proof ? at : kNone;
      const int chosen = selection_ == Selection::puct ? puct_edge(node(at)) : improved_policy_edge(node(at));
      g.apply(state, edge(node(at), chosen).action);
      Index child = edge(node(at), chosen).child;
      const bool fresh = child == kNone;
      if (fresh) {
        child = add(g, state);
        PriorNode& parent = node(at);
        edge(parent, chosen).child = child;
        parent.tried_prior += edge(parent, chosen).prior;
        ++parent.tried;
      }
      path.push_back(at = child);
      if (fresh) break;
    }
    return at;
  }

  void add_virtual_loss(const std::vector<Index>& path) {
    for (Index at : path) ++node(at).virtual_loss;
  }
  void remove_virtual_loss(const std::vector<Index>& path) {
    for (Index at : path) --node(at).virtual_loss;
  }

  // Backs the value of the last node up along the path.
  void backup(const std::vector<Index>& path) {
    const float value = node(path.back()).value;
    for (Index at : path) {
      ++node(at).visits;
      node(at).sum += value;
    }
    if (node(path.back()).proof) prove(path);
  }

  // The value of a node for `seat`: proven, or the mean of its visits, or the network's.
  float q(const PriorNode& node, Seat seat) const {
    const float mean = node.proof ? node.proof : node.visits ? node.sum / static_cast<float>(node.visits) : node.value;
    return seat == 0 ? mean : -mean;
  }

  // The estimate of untried actions for the seat on turn: the network's value mixed with the q of the tried ones.
  float mixed_value(const PriorNode& of) const {
    const float own = for_seat_0(of, of.value);
    float weights = 0, sum = 0, visits = 0;
    for (int i = 0; i < of.tried; ++i) {
      const PriorEdge& e = edge(of, i);
      const PriorNode& child = node(e.child);
      if (!child.visits) continue;
      weights += e.prior;
      sum += e.prior * q(child, of.turn);
      visits += static_cast<float>(child.visits);
    }
    return weights > 0 ? (own + visits * sum / weights) / (1 + visits) : own;
  }

  // The weight of a difference of values in [-1, 1] in the exponent of the improved policy.
  float q_weight(std::uint32_t most_visits) const {
    return 0.5f * kValueScale * (kMaxvisitInit + static_cast<float>(most_visits));
  }

  // wins: 1 if seat 0 is proven to win here, -1 if to lose.
  void set_proof(Index at, int wins) {
    node(at).proof = static_cast<std::int8_t>(wins);
    node(at).value = static_cast<float>(wins);
  }

  static float for_seat_0(const PriorNode& node, float value) { return node.turn == 0 ? value : -value; }

  // Public for checkpoints.
  std::vector<PriorNode> nodes_;
  std::vector<PriorEdge> edges_;

 private:
  // Of the improved policy, named as in mctx.qtransform_completed_by_mix_value.
  static constexpr float kMaxvisitInit = 50, kValueScale = 0.5f;
  // Of PUCT, for values in [-1, 1]. The first-play urgency of an untried edge is the node's q, reduced by this times the
  // square root of the prior that has been tried.
  static constexpr float kExploration = 1.0f, kUrgencyReduction = 0.1f;

  Selection selection_;
  int max_edges_;
  std::vector<PriorEdge> scratch_;
  std::vector<float> exponents_;

  // The edge whose share of the visits is furthest below its share of the improved policy.
  int improved_policy_edge(const PriorNode& at) {
    const float untried = mixed_value(at);
    std::uint32_t most = 0, all = 0;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      most = std::max(most, child.visits);
      all += child.visits + child.virtual_loss;
    }
    const float weight = q_weight(most);
    exponents_.resize(at.tried);
    float highest = 0;  // of an untried one
    int winning = -1;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      const float value = child.visits ? q(child, at.turn) : untried;
      if (child.proof && value > 0) winning = i;
      exponents_[static_cast<std::size_t>(i)] = weight * (value - untried);
      highest = std::max(highest, exponents_[static_cast<std::size_t>(i)]);
    }
    if (winning >= 0) return winning;
    const float unit = std::exp(-highest);
    float sum = std::max(0.0f, 1 - at.tried_prior) * unit;
    for (int i = 0; i < at.tried; ++i) {
      float& each = exponents_[static_cast<std::size_t>(i)];
      sum += each = edge(at, i).prior * std::exp(each - highest);
    }
    int best = at.tried < at.count ? at.tried : 0;
    float lag = at.tried < at.count ? edge(at, at.tried).prior * unit / sum : -1e30f;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      float behind = exponents_[static_cast<std::size_t>(i)] / sum -
                     static_cast<float>(child.visits + child.virtual_loss) / static_cast<float>(1 + all);
      if (child.proof && q(child, at.turn) < 0) behind -= 1e6f;  // a proven loss: only if there is no other edge
      if (behind > lag) {
        lag = behind;
        best = i;
      }
    }
    return best;
  }

  // The edge with the highest sum of q and exploration bonus. A simulation that waits for the network counts as lost.
  int puct_edge(const PriorNode& at) const {
    const float untried = q(at, at.turn) - kUrgencyReduction * std::sqrt(at.tried_prior);
    float all = 0;
    for (int i = 0; i < at.tried; ++i) all += selected(node(edge(at, i).child));
    const float exploration = kExploration * std::sqrt(all);
    int best = at.tried < at.count ? at.tried : 0;
    float highest = at.tried < at.count ? untried + exploration * edge(at, at.tried).prior : -1e30f;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      const float times = selected(child), proven = child.proof ? q(child, at.turn) : 0;
      if (proven > 0) return i;
      const float mean = child.visits ? (static_cast<float>(child.visits) * q(child, at.turn) -
                                         static_cast<float>(child.virtual_loss)) / times
                                      : untried;
      float score = mean + exploration * edge(at, i).prior / (1 + times);
      if (proven < 0) score -= 1e6f;  // a proven loss: only if there is no other edge
      if (score > highest) {
        highest = score;
        best = i;
      }
    }
    return best;
  }
  static float selected(const PriorNode& child) { return static_cast<float>(child.visits + child.virtual_loss); }

  // The last node of the path is proven. Backs the proof up: a seat wins if one of its actions does, and loses if all
  // do.
  void prove(const std::vector<Index>& path) {
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      PriorNode& at = node(path[i]);
      const std::int8_t wins = at.turn == 0 ? 1 : -1, proof = node(path[i + 1]).proof;
      if (proof != wins) {
        if (!at.has_all_actions || at.tried < at.count) return;
        for (int k = 0; k < at.tried; ++k) {
          if (node(edge(at, k).child).proof != proof) return;
        }
      }
      at.proof = proof;
    }
  }
};

}  // namespace ludoteca
