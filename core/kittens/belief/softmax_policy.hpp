// Softmax policies for Kittens: how likely an opponent is to play each card that it holds.
#pragma once

#include <cmath>

#include "kittens/history.hpp"

namespace ludoteca {

// A choice of the opponent between a draw and its cards, with what both seats knew then.
struct KittensChoice {
  static constexpr std::size_t kFeatures = 11;

  std::size_t entry;   // in the history: what the choice was
  Kittens::Card card;  // the one that was played; kBomb for a draw
  std::array<double, kFeatures> features;
};

// Goes forward through the history and collects the opponent's choices.
class KittensChoices {
 public:
  static std::vector<KittensChoice> of(const KittensHistory& history) {
    KittensChoices now(history);
    std::vector<KittensChoice> out;
    for (std::size_t i = 0; i < history.entries.size(); ++i) {
      const KittensHistoryEntry& entry = history.entries[i];
      const bool new_turn = now.begin_turn(entry.theirs);
      // In the original rules all draws of a turn follow from its first event; a Bottom was chosen when it was played.
      if (entry.theirs && (history.rules.original ? new_turn : !entry.bottom())) {
        const bool draws = entry.card() || entry.bomb();
        out.push_back({i, draws ? Kittens::kBomb : entry.played(), now.features(entry.bombs)});
      }
      now.apply(entry);
    }
    return out;
  }

 private:
  const bool original_;
  int deck_, my_hand_ = 0, their_hand_;
  int owed_ = 1;
  bool theirs_ = false, begun_ = false;  // the opponent is on turn; some seat has acted
  int my_bomb_ = 0, their_bomb_ = 0;     // 1 + draws since this seat, the opponent put a bomb back; 0 after a shuffle
  int seen_ = 0;                         // cards on top that the opponent saw

  explicit KittensChoices(const KittensHistory& history)
      : original_(history.rules.original), deck_(history.view.pub.deck), their_hand_(history.opponent_size) {
    for (const KittensHistoryEntry& entry : history.entries) {
      deck_ += int{entry.card()} + int{entry.bomb()} - int{entry.bomb_returned};
    }
    for (const int count : history.hand) my_hand_ += count;
  }

  bool begin_turn(bool theirs) {
    const bool new_turn = !begun_ || theirs != theirs_;
    if (begun_ && new_turn && owed_ < 2) owed_ = 1;
    theirs_ = theirs;
    begun_ = true;
    return new_turn;
  }

  std::array<double, KittensChoice::kFeatures> features(int bombs) const {
    const double risk = deck_ ? static_cast<double>(bombs) / deck_ : 0;
    const std::array<bool, KittensChoice::kFeatures> facts{
        true,        owed_ > 1,  my_bomb_ == 1, their_bomb_ == 1, their_bomb_ == 2,          seen_ > 0,
        risk > 0.15, risk > 0.2, risk > 0.25,   risk > 0.4,       their_hand_ > my_hand_ + 2};
    std::array<double, KittensChoice::kFeatures> out;
    std::copy(facts.begin(), facts.end(), out.begin());
    return out;
  }

  void apply(const KittensHistoryEntry& entry) {
    (entry.theirs ? their_hand_ : my_hand_) += entry.card() ? 1 : entry.played() != Kittens::kBomb ? -1 : 0;
    switch (entry.event) {
      case Kittens::kSkipped: --owed_; return;
      case Kittens::kAttacked: owed_ = 2; return;
      case Kittens::kSaw: seen_ = entry.theirs && !original_ ? Kittens::kSeen : seen_; return;
      case Kittens::kShuffled: seen_ = my_bomb_ = their_bomb_ = 0; return;
      case Kittens::kPlayedBottom: return;
      default: break;
    }
    --owed_;
    if (!entry.bottom() && seen_) --seen_;
    my_bomb_ += my_bomb_ > 0;
    their_bomb_ += their_bomb_ > 0;
    deck_ += int{entry.bomb_returned} - 1;
    if (entry.bomb_returned) (entry.theirs ? their_bomb_ : my_bomb_) = 1;
  }
};

// The score of a card is a linear function of the features and of the hand; a draw scores 0. The probability of each
// action that the hand allows is proportional to the exponential of its score. bench/strength/opponents.py fits the
// weights.
struct KittensSoftmaxPolicy {
  static constexpr std::size_t kHand = 6;  // one Defuse, two; one Skip, two; one Attack, two
  static constexpr std::size_t kInputs = KittensChoice::kFeatures + kHand;
  static constexpr std::size_t kPlayed = Kittens::kShuffle - Kittens::kSkip + 1;  // kinds that can be played
  static constexpr double kDeviation = 0.01;  // share of uniformly random choices, so that none rules a hand out
  using Hand = std::array<int, Kittens::kCards>;

  std::array<std::array<double, kInputs>, kPlayed> weights{};
  bool wasteful = false;  // in the original rules: also tries cards that it does not hold, which is a draw

  // The likelihood of one choice for each hand.
  class Likelihood {
   public:
    Likelihood(const KittensSoftmaxPolicy& policy, const KittensChoice& choice, bool wasteful)
        : card_(choice.card), wasteful_(wasteful) {
      for (std::size_t i = 0; i < kPlayed; ++i) {
        const auto& weights = policy.weights[i];
        double score = 0;
        for (std::size_t k = 0; k < KittensChoice::kFeatures; ++k) score += weights[k] * choice.features[k];
        odds_[i] = std::exp(score);
        for (std::size_t k = 0; k < kHand; ++k) factor_[k][i] = std::exp(weights[KittensChoice::kFeatures + k]);
      }
    }

    double operator()(const Hand& hand) const {
      std::array<double, kPlayed> odds = odds_;
      for (std::size_t k = 0; k < kHand; ++k) {
        if (hand[Kittens::kDefuse + k / 2] <= static_cast<int>(k % 2)) continue;
        for (std::size_t i = 0; i < kPlayed; ++i) odds[i] *= factor_[k][i];
      }
      double draw = 1, play = 0;
      int actions = 1;
      for (std::size_t i = 0; i < kPlayed; ++i) {
        const bool held = hand[Kittens::kSkip + i] > 0;
        actions += held;
        if (held) play += odds[i];
        else if (wasteful_) draw += odds[i];
      }
      const double chosen = card_ == Kittens::kBomb ? draw : odds[card_ - Kittens::kSkip];
      return kDeviation / actions + (1 - kDeviation) * chosen / (draw + play);
    }

   private:
    Kittens::Card card_;
    bool wasteful_;
    std::array<double, kPlayed> odds_;                      // by card, without the hand
    std::array<std::array<double, kPlayed>, kHand> factor_;  // by which each fact of the hand multiplies them
  };

  std::vector<Likelihood> likelihoods(const Kittens& rules, const std::vector<KittensChoice>& choices) const {
    std::vector<Likelihood> out;
    for (const KittensChoice& choice : choices) out.emplace_back(*this, choice, wasteful && rules.original);
    return out;
  }
};

}  // namespace ludoteca
