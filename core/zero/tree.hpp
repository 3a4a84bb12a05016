// The tree of a search that a network leads: each node knows how promising the network thinks its actions (priors) and
// how good the position (value); there are no playouts.
//
//        ┌ prior .41 ─ child            The edges of a node stand in the order of their priors, and new ones are tried in
//   node ┼ prior .22 ─ child            that order, so those that have a child come first. What an untried action is
//        ├ prior .09                    worth is guessed from the tried ones and the network's value (`mixed`).
//        └ …
//
// At every node it chooses so that the visits approach the improved policy, prior · exp(scale · value), the scale growing
// with the visits (Danihelka et al., Policy improvement by planning with Gumbel, 2022): sure of its values, it looks at
// few actions; unsure, it trusts the network. Whoever asks for several leaves before the network answers gets different
// ones, because those on their way count as visits.
//
// Perfect information only: the tree of search/tree.hpp is for the others, and for playouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "zero/encoding.hpp"

namespace ludoteca {

struct PriorEdge {
  float prior;
  std::int32_t child;  // -1 before it is tried
  Action action;
};

struct PriorNode {
  std::uint32_t visits = 0;   // simulations whose value came back through here
  std::uint32_t waiting = 0;  // and those that are still on their way
  std::uint32_t edges = 0;    // where its edges begin
  std::uint16_t count = 0, tried = 0;
  float value = 0;        // what the network said, for seat 0
  float sum = 0;          // of the values of all visits, for seat 0
  float tried_prior = 0;  // of all tried edges together
  Seat turn = kNobody;
  std::int8_t proof = 0;  // 1 or -1: seat 0 surely wins or loses
  bool whole = true;      // an edge for every legal action
};

struct TreeScale {
  float visits = 50, scale = 0.5f;  // how much a value counts beside a prior: (visits + most visited) · scale, on [0, 1]
};

template <Shaped G>
class PriorTree {
 public:
  using Index = std::int32_t;
  static constexpr Index kNone = -1;
  static constexpr float kNonsense = -1e9f;

  // kept: edges of a node at most, the most promising ones.
  explicit PriorTree(TreeScale scale = {}, int kept = G::kMaxActions) : scale_(scale), kept_(kept) {}

  void clear() {
    nodes_.clear();
    edges_.clear();
  }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.size() * sizeof(PriorNode) + edges_.size() * sizeof(PriorEdge); }
  PriorNode& node(Index i) { return nodes_[static_cast<std::size_t>(i)]; }
  const PriorNode& node(Index i) const { return nodes_[static_cast<std::size_t>(i)]; }
  PriorEdge& edge(const PriorNode& node, int i) { return edges_[node.edges + static_cast<std::uint32_t>(i)]; }
  const PriorEdge& edge(const PriorNode& node, int i) const { return edges_[node.edges + static_cast<std::uint32_t>(i)]; }

  // A node without edges. Where the game is over it is proven.
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

  // The priors of the actions that `allowed(action)`, the `kept` most promising first and in order, from logits by cell.
  template <class Allowed>
  void priors(const G& g, const State<G>& state, const float* logits, std::size_t kept, const Allowed& allowed,
              std::vector<PriorEdge>& out) const {
    Actions<G> actions;
    legal(g, state, actions);
    out.clear();
    float highest = -1e30f;
    for (Action action : actions) {
      if (!allowed(action)) continue;
      const int cell = Shape<G>::cell(g, state.pub, action);
      // A network that says nonsense must not upset the order below.
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
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(kept, out.size()));
    std::partial_sort(out.begin(), end, out.end(), better);
  }

  // Gives a node what the network says of it: logits by cell and the value, both for the seat on turn. Only the actions
  // that `allowed(action)` will be tried: if any wins, one of them must.
  template <class Allowed>
  void open(const G& g, const State<G>& state, Index at, const float* logits, float value, const Allowed& allowed) {
    priors(g, state, logits, static_cast<std::size_t>(kept_), allowed, scratch_);
    const auto kept = std::min(scratch_.size(), static_cast<std::size_t>(kept_));
    PriorNode& opened = node(at);
    opened.edges = static_cast<std::uint32_t>(edges_.size());
    opened.count = static_cast<std::uint16_t>(kept);
    opened.whole = kept == scratch_.size();
    opened.value = std::isfinite(value) ? for_seat_0(opened, value) : 0;
    edges_.insert(edges_.end(), scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(kept));
  }

