// A policy for Kittens as a table of action probabilities.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

// How likely a documented player is to draw, skip or attack, and where it puts bombs back. The policy depends only on
// the sizes of deck and hands, on the bombs in the deck and on whether the player holds a Skip and an Attack. Python
// fills the table from the rules of that player.
struct KittensTabularPolicy {
  static constexpr int kMaxCards = 31, kMaxBombs = 7;
  static constexpr int kMaxLead = 3;  // cards ahead of the opponent, or behind; larger leads are clipped

  enum Move : std::uint8_t { kDraw, kSkip, kAttack };
  using Probabilities = std::array<float, 3>;  // by move; they sum to 1

  // Where a bomb goes back, by the cards and bombs of the deck without it.
  enum Place : std::uint8_t { kTop, kMiddle, kBottom };

  std::vector<Probabilities> moves =
      std::vector<Probabilities>(std::size_t{kMaxCards + 1} * (kMaxBombs + 1) * 4 * (2 * kMaxLead + 1));
  std::vector<std::uint8_t> places = std::vector<std::uint8_t>(std::size_t{kMaxCards + 1} * (kMaxBombs + 1));

  const Probabilities& probabilities(int cards, int bombs, bool skip, bool attack, int lead) const {
    const int clipped = std::clamp(lead, -kMaxLead, kMaxLead) + kMaxLead;
    return moves[(deck_index(cards, bombs) * 4 + (skip ? 2u : 0u) + (attack ? 1u : 0u)) * (2 * kMaxLead + 1) +
                 static_cast<std::size_t>(clipped)];
  }
  Place place(int cards, int bombs) const { return static_cast<Place>(places[deck_index(cards, bombs)]); }

  // An action of the view's seat, which is on turn.
  Action sample(ViewRef<Kittens> v, Rng& rng) const {
    if (v.pub.placing) return place_action(v);
    const Probabilities& p = probabilities(v);
    const double chance = rng.unit();
    if (chance < static_cast<double>(p[kSkip])) return Kittens::kDoSkip;
    return chance < static_cast<double>(p[kSkip] + p[kAttack]) ? Kittens::kDoAttack : Kittens::kDoDraw;
  }
  double probability(ViewRef<Kittens> v, Action action) const {
    if (v.pub.placing) return action == place_action(v);
    switch (action) {
      case Kittens::kDoDraw: return static_cast<double>(probabilities(v)[kDraw]);
      case Kittens::kDoSkip: return static_cast<double>(probabilities(v)[kSkip]);
      case Kittens::kDoAttack: return static_cast<double>(probabilities(v)[kAttack]);
      default: return 0;
    }
  }

 private:
  static constexpr std::size_t deck_index(int cards, int bombs) {
    return static_cast<std::size_t>(cards * (kMaxBombs + 1) + bombs);
  }
  Action place_action(ViewRef<Kittens> v) const {
    return Kittens::kPlaceTop + static_cast<Action>(place(v.pub.deck, v.pub.bombs));
  }
  const Probabilities& probabilities(ViewRef<Kittens> v) const {
    const auto me = index(v.seat);
    return probabilities(v.pub.deck, v.pub.bombs, v.own.hand[Kittens::kSkip], v.own.hand[Kittens::kAttack],
                         v.pub.hand[me] - v.pub.hand[1 - me]);
  }
};

}  // namespace ludoteca
