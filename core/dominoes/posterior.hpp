// The opponent's hands in Dominoes with drawing, in proportion to how likely they are after how the opponent has played.
#pragma once

#include <vector>

#include "dominoes/rollout_policy.hpp"
#include "dominoes/worlds.hpp"

namespace ludoteca {

// DominoesWorlds samples hands by their number of deals. This chain corrects that by independent Metropolis-Hastings: a
// new hand replaces the last one with a probability that grows with the likelihood of the opponent's choices. In the
// long run each hand occurs in proportion to its posterior.
//
// A choice is judged by the rollout policy, with the hand that the opponent had then: without the tiles that it drew
// later. Where a laid tile may have come at several times, it counts from the first.
class DominoesPosterior {
 public:
  using Set = Tiles::Set;

  // The view's seat has a choice of tiles, and tiles are hidden. The view must outlive this.
  DominoesPosterior(const Dominoes& game, const View<Dominoes>& view, Rng rng)
      : game_(game), worlds_(game, view), policy_(game), rng_(rng) {
    if (view.pub.ends[0] >= 0) {
      sources_ = worlds_.sources();
      by_source_ = DominoesWorlds::by_source(sources_, worlds_.hidden_);
      for (const auto& each : sources_.cases) {
        weights_.push_back(DominoesWorlds::deals_of(sources_, each, by_source_));
      }
    }
    collect_choices(view);
    for (int i = 0; i < kBurnIn && !choices_.empty(); ++i) step();
  }

  Set next() {
    if (choices_.empty()) return propose();
    step();
    return hand_;
  }

 private:
  static constexpr int kBurnIn = 16;
  // The opponent is neither as sure as the policy nor always of its mind. Fitted to what `mcts` plays.
  static constexpr float kSharpness = 0.2f;
  static constexpr double kRandom = 0.15;

  struct Choice {
    DominoesRolloutPolicy::Situation at;  // without hand and unseen tiles
    Set laid;                             // before it
    Action action;
    int sources;  // that its hand came from
  };

  const Dominoes& game_;
  const DominoesWorlds worlds_;
  const DominoesRolloutPolicy policy_;
  Rng rng_;
  DominoesWorlds::Sources sources_;
  DominoesWorlds::BySource by_source_{};
  std::vector<double> weights_;  // of the cases of the sources
  std::vector<Choice> choices_;
  std::array<Set, Dominoes::kMaxTiles + 2> laid_{}, held_{};  // the opponent's tiles by source
  Set hand_ = 0;
  double likelihood_ = 0;

  Set propose() {
    held_.fill(0);
    if (weights_.empty()) return held_[0] = worlds_.sample_hand(rng_);
    const auto& chosen =
        sources_.cases[DominoesWorlds::choice(weights_.data(), static_cast<int>(weights_.size()), rng_)];
    Set free = 0, theirs = 0;
    for (int source = 0; source < sources_.count; ++source) {
      free |= by_source_[index(source)];
      const Set taken = DominoesWorlds::pick(free, sources_.left(chosen, source), rng_);
      free ^= taken;
      theirs |= held_[index(source)] = taken;
    }
    return theirs;
  }

  void collect_choices(const View<Dominoes>& view) {
    const Dominoes::Public& pub = view.pub;
    const Seat they = other(view.seat);
    Set laid = pub.opening;
    std::array<int, 2> count;
    for (const std::size_t seat : {0u, 1u}) count[seat] = pub.count[seat] + std::popcount(pub.played[seat]);
    game_.replay_log(pub, [&](Seat seat, Action action, const Dominoes::Ends&) {
      if (seat != kNobody && action == game_.draw_action()) --count[index(seat)];
    });
    std::array<std::uint16_t, 2> lacks{};
    int sources = 1, run = 0;  // draws of the present run
    game_.replay_log(pub, [&](Seat seat, Action action, const Dominoes::Ends& ends) {
      if (seat == kNobody) return;
      if (action >= game_.draw_action()) {
        const auto both = static_cast<std::uint16_t>(1u << ends[0] | 1u << ends[1]);
        std::uint16_t& known = lacks[index(seat)];
        known = run ? both : static_cast<std::uint16_t>(known | both);
        const bool draw = action == game_.draw_action();
        if (!draw && run && seat == they) ++sources;
        run = draw ? run + 1 : 0;
        count[index(seat)] += draw;
        return;
      }
      const bool forced = run || (ends[0] < 0 && game_.best_starts(pub));
      if (seat == they && run) {
        laid_[index(sources++)] |= Tiles::one(action / 2);
      } else if (seat == they) {
        const int source = weights_.empty() ? 0 : std::min(sources_.lowest(action / 2), sources - 1);
        laid_[index(source)] |= Tiles::one(action / 2);
      }
      if (seat == they && !forced) {
        choices_.push_back({{0, 0, ends, lacks[index(view.seat)], count[index(view.seat)]}, laid, action, sources});
      }
      laid |= Tiles::one(action / 2);
      --count[index(seat)];
      run = 0;
    });
  }

  // How likely the opponent would have played as it did with the proposed hand.
  double likelihood() const {
    double likely = 1;
    Set held = 0;
    int have = 0;
    Actions<Dominoes> actions;
    DominoesRolloutPolicy::Probabilities probabilities;
    for (const Choice& each : choices_) {
      for (; have < each.sources; ++have) held |= held_[index(have)] | laid_[index(have)];
      DominoesRolloutPolicy::Situation at = each.at;
      at.hand = held & ~each.laid;
      at.unseen = game_.all() & ~(at.hand | each.laid);
      actions.size = 0;
      if (at.ends[0] >= 0) Dominoes::lays(at.hand, at.ends, actions);
      else Tiles::each(at.hand, [&](int tile) { actions.add(2 * tile); });
      if (actions.size < 2) continue;
      policy_.probabilities(at, actions, kSharpness, probabilities);
      const auto place = std::find(actions.begin(), actions.end(), each.action) - actions.begin();
      const double chosen = place < actions.size ? probabilities[static_cast<std::size_t>(place)] : 0.0f;
      likely *= (1 - kRandom) * chosen + kRandom / actions.size;
    }
    return likely;
  }

  void step() {
    const Set proposed = propose();
    const double likely = likelihood();
    if (rng_.unit() * likelihood_ >= likely) return;
    hand_ = proposed;
    likelihood_ = likely;
  }
};

}  // namespace ludoteca
