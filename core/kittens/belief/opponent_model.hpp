// The opponent model of Kittens: which policies the opponent may play by, and how likely each policy's actions are.
#pragma once

#include <span>

#include "kittens/rollout_policy.hpp"
#include "kittens/tabular_policy.hpp"

namespace ludoteca {

// A prior over opponent types. Type 0 plays by the rollout policy, which uses all that a seat knows of the deck; type 1
// plays uniformly at random; the others play by a tabular policy each, which sees only public facts and its own Skip
// and Attack. The opponent's actions so far make some types, and some of its hands, more likely than others.
class KittensOpponentModel {
 public:
  static constexpr std::size_t kMaxTypes = 8;
  using Weights = std::array<double, kMaxTypes>;  // by type

  KittensOpponentModel(const Kittens& rules, std::span<const KittensTabularPolicy> policies)
      : rules_(rules), rollout_(rules), tabular_(fits(rules) ? policies : std::span<const KittensTabularPolicy>{}) {
    assert(tabular_.size() + kTabular <= kMaxTypes);
  }

  std::size_t types() const { return kTabular + tabular_.size(); }

  Weights prior() const {
    Weights out{};
    const double tabular = tabular_.empty() ? 0 : kTabularPrior;
    out[kRollout] = (1 - kUniformPrior) * (1 - tabular);
    out[kUniform] = kUniformPrior;
    for (std::size_t i = 0; i < tabular_.size(); ++i) {
      out[kTabular + i] = (1 - kUniformPrior) * tabular / static_cast<double>(tabular_.size());
    }
    return out;
  }

  // An action of the view's seat, which is on turn, if it is of that type.
  Action sample(std::size_t type, ViewRef<Kittens> v, Rng& rng) const {
    if (type == kRollout) return rollout_.sample(v, rng);
    if (type >= kTabular) {
      const Action action = tabular_[type - kTabular].sample(v, rng);
      return v.pub.placing ? rules_.place_action(action, v.pub.deck) : action;
    }
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    return legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size)))];
  }

  // How likely a seat of that type is to take the action. Every type deviates from its policy now and then, so no
  // action is impossible.
  double probability(std::size_t type, ViewRef<Kittens> v, Action action) const {
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    const double uniform = 1.0 / legal.size;
    if (type == kUniform) return uniform;
    if (type == kRollout) return kRolloutNoise * uniform + (1 - kRolloutNoise) * rollout_.probability(v, action);
    if (v.pub.placing) action = named_place(action, v.pub.deck);
    return kTabularNoise * uniform + (1 - kTabularNoise) * tabular_[type - kTabular].probability(v, action);
  }

 private:
  enum : std::size_t { kRollout, kUniform, kTabular };
  static constexpr double kUniformPrior = 0.1;
  static constexpr double kTabularPrior = 0.4;  // of all tabular policies together, as a share of what is not uniform
  static constexpr double kRolloutNoise = 0.4, kTabularNoise = 0.02;  // shares of uniformly random actions

  const Kittens& rules_;
  const KittensRolloutPolicy rollout_;
  const std::span<const KittensTabularPolicy> tabular_;

  static bool fits(const Kittens& rules) {
    return rules.size() <= KittensTabularPolicy::kMaxCards &&
           rules.counts[Kittens::kBomb] <= KittensTabularPolicy::kMaxBombs;
  }
  // The inverse of Kittens::place_action: top, middle or bottom, as the tabular policies call a depth.
  Action named_place(Action action, int size) const {
    if (action == rules_.place_action(Kittens::kPlaceTop, size)) return Kittens::kPlaceTop;
    if (action == rules_.place_action(Kittens::kPlaceMiddle, size)) return Kittens::kPlaceMiddle;
    if (action == rules_.place_action(Kittens::kPlaceBottom, size)) return Kittens::kPlaceBottom;
    return action;
  }
};

}  // namespace ludoteca
