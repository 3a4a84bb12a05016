// A search for Kittens by playouts: what the seat would get after each action, in worlds that it thinks possible and
// against whom the other may be in them.
//
// Every world is played once for each action that is still in question, so that luck is the same for all of them. An
// action that is surely worse, by the differences seen, is not tried any more.
#pragma once

#include <cmath>

#include "kittens/response_tree.hpp"
#include "kittens/posterior_worlds.hpp"
#include "search/choice.hpp"
#include "search/workers.hpp"
#include "search/limits.hpp"

namespace ludoteca {

struct KittensEffort {
  std::uint64_t worlds;  // at most so many
  int threads = 1;
  std::size_t bytes = std::size_t{256} << 20;  // of all that is remembered
};

// Worlds are dealt out to the threads in turn, each of which has a memory of its own, so that what is found depends on the
// seed and on how many there were, not on which thread was faster.
class KittensRollouts {
 public:
  KittensRollouts(const Kittens& rules, std::span<const KittensTabularPolicy> models, Limits& limits)
      : rules_(rules), others_(rules, models), limits_(limits) {}

  // For the view's seat, which is on turn. Values are mean returns; a node is a world played once.
  void choose(const View<Kittens>& view, KittensEffort effort, Rng rng, SharedChoice& shared) {
    Actions<Kittens> legal;
    rules_.legal(view, legal);
    std::vector<Arm> arms;
    for (const Action action : legal) arms.push_back({action});
    Workers workers(effort.threads);
    std::vector<Player> players;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      players.push_back({KittensPosteriorWorlds(rules_, others_, view, Rng{rng.next()}),
                         KittensResponseTree(rules_, others_, effort.bytes / workers.size()), Rng{rng.next()}, {}});
    }
    const std::uint64_t per_round = workers.size() == 1 ? 1 : kWorldsPerRound * workers.size();
    for (std::uint64_t done = 0; done < effort.worlds;) {
      const std::vector<std::uint64_t> wanted = grant(arms, std::min(per_round, effort.worlds - done));
      workers.run([&](std::size_t i) { players[i].play(arms, wanted, i, workers.size(), view.seat); });
      for (std::uint64_t world = 0; world < std::min(per_round, effort.worlds - done); ++world) {
        const auto& results = players[world % workers.size()].results;
        for (std::size_t i = 0; i < arms.size(); ++i) {
          if (world < wanted[i]) arms[i].add(results[world / workers.size() * arms.size() + i]);
        }
        if (limits_.spent()) continue;
        if (done + world + 1 >= kFirst) compare(arms);
        if ((done + world + 1) % kFirst == 0) show(arms, false, shared);
      }
      if (limits_.spent()) return show(arms, false, shared);
      done += std::min(per_round, effort.worlds - done);
      if (std::count_if(arms.begin(), arms.end(), [](const Arm& arm) { return !arm.out; }) == 1) break;
    }
    show(arms, true, shared);
  }

 private:
  struct Arm {
    Action action;
    bool out = false;
    double sum = 0, last = 0;
    std::uint64_t count = 0;
    double difference = 0, squares = 0;  // to the arm that leads, since it does

    double mean() const { return count ? sum / static_cast<double>(count) : -2; }
    void add(double result) {
      last = result;
      sum += result;
      ++count;
    }
  };
  // What one thread has.
  struct Player {
    KittensPosteriorWorlds worlds;
    KittensResponseTree answers;
    Rng rng;
    std::vector<double> results;  // of a round: by world of this thread's, and by arm

    // In this thread's part of the worlds: arm i in those below wanted[i].
    void play(const std::vector<Arm>& arms, const std::vector<std::uint64_t>& wanted, std::size_t thread,
              std::size_t threads, Seat seat) {
      results.clear();
      const std::uint64_t end = *std::max_element(wanted.begin(), wanted.end());
      for (std::uint64_t world = thread; world < end; world += threads) {
        std::size_t who;
        const State<Kittens>& state = worlds.next(who);
        const Rng luck{rng.next()};
        for (std::size_t i = 0; i < arms.size(); ++i) {
          results.push_back(world < wanted[i] ? answers.play(state, arms[i].action, seat, who, luck) : 0);
        }
      }
    }
  };
  static constexpr std::uint64_t kNodesPerCheck = 8, kFirst = 32, kWorldsPerRound = 32;
  static constexpr double kSure = 3.5;  // standard deviations

  const Kittens& rules_;
  const KittensOpponentModel others_;
  Limits& limits_;
  std::size_t leader_ = 0;

  // In how many of so many worlds each arm may be played.
  std::vector<std::uint64_t> grant(const std::vector<Arm>& arms, std::uint64_t worlds) {
    std::vector<std::uint64_t> out(arms.size());
    for (std::uint64_t world = 0; world < worlds; ++world) {
      for (std::size_t i = 0; i < arms.size(); ++i) {
        if (arms[i].out) continue;
        if (!limits_.spend(kNodesPerCheck)) return out;
        ++out[i];
      }
    }
    return out;
  }

  void compare(std::vector<Arm>& arms) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < arms.size(); ++i) {
      if (arms[best].out || (!arms[i].out && arms[i].sum > arms[best].sum)) best = i;
    }
    if (best != leader_) {
      leader_ = best;
      for (Arm& arm : arms) arm.difference = arm.squares = 0;
      since_ = 0;
    }
    ++since_;
    const double n = static_cast<double>(since_);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      Arm& arm = arms[i];
      if (arm.out || i == leader_) continue;
      const double behind = arms[leader_].last - arm.last;
      arm.difference += behind;
      arm.squares += behind * behind;
      const double mean = arm.difference / n, variance = arm.squares / n - mean * mean;
      arm.out = since_ >= 4 * kFirst && mean > kSure * std::sqrt((variance + 0.1) / n);
    }
  }
  std::uint64_t since_ = 0;  // worlds in which the leader has led

  static void show(const std::vector<Arm>& arms, bool complete, SharedChoice& shared) {
    Choice found;
    found.complete = complete;
    const Arm* best = nullptr;
    for (const Arm& arm : arms) {
      if (!arm.count) continue;
      found.scores.emplace_back(arm.action, arm.mean());
      if (!arm.out && (!best || arm.mean() > best->mean())) best = &arm;
    }
    if (!best) return;
    found.action = best->action;
    found.value = best->mean();
    found.line.add(best->action);
    found.depth = 1;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
