// What the opponent of Kittens probably holds, given its choices.
#pragma once

#include <span>

#include "kittens/belief/card_belief.hpp"

namespace ludoteca {

// A posterior over the opponent's hands and over the policies it may play by, all equally likely at first. What it
// played, and what it did not play, makes some hands and some policies more likely. Exact where all hands fit in a
// table; else by importance sampling from the hands that plain counting finds.
class KittensOpponentHand {
 public:
  static constexpr std::size_t kMaxTable = 1 << 19;

  struct Kind {
    std::vector<double> chances;  // of each number of cards
    double error = 0;             // the standard error of the chance to hold one: 0 where it is exact
  };

  std::array<Kind, Kittens::kCards> kinds;
  std::vector<double> policies;  // the probability of each
  bool exact;

  KittensOpponentHand(const Kittens& rules, const View<Kittens>& view, std::span<const KittensSoftmaxPolicy> opponents,
                      std::size_t max_table = kMaxTable)
      : policies(opponents.size(), 0), history_(rules, view), choices_(KittensChoices::of(history_)) {
    exact = table_size() <= max_table;
    std::vector<Likelihoods> likelihoods;
    for (const KittensSoftmaxPolicy& each : opponents) likelihoods.push_back(each.likelihoods(rules, choices_));
    if (exact) count(likelihoods);
    else sample(likelihoods);
  }

 private:
  using Likelihoods = std::vector<KittensSoftmaxPolicy::Likelihood>;
  static constexpr int kSamples = 20'000;

  const KittensHistory history_;
  const std::vector<KittensChoice> choices_;

  // An upper bound: hands without Safe cards, after each draw.
  std::size_t table_size() const {
    std::size_t hands = 1, cards = 0;
    for (std::size_t card = Kittens::kDefuse; card < Kittens::kSafe; ++card) hands *= 1u + history_.rest[card];
    for (const std::uint8_t count : history_.rest) cards += count;
    return hands * cards;
  }

  void add(std::size_t card, int number, double chance) {
    std::vector<double>& chances = kinds[card].chances;
    if (index(number) >= chances.size()) chances.resize(index(number + 1), 0);
    chances[index(number)] += chance;
  }

  void count(const std::vector<Likelihoods>& likelihoods) {
    std::vector<KittensCardBelief> beliefs;
    double sum = 0;
    for (std::size_t i = 0; i < policies.size(); ++i) {
      beliefs.emplace_back(history_, KittensCardBelief::kAllButSafe, choices_, likelihoods[i]);
      sum += policies[i] = beliefs[i].likelihood();
    }
    for (std::size_t i = 0; i < policies.size(); ++i) {
      policies[i] /= sum;
      const auto held = beliefs[i].held();
      for (std::size_t card = 1; card < Kittens::kCards; ++card) {
        for (std::size_t number = 0; number < held[card].size(); ++number) {
          add(card, static_cast<int>(number), policies[i] * held[card][number]);
        }
      }
    }
  }

  void sample(const std::vector<Likelihoods>& likelihoods) {
    const KittensCardBelief belief(history_, 0, choices_, {});
    struct Sample {
      KittensSoftmaxPolicy::Hand hand;
      double weight;
    };
    std::vector<Sample> samples;
    Rng rng{0};
    double sum = 0;
    for (int i = 0; i < kSamples; ++i) {
      std::vector<double> by_policy(policies.size(), 1);
      const auto hand = belief.sample_hand(rng, [&](std::size_t choice, const KittensSoftmaxPolicy::Hand& then) {
        for (std::size_t k = 0; k < by_policy.size(); ++k) by_policy[k] *= likelihoods[k][choice](then);
      });
      double weight = 0;
      for (std::size_t k = 0; k < by_policy.size(); ++k) {
        policies[k] += by_policy[k];
        weight += by_policy[k];
      }
      samples.push_back({hand, weight});
      sum += weight;
    }
    for (double& each : policies) each /= sum;
    for (const Sample& each : samples) {
      for (std::size_t card = 1; card < Kittens::kCards; ++card) add(card, each.hand[card], each.weight / sum);
    }
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      Kind& kind = kinds[card];
      for (const Sample& each : samples) {
        const double off = each.weight / sum * ((each.hand[card] > 0) - (1 - kind.chances[0]));
        kind.error += off * off;
      }
      kind.error = std::sqrt(kind.error);
    }
  }
};

}  // namespace ludoteca
