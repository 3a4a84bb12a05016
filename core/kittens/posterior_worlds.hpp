// Worlds of Kittens that a seat thinks possible, each as likely as how the other has played speaks for it.
//
// View.sample draws a world as if the other chose anything. Here one world follows another (independent
// Metropolis-Hastings): a new one takes the place of the last with a chance that goes by how much likelier the other's
// choices are in it. So in the long run each occurs as often as it should, and one that nobody would have come to does not.
#pragma once

#include "kittens/opponent_model.hpp"

namespace ludoteca {

class KittensPosteriorWorlds {
 public:
  KittensPosteriorWorlds(const Kittens& rules, const KittensOpponentModel& others, const View<Kittens>& view, Rng rng)
      : worlds_(rules, view), others_(others), rng_(rng) {
    for (int i = 0; i < kFirst; ++i) step();
  }

  // The next world. `who`: which of the others it is there.
  const State<Kittens>& next(std::size_t& who) {
    step();
    double left = rng_.unit() * weight_;
    who = 0;
    while (who + 1 < others_.size() && (left -= likely_[who]) >= 0) ++who;
    return world_;
  }

  // How likely each of the others is in the last world.
  KittensOpponentModel::Weights suspects() const {
    KittensOpponentModel::Weights out = likely_;
    for (double& each : out) each /= weight_;
    return out;
  }

 private:
  static constexpr int kFirst = 24;  // until the first one that counts

  const KittensWorlds worlds_;
  const KittensOpponentModel& others_;
  Rng rng_;
  State<Kittens> world_, tried_;
  KittensOpponentModel::Weights likely_{};
  double weight_ = 0;

  void step() {
    KittensOpponentModel::Weights likely = others_.prior();
    worlds_.sample(rng_, tried_, [&](const State<Kittens>& then, Action action) {
      for (std::size_t who = 0; who < others_.size(); ++who) {
        likely[who] *= others_.chance(who, ViewRef<Kittens>(then, then.pub.turn), action);
      }
    });
    double weight = 0;
    for (std::size_t who = 0; who < others_.size(); ++who) weight += likely[who];
    if (rng_.unit() * weight_ >= weight) return;
    world_ = tried_;
    likely_ = likely;
    weight_ = weight;
  }
};

}  // namespace ludoteca
