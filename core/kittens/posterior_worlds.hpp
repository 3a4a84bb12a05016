// Worlds of Kittens sampled from a seat's posterior: consistent with its view, and likely under the opponent model.
#pragma once

#include "kittens/opponent_model.hpp"

namespace ludoteca {

// View.sample draws a determinization as if the opponent chose uniformly. This chain corrects that by independent
// Metropolis-Hastings: a new world replaces the last one with a probability that grows with the likelihood of the
// opponent's actions in it. In the long run each world occurs in proportion to its posterior.
class KittensPosteriorWorlds {
 public:
  struct Sample {
    const State<Kittens>& world;
    std::size_t opponent;  // its type in KittensOpponentModel, sampled too
  };

  KittensPosteriorWorlds(const Kittens& rules, const KittensOpponentModel& model, const View<Kittens>& view, Rng rng)
      : worlds_(rules, view), model_(model), rng_(rng) {
    for (int i = 0; i < kBurnIn; ++i) step();
  }

  Sample next() {
    step();
    double left = rng_.unit() * likelihood_;
    std::size_t type = 0;
    while (type + 1 < model_.types() && (left -= by_type_[type]) >= 0) ++type;
    return {world_, type};
  }

  // The posterior of each opponent type in the last world.
  KittensOpponentModel::Weights opponent_posterior() const {
    KittensOpponentModel::Weights out = by_type_;
    for (double& each : out) each /= likelihood_;
    return out;
  }

 private:
  static constexpr int kBurnIn = 24;

  const KittensWorlds worlds_;
  const KittensOpponentModel& model_;
  Rng rng_;
  State<Kittens> world_, proposal_;
  KittensOpponentModel::Weights by_type_{};  // prior times likelihood, by type
  double likelihood_ = 0;                    // their sum

  void step() {
    KittensOpponentModel::Weights by_type = model_.prior();
    worlds_.sample(rng_, proposal_, [&](const State<Kittens>& then, Action action) {
      for (std::size_t type = 0; type < model_.types(); ++type) {
        by_type[type] *= model_.probability(type, ViewRef<Kittens>(then, then.pub.turn), action);
      }
    });
    double likelihood = 0;
    for (std::size_t type = 0; type < model_.types(); ++type) likelihood += by_type[type];
    if (rng_.unit() * likelihood_ >= likelihood) return;
    world_ = proposal_;
    by_type_ = by_type;
    likelihood_ = likelihood;
  }
};

}  // namespace ludoteca