  // Goes down from `at`, where `state` is, until it comes to a node that is new, over or known, and adds the way to `path`.
  // kNone where it comes to one that waits for the network; then nothing has changed.
  Index descend(const G& g, State<G>& state, Index at, std::vector<Index>& path) {
    path.push_back(at);
    while (node(at).turn != kNobody) {
      if (!node(at).count) return node(at).proof ? at : kNone;
      const int chosen = choose(node(at));
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

  void wait(const std::vector<Index>& path) {
    for (Index at : path) ++node(at).waiting;
  }
  void stop_waiting(const std::vector<Index>& path) {
    for (Index at : path) --node(at).waiting;
  }

  // Tells the whole path what its last node is worth.
  void learn(const std::vector<Index>& path) {
    const float value = node(path.back()).value;
    for (Index at : path) {
      ++node(at).visits;
      node(at).sum += value;
    }
    if (node(path.back()).proof) prove(path);
  }

  // What a node is worth to `seat`, on the average of its visits, or surely.
  float worth(const PriorNode& node, Seat seat) const {
    const float mean = node.proof ? node.proof : node.visits ? node.sum / static_cast<float>(node.visits) : node.value;
    return seat == 0 ? mean : -mean;
  }

  // What untried actions of a node may be worth to the seat on turn: what the tried ones are, and what the network said.
  float mixed(const PriorNode& of) const {
    const float own = for_seat_0(of, of.value);
    float weights = 0, sum = 0, visits = 0;
    for (int i = 0; i < of.tried; ++i) {
      const PriorEdge& e = edge(of, i);
      const PriorNode& child = node(e.child);
      if (!child.visits) continue;
      weights += e.prior;
      sum += e.prior * worth(child, of.turn);
      visits += static_cast<float>(child.visits);
    }
    return weights > 0 ? (own + visits * sum / weights) / (1 + visits) : own;
  }

  // How much a difference of values in [-1, 1] counts in exponents of the improved policy.
  float weight_of_value(std::uint32_t most_visits) const {
    return 0.5f * scale_.scale * (scale_.visits + static_cast<float>(most_visits));
  }

  // It is known who wins here: 1 for seat 0, -1 for the other.
  void know(Index at, int wins) {
    node(at).proof = static_cast<std::int8_t>(wins);
    node(at).value = static_cast<float>(wins);
  }

  static float for_seat_0(const PriorNode& node, float value) { return node.turn == 0 ? value : -value; }

  // All there is to it, for a checkpoint.
  std::vector<PriorNode> nodes_;
  std::vector<PriorEdge> edges_;

 private:
  TreeScale scale_;
  int kept_;
  std::vector<PriorEdge> scratch_;
  std::vector<float> exponents_;

  // The edge whose share of the visits lags most behind its share of the improved policy.
  int choose(const PriorNode& at) {
    const float untried = mixed(at);
    std::uint32_t most = 0, all = 0;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      most = std::max(most, child.visits);
      all += child.visits + child.waiting;
    }
    const float weight = weight_of_value(most);
    exponents_.resize(at.tried);
    float highest = 0;  // of an untried one
    int sure = -1;
    for (int i = 0; i < at.tried; ++i) {
      const PriorNode& child = node(edge(at, i).child);
      const float value = child.visits ? worth(child, at.turn) : untried;
      if (child.proof && value > 0) sure = i;
      exponents_[static_cast<std::size_t>(i)] = weight * (value - untried);
      highest = std::max(highest, exponents_[static_cast<std::size_t>(i)]);
    }
    if (sure >= 0) return sure;
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
                     static_cast<float>(child.visits + child.waiting) / static_cast<float>(1 + all);
      if (child.proof && worth(child, at.turn) < 0) behind -= 1e6f;  // never again, if there is another
      if (behind > lag) {
        lag = behind;
        best = i;
      }
    }
    return best;
  }

  // The last node of the path is proven: so is one before it that can choose it, or has nothing better.
  void prove(const std::vector<Index>& path) {
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      PriorNode& at = node(path[i]);
      const std::int8_t wins = at.turn == 0 ? 1 : -1, proof = node(path[i + 1]).proof;
      if (proof != wins) {
        if (!at.whole || at.tried < at.count) return;
        for (int k = 0; k < at.tried; ++k) {
          if (node(edge(at, k).child).proof != proof) return;
        }
      }
      at.proof = proof;
    }
  }
};

}  // namespace ludoteca
