// Monte Carlo tree search within limits, on one or several threads, with a result that can be read while it runs.
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "search/choice.hpp"
#include "search/limits.hpp"
#include "search/resources.hpp"
#include "search/tree.hpp"
#include "search/workers.hpp"

namespace ludoteca {

// How a tree search explores, and what it may use.
struct TreeSettings {
  double exploration = 1;
  bool reuse = false;  // keep the subtree of a position that an earlier search has reached
  Resources resources;  // memory: of all trees together
  std::uint64_t simulations_per_check = 16;  // of the limits; as many as take some tens of microseconds
};

// Root parallelisation: every thread has its own tree, and the roots are added up. Simulations are assigned to the
// threads in turn, so the result depends on the seed and the number of simulations, not on which thread is faster.
template <Game G, class Evaluator = Playouts>
class TreeSearch {
 public:
  TreeSearch(TreeSettings settings, Evaluator evaluate) : settings_(settings) {
    const auto threads = static_cast<std::size_t>(settings.resources.threads);
    for (std::size_t i = 0; i < threads; ++i) {
      trees_.push_back(
          std::make_unique<Tree<G, Evaluator>>(settings.exploration, evaluate, settings.resources.bytes / threads));
    }
  }

  // Simulates max_simulations times, or until a limit ends it; each simulation is a node of the limits. Values are
  // expected returns of the seat. The choice is the most visited action, or one that is proven to win; a proof ends the
  // search and makes it exhaustive.
  void choose(const G& g, const View<G>& view, std::uint64_t seed, std::uint64_t max_simulations, Limits& limits,
              SharedChoice& shared) {
    Rng seeds{Hasher(seed).add(view.pub).add(view.own).value()};
    for (auto& tree : trees_) tree->set_root(g, view, seeds.next(), settings_.reuse);
    const std::uint64_t done = trees_.size() == 1 ? run_single(max_simulations, limits, shared)
                                                  : run_rounds(max_simulations, limits, shared);
    if (done || proven()) show(shared, done == max_simulations || proven());
  }

 private:
  static constexpr std::uint64_t kSimulationsPerShow = 1024;

  const TreeSettings settings_;
  std::vector<std::unique_ptr<Tree<G, Evaluator>>> trees_;

  // Both return the number of simulations.
  std::uint64_t run_single(std::uint64_t max_simulations, Limits& limits, SharedChoice& shared) {
    std::uint64_t done = 0, show_at = 1;
    for (; done < max_simulations && !proven() && limits.spend(settings_.simulations_per_check); ++done) {
      if (done == show_at) {
        show(shared, false);
        show_at += std::min(done, kSimulationsPerShow);
      }
      trees_[0]->simulate();
    }
    return done;
  }

  std::uint64_t run_rounds(std::uint64_t max_simulations, Limits& limits, SharedChoice& shared) {
    const auto threads = static_cast<std::uint64_t>(trees_.size());
    const std::uint64_t longest = 4 * threads * settings_.simulations_per_check;  // rounds should not be too short
    Workers workers(static_cast<int>(threads));
    for (std::uint64_t done = 0, show_at = 1;;) {
      const std::uint64_t wanted = proven() ? 0 : std::min(longest, max_simulations - done);
      std::uint64_t round = 0;  // simulations of this round
      while (round < wanted && limits.spend(wanted)) ++round;
      if (!round) return done;
      workers.run([&](std::size_t i) {
        for (std::uint64_t k = i; k < round; k += threads) trees_[i]->simulate();
      });
      done += round;
      if (done >= show_at) {
        show(shared, false);
        show_at = done + kSimulationsPerShow;
      }
    }
  }

  bool proven() const {
    return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->proven(); });
  }

  void show(SharedChoice& shared, bool complete) {
    struct Total {
      std::uint64_t visits = 0;
      double sum = 0;
      int proof = 0;
      double value() const { return proof ? proof : sum / static_cast<double>(visits); }
    };
    std::vector<std::pair<Action, Total>> all;
    Choice found;
    for (auto& tree : trees_) {
      tree->each_root_action([&](Action action, std::uint32_t visits, double sum, int proof) {
        auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == action; });
        if (at == all.end()) at = all.insert(at, {action, {}});
        at->second.visits += visits;
        at->second.sum += sum;
        if (proof) at->second.proof = proof;
      });
      found.depth = std::max({1, found.depth, tree->max_depth()});
    }
    if (all.empty()) return;
    const auto rank = [](const Total& t) { return std::tuple{-t.proof, -static_cast<double>(t.visits), -t.value()}; };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      return std::pair{rank(a.second), a.first} < std::pair{rank(b.second), b.first};
    });
    found.action = all[0].first;
    found.value = all[0].second.value();
    // A less visited action with a higher mean owes that to chance: otherwise it would have more visits.
    for (const auto& [action, total] : all) found.scores.emplace_back(action, std::min(total.value(), found.value));
    found.exhaustive = proven();
    trees_[0]->append_line(found.action, found.line);
    if (!found.line.size) found.line.add(found.action);
    found.complete = complete;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
