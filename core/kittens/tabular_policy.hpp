// A player of Kittens whose habits are known: how likely it is to skip, attack or draw, and where it puts bombs back.
//
// It may look only at the sizes of deck and hands, at the bombs in the deck and at whether it holds a Skip and an
// Attack. The numbers come from outside, from where its rules are written.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

struct KittensTabularPolicy {
  static constexpr int kMostCards = 31, kMostBombs = 7;
  static constexpr int kLead = 3;  // cards ahead of the other, or behind: more make no difference

  enum Habit : std::uint8_t { kDraws, kSkips, kAttacks };
  using Chances = std::array<float, 3>;  // by habit; their sum is 1

  // Where a bomb goes back, by cards and bombs of the deck without it.
  enum Place : std::uint8_t { kTop, kMiddle, kBottom };

  std::vector<Chances> chances = std::vector<Chances>(std::size_t{kMostCards + 1} * (kMostBombs + 1) * 4 * (2 * kLead + 1));
  std::vector<std::uint8_t> places = std::vector<std::uint8_t>(std::size_t{kMostCards + 1} * (kMostBombs + 1));

  static constexpr std::size_t deck_index(int cards, int bombs) {
    return static_cast<std::size_t>(cards * (kMostBombs + 1) + bombs);
  }
  static constexpr std::size_t index(int cards, int bombs, bool skip, bool attack, int lead) {
    const int clipped = std::clamp(lead, -kLead, kLead) + kLead;
    return (deck_index(cards, bombs) * 4 + (skip ? 2u : 0u) + (attack ? 1u : 0u)) * (2 * kLead + 1) +
           static_cast<std::size_t>(clipped);
  }

  const Chances& habits(int cards, int bombs, bool skip, bool attack, int lead) const {
    return chances[index(cards, bombs, skip, attack, lead)];
  }
  // What the player does in the seat of this view, on turn.
  Action choose(ViewRef<Kittens> v, Rng& rng) const {
    if (v.pub.placing) return Kittens::kPlaceTop + static_cast<Action>(place(v.pub.deck, v.pub.bombs));
    const auto me = static_cast<std::size_t>(v.seat);
    const Chances& likely = habits(v.pub.deck, v.pub.bombs, v.own.hand[Kittens::kSkip], v.own.hand[Kittens::kAttack],
                                   v.pub.hand[me] - v.pub.hand[1 - me]);
    const double chance = rng.unit();
    if (chance < static_cast<double>(likely[kSkips])) return Kittens::kDoSkip;
    return chance < static_cast<double>(likely[kSkips] + likely[kAttacks]) ? Kittens::kDoAttack : Kittens::kDoDraw;
  }
  // How likely that is.
  double chance(ViewRef<Kittens> v, Action action) const {
    if (v.pub.placing) return action == Kittens::kPlaceTop + static_cast<Action>(place(v.pub.deck, v.pub.bombs));
    const auto me = static_cast<std::size_t>(v.seat);
    const Chances& likely = habits(v.pub.deck, v.pub.bombs, v.own.hand[Kittens::kSkip], v.own.hand[Kittens::kAttack],
                                   v.pub.hand[me] - v.pub.hand[1 - me]);
    switch (action) {
      case Kittens::kDoDraw: return static_cast<double>(likely[kDraws]);
      case Kittens::kDoSkip: return static_cast<double>(likely[kSkips]);
      case Kittens::kDoAttack: return static_cast<double>(likely[kAttacks]);
      default: return 0;
    }
  }
  Place place(int cards, int bombs) const { return static_cast<Place>(places[deck_index(cards, bombs)]); }
};

}  // namespace ludoteca
