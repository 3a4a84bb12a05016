// A tree search that runs within limits, on several threads if asked, and shows what it has found.
#pragma once

#include <barrier>
#include <memory>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "search/choice.hpp"
#include "search/limits.hpp"
#include "search/tree.hpp"

namespace ludoteca {

struct TreeSettings {
  double exploration = 1;
  bool reuse = false;       // keep what is known of a position that the tree has reached already
  int threads = 1;
  std::size_t bytes = std::size_t{256} << 20;  // of all the trees together
  std::uint64_t per_look = 16;  // simulations that take some tens of microseconds: so often it looks at the limits
};

// Every thread has a tree of its own, and simulations are dealt out to them in turn, so that what is found depends on the
// seed and on how many there were, not on which thread was faster. All their roots together decide.
template <Game G, class Leaf = Playouts>
class TreeSearch {
 public:
  TreeSearch(TreeSettings settings, Leaf leaf) : settings_(settings) {
    const auto threads = static_cast<std::size_t>(settings.threads);
    for (std::size_t i = 0; i < threads; ++i) {
      trees_.push_back(std::make_unique<Tree<G, Leaf>>(settings.exploration, leaf, settings.bytes / threads));
    }
  }

  // Simulates `most` times, or until a limit comes; each simulation is a node of the limits. The values are the returns
  // that the seat may expect. It chooses what was tried most often, or surely wins; then it ends, and is exhaustive.
  void choose(const G& g, const View<G>& view, std::uint64_t seed, std::uint64_t most, Limits& limits,
              SharedChoice& shared) {
    Rng seeds{Hasher(seed).add(view.pub).add(view.own).value()};
    for (auto& tree : trees_) tree->begin(g, view, seeds.next(), settings_.reuse);
    if (settings_.threads == 1) choose_alone(most, limits, shared);
    else choose_together(most, limits, shared);
  }

 private:
  static constexpr std::uint64_t kPerShow = 1024;

  const TreeSettings settings_;
  std::vector<std::unique_ptr<Tree<G, Leaf>>> trees_;

  void choose_alone(std::uint64_t most, Limits& limits, SharedChoice& shared) {
    std::uint64_t done = 0, show_at = 1;
    for (; done < most && !trees_[0]->proven() && limits.spend(settings_.per_look); ++done) {
      if (done == show_at) {
        show(shared, false);
        show_at += std::min(done, kPerShow);
      }
      trees_[0]->simulate();
    }
    if (done || proven()) show(shared, done == most || proven());
  }

  void choose_together(std::uint64_t most, Limits& limits, SharedChoice& shared) {
    const auto threads = static_cast<std::uint64_t>(settings_.threads);
    const std::uint64_t longest = 4 * threads * settings_.per_look;  // a round: they shall not wait for each other too often
    std::uint64_t done = 0, round = 0;  // `round`: how many simulations this one has; 0 says that it is over
    std::barrier gate(static_cast<std::ptrdiff_t>(threads));
    const auto play = [&](std::uint64_t i) {
      for (std::uint64_t k = i; k < round; k += threads) trees_[i]->simulate();
    };
    std::vector<std::jthread> crew;
    try {
      for (std::uint64_t i = 1; i < threads; ++i) {
        crew.emplace_back([&, i] {
          while (gate.arrive_and_wait(), round) {
            play(i);
            gate.arrive_and_wait();
          }
        });
      }
    } catch (...) {  // nobody shall wait for a thread that does not exist
      for (std::uint64_t i = crew.size(); i < threads; ++i) gate.arrive_and_drop();
      throw;
    }
    std::uint64_t show_at = 1;
    do {
      const std::uint64_t wanted = proven() ? 0 : std::min(longest, most - done);
      for (round = 0; round < wanted && limits.spend(wanted);) ++round;
      gate.arrive_and_wait();
      if (!round) break;
      play(0);
      gate.arrive_and_wait();
      done += round;
      if (done >= show_at) {
        show(shared, false);
        show_at = done + kPerShow;
      }
    } while (true);
    if (done || proven()) show(shared, done == most || proven());
  }

  bool proven() const {
    return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->proven(); });
  }

  void show(SharedChoice& shared, bool complete) {
    struct Tried {
      std::uint64_t visits = 0;
      double sum = 0;
      int proof = 0;
      double value() const { return proof ? proof : sum / static_cast<double>(visits); }
    };
    std::vector<std::pair<Action, Tried>> all;
    Choice found;
    for (auto& tree : trees_) {
      tree->each([&](Action action, std::uint32_t visits, double sum, int proof) {
        auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == action; });
        if (at == all.end()) at = all.insert(at, {action, {}});
        at->second.visits += visits;
        at->second.sum += sum;
        if (proof) at->second.proof = proof;
      });
      found.depth = std::max({1, found.depth, tree->deepest()});
    }
    if (all.empty()) return;
    const auto rank = [](const Tried& t) { return std::tuple{-t.proof, -static_cast<double>(t.visits), -t.value()}; };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      return std::pair{rank(a.second), a.first} < std::pair{rank(b.second), b.first};
    });
    found.action = all[0].first;
    found.value = all[0].second.value();
    // What was tried less is not taken to be better: if its mean is, chance made it so, or it would be tried more.
    for (const auto& [action, tried] : all) found.scores.emplace_back(action, std::min(tried.value(), found.value));
    found.exhaustive = proven();
    trees_[0]->follow(found.action, found.line);
    if (!found.line.size) found.line.add(found.action);
    found.complete = complete;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
