// A position of Kittens in the original rules with the opponent's hand open, as the best response needs it.
#pragma once

#include <bit>
#include <compare>

#include "kittens/tabular_policy.hpp"
#include "kittens/rules.hpp"

namespace ludoteca {

// Seat 0 plays against a known policy in seat 1. The deck is a row of unknown cards, with bombs at known depths that
// were put back since the last shuffle; the unknown cards stay shuffled wherever bombs are put between them.
//
//     bit 0 is the top      ? ? B ? ? ? B        cards of each kind: in the deck, in either hand
struct KittensOpenPosition {
  // The kinds that matter. A See shows nothing in these rules, so it is a Safe.
  enum Kind : std::uint8_t { kDefuse, kSkip, kAttack, kBottom, kShuffle, kSafe };
  static constexpr std::size_t kKinds = 6;
  using Cards = std::array<std::uint8_t, kKinds>;

  static constexpr Kind kind_of(std::size_t card) {
    constexpr std::array<Kind, Kittens::kCards> kind{kSafe, kDefuse, kSkip, kAttack, kSafe, kBottom, kShuffle, kSafe};
    return kind[card];
  }

  std::uint32_t known_bombs = 0;  // bombs at a known depth, one bit per depth
  std::uint8_t cards = 0;         // in the deck
  std::uint8_t bombs = 0;         // among them
  std::uint8_t owed = 1;          // draws, by the seat on turn
  bool theirs = false;            // the opponent is on turn
  Cards deck{}, mine{}, other{};

  static int count(const Cards& hand) {
    int sum = 0;
    for (const std::uint8_t each : hand) sum += each;
    return sum;
  }
  // How many more cards the opponent has.
  int lead() const { return count(other) - count(mine); }
  int unknown_bombs() const { return bombs - std::popcount(known_bombs); }
  int unknown() const { return cards - std::popcount(known_bombs); }
  bool bomb_at(int depth) const { return known_bombs >> depth & 1; }

  // Removes the card at one end. The caller updates `bombs` if it was a bomb.
  void take(bool bottom) {
    --cards;
    if (bottom) known_bombs &= ~(std::uint32_t{1} << cards);
    else known_bombs >>= 1;
  }
  void put_bomb(int depth) {
    const std::uint32_t above = known_bombs & ((std::uint32_t{1} << depth) - 1), here = std::uint32_t{1} << depth;
    known_bombs = above | here | (known_bombs & ~above) << 1;
    ++cards;
    ++bombs;
  }
  // The depth of a place in a deck of `size` cards.
  static int depth(KittensTabularPolicy::Place place, int size) {
    return place == KittensTabularPolicy::kTop ? 0 : place == KittensTabularPolicy::kMiddle ? size - size / 2 : size;
  }

  // Whether this position and all that can follow have distinct keys.
  bool fits() const {
    if (cards > 30 || bombs > 4) return false;
    for (std::size_t kind = 0; kind < kKinds - 1; ++kind) {
      const int all = deck[kind] + mine[kind] + other[kind];
      if (deck[kind] > 3 || mine[kind] > (kind < kBottom ? 7 : 3) || all > (kind < kBottom ? 7 : 3)) return false;
    }
    return true;
  }

  // Distinct for positions that differ in anything that matters; never 0.
  std::uint64_t key() const {
    std::uint64_t out = bombs_rank();
    const auto add = [&](unsigned value, int bits) { out = out << bits | value; };
    add(cards, 5);
    add(bombs, 3);
    add((theirs ? 2u : 0u) + owed - 1u, 2);
    for (const std::size_t kind : {kDefuse, kSkip, kAttack}) {
      add(deck[kind], 2);
      add(mine[kind], 3);
      add(other[kind], 3);
    }
    for (const std::size_t kind : {kBottom, kShuffle}) {
      add(deck[kind], 2);
      add(mine[kind], 2);
    }
    // The lead only matters for an attack, and no lead beyond 31 can be made up.
    const bool matters = other[kAttack] + deck[kAttack] > 0;
    add(matters ? static_cast<unsigned>(std::clamp(lead(), -31, 31) + 32) : 0u, 6);
    return out;
  }

 private:
  // A number from 1 for each set of at most four depths.
  std::uint64_t bombs_rank() const {
    static constexpr auto kChoose = [] {
      std::array<std::array<std::uint32_t, 5>, 32> out{};
      for (std::size_t n = 0; n < 32; ++n) {
        out[n][0] = 1;
        for (std::size_t k = 1; k < 5; ++k) out[n][k] = n ? out[n - 1][k - 1] + out[n - 1][k] : 0;
      }
      return out;
    }();
    std::uint64_t rank = 1;
    std::size_t nth = 0;
    for (std::uint32_t left = known_bombs; left; left &= left - 1) {
      rank += kChoose[static_cast<std::size_t>(std::countr_zero(left))][++nth];
    }
    for (std::size_t fewer = 0; fewer < nth; ++fewer) rank += kChoose[31][fewer];
    return rank;
  }
};

}  // namespace ludoteca
