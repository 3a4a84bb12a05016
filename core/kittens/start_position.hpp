// Positions of Kittens that are set up by hand.
#pragma once

#include <algorithm>

#include "kittens/rules.hpp"

namespace ludoteca {

inline void Kittens::arrange(const Start& start, Rng rng, State<Kittens>& state) const {
  if (start.owed < 1 || start.owed > max_owed()) throw std::invalid_argument("Kittens: so many draws cannot be owed");
  Counts left{};
  for (std::size_t card = 0; card < kCards; ++card) left[card] = static_cast<std::uint8_t>(all(card));
  const auto use = [&](int card, int least) {
    if (card < least || card >= kCards) throw std::invalid_argument("Kittens: no such card, or a bomb in a hand");
    if (!left[index(card)]) throw std::invalid_argument("Kittens: more of a card than the game has");
    --left[index(card)];
    return static_cast<std::uint8_t>(card);
  };
  // The remaining cards of this kind and all later kinds, shuffled.
  const auto shuffled = [&](std::size_t from) {
    std::vector<std::uint8_t> out;
    for (std::size_t card = from; card < kCards; ++card) out.insert(out.end(), left[card], static_cast<std::uint8_t>(card));
    rng.shuffle(out.data(), static_cast<int>(out.size()));
    return out;
  };

  std::array<Counts, 2> hands{};
  std::vector<std::uint8_t> deck;
  for (const std::size_t seat : {0u, 1u}) {
    for (const int card : start.hands[seat]) ++hands[seat][use(card, kDefuse)];
  }
  if (start.deck) {
    if (start.deck->size() > index(max_deck())) throw std::invalid_argument("Kittens: too many cards in the deck");
    for (std::size_t i = start.deck->size(); i-- > 0;) deck.push_back(use((*start.deck)[i], kBomb));
  }
  std::vector<std::uint8_t> drawn = shuffled(kDefuse);
  for (const std::size_t seat : {0u, 1u}) {
    if (start.more[seat] < 0 || index(start.more[seat]) > drawn.size()) {
      throw std::invalid_argument("Kittens: too few cards are left to draw a hand");
    }
    for (int i = 0; i < start.more[seat]; ++i, drawn.pop_back()) ++hands[seat][use(drawn.back(), kDefuse)];
  }
  if (!start.deck) {
    deck = shuffled(kBomb);
    left = {};
  }
  if (deck.empty() || deck.size() > index(max_deck())) {
    throw std::invalid_argument("Kittens: an empty deck, or too many cards in it");
  }
  state = State<Kittens>{};
  begin(state, hands, left);
  state.pub.turn = start.turn;
  state.pub.owed = static_cast<std::uint8_t>(start.owed);
  std::copy(deck.begin(), deck.end(), state.hidden.deck.begin());
  state.hidden.rng = rng;
}

}  // namespace ludoteca
