// The root of a Gumbel search with a fixed number of simulations: which actions get them.
//
// Candidates are drawn by their priors with Gumbel noise (without replacement), visited equally often, and the worse
// half is dropped, again and again, until the simulations are spent: sequential halving.
//
//     simulations   ├─ 16 candidates ─┼─── 8 ───┼─── 4 ───┼─── 2 ───┤
//
// The improved policy over all actions, tried or not, is what the network learns.
#pragma once

#include "zero/tree.hpp"

namespace ludoteca {

template <Encodable G>
class GumbelRoot {
 public:
  using Tree = PriorTree<G>;
  using Index = typename Tree::Index;

  struct Candidate {
    Action action;
    float prior, score;  // score: logarithm of the prior plus Gumbel noise
    Index child = Tree::kNone;
  };

  // value: of the network, for the seat on turn. gumbel_scale: scale of the noise; 0 for none.
  void begin(const G& g, const State<G>& state, const Tree& tree, const float* logits, float value, float gumbel_scale,
             Rng& rng, int candidates, int simulations) {
    turn = state.pub.turn;
    network_value = std::isfinite(value) ? value : 0;
    tree.priors(g, state, logits, 0, [](Action) { return true; }, scratch_);
    all.clear();
    for (const PriorEdge& edge : scratch_) {
      const double gumbel = gumbel_scale > 0 ? -std::log(-std::log(std::max(rng.unit(), 1e-12))) : 0;
      const float score = std::log(std::max(edge.prior, 1e-12f)) + gumbel_scale * static_cast<float>(gumbel);
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

  // Selects the leaf of the next simulation from `state`, the root's. As PriorTree::select.
  Index select(const G& g, State<G>& state, Tree& tree, std::vector<Index>& path) {
    Candidate& candidate = all[static_cast<std::size_t>(next)];
    g.apply(state, candidate.action);
    --left;
    const bool fresh = candidate.child == Tree::kNone;
    if (fresh) candidate.child = tree.add(g, state);
    if (!fresh) return tree.select(g, state, candidate.child, path);
    path.push_back(candidate.child);
    return candidate.child;
  }

  // After the backup of a simulation: moves on to the next candidate.
  void next_candidate(const Tree& tree) {
    if (++next < considered) return;
    next = 0;
    if (--turns > 0) return;
    rank(tree);
    considered = std::max(std::min(2, considered), considered / 2);
    turns = visits_each();
  }

  // The most visited candidate, of several the one with the best score.
  const Candidate& chosen(const Tree& tree) {
    rank(tree);
    std::size_t best = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(considered); ++i) {
      if (visits(tree, all[i]) > visits(tree, all[best])) best = i;
    }
    return all[best];
  }

  // Writes the improved policy, by cell; the array must be zero. Returns the value of playing it, for the seat on turn.
  float improved_policy(const G& g, const typename G::Public& pub, const Tree& tree, float* policy) const {
    const auto [untried, weight] = scale(tree);
    float highest = 0, sum = 0, value = 0;
    for (const Candidate& each : all) highest = std::max(highest, weight * (q(tree, each, untried) - untried));
    for (const Candidate& each : all) {
      const float value_of = q(tree, each, untried);
      const float share = each.prior * std::exp(weight * (value_of - untried) - highest);
      const int cell = Encoding<G>::policy_index(g, pub, each.action);
      if (cell >= 0) policy[cell] = share;
      sum += share;
      value += share * value_of;
    }
    for (const Candidate& each : all) {
      const int cell = Encoding<G>::policy_index(g, pub, each.action);
      if (cell >= 0) policy[cell] /= sum;
    }
    return value / sum;
  }

  float q(const Tree& tree, const Candidate& of, float untried) const {
    return visits(tree, of) ? tree.q(tree.node(of.child), turn) : untried;
  }

  std::vector<Candidate> all;
  Seat turn = kNobody;
  float network_value = 0;
  int considered = 0, rounds = 0, left = 0, budget = 0, next = 0, turns = 0;  // turns: visits left for each candidate

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
      sum += each.prior * tree.q(tree.node(each.child), turn);
      total += static_cast<float>(n);
    }
    const float mixed = priors > 0 ? (network_value + total * sum / priors) / (1 + total) : network_value;
    return {mixed, tree.q_weight(most)};
  }

  // Sorts the candidates still considered, the best first.
  void rank(const Tree& tree) {
    const auto [untried, weight] = scale(tree);
    const auto score = [&, untried = untried, weight = weight](const Candidate& of) {
      return of.score + weight * (q(tree, of, untried) - untried);
    };
    std::stable_sort(all.begin(), all.begin() + considered,
                     [&](const Candidate& a, const Candidate& b) { return score(a) > score(b); });
  }
};

}  // namespace ludoteca
