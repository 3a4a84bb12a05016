// The classical engine of Hex: a tree of simulations within limits, on several threads if asked, which shows what it has
// found. No network, no opening book.
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
  struct Options {
    RaveSettings tree;
    int threads = 1;
  };

  HexClassical(const Hex& game, const Options& options) : game_(game), options_(options), tree_(game, options.tree) {}

  // Simulates `most` times, or until a limit comes; each simulation is a node of the limits. Values are the returns that
  // the seat on turn may expect. It chooses what was tried most often, or surely wins; then it ends, and is exhaustive.
  //
  // Where nodes are counted it keeps nothing from the searches before and uses one thread: so the same seed and the same
  // number of nodes find the same. Else it begins with what it knows already of the position, and all threads simulate in
  // one tree.
  void choose(const Hex::Public& pub, std::uint64_t seed, std::uint64_t most, Limits& limits, SharedChoice& shared) {
    const bool counted = limits.counts_nodes() || most < std::numeric_limits<std::uint64_t>::max();
    tree_.begin(pub, !counted);
    may_swap_ = game_.can_swap(pub);
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(options_.threads));
    Rng rng{Hasher(seed).add(pub).value()};
    for (std::uint64_t& each : seeds) each = rng.next();
    bool complete = false;
    int deepest = 0;
    run_parallel(counted ? 1 : options_.threads, limits, [&](int number, Limits& own, const auto& start_helpers) {
      RaveTree::Walker walker(game_, seeds[static_cast<std::size_t>(number)]);
      std::uint64_t done = 0;
      for (std::uint64_t show_at = 1; done < most && !tree_.proof() && own.spend(kPerLook); ++done) {
        if (!number && done == show_at) {
          start_helpers();
          show(shared, walker.deepest, false);
          show_at += std::min(done, kPerShow);
        }
        tree_.simulate(walker);
      }
      if (!number) {
        complete = done == most || tree_.proof();
        deepest = walker.deepest;
      }
    });
    show(shared, deepest, complete);
  }

 private:
  static constexpr std::uint64_t kPerLook = 8, kPerShow = 1024;

  const Hex& game_;
  const Options options_;
  RaveTree tree_;
  bool may_swap_ = false;

  void show(SharedChoice& shared, int deepest, bool complete) {
    struct Tried {
      Action action;
      float visits;
      double value;
      int proof;
      auto rank() const { return std::tuple{-proof, -visits, -value, action}; }
    };
    std::vector<Tried> all;
    tree_.each([&](Action action, float visits, float value, int proof) {
      if (visits || proof) all.push_back({action, visits, 2.0 * value - 1, proof});
    });
    if (all.empty()) return;
    std::sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.rank() < b.rank(); });
    const bool swaps = may_swap_ && all[0].value < 0;  // the others' best answer is bad: it gives them the trouble
    if (may_swap_) all.insert(swaps ? all.begin() : all.end(), {game_.swap_action(), 0, -all[0].value, -all[0].proof});
    Choice found;
    found.action = all[0].action;
    found.value = tree_.proof() ? tree_.proof() : all[0].value;
    // What was tried less is not taken to be better: if it looks so, chance made it so, or it would be tried more.
    for (const Tried& each : all) found.scores.emplace_back(each.action, std::min(each.value, found.value));
    found.exhaustive = tree_.proof() != 0;
    found.depth = std::max(1, deepest);
    found.complete = complete;
    if (!swaps) tree_.follow(found.action, found.line);
    if (!found.line.size) found.line.add(found.action);
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
