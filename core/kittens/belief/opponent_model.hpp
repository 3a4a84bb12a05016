// The opponent model of Kittens: which policies the opponent may play by, and how likely each policy's actions are.
#pragma once

#include <optional>
#include <span>

#include "kittens/rollout_policy.hpp"
#include "kittens/tabular_policy.hpp"
#include "mmd/network.hpp"

namespace ludoteca {

// A prior over opponent types. Type 0 is sensible: it plays by a network that learnt by self-play or, without one, by the
// rollout policy, which uses all that a seat knows of the deck. Type 1 plays uniformly at random; the others play by a
// tabular policy each, which sees only public facts and its own Skip and Attack. The opponent's actions so far make some
// types, and some of its hands, more likely than others.
class KittensOpponentModel {
 public:
  static constexpr std::size_t kMaxTypes = 8;
  enum : std::size_t { kSensible, kUniform, kTabular };
  using Weights = std::array<double, kMaxTypes>;  // by type

  // network: null for none; else it must outlive this.
  KittensOpponentModel(const Kittens& rules, std::span<const KittensTabularPolicy> policies, const ViewNetwork* network)
      : rules_(rules), rollout_(rules), tabular_(fits(rules) ? policies : std::span<const KittensTabularPolicy>{}) {
    assert(tabular_.size() + kTabular <= kMaxTypes);
    if (network) network_.emplace(rules, *network);
  }

  const NetworkPolicy<Kittens>* network() const { return network_ ? &*network_ : nullptr; }
  bool is_network(std::size_t type) const { return network_ && type == kSensible; }

  std::size_t types() const { return kTabular + tabular_.size(); }

  Weights prior() const {
    Weights out{};
    const double tabular = tabular_.empty() ? 0 : network_ ? kTabularPriorWithNetwork : kTabularPrior;
    out[kSensible] = (1 - kUniformPrior) * (1 - tabular);
    out[kUniform] = kUniformPrior;
    for (std::size_t i = 0; i < tabular_.size(); ++i) {
      out[kTabular + i] = (1 - kUniformPrior) * tabular / static_cast<double>(tabular_.size());
    }
    return out;
  }

  // An action of the view's seat, which is on turn, if it is of that type.
  Action sample(std::size_t type, ViewRef<Kittens> v, Rng& rng) const {
    if (is_network(type)) {
      Actions<Kittens> legal;
      rules_.legal(v, legal);
      if (legal.size == 1) return legal[0];
      NetworkPolicy<Kittens>::Probabilities probabilities;
      network_->evaluate(v, legal, probabilities);
      return legal[NetworkPolicy<Kittens>::sample(probabilities, legal.size, kRare, rng.unit())];
    }
    if (type == kSensible) return rollout_.sample(v, rng);
    if (type >= kTabular) {
      const Action action = tabular_[type - kTabular].sample(v, rng);
      return v.pub.placing ? rules_.place_action(action, v.pub.deck) : action;
    }
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    return legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size)))];
  }

  // How likely a seat of that type is to be seen taking the action: in the original rules a card that it does not hold is
  // a draw too. Every type deviates from its policy now and then, so no action is impossible.
  double probability(std::size_t type, ViewRef<Kittens> v, Action action) const {
    Actions<Kittens> legal;
    rules_.legal(v, legal);
    const auto seen_as_it = [&](Action each) {
      return each == action || (action == Kittens::kDoDraw && rules_.is_plain_draw(v.own, each));
    };
    const double uniform = static_cast<double>(std::count_if(legal.begin(), legal.end(), seen_as_it)) / legal.size;
    if (type == kUniform) return uniform;
    if (is_network(type)) {
      if (legal.size == 1) return 1;
      NetworkPolicy<Kittens>::Probabilities probabilities;
      network_->evaluate(v, legal, probabilities);
      double chance = 0;
      for (int i = 0; i < legal.size; ++i) {
        if (seen_as_it(legal[i])) chance += static_cast<double>(probabilities[index(i)]);
      }
      return kNetworkNoise * uniform + (1 - kNetworkNoise) * chance;
    }
    if (type == kSensible) return kRolloutNoise * uniform + (1 - kRolloutNoise) * rollout_.probability(v, action);
    if (v.pub.placing) action = named_place(action, v.pub.deck);
    return kTabularNoise * uniform + (1 - kTabularNoise) * tabular_[type - kTabular].probability(v, action);
  }

 private:
  static constexpr double kUniformPrior = 0.1;
  static constexpr double kTabularPrior = 0.4;  // of all tabular policies together, as a share of what is not uniform
  // The same where a network can be played without loss until the opponent has shown that it is none of them.
  static constexpr double kTabularPriorWithNetwork = 0.6;
  // Shares of uniformly random actions.
  static constexpr double kNetworkNoise = 0.1, kRolloutNoise = 0.4, kTabularNoise = 0.02;
  static constexpr float kRare = 0.05f;  // the network's actions below this are what remains of exploration

  const Kittens& rules_;
  const KittensRolloutPolicy rollout_;
  std::optional<NetworkPolicy<Kittens>> network_;
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
