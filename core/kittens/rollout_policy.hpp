// How a sensible player of Kittens plays without searching, by what its seat knows alone: for playouts.
//
// Whether it gets around the next draw is a sum of what speaks for it, most of all the risk of a bomb; what is played for
// that adds what speaks for this card. The numbers were fitted by playing against each other and against chance.
#pragma once

#include "kittens/rules.hpp"

namespace ludoteca {

class KittensRolloutPolicy {
 public:
  explicit KittensRolloutPolicy(const Kittens& rules) : rules_(rules) {}

  // So likely a bomb that the other put back lies on top, as long as nothing more is known of it.
  static constexpr double kOnTop = 0.82;

  Action choose(ViewRef<Kittens> v, Rng& rng) const {
    return v.pub.placing ? place(v, rng) : act(v);
  }
  // How likely that is.
  double chance(ViewRef<Kittens> v, Action action) const {
    if (!v.pub.placing) return act(v) == action;
    const auto [top, bottom] = v.pub.owed > 0 ? kForMyself : kForTheOther;
    if (action == at_depth(v, Kittens::kPlaceTop)) return top;
    if (action == at_depth(v, Kittens::kPlaceBottom)) return bottom;
    return action == at_depth(v, Kittens::kPlaceMiddle) ? 1 - top - bottom : 0;
  }

 private:
  struct Risk {
    double top;    // that the next card is a bomb
    double loose;  // the same of a card of which nothing is known
  };
  struct Places {
    double top, bottom;  // shares; the rest goes to the middle
  };
  // On top, for the other to find; elsewhere where the next draw is one's own.
  static constexpr Places kForMyself{0.07, 0.33}, kForTheOther{0.99, 0.005};

  const Kittens& rules_;

  Action act(ViewRef<Kittens> v) const {
    if (!v.pub.deck) return Kittens::kDoDraw;
    const Risk risk = risk_of(v);
    if (risk.top <= 0) return Kittens::kDoDraw;
    if (!rules_.original && v.own.hand[Kittens::kSee] && risk.top < 1) return Kittens::kDoSee;
    return evade(v, risk);
  }

  static Risk risk_of(ViewRef<Kittens> v) {
    const KittensDeckKnowledge& memory = v.own.memory;
    const int size = v.pub.deck;
    int places = size, bombs = v.pub.bombs;
    if (memory.maybe) --places, --bombs;
    for (int i = 0; i < size; ++i) {
      const std::uint8_t code = memory.card[static_cast<std::size_t>(i)];
      places -= code != 0;
      bombs -= code == KittensDeckKnowledge::kBomb;
    }
    const double loose = places > 0 && bombs > 0 ? static_cast<double>(bombs) / places : 0;
    if (const std::uint8_t known = memory.at(size - 1)) return {known == KittensDeckKnowledge::kBomb ? 1.0 : 0.0, loose};
    return {memory.maybe >> (size - 1) & 1 ? kOnTop + (1 - kOnTop) * loose : loose, loose};
  }

  static Action evade(ViewRef<Kittens> v, const Risk& risk) {
    const Kittens::Counts& hand = v.own.hand;
    const double owes_more = v.pub.owed > 1, safe = hand[Kittens::kDefuse] > 0, safer = hand[Kittens::kDefuse] > 1;
    const double wish = -1.24 + 4.76 * risk.top - (1.44 + 0.33 * risk.top) * safe - 0.53 * safer +
                        0.29 * (hand[Kittens::kSkip] + hand[Kittens::kAttack]) + 1.15 * owes_more - 0.24 * risk.loose -
                        0.68 * v.pub.deck / 30.0;
    Action best = Kittens::kDoDraw;
    double most = 0;
    const auto consider = [&](Kittens::Card card, Action action, double more) {
      if (!hand[card] || wish + more <= most) return;
      best = action;
      most = wish + more;
    };
    consider(Kittens::kSkip, Kittens::kDoSkip, -0.86 * owes_more);
    consider(Kittens::kAttack, Kittens::kDoAttack, -0.08 + 2.08 * owes_more - 0.49 * risk.top - 1.30 * safe);
    if (v.own.memory.at(0) != KittensDeckKnowledge::kBomb) {
      consider(Kittens::kBottom, Kittens::kDoBottom, -0.36 + 0.23 * risk.top);
    }
    const double shuffled = static_cast<double>(v.pub.bombs) / v.pub.deck;
    consider(Kittens::kShuffle, Kittens::kDoShuffle, -1.41 + 0.44 * (risk.top - shuffled) + 0.30 * owes_more);
    return best;
  }

  Action place(ViewRef<Kittens> v, Rng& rng) const {
    const double chance = rng.unit();
    const auto [top, bottom] = v.pub.owed > 0 ? kForMyself : kForTheOther;
    return at_depth(v, chance < top            ? Kittens::kPlaceTop
                       : chance < top + bottom ? Kittens::kPlaceBottom
                                               : Kittens::kPlaceMiddle);
  }
  Action at_depth(ViewRef<Kittens> v, Action place) const {
    if (!rules_.any) return place;
    const bool top = place == Kittens::kPlaceTop, bottom = place == Kittens::kPlaceBottom;
    return Kittens::kPlaceAt + (top ? 0 : bottom ? v.pub.deck : v.pub.deck / 2);
  }
};

}  // namespace ludoteca
