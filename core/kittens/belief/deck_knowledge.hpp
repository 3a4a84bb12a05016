// What a seat of Kittens knows for certain about the order of the deck.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ludoteca {

// The known cards of the deck, by index from the bottom, updated as cards move. A bomb that the opponent put back lies
// at one of the `bomb_candidates`. While there are several candidates, `cards` is the deck without that bomb. When the
// opponent puts back a second bomb, every card that the first one may have moved becomes unknown. That is sound but
// does not deduce everything; sampling does not use this struct but goes through the whole history.
struct KittensDeckKnowledge {
  static constexpr std::uint8_t kBomb = 1;

  std::uint64_t bomb_candidates = 0;     // one bit per index; 0 when no bomb is open
  std::array<std::uint8_t, 64> cards{};  // 0: unknown, 1: a bomb, else 1 + card

  // The card that is certain to lie at index i; 0 when it is unknown.
  std::uint8_t known_at(int i) const {
    if (!bomb_candidates) return cards[index(i)];
    const std::uint64_t below = (std::uint64_t{1} << i) - 1;
    int answer = -1;
    const auto offer = [&](std::uint8_t code) { answer = answer < 0 || answer == code ? code : 0; };
    if (bomb_candidates >> i & 1) offer(kBomb);
    if (bomb_candidates & below) offer(cards[index(i - 1)]);
    if (bomb_candidates & ~below & ~(std::uint64_t{1} << i)) offer(cards[index(i)]);
    return static_cast<std::uint8_t>(answer);
  }

  // Removes the top or bottom card of a deck of `size`. Returns what it is certain to have been; 0 when it is unknown.
  std::uint8_t draw(bool bottom, bool bomb, int size) {
    const int end = bottom ? 0 : size - 1;
    if (!bomb_candidates) return take(end, size);
    const std::uint64_t there = std::uint64_t{1} << end;
    const int next = bottom ? 0 : size - 2;  // the index in `cards` of the card drawn, if it was not the open bomb
    if (bomb && (bomb_candidates & there)) {
      if (bomb_candidates == there || cards[index(next)] > kBomb) {
        bomb_candidates = 0;
        return kBomb;
      }
      KittensDeckKnowledge if_not = *this;
      if_not.bomb_candidates &= ~there;
      if_not.take_other_than_bomb(bottom, next, size);
      if_not.drop_candidates(size - 1);
      bomb_candidates = 0;
      for (int i = 0; i < size - 1; ++i) keep_if(i, if_not.cards[index(i)]);
      return kBomb;
    }
    bomb_candidates &= ~there;
    return take_other_than_bomb(bottom, next, size);
  }

  // This seat saw the top cards; codes[0] is the topmost.
  void see(const std::uint8_t* codes, int count, int size) {
    for (int d = 0; bomb_candidates && d < count; ++d) {
      const int i = size - 1 - d;
      const std::uint64_t here = std::uint64_t{1} << i, below = here - 1;
      if (codes[d] != kBomb) bomb_candidates &= ~here;
      if (i > 0 && cards[index(i - 1)] && cards[index(i - 1)] != codes[d]) bomb_candidates &= ~below;
      if (cards[index(i)] && cards[index(i)] != codes[d]) bomb_candidates &= below | here;
    }
    if (std::has_single_bit(bomb_candidates)) insert_only_candidate(size);
    const bool deeper = bomb_candidates && !(bomb_candidates >> (size - count));
    if (bomb_candidates && !deeper) drop_candidates(size);
    for (int d = 0; d < count; ++d) cards[index(size - 1 - d - (deeper ? 1 : 0))] = codes[d];
  }

  // This seat put a bomb at an index of a deck of `size`.
  void place_bomb(int at, int size) {
    const std::uint64_t below = (std::uint64_t{1} << at) - 1;
    if ((bomb_candidates & below) && (bomb_candidates & ~below)) drop_candidates(size);
    if (!bomb_candidates) return insert_bomb(at, size);
    const bool under = bomb_candidates & below;
    if (!under) bomb_candidates <<= 1;
    insert_bomb(under ? at - 1 : at, size - 1);
  }

  // The opponent put a bomb at one of these indices of a deck of `size`.
  void opponent_placed_bomb(std::uint64_t indices, int size) {
    if (bomb_candidates) drop_candidates(size);
    bomb_candidates = indices;
    if (std::has_single_bit(bomb_candidates)) insert_only_candidate(size + 1);
  }

  void clear() { *this = KittensDeckKnowledge{}; }

 private:
  void insert_bomb(int at, int size) {
    std::memmove(&cards[index(at + 1)], &cards[index(at)], index(size - at));
    cards[index(at)] = kBomb;
  }
  std::uint8_t take(int at, int size) {
    const std::uint8_t code = cards[index(at)];
    std::memmove(&cards[index(at)], &cards[index(at + 1)], index(size - 1 - at));
    cards[index(size - 1)] = 0;
    return code;
  }
  // Takes the end card, which is not the open bomb.
  std::uint8_t take_other_than_bomb(bool bottom, int at, int size) {
    const std::uint8_t code = take(at, size - 1);
    if (bottom) bomb_candidates >>= 1;
    if (std::has_single_bit(bomb_candidates)) insert_only_candidate(size - 1);
    return code;
  }
  void insert_only_candidate(int size) {
    const int at = std::countr_zero(bomb_candidates);
    bomb_candidates = 0;
    insert_bomb(at, size - 1);
  }
  // Keeps what holds for every candidate, then forgets the candidates.
  void drop_candidates(int size) {
    std::array<std::uint8_t, 64> certain{};
    for (int i = 0; i < size; ++i) certain[index(i)] = known_at(i);
    cards = certain;
    bomb_candidates = 0;
  }
  void keep_if(int i, std::uint8_t code) {
    if (cards[index(i)] != code) cards[index(i)] = 0;
  }
};

}  // namespace ludoteca
