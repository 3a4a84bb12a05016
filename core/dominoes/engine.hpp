// The engine of Dominoes: PIMC, with a network where there is one, or a tree of information sets; then CFR+ where the
// round is small enough.
#pragma once

#include "dominoes/equilibrium.hpp"
#include "dominoes/information_set_search.hpp"
#include "dominoes/network_rollouts.hpp"

namespace ludoteca {

// One decision of a seat that has a choice. PIMC, or with drawing a tree search, finds a good action soon; the equilibrium
// of the whole round replaces it once CFR+ has run a few iterations.
class DominoesEngine {
 public:
  struct Options {
    DominoesPimc::Options pimc;
    std::uint64_t simulations;  // of the tree search, at most; 0: PIMC with drawing too
    Resources resources;        // memory: of the trees
    int iterations;             // of CFR+, at most; 0: none
    const ViewNetwork* network = nullptr;  // of a game without drawing; null: PIMC alone
    int rollouts = 0;                      // worlds of its rollouts, at most
  };

  DominoesEngine(const Dominoes& game, const View<Dominoes>& view, Options options, Rng rng, Limits& limits)
      : game_(game), view_(view), options_(options), rng_(rng), limits_(limits) {}

  // Value and scores are expected returns.
  void choose(DominoesEquilibrium& equilibrium, SharedChoice& shared) {
    const std::lock_guard lock(equilibrium.in_use);
    const double sample = rng_.unit();  // selects from the average strategy; the same in every report
    const bool open = view_.pub.boneyard == 0;  // both seats know all tiles, so there is one world
    const bool solved = !open && equilibrium.ready() && equilibrium.cfr().iterations() >= options_.iterations;
    const auto spend = [&] { return limits_.spend(kNodesPerCheck); };
    std::optional<DominoesInformationSetSearch> search;
    if (options_.simulations && game_.drawing && !open) search.emplace(game_, view_, options_.resources, rng_, limits_);
    if (!search && !solved) {
      if (options_.network && !open && DominoesNetworkRollouts::judges(game_, view_)) {
        DominoesNetworkChoice(game_, view_, *options_.network, rng_, limits_).choose(options_.pimc, options_.rollouts, shared);
      } else {
        DominoesPimc(game_, view_, options_.pimc, rng_, limits_).choose(shared);
      }
    }
    if (search && !solved) search->choose(std::min(options_.simulations, kFirstSimulations), shared);
    std::optional<std::size_t> set;
    if (options_.iterations && !open && !limits_.spent()) set = equilibrium.prepare(view_, kMaxDeals, spend);
    if (!set && search) search->choose(options_.simulations, shared);
    if (!set) return;
    CfrPlus& cfr = equilibrium.cfr();
    // A report costs as much as half an iteration, so the distance between reports doubles.
    for (int next = std::max(kMinIterations, cfr.iterations());; next = std::min(2 * next, options_.iterations)) {
      bool going = true;
      while (going && cfr.iterations() < next) going = cfr.iterate(spend);
      const bool done = cfr.iterations() >= options_.iterations;
      if (cfr.iterations() >= kMinIterations) report(equilibrium, *set, sample, shared, done, spend);
      if (!going || done || limits_.spent()) return;
    }
  }

 private:
  static constexpr std::uint64_t kNodesPerCheck = 1024;
  static constexpr std::size_t kMaxDeals = 10'000;  // sorting more takes too long for a search that may be stopped
  static constexpr int kMinIterations = 8;          // with fewer, the tree search plays better
  static constexpr std::uint64_t kFirstSimulations = 2000;  // before CFR+

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const Options options_;
  Rng rng_;
  Limits& limits_;

  // Publishes the average strategy. If the limits leave no time to compute the scores, earlier scores stay.
  template <class Spend>
  void report(DominoesEquilibrium& equilibrium, std::size_t number, double sample, SharedChoice& shared, bool complete,
              Spend spend) {
    const auto& set = equilibrium.tree().sets[number];
    const auto* const actions = &equilibrium.tree().actions[static_cast<std::size_t>(set.first_action)];
    std::array<double, Dominoes::kMaxActions> probabilities;
    equilibrium.cfr().average_strategy(number, probabilities.data());
    std::size_t chosen = 0;
    const auto count = static_cast<std::size_t>(set.actions);
    for (std::size_t i = 0; i < count; sample -= probabilities[i++]) {
      if (probabilities[i] > 0 && sample >= 0) chosen = i;
    }
    const std::vector<double> scores = equilibrium.cfr().scores(number, equilibrium.cfr().average_strategy(), spend);
    shared.update([&](Choice& choice) {
      choice.action = actions[chosen];
      choice.line.size = 0;
      choice.line.add(choice.action);
      choice.worlds = set.nodes;
      choice.depth = view_.pub.count[0] + view_.pub.count[1];
      choice.complete = complete;
      choice.exhaustive = true;
      if (scores.empty()) return;
      choice.scores.clear();
      choice.value = 0;
      for (std::size_t i = 0; i < count; ++i) {
        choice.scores.emplace_back(actions[i], scores[i]);
        choice.value += probabilities[i] * scores[i];
      }
    });
  }
};

}  // namespace ludoteca
