// The engine of Dominoes: first the mean over solved worlds, then perfect play where the round is small enough for it.
#pragma once

#include <memory>
#include <mutex>

#include "dominoes/pimc.hpp"
#include "dominoes/equilibrium.hpp"

namespace ludoteca {

// What an engine keeps from one decision to the next. A search that was stopped may still have it when the next begins.
struct DominoesMemory {
  const Dominoes game;
  DominoesEquilibrium solution;
  std::mutex in_use;

  DominoesMemory(const Dominoes& rules, std::size_t most_bytes, double tremble)
      : game(rules), solution(game, most_bytes, tremble) {}
};

class DominoesEngine {
 public:
  struct Options {
    DominoesPimc::Options pimc;
    int looks;  // at most so many at the whole round, 0: none
  };

  DominoesEngine(const Dominoes& game, const View<Dominoes>& view, Options options, Rng rng, Limits& limits)
      : game_(game), view_(view), options_(options), rng_(rng), limits_(limits) {}

  // For a seat that has a choice; value and scores are expected returns.
  void choose(DominoesMemory& memory, SharedChoice& shared) {
    const std::lock_guard lock(memory.in_use);
    const double mix = rng_.unit();  // decides where the solution mixes actions; the same at every look
    DominoesEquilibrium& solution = memory.solution;
    const bool open = view_.pub.boneyard == 0;  // both know all tiles, so one world is all
    const bool solved = !open && solution.ready() && solution.cfr().iterations() >= options_.looks;
    if (!solved) DominoesPimc(game_, view_, options_.pimc, rng_, limits_).choose(shared);
    if (options_.looks == 0 || open || limits_.spent()) return;
    const auto spend = [&] { return limits_.spend(kNodesPerCheck); };
    const auto set = solution.prepare(view_, kMostDeals, spend);
    if (!set) return;
    CfrPlus& cfr = solution.cfr();
    // To tell what was found costs as much as half a look, so it is told after ever more of them.
    for (int next = std::max(kFewestLooks, cfr.iterations());; next = std::min(2 * next, options_.looks)) {
      bool going = true;
      while (going && cfr.iterations() < next) going = cfr.iterate(spend);
      const bool done = cfr.iterations() >= options_.looks;
      if (cfr.iterations() >= kFewestLooks) show(solution, *set, mix, shared, done, spend);
      if (!going || done || limits_.spent()) return;
    }
  }

 private:
  static constexpr std::uint64_t kNodesPerCheck = 1024;
  static constexpr std::size_t kMostDeals = 10'000;  // more take too long to be sorted for somebody who wants to stop
  static constexpr int kFewestLooks = 8;  // before, the mean over solved worlds knows better

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const Options options_;
  Rng rng_;
  Limits& limits_;

  // Where the limits leave no time to find what each action comes to, what was found of that before still stands.
  template <class Spend>
  void show(DominoesEquilibrium& solution, std::size_t number, double mix, SharedChoice& shared, bool complete,
            Spend spend) {
    const auto& set = solution.tree().sets[number];
    const auto* const actions = &solution.tree().actions[static_cast<std::size_t>(set.first_action)];
    std::array<double, Dominoes::kMaxActions> shares;
    solution.cfr().average_strategy(number, shares.data());
    std::size_t chosen = 0;
    const auto count = static_cast<std::size_t>(set.actions);
    for (std::size_t i = 0; i < count; mix -= shares[i++]) {
      if (shares[i] > 0 && mix >= 0) chosen = i;
    }
    const std::vector<double> scores = solution.cfr().scores(number, solution.cfr().average_strategy(), spend);
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
        choice.value += shares[i] * scores[i];
      }
    });
  }
};

}  // namespace ludoteca
