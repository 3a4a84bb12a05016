// Kittens as inputs of a network: our tensor, and the eleven numbers of the seed document's network.
#pragma once

#include "kittens/rules.hpp"

namespace ludoteca {

namespace kittens_tensor {

inline float ratio(int part, int whole) {
  return whole > 0 ? static_cast<float>(part) / static_cast<float>(whole) : 0.0f;
}

// none, draw, skip, attack, see, bottom, shuffle
inline std::size_t slot_of(int last) {
  return static_cast<std::size_t>(last < Kittens::kPlaceTop ? last + 1 : last - 2);
}

// What is known of one place of the deck.
inline void show_place(ViewRef<Kittens> v, int i, float* out) {
  if (i < 0 || i >= v.pub.deck) return;
  out[v.own.deck_knowledge.known_at(i)] = 1;
  out[1 + Kittens::kCards] = static_cast<float>(v.own.deck_knowledge.bomb_candidates >> i & 1);
}

}  // namespace kittens_tensor

inline void Kittens::tensor(ViewRef<Kittens> v, float* out) const {
  using namespace kittens_tensor;
  std::fill_n(out, kTensor, 0.0f);
  const Public& pub = v.pub;
  const KittensDeckKnowledge& deck = v.own.deck_knowledge;
  const std::size_t me = index(v.seat), you = 1 - me;
  Counts located{};
  int nearest = -1;
  for (int i = 0; i < pub.deck; ++i) {
    const std::uint8_t code = deck.cards[index(i)];
    if (!code) continue;
    ++located[code - 1u];
    if (code == 1 + kBomb) nearest = i;
  }
  const int pending = deck.bomb_candidates ? 1 : 0;  // a bomb at one of several places
  int placed = pending, certain = 0, unplaced = 0;
  std::array<int, kCards> missing;
  for (std::size_t card = 0; card < kCards; ++card) {
    out[card] = static_cast<float>(v.own.hand[card]) * share[card];
    out[8 + card] = static_cast<float>(v.own.holds[card]) * share[card];
    out[16 + card] = static_cast<float>(pub.played[me][card]) * share[card];
    out[24 + card] = static_cast<float>(pub.played[you][card]) * share[card];
    placed += located[card];
    certain += v.own.holds[card];
    missing[card] = all(card) - pub.gone[card] - v.own.hand[card] - v.own.holds[card] - pub.played[0][card] -
                    pub.played[1][card] - located[card];
    if (card != kBomb) unplaced += missing[card];
  }
  out[32] = ratio(pub.bombs - located[kBomb] - pending, pub.deck - placed);
  for (std::size_t card = 1; card < kCards; ++card) out[32 + card] = ratio(missing[card], unplaced);
  out[40] = ratio(pub.deck, cards);
  out[41] = ratio(pub.bombs, counts[kBomb]);
  out[42] = ratio(pub.bombs, pub.deck);
  out[43] = static_cast<float>(pub.hand[me]) / 16;
  out[44] = static_cast<float>(pub.hand[you]) / 16;
  out[45] = static_cast<float>(pub.hand[you] - certain) / 16;
  out[46] = static_cast<float>(pub.owed) / 4;
  out[47] = pub.turn == v.seat;
  out[48] = pub.placing && pub.turn == v.seat;
  out[49] = pub.placing && pub.turn != v.seat;
  out[50] = static_cast<float>(pub.turns) / static_cast<float>(max_turns);
  out[51 + slot_of(pub.last[me])] = 1;
  out[58 + slot_of(pub.last[you])] = 1;
  for (std::size_t k = 0; k < 2; ++k) {
    const int since = pub.since[k ? you : me];
    out[65 + 2 * k] = since > 0;
    out[66 + 2 * k] = ratio(1, since);
  }
  if (nearest >= 0) {
    if (!(deck.bomb_candidates >> (nearest + 1))) nearest += pending;  // it lies above that bomb
    out[69] = 1;
    out[70] = ratio(pub.deck - 1 - nearest, cards);
  }
  float* place = out + kPlaces;
  for (int d = 0; d < kTop; ++d, place += kSlot) show_place(v, pub.deck - 1 - d, place);
  for (int i = 0; i < kLow; ++i, place += kSlot) show_place(v, i, place);
}

// The numbers at the time when the original's agent decides. The seventh is reset to 1 before the draws, so it is 1
// while a bomb is placed. The eighth counts the opponent's Defuse, Skip, Attack and Safe cards: public in the original
// rules; in the clean rules all its cards that are not known to be of other kinds. The ninth and tenth describe the
// opponent's last turn, in which a Defuse counts as the last action.
inline std::array<double, 11> Kittens::seed_observation(ViewRef<Kittens> v) const {
  const Public& pub = v.pub;
  const std::size_t me = index(v.seat), you = 1 - me;
  const Counts &hand = v.own.hand, &holds = v.own.holds;
  const bool mine = pub.turn == v.seat;
  const int counted = original ? pub.counted[you] : pub.hand[you] - holds[kSee] - holds[kBottom] - holds[kShuffle];
  return {pub.deck / 30.0,
          pub.bombs / 4.0,
          pub.deck ? static_cast<double>(pub.bombs) / pub.deck : 0.0,
          static_cast<double>(hand[kDefuse]),
          static_cast<double>(hand[kSkip]),
          static_cast<double>(hand[kAttack]),
          mine && !pub.placing ? static_cast<double>(pub.owed) : 1.0,
          counted / 31.0,
          pub.last[you] == kDoSkip && !pub.defused[you] ? 1.0 : 0.0,
          pub.last[you] == kDoAttack && !pub.defused[you] ? 1.0 : 0.0,
          mine && pub.placing ? 1.0 : 0.0};
}

}  // namespace ludoteca
