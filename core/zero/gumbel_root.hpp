// The root of a search with a fixed number of simulations: which actions deserve them.
//
// Some actions are drawn by their priors (with Gumbel noise: without repeats, the likelier the more often), visited
// equally, and the worse half dropped, again and again, until the simulations are spent: sequential halving.
//
//     simulations   ├─ 16 candidates ─┼─── 8 ───┼─── 4 ───┼─── 2 ───┤
//
// The improved policy over all actions, tried or not, is what a network learns from.
#pragma once

#include "zero/tree.hpp"

namespace ludoteca {

template <Shaped G>
class Root {
 public:
  using Tree = PriorTree<G>;
  using Index = typename Tree::Index;

  struct Candidate {
    Action action;
    float prior, score;  // score: logarithm of the prior plus noise
    Index child = Tree::kNone;
  };

  // value: the network's, for the seat on turn. noise: how much chance there is in the choice of actions; 0 for none.
  void begin(const G& g, const State<G>& state, const Tree& tree, const float* logits, float value, float noise, Rng& rng,
             int candidates, int simulations) {
    turn = state.pub.turn;
    network_value = std::isfinite(value) ? value : 0;
    tree.priors(g, state, logits, 0, [](Action) { return true; }, scratch_);
    all.clear();
    for (const PriorEdge& edge : scratch_) {
      const double gumbel = noise > 0 ? -std::log(-std::log(std::max(rng.unit(), 1e-12))) : 0;
      const float score = std::log(std::max(edge.prior, 1e-12f)) + noise * static_cast<float>(gumbel);
      all.push_back({edge.action, edge.prior, score});
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    considered = std::min(candidates, static_cast<int>(all.size()));
    rounds = 0;
    while (1 << rounds < considered) ++rounds;
    left = budget = simulations;
    next = 0;
    turns = visits_each();
  }

  bool done() const { return left == 0 || all.size() == 1; }

  // Goes down the tree by one simulation from `state`, which is the root's. As PriorTree::descend.
  Index descend(const G& g, State<G>& state, Tree& tree, std::vector<Index>& path) {
    Candidate& candidate = all[static_cast<std::size_t>(next)];
    g.apply(state, candidate.action);
    --left;
    const bool fresh = candidate.child == Tree::kNone;
    if (fresh) candidate.child = tree.add(g, state);
    if (!fresh) return tree.descend(g, state, candidate.child, path);
    path.push_back(candidate.child);
    return candidate.child;
  }

  // The simulation's value has come back: who is next?
  void visited(const Tree& tree) {
    if (++next < considered) return;
    next = 0;
    if (--turns > 0) return;
    rank(tree);
    considered = std::max(std::min(2, considered), considered / 2);
    turns = visits_each();
  }

  // The most visited action, of several the one that looks best.
  const Candidate& chosen(const Tree& tree) {
    rank(tree);
    std::size_t best = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(considered); ++i) {
      if (visits(tree, all[i]) > visits(tree, all[best])) best = i;
    }
    return all[best];
  }

  // policy: by cell, cleared before. Gives what the seat on turn may expect that plays by it.
  float improved(const G& g, const typename G::Public& pub, const Tree& tree, float* policy) const {
    const auto [untried, weight] = scale(tree);
    float highest = 0, sum = 0, value = 0;
    for (const Candidate& each : all) highest = std::max(highest, weight * (worth(tree, each, untried) - untried));
    for (const Candidate& each : all) {
      const float worth_of = worth(tree, each, untried);
      const float share = each.prior * std::exp(weight * (worth_of - untried) - highest);
      const int cell = Shape<G>::cell(g, pub, each.action);
      if (cell >= 0) policy[cell] = share;
      sum += share;
      value += share * worth_of;
    }
    for (const Candidate& each : all) {
      const int cell = Shape<G>::cell(g, pub, each.action);
      if (cell >= 0) policy[cell] /= sum;
    }
    return value / sum;
  }

  float worth(const Tree& tree, const Candidate& of, float untried) const {
    return visits(tree, of) ? tree.worth(tree.node(of.child), turn) : untried;
  }

  std::vector<Candidate> all;
  Seat turn = kNobody;
  float network_value = 0;
  int considered = 0, rounds = 0, left = 0, budget = 0, next = 0, turns = 0;

 private:
  struct Scale {
    float untried, weight;
  };
  std::vector<PriorEdge> scratch_;

  static std::uint32_t visits(const Tree& tree, const Candidate& of) {
    return of.child == Tree::kNone ? 0 : tree.node(of.child).visits;
  }

  int visits_each() const { return std::max(1, budget / std::max(1, rounds * considered)); }

  Scale scale(const Tree& tree) const {
    std::uint32_t most = 0;
    float priors = 0, sum = 0, total = 0;
    for (const Candidate& each : all) {
      const std::uint32_t n = visits(tree, each);
      if (!n) continue;
      most = std::max(most, n);
      priors += each.prior;
      sum += each.prior * tree.worth(tree.node(each.child), turn);
      total += static_cast<float>(n);
    }
    const float mixed = priors > 0 ? (network_value + total * sum / priors) / (1 + total) : network_value;
    return {mixed, tree.weight_of_value(most)};
  }

  // Those still considered, the best first.
  void rank(const Tree& tree) {
    const auto [untried, weight] = scale(tree);
    const auto score = [&, untried = untried, weight = weight](const Candidate& of) {
      return of.score + weight * (worth(tree, of, untried) - untried);
    };
    std::stable_sort(all.begin(), all.begin() + considered,
                     [&](const Candidate& a, const Candidate& b) { return score(a) > score(b); });
  }
};

}  // namespace ludoteca
