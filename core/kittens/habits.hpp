// How a sensible player of Kittens plays without searching, by what its seat knows alone: for playouts.
#pragma once

#include "kittens/rules.hpp"

namespace ludoteca {

class KittensHabits {
 public:
  explicit KittensHabits(const Kittens& rules) : rules_(rules) {}

  // So likely a bomb that was put back lies on top, as long as nothing else is known of it.
  static constexpr double kOnTop = 0.6;

  Action choose(ViewRef<Kittens> v, Rng& rng) const {
    if (v.pub.placing) return place(v, rng);
    if (!v.pub.deck) return Kittens::kDoDraw;
    const Kittens::Counts& hand = v.own.hand;
    const double risk = top_risk(v);
    if (risk <= 0) return Kittens::kDoDraw;
    if (!rules_.original && hand[Kittens::kSee] && risk < 1 && risk > kWorthSeeing) return Kittens::kDoSee;
    if (risk < (hand[Kittens::kDefuse] ? kEvadeWithDefuse : kEvade)) return Kittens::kDoDraw;
    return evade(v, risk);
  }

  // The chance that the next card is a bomb, as this seat may guess at once.
  double top_risk(ViewRef<Kittens> v) const {
    const KittensMemory& memory = v.own.memory;
    const int size = v.pub.deck;
    const std::uint8_t known = memory.at(size - 1);
    if (known) return known == KittensMemory::kBomb ? 1 : 0;
    int places = size, bombs = v.pub.bombs;
    if (memory.maybe) --places, --bombs;
    for (int i = 0; i < size; ++i) {
      const std::uint8_t code = memory.card[static_cast<std::size_t>(i)];
      places -= code != 0;
      bombs -= code == KittensMemory::kBomb;
    }
    const double loose = places > 0 && bombs > 0 ? static_cast<double>(bombs) / places : 0;
    if (!(memory.maybe >> (size - 1) & 1)) return loose;
    return kOnTop + (1 - kOnTop) * loose;
  }

 private:
  static constexpr double kWorthSeeing = 0.1, kEvade = 0.25, kEvadeWithDefuse = 0.5;

  const Kittens& rules_;

  Action evade(ViewRef<Kittens> v, double risk) const {
    const Kittens::Counts& hand = v.own.hand;
    if (hand[Kittens::kAttack]) return Kittens::kDoAttack;
    if (hand[Kittens::kSkip]) return Kittens::kDoSkip;
    const bool low = v.own.memory.at(0) == KittensMemory::kBomb;
    if (hand[Kittens::kBottom] && !low) return Kittens::kDoBottom;
    const double shuffled = static_cast<double>(v.pub.bombs) / v.pub.deck;
    if (hand[Kittens::kShuffle] && shuffled < risk) return Kittens::kDoShuffle;
    return Kittens::kDoDraw;
  }

  // On top, for the other to find; elsewhere now and then, and where the next draw is one's own.
  Action place(ViewRef<Kittens> v, Rng& rng) const {
    const bool mine = v.pub.owed > 0 && !(rules_.original && v.seat == 0);
    const double chance = rng.unit();
    const bool top = !mine && chance < 0.7;
    const bool bottom = mine ? chance < 0.5 : chance < 0.85;
    if (!rules_.any) return top ? Kittens::kPlaceTop : bottom ? Kittens::kPlaceBottom : Kittens::kPlaceMiddle;
    const int depth = top ? 0 : bottom ? v.pub.deck : v.pub.deck / 2;
    return Kittens::kPlaceAt + depth;
  }
};

}  // namespace ludoteca
