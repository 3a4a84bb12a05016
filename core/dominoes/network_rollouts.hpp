// The network of `mmd` in a search, for Dominoes without drawing: what each action is worth if the other seat plays by
// the network's policy.
//
//     world (hand of the other seat) ── action ── the other's answer, by the policy ── value of the next choice
//
// A world weighs as much as the network would have played as the other seat did, with that hand. Such a value rests on
// no open hands, so it has no strategy fusion as PIMC has; but it trusts the other seat to play by the policy. The
// choice adds both to the policy itself.
#pragma once

#include "dominoes/pimc.hpp"
#include "mmd/network.hpp"

namespace ludoteca {

class DominoesNetworkRollouts {
 public:
  using Policy = NetworkPolicy<Dominoes>;

  // For a view whose seat can choose, in a round that `judges` takes. All must outlive this.
  DominoesNetworkRollouts(const Dominoes& game, const View<Dominoes>& view, const ViewNetwork& network, Rng rng,
                          Limits& limits)
      : game_(game), view_(view), policy_(game, network), worlds_(game, view), rng_(rng), limits_(limits) {
    game.legal(view, actions_);
    policy_.evaluate(view, actions_, prior_);
  }

  // Whether the network knows such a round: dealt, not set up by hand, without drawing.
  static bool judges(const Dominoes& game, const View<Dominoes>& view) { return !game.drawing && !view.pub.arranged; }

  // Tries every action in one more world. False if the limits ended it: then it does not count.
  bool add_world() {
    State<Dominoes> world;
    worlds_.sample(rng_, world);
    const double weight = likelihood(world);
    std::array<double, Dominoes::kMaxActions> values;
    for (int i = 0; i < actions_.size; ++i) {
      State<Dominoes> state = world;
      game_.apply(state, actions_[i]);
      values[index(i)] = value_after(state);
    }
    if (limits_.spent()) return false;
    for (int i = 0; i < actions_.size; ++i) sums_[index(i)] += weight * values[index(i)];
    weight_ += weight;
    ++count_;
    return true;
  }

  const Actions<Dominoes>& actions() const { return actions_; }
  int count() const { return count_; }  // worlds so far
  double prior(int i) const { return static_cast<double>(prior_[index(i)]); }
  double q(int i) const { return sums_[index(i)] / weight_; }  // the expected return, once there is a world

 private:
  static constexpr double kRandom = 0.05;  // the other seat need not play by the policy: at times it plays anything

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const Policy policy_;
  const DominoesWorlds worlds_;
  Rng rng_;
  Limits& limits_;
  Actions<Dominoes> actions_;
  Policy::Probabilities prior_;
  std::array<double, Dominoes::kMaxActions> sums_{};
  double weight_ = 0;
  int count_ = 0;

  // How likely the other seat would have played as it did, with the hand that it has in this world.
  double likelihood(const State<Dominoes>& world) {
    const Dominoes::Public& pub = world.pub;
    const Seat they = other(view_.seat);
    double likely = 1;
    if (!pub.length) return likely;
    State<Dominoes> state{};
    for (const std::size_t seat : {0u, 1u}) {
      state.own[seat].hand = world.own[seat].hand | pub.played[seat];
      state.pub.count[seat] = static_cast<std::uint8_t>(game_.hand);
    }
    state.hidden = world.hidden;
    state.pub.boneyard = pub.boneyard;
    state.pub.turn = Dominoes::seat_of(pub.log[0]);
    Actions<Dominoes> actions;
    Policy::Probabilities probabilities;
    for (std::size_t i = 0; i < pub.length; ++i) {
      const Action action = Dominoes::action_of(pub.log[i]);
      if (state.pub.turn == they) {
        legal(game_, state, actions);
        if (actions.size > 1 && limits_.spend(1)) {
          policy_.evaluate(ViewRef<Dominoes>(state, they), actions, probabilities);
          const auto place = index(static_cast<int>(std::find(actions.begin(), actions.end(), action) - actions.begin()));
          likely *= (1 - kRandom) * static_cast<double>(probabilities[place]) + kRandom / actions.size;
        }
      }
      game_.apply(state, action);
    }
    return likely;
  }

