// Who the other seat of Kittens may be, and how each of them chooses.
//
// There is the sensible player of habits.hpp, who remembers what it knows of the deck, one that plays anything, and
// players whose habits are known (model.hpp), who look only at what lies open. What the other has done so far speaks for one
// or the other of them, and for the hands with which it would have done that.
#pragma once

#include <span>

#include "kittens/rollout_policy.hpp"
#include "kittens/tabular_policy.hpp"

namespace ludoteca {

class KittensOpponentModel {
 public:
  static constexpr std::size_t kMost = 8;
  using Weights = std::array<double, kMost>;

  KittensOpponentModel(const Kittens& rules, std::span<const KittensTabularPolicy> models)
      : rules_(rules), habits_(rules), models_(fits(rules) ? models : std::span<const KittensTabularPolicy>{}) {
    assert(models_.size() + kKnown <= kMost);
  }

  std::size_t size() const { return kKnown + models_.size(); }

  // How likely each is before the match begins.
  Weights prior() const {
    Weights out{};
    const double known = models_.empty() ? 0 : kDocumented;
    out[kSensible] = (1 - kAny) * (1 - known);
    out[kAnything] = kAny;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      out[kKnown + i] = (1 - kAny) * known / static_cast<double>(models_.size());
    }
    return out;
  }

  // What the seat of this view, on turn, does if it is that one.
  Action choose(std::size_t who, ViewRef<Kittens> v, Rng& rng) const {
    if (who == kSensible) return habits_.choose(v, rng);
    if (who >= kKnown) return in_game(models_[who - kKnown].choose(v, rng), v);
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    return legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size)))];
  }

  // How likely that is what it does, given that everybody does something else now and then.
  double chance(std::size_t who, ViewRef<Kittens> v, Action action) const {
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    const double any = 1.0 / legal.size;
    if (who == kAnything) return any;
    if (who == kSensible) return kSlips * any + (1 - kSlips) * habits_.chance(v, action);
    return kStrays * any + (1 - kStrays) * models_[who - kKnown].chance(v, general(action, v));
  }

 private:
  enum : std::size_t { kSensible, kAnything, kKnown };  // from kKnown on: the models
  static constexpr double kAny = 0.1, kDocumented = 0.4;  // so likely before the match begins
  static constexpr double kSlips = 0.4, kStrays = 0.02;   // shares of choices that are another's: nobody knows the sensible

  const Kittens& rules_;
  const KittensRolloutPolicy habits_;
  const std::span<const KittensTabularPolicy> models_;

  static bool fits(const Kittens& rules) {
    return rules.size() <= KittensTabularPolicy::kMostCards && rules.counts[Kittens::kBomb] <= KittensTabularPolicy::kMostBombs;
  }
  // The models know three places for a bomb; the game may have one for each depth.
  Action in_game(Action action, ViewRef<Kittens> v) const {
    if (!rules_.any || !v.pub.placing) return action;
    return Kittens::kPlaceAt + (action == Kittens::kPlaceTop      ? 0
                                : action == Kittens::kPlaceMiddle ? v.pub.deck / 2
                                                                  : v.pub.deck);
  }
  Action general(Action action, ViewRef<Kittens> v) const {
    for (const Action place : {Kittens::kPlaceTop, Kittens::kPlaceMiddle, Kittens::kPlaceBottom}) {
      if (rules_.any && v.pub.placing && in_game(place, v) == action) return place;
    }
    return action;
  }
};

}  // namespace ludoteca
