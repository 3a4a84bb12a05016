// A search for Kittens by playouts: what a sensible player would get after each action, in worlds that the seat thinks
// possible.
//
// Every world is played once for each action that is still in question, so that luck is the same for all of them. An
// action that is surely worse, by the differences seen, is not tried any more.
#pragma once

#include <cmath>

#include "kittens/habits.hpp"
#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

class KittensRollouts {
 public:
  KittensRollouts(const Kittens& rules, Limits& limits) : rules_(rules), habits_(rules), limits_(limits) {}

  // For the view's seat, which is on turn: `worlds` worlds at most. Values are mean returns.
  void choose(const View<Kittens>& view, std::uint64_t worlds, Rng rng, SharedChoice& shared) {
    Actions<Kittens> legal;
    rules_.legal(view, legal);
    std::vector<Arm> arms;
    for (const Action action : legal) arms.push_back({action});
    State<Kittens> world;
    for (std::uint64_t n = 1; n <= worlds; ++n) {
      imagine(view, rng, world);
      const Rng luck{rng.next()};
      for (Arm& arm : arms) {
        if (arm.out) continue;
        if (!limits_.spend(kNodesPerLook)) return show(arms, false, shared);
        arm.last = play(world, arm.action, view.seat, luck);
        arm.sum += arm.last;
        ++arm.count;
      }
      if (n >= kFirst) compare(arms);
      if (n % kFirst == 0) show(arms, false, shared);
      if (n >= kFirst && std::count_if(arms.begin(), arms.end(), [](const Arm& arm) { return !arm.out; }) == 1) break;
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
  };
  static constexpr std::uint64_t kNodesPerLook = 8, kFirst = 32;
  static constexpr double kSure = 3.5;  // standard deviations

  const Kittens& rules_;
  const KittensHabits habits_;
  Limits& limits_;
  std::size_t leader_ = 0;

  // A world that fits the view; the other is thought to put bombs on top more often than elsewhere.
  void imagine(const View<Kittens>& view, Rng& rng, State<Kittens>& world) const {
    for (int tries = 0; tries < 12; ++tries) {
      rules_.sample(view, Rng{rng.next()}, world);
      const auto& seen = world.own[static_cast<std::size_t>(other(view.seat))].seen;
      double chance = 1;
      for (std::size_t i = 0; i < world.pub.events; ++i) {
        const int event = (world.pub.log[i] & ~Kittens::kUncounted) / 2;
        if (event == Kittens::kShuffled) chance = 1;  // where it was before that is all the same
        const bool theirs = (world.pub.log[i] & 1) != view.seat;
        if (theirs && event >= Kittens::kDrew && event <= Kittens::kBottomDrewBomb && seen[i] / 16 > 1) chance *= kElsewhere;
      }
      if (chance >= 1 || rng.unit() < chance) return;
    }
  }
  static constexpr double kElsewhere = 0.15;  // as often as on top

  double play(const State<Kittens>& world, Action action, Seat seat, Rng luck) const {
    State<Kittens> state = world;
    rules_.apply(state, action);
    while (state.pub.turn != kNobody) rules_.apply(state, habits_.choose(ViewRef<Kittens>(state, state.pub.turn), luck));
    return rules_.returns(state.pub)[static_cast<std::size_t>(seat)];
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