  // What this seat gets if the other plays by the policy, until this seat has to choose again.
  double value_after(State<Dominoes>& state) {
    Actions<Dominoes> actions;
    Policy::Probabilities probabilities;
    while (state.pub.turn != kNobody) {
      legal(game_, state, actions);
      if (actions.size == 1) {
        game_.apply(state, actions[0]);
        continue;
      }
      if (!limits_.spend(1)) return 0;
      if (state.pub.turn == view_.seat) {
        return static_cast<double>(policy_.value(ViewRef<Dominoes>(state, view_.seat)));
      }
      policy_.evaluate(ViewRef<Dominoes>(state, state.pub.turn), actions, probabilities);
      game_.apply(state, actions[Policy::sample(probabilities, actions.size, 0, rng_.unit())]);
    }
    return game_.returns(state.pub)[index(view_.seat)];
  }
};

// A choice by the policy, the rollouts and PIMC together. Each estimate counts the more the more worlds it comes from,
// so that with few of them the policy decides.
class DominoesNetworkChoice {
 public:
  DominoesNetworkChoice(const Dominoes& game, const View<Dominoes>& view, const ViewNetwork& network, Rng rng, Limits& limits)
      : game_(game), view_(view), pimc_rng_{rng.next()}, rollouts_(game, view, network, rng, limits), limits_(limits) {}

  // worlds: of the rollouts, at most. Value and scores are the expected returns of the rollouts.
  void choose(DominoesPimc::Options pimc, int worlds, SharedChoice& shared) {
    run(std::min(worlds, kFirstWorlds), shared, false);
    SharedChoice open(rollouts_.actions()[0]);
    if (!limits_.spent()) DominoesPimc(game_, view_, pimc, pimc_rng_, limits_).choose(open);
    open_ = open.read();
    run(worlds, shared, true);
  }

 private:
  static constexpr int kFirstWorlds = 32, kWorldsPerReport = 32;
  static constexpr double kRollouts = 30, kPimc = 10;  // what a point of return counts beside the logarithm of the policy
  static constexpr double kFewWorlds = 30;             // from so many, an estimate counts half of that

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const Rng pimc_rng_;
  DominoesNetworkRollouts rollouts_;
  Limits& limits_;
  Choice open_;  // of PIMC

  void run(int worlds, SharedChoice& shared, bool last) {
    while (rollouts_.count() < worlds && rollouts_.add_world()) {
      if (rollouts_.count() % kWorldsPerReport == 0) report(shared, false);
    }
    report(shared, last && rollouts_.count() == worlds);
  }

  static double weight(double full, int worlds) { return full * worlds / (worlds + kFewWorlds); }

  double merit(int i) const {
    double merit = std::log(std::max(rollouts_.prior(i), 1e-6));
    if (rollouts_.count()) merit += weight(kRollouts, rollouts_.count()) * rollouts_.q(i);
    for (const auto& [action, score] : open_.scores) {
      if (action == rollouts_.actions()[i]) merit += weight(kPimc, open_.worlds) * score;
    }
    return merit;
  }

  void report(SharedChoice& shared, bool complete) {
    if (!rollouts_.count()) return;
    const Actions<Dominoes>& actions = rollouts_.actions();
    int best = 0;
    for (int i = 1; i < actions.size; ++i) {
      if (merit(i) > merit(best)) best = i;
    }
    Choice out;
    out.action = actions[best];
    out.value = rollouts_.q(best);
    for (int i = 0; i < actions.size; ++i) out.scores.emplace_back(actions[i], std::min(rollouts_.q(i), out.value));
    out.line.add(out.action);
    out.worlds = rollouts_.count();
    out.depth = view_.pub.count[0] + view_.pub.count[1];
    out.complete = complete;
    shared.update([&](Choice& choice) { choice = out; });
  }
};

}  // namespace ludoteca
