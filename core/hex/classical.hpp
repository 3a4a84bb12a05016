// The classical engine of Hex: RAVE search within limits, on one or several threads, without a network or an opening
// book.
#pragma once

#include <memory>
#include <tuple>

#include "hex/rave_search.hpp"
#include "search/hash.hpp"
#include "search/resources.hpp"
#include "search/workers.hpp"

namespace ludoteca {

class HexClassical {
 public:
  HexClassical(const Hex& game, const RaveSettings& settings)
      : game_(game), threads_(settings.resources.threads), search_(game, settings) {}

  // Simulates max_simulations times, or until a limit ends it; each simulation is a node of the limits. Values are
  // expected returns of the seat on turn. The choice is the most visited move, or one that is proven to win; a proof
  // ends the search and makes it exhaustive.
  //
  // With a limit on nodes or simulations it uses one thread and reuses no earlier tree, so the same seed and limit give
  // the same result. Otherwise it reuses what it knows of the position, and all threads simulate in one tree.
  void choose(const Hex::Public& pub, std::uint64_t seed, std::uint64_t max_simulations, Limits& limits,
              SharedChoice& shared) {
    const bool counted = limits.counts_nodes() || max_simulations < std::numeric_limits<std::uint64_t>::max();
    search_.set_root(pub, !counted);
    may_swap_ = game_.can_swap(pub);
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(threads_));
    Rng rng{Hasher(seed).add(pub).value()};
    for (std::uint64_t& each : seeds) each = rng.next();
    bool complete = false;
    int max_depth = 0;
    run_parallel(counted ? 1 : threads_, limits, [&](int number, Limits& own, const StartHelpers& start_helpers) {
      RaveSearch::Worker worker(game_, seeds[index(number)]);
      std::uint64_t done = 0;
      std::uint64_t show_at = 1;
      for (; done < max_simulations && !search_.proof() && own.spend(kSimulationsPerCheck); ++done) {
        if (!number && done == show_at) {
          start_helpers();
          show(shared, worker.max_depth, false);
          show_at += std::min(done, kSimulationsPerShow);
        }
        search_.simulate(worker);
      }
      if (!number) {
        complete = done == max_simulations || search_.proof();
        max_depth = worker.max_depth;
      }
    });
    show(shared, max_depth, complete);
  }

 private:
  static constexpr std::uint64_t kSimulationsPerCheck = 8, kSimulationsPerShow = 1024;

  const Hex& game_;
  const int threads_;
  RaveSearch search_;
  bool may_swap_ = false;

  void show(SharedChoice& shared, int max_depth, bool complete) {
    struct Tried {
      Action action;
      float visits;
      double value;
      int proof;
      auto rank() const { return std::tuple{-proof, -visits, -value, action}; }
    };
    std::vector<Tried> all;
    search_.each_root_action([&](Action action, float visits, float value, int proof) {
      if (visits || proof) all.push_back({action, visits, 2.0 * value - 1, proof});
    });
    if (all.empty()) return;
    std::sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.rank() < b.rank(); });
    const bool swaps = may_swap_ && all[0].value < 0;  // the best other answer loses, so swapping wins
    if (may_swap_) all.insert(swaps ? all.begin() : all.end(), {game_.swap_action(), 0, -all[0].value, -all[0].proof});
    Choice found;
    found.action = all[0].action;
    found.value = search_.proof() ? search_.proof() : all[0].value;
    // A less visited move with a higher value owes that to chance: otherwise it would have more visits.
    for (const Tried& each : all) found.scores.emplace_back(each.action, std::min(each.value, found.value));
    found.exhaustive = search_.proof() != 0;
    found.depth = std::max(1, max_depth);
    found.complete = complete;
    if (!swaps) search_.append_line(found.action, found.line);
    if (!found.line.size) found.line.add(found.action);
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
