// Kittens in the original rules as seat 0 would play it against a known player whose hand lies open.
//
// The deck is a row of cards nobody knows, with bombs between them that somebody put back and whose depth is
// therefore known: a shuffled rest stays shuffled wherever bombs are put into it. So a position is this:
//
//     bit 0 is the top      ? ? B ? ? ? B        cards of each kind: in the deck, in either hand
#pragma once

#include <bit>
#include <compare>

#include "kittens/tabular_policy.hpp"
#include "kittens/rules.hpp"

namespace ludoteca {

struct KittensOpenPosition {
  // Kinds that make a difference; a See shows nothing in these rules and is like a Safe.
  enum Kind : std::uint8_t { kDefuse, kSkip, kAttack, kBottom, kShuffle, kSafe };
  static constexpr std::size_t kKinds = 6;
  using Cards = std::array<std::uint8_t, kKinds>;

  static constexpr Kind kind_of(std::size_t card) {
    constexpr std::array<Kind, Kittens::kCards> kind{kSafe, kDefuse, kSkip, kAttack, kSafe, kBottom, kShuffle, kSafe};
    return kind[card];
  }

  std::uint32_t placed = 0;  // bombs whose depth is known
  std::uint8_t cards = 0;    // in the deck
  std::uint8_t bombs = 0;    // among them
  std::uint8_t owed = 1;     // draws, by the seat on turn
  bool theirs = false;       // whether the known player is on turn
  Cards deck{}, mine{}, other{};

  static int count(const Cards& hand) {
    int sum = 0;
    for (const std::uint8_t each : hand) sum += each;
    return sum;
  }
  // How many cards the known player is ahead.
  int lead() const { return count(other) - count(mine); }
  int loose_bombs() const { return bombs - std::popcount(placed); }
  int loose() const { return cards - std::popcount(placed); }
  bool bomb_at(int depth) const { return placed >> depth & 1; }

  // The card at one end leaves the deck; a bomb or not, that is for the caller to count.
  void take(bool bottom) {
    --cards;
    if (bottom) placed &= ~(std::uint32_t{1} << cards);
    else placed >>= 1;
  }
  void put_bomb(int depth) {
    const std::uint32_t above = placed & ((std::uint32_t{1} << depth) - 1), here = std::uint32_t{1} << depth;
    placed = above | here | (placed & ~above) << 1;
    ++cards;
    ++bombs;
  }
  // The depth of a place in a deck of `size` cards.
  static int depth(KittensTabularPolicy::Place place, int size) {
    return place == KittensTabularPolicy::kTop ? 0 : place == KittensTabularPolicy::kMiddle ? size - size / 2 : size;
  }

  // Whether all positions that can follow have a key of their own.
  bool fits() const {
    if (cards > 30 || bombs > 4) return false;
    for (std::size_t kind = 0; kind < kKinds - 1; ++kind) {
      const int all = deck[kind] + mine[kind] + other[kind];
      if (deck[kind] > 3 || mine[kind] > (kind < kBottom ? 7 : 3) || all > (kind < kBottom ? 7 : 3)) return false;
    }
    return true;
  }

  // Tells positions apart that differ in anything that counts; never 0.
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
    // Only an attack asks who has more cards, and no difference beyond 31 can be made good.
    const bool asked = other[kAttack] + deck[kAttack] > 0;
    add(asked ? static_cast<unsigned>(std::clamp(lead(), -31, 31) + 32) : 0u, 6);
    return out;
  }

 private:
  // The sets of at most four places of a deck, numbered from 1.
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
    for (std::uint32_t left = placed; left; left &= left - 1) {
      rank += kChoose[static_cast<std::size_t>(std::countr_zero(left))][++nth];
    }
    for (std::size_t fewer = 0; fewer < nth; ++fewer) rank += kChoose[31][fewer];
    return rank;
  }
};

}  // namespace ludoteca
