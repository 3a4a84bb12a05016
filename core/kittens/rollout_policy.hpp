// A sensible policy for Kittens without search: how both seats play on in rollouts.
#pragma once

#include "kittens/rules.hpp"

namespace ludoteca {

// Uses only what the seat knows. It avoids the next draw when a linear score is positive: most of the score is the risk
// of a bomb, and each card that avoids the draw adds terms of its own. The coefficients were fitted by matches of
// variants against each other and against random play.
class KittensRolloutPolicy {
 public:
  explicit KittensRolloutPolicy(const Kittens& rules) : rules_(rules) {}

  Action sample(ViewRef<Kittens> v, Rng& rng) const {
    return v.pub.placing ? place(v, rng) : act(v);
  }
  double probability(ViewRef<Kittens> v, Action action) const {
    if (!v.pub.placing) return act(v) == action;
    const auto [top, bottom] = v.pub.owed > 0 ? kOwnDrawNext : kOpponentDrawsNext;
    if (action == rules_.place_action(Kittens::kPlaceTop, v.pub.deck)) return top;
    if (action == rules_.place_action(Kittens::kPlaceBottom, v.pub.deck)) return bottom;
    return action == rules_.place_action(Kittens::kPlaceMiddle, v.pub.deck) ? 1 - top - bottom : 0;
  }

 private:
  // How likely a bomb that the opponent put back lies on top, while nothing more is known of it.
  static constexpr double kOnTop = 0.82;

  struct Risk {
    double top;      // that the next card is a bomb
    double unknown;  // that an unknown card is a bomb
  };
  struct Places {
    double top, bottom;  // probabilities; the rest is the middle
  };
  // A bomb goes on top when the opponent draws next, and mostly elsewhere when this seat does.
  static constexpr Places kOwnDrawNext{0.07, 0.33}, kOpponentDrawsNext{0.99, 0.005};

  const Kittens& rules_;

  Action act(ViewRef<Kittens> v) const {
    if (!v.pub.deck) return Kittens::kDoDraw;
    const Risk risk = risk_of(v);
    if (risk.top <= 0) return Kittens::kDoDraw;
    if (!rules_.original && v.own.hand[Kittens::kSee] && risk.top < 1) return Kittens::kDoSee;
    return avoid_draw(v, risk);
  }

  static Risk risk_of(ViewRef<Kittens> v) {
    const KittensDeckKnowledge& deck = v.own.deck_knowledge;
    const int size = v.pub.deck;
    int places = size, bombs = v.pub.bombs;
    if (deck.bomb_candidates) --places, --bombs;
    for (int i = 0; i < size; ++i) {
      const std::uint8_t code = deck.cards[static_cast<std::size_t>(i)];
      places -= code != 0;
      bombs -= code == KittensDeckKnowledge::kBomb;
    }
    const double unknown = places > 0 && bombs > 0 ? static_cast<double>(bombs) / places : 0;
    if (const std::uint8_t known = deck.known_at(size - 1)) {
      return {known == KittensDeckKnowledge::kBomb ? 1.0 : 0.0, unknown};
    }
    return {deck.bomb_candidates >> (size - 1) & 1 ? kOnTop + (1 - kOnTop) * unknown : unknown, unknown};
  }

  // The card with the highest positive score, or a draw.
  static Action avoid_draw(ViewRef<Kittens> v, const Risk& risk) {
    const Kittens::Counts& hand = v.own.hand;
    const double owes_more = v.pub.owed > 1, safe = hand[Kittens::kDefuse] > 0, safer = hand[Kittens::kDefuse] > 1;
    const double base = -1.24 + 4.76 * risk.top - (1.44 + 0.33 * risk.top) * safe - 0.53 * safer +
                        0.29 * (hand[Kittens::kSkip] + hand[Kittens::kAttack]) + 1.15 * owes_more -
                        0.24 * risk.unknown - 0.68 * v.pub.deck / 30.0;
    Action best = Kittens::kDoDraw;
    double best_score = 0;
    const auto consider = [&](Kittens::Card card, Action action, double more) {
      if (!hand[card] || base + more <= best_score) return;
      best = action;
      best_score = base + more;
    };
    consider(Kittens::kSkip, Kittens::kDoSkip, -0.86 * owes_more);
    consider(Kittens::kAttack, Kittens::kDoAttack, -0.08 + 2.08 * owes_more - 0.49 * risk.top - 1.30 * safe);
    if (v.own.deck_knowledge.known_at(0) != KittensDeckKnowledge::kBomb) {
      consider(Kittens::kBottom, Kittens::kDoBottom, -0.36 + 0.23 * risk.top);
    }
    const double shuffled = static_cast<double>(v.pub.bombs) / v.pub.deck;
    consider(Kittens::kShuffle, Kittens::kDoShuffle, -1.41 + 0.44 * (risk.top - shuffled) + 0.30 * owes_more);
    return best;
  }

  Action place(ViewRef<Kittens> v, Rng& rng) const {
    const double chance = rng.unit();
    const auto [top, bottom] = v.pub.owed > 0 ? kOwnDrawNext : kOpponentDrawsNext;
    const Action where = chance < top            ? Kittens::kPlaceTop
                         : chance < top + bottom ? Kittens::kPlaceBottom
                                                 : Kittens::kPlaceMiddle;
    return rules_.place_action(where, v.pub.deck);
  }
};

}  // namespace ludoteca
