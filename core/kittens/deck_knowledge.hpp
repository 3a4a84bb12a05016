// What a seat of Kittens remembers of the deck, kept up to date as cards move.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ludoteca {

// What a seat knows for certain of the deck, by index. A bomb that the other put back lies somewhere
// among the bits of `maybe`; as long as there are several, `card` is the deck without that bomb. A second
// such bomb makes the first one's cards that could have moved unknown: sound, though not all that could be
// deduced. (Sampling does not use it; it goes through the whole log.)
struct KittensDeckKnowledge {
  static constexpr std::uint8_t kBomb = 1;

  std::uint64_t maybe = 0;
  std::array<std::uint8_t, 64> card{};  // 0: unknown, 1: a bomb, else 1 + card

  // What surely lies at index i: 0 when it cannot be told.
  std::uint8_t at(int i) const {
    if (!maybe) return card[index(i)];
    const std::uint64_t below = (std::uint64_t{1} << i) - 1;
    int answer = -1;
    const auto offer = [&](std::uint8_t code) { answer = answer < 0 || answer == code ? code : 0; };
    if (maybe >> i & 1) offer(kBomb);
    if (maybe & below) offer(card[index(i - 1)]);
    if (maybe & ~below & ~(std::uint64_t{1} << i)) offer(card[index(i)]);
    return static_cast<std::uint8_t>(answer);
  }

  // A card left a deck of `size`; returns what it surely was (0: unknown).
  std::uint8_t drawn(bool bottom, bool bomb, int size) {
    const int end = bottom ? 0 : size - 1;
    if (!maybe) return take(end, size);
    const std::uint64_t there = std::uint64_t{1} << end;
    const int next = bottom ? 0 : size - 2;  // the card drawn if it was not that bomb
    if (bomb && (maybe & there)) {
      if (maybe == there || card[index(next)] > kBomb) {
        maybe = 0;
        return kBomb;
      }
      KittensDeckKnowledge if_not = *this;
      if_not.maybe &= ~there;
      if_not.take_beside(bottom, next, size);
      if_not.settle(size - 1);
      maybe = 0;
      for (int i = 0; i < size - 1; ++i) keep_if(i, if_not.card[index(i)]);
      return kBomb;
    }
    maybe &= ~there;
    return take_beside(bottom, next, size);
  }

  // This seat saw the top cards, the topmost first.
  void saw(const std::uint8_t* codes, int count, int size) {
    for (int d = 0; maybe && d < count; ++d) {
      const int i = size - 1 - d;
      const std::uint64_t here = std::uint64_t{1} << i, below = here - 1;
      if (codes[d] != kBomb) maybe &= ~here;
      if (i > 0 && card[index(i - 1)] && card[index(i - 1)] != codes[d]) maybe &= ~below;
      if (card[index(i)] && card[index(i)] != codes[d]) maybe &= below | here;
    }
    if (std::has_single_bit(maybe)) pin(size);
    const bool deeper = maybe && !(maybe >> (size - count));
    if (maybe && !deeper) settle(size);
    for (int d = 0; d < count; ++d) card[index(size - 1 - d - (deeper ? 1 : 0))] = codes[d];
  }

  // This seat put a bomb at an index of a deck of `size`.
  void put(int at, int size) {
    const std::uint64_t below = (std::uint64_t{1} << at) - 1;
    if ((maybe & below) && (maybe & ~below)) settle(size);
    if (!maybe) return insert(at, size);
    const bool under = maybe & below;
    if (!under) maybe <<= 1;
    insert(under ? at - 1 : at, size - 1);
  }

  // The other put a bomb at one of these indices of a deck of `size`.
  void hide(std::uint64_t indices, int size) {
    if (maybe) settle(size);
    maybe = indices;
    if (std::has_single_bit(maybe)) pin(size + 1);
  }

  void forget() { *this = KittensDeckKnowledge{}; }

 private:
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void insert(int at, int size) {
    std::memmove(&card[index(at + 1)], &card[index(at)], index(size - at));
    card[index(at)] = kBomb;
  }
  std::uint8_t take(int at, int size) {
    const std::uint8_t code = card[index(at)];
    std::memmove(&card[index(at)], &card[index(at + 1)], index(size - 1 - at));
    card[index(size - 1)] = 0;
    return code;
  }
  // Takes the end card, which is not the bomb that the other put back.
  std::uint8_t take_beside(bool bottom, int at, int size) {
    const std::uint8_t code = take(at, size - 1);
    if (bottom) maybe >>= 1;
    if (std::has_single_bit(maybe)) pin(size - 1);
    return code;
  }
  // The bomb can only be in one place.
  void pin(int size) {
    const int at = std::countr_zero(maybe);
    maybe = 0;
    insert(at, size - 1);
  }
  // Keeps what holds wherever the bomb is, and stops asking where.
  void settle(int size) {
    std::array<std::uint8_t, 64> certain{};
    for (int i = 0; i < size; ++i) certain[index(i)] = at(i);
    card = certain;
    maybe = 0;
  }
  void keep_if(int i, std::uint8_t code) {
    if (card[index(i)] != code) card[index(i)] = 0;
  }
};

}  // namespace ludoteca
