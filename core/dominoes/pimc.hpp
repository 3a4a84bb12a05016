// Perfect-information Monte Carlo for Dominoes: what each action comes to in many worlds that this seat may be in.
//
// The worlds are all hands that the other can have, if they are few, else a uniform sample; in each, double dummy says
// what every action comes to, and the mean over the worlds is its score, each weighing as much as the way in which the
// other has played speaks for it. It is not what perfect play comes to: in every world both seats see all tiles, but for
// the other's next choice, which may be a mistake.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/double_dummy.hpp"
#include "dominoes/rules.hpp"
#include "search/choice.hpp"

namespace ludoteca {

class DominoesPimc {
 public:
  struct Options {
    int worlds;       // at most so many
    double mistakes;  // the share of its next choices in which the other, who does not see all tiles, plays anything
    double margin;    // an action whose score is so much below the best is as good as it: chance chooses
  };

  DominoesPimc(const Dominoes& game, const View<Dominoes>& view, Options options, Rng rng, Limits& limits)
      : game_(game),
        view_(view),
        worlds_(game, view),
        options_(options),
        rng_(rng),
        pick_(rng_.next()),
        solver_(game, limits),
        limits_(limits) {
    game_.legal(view, actions_);
    sums_.resize(static_cast<std::size_t>(actions_.size));
  }

  // For a seat that can lay a tile; value and scores are expected returns.
  void choose(SharedChoice& shared) {
    const auto add = [&](Set theirs, double weight) {
      State<Dominoes> state;
      worlds_.fill(theirs, rng_, state);
      if (!limits_.spent() && add_world(state, weight) && count_ % kWorldsPerLook == 0) show(shared, false);
    };
    const bool all = worlds_.each_hand(options_.worlds, add);
    while (!all && count_ < options_.worlds && !limits_.spent()) {
      State<Dominoes> state;
      worlds_.sample(rng_, state);
      if (add_world(state, 1) && count_ % kWorldsPerLook == 0) show(shared, false);
    }
    if (count_ > 0) show(shared, !limits_.spent());
  }

 private:
  using Set = Dominoes::Set;
  static constexpr int kWorldsPerLook = 32;
  static constexpr double kEqual = 1e-9;

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const DominoesWorlds worlds_;
  const Options options_;
  Rng rng_;
  const std::uint64_t pick_;  // chooses among close actions
  DominoesDoubleDummy solver_;
  Limits& limits_;
  Actions<Dominoes> actions_;
  std::vector<double> sums_;
  double weight_ = 0;
  int count_ = 0;

  // A world counts whole or, where the limits end it, not at all.
  bool add_world(const State<Dominoes>& state, double weight) {
    std::array<double, Dominoes::kMaxActions> found;
    const DominoesDoubleDummy::World world(game_, state);
    const double any = view_.pub.boneyard ? options_.mistakes : 0;  // where all tiles are known, nobody errs
    solver_.begin();
    for (int i = 0; i < actions_.size; ++i) found[static_cast<std::size_t>(i)] = solver_.after(world, actions_[i], any);
    if (limits_.spent()) return false;
    weight *= likelihood(state);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double scale = game_.points ? game_.points_scale() : 1;
      sums_[i] += weight * std::clamp(found[i] / scale, -1.0, 1.0);  // a start may give more points than any deal
    }
    weight_ += weight;
    ++count_;
    return true;
  }

  // How likely the other would have played as it did with these tiles: a hand that left it fewer other choices is
  // likelier, and so is one whose heavier tiles it laid first. With drawing, only what it has played since its last
  // draw counts: before, it may have had fewer tiles.
  double likelihood(const State<Dominoes>& state) const {
    const Seat they = other(view_.seat);
    const auto seat = static_cast<std::size_t>(they);
    Set hand = state.own[seat].hand | view_.pub.played[seat];
    double likely = 1;
    game_.retell(view_.pub, [&](Seat actor, Action action, const Dominoes::Ends& ends) {
      if (actor != they) return;
      if (action == game_.draw_action()) likely = 1;
      if (action >= game_.draw_action()) return;
      if (ends[0] >= 0) {
        Actions<Dominoes> actions;
        Dominoes::lays(hand, ends, actions);
        int all = 0;
        for (const Action each : actions) all += weight_of(each);
        likely *= static_cast<double>(weight_of(action)) / all;
      }
      hand &= ~Tiles::one(action / 2);
    });
    return likely;
  }
  static int weight_of(Action action) { return 8 + kTiles.pips(Tiles::one(action / 2)); }

  void show(SharedChoice& shared, bool complete) {
    Choice out;
    const auto score = [&](int i) { return sums_[static_cast<std::size_t>(i)] / weight_ + 0.0; };
    const auto pips = [&](int i) { return kTiles.pips(Tiles::one(actions_[i] / 2)); };
    int best = 0;
    for (int i = 0; i < actions_.size; ++i) {
      out.scores.emplace_back(actions_[i], score(i));
      const double more = score(i) - score(best);
      if (more > kEqual || (more > -kEqual && pips(i) > pips(best))) best = i;
    }
    if (options_.margin > 0) best = close_to(best);
    out.action = actions_[best];
    out.value = score(best);
    out.line.add(out.action);
    out.worlds = count_;
    out.depth = view_.pub.count[0] + view_.pub.count[1];
    out.complete = complete;
    out.exhaustive = complete && view_.pub.boneyard == 0;  // both seats know all tiles
    shared.update([&](Choice& choice) { choice = out; });
  }

  // The same of the same close ones at every look, so that a decision does not change without a reason.
  int close_to(int best) const {
    std::vector<int> close;
    for (int i = 0; i < actions_.size; ++i) {
      if (sums_[static_cast<std::size_t>(i)] >= sums_[static_cast<std::size_t>(best)] - options_.margin * weight_) {
        close.push_back(i);
      }
    }
    Rng rng{pick_};
    return close[rng.below(static_cast<std::uint32_t>(close.size()))];
  }
};

}  // namespace ludoteca
