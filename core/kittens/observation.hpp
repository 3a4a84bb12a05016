// Kittens followed from one seat at a real table: the view after each event that the seat saw, without the truth.
#pragma once

#include <optional>
#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

// A view depends only on what its seat saw. So each step applies the action to a state that is right where the action
// looks: the cards that are drawn or seen, and the Defuses that save the opponent. Whether the whole history can have
// happened is another question: see `possible`.
class KittensObservation {
  using K = Kittens;

 public:
  struct Seen {
    View<Kittens> view;
    int used;  // cards that were drawn or seen, of those given and beyond
  };

  explicit KittensObservation(const Kittens& rules) : rules_(rules) {}

  // After an action of the seat on turn that draws or shows these cards, in this order. Of the opponent's cards only
  // what is public counts: a bomb or not, and in the original rules a counted kind or not. defuses: how many of its
  // bombs the opponent can defuse. Nothing where the rules forbid the action.
  std::optional<Seen> after(const View<Kittens>& view, Action action, const std::vector<int>& cards, int defuses) const {
    const Seat seat = view.pub.turn, they = other(view.seat);
    if (seat == kNobody) return {};
    State<Kittens> state{};
    state.pub = view.pub;
    state.own[index(view.seat)] = view.own;
    state.own[index(they)].hand.fill(1);
    state.own[index(they)].hand[K::kDefuse] = static_cast<std::uint8_t>(defuses);
    if (!is_legal(rules_, state, action)) return {};
    const bool placing = view.pub.placing;
    const bool plays = !placing && action != K::kDoDraw && state.own[index(seat)].hand[K::card_of(action)];
    if (plays && !view.pub.hand[index(seat)]) return {};
    if (!lay_deck(state, action, cards, plays)) return {};
    rules_.apply(state, action);
    const int size = view.pub.deck;
    const bool looks = plays && action == K::kDoSee && !rules_.original;
    return Seen{view_of(state, view.seat), looks ? std::min(size, K::kSeen) : size + placing - state.pub.deck};
  }

  // Whether some order of the deck and some choices of the opponent show this view.
  bool possible(const View<Kittens>& view) const {
    for (std::size_t card = 1; card < K::kCards; ++card) {
      const int used = view.own.hand[card] + view.pub.played[0][card] + view.pub.played[1][card] + view.pub.gone[card];
      if (used > rules_.all(card)) return false;
    }
    const KittensHistory history(rules_, view);
    return KittensCardBelief(history).possible() && KittensBombBelief(history).possible();
  }

  // The probability of each number of cards of a kind in the opponent's hand, if its choices are no evidence.
  std::vector<double> held(const View<Kittens>& view, int card) const {
    const KittensHistory history(rules_, view);
    return KittensCardBelief(history, static_cast<std::uint8_t>(1u << card)).held()[index(card)];
  }

 private:
  const Kittens& rules_;

  // Lays these cards where the action takes them. False if there are not so many bombs.
  bool lay_deck(State<Kittens>& state, Action action, const std::vector<int>& cards, bool plays) const {
    const int size = state.pub.deck;
    std::vector<int> top = cards;  // from the top
    std::array<std::uint8_t, 64>& deck = state.hidden.deck;
    std::fill_n(deck.begin(), size, std::uint8_t{K::kSafe});
    int bombs = state.pub.bombs;
    if (state.pub.placing) {
      const std::size_t depth = index(rules_.depth_of(action, size));
      if (depth < top.size()) {  // the bomb that is put back is drawn again
        if (top[depth] != K::kBomb) return false;
        top.erase(top.begin() + static_cast<std::ptrdiff_t>(depth));
      }
    }
    for (const int card : top) bombs -= card == K::kBomb;
    if (bombs < 0) return false;
    std::array<int, 64> at;  // the index in `deck` of what lies at each index when cards are drawn
    for (int i = 0; i < 64; ++i) at[index(i)] = i;
    if (plays && action == K::kDoShuffle) Rng{state.hidden.rng}.shuffle(at.data(), size);
    const bool bottom = plays && action == K::kDoBottom && size && !top.empty();
    for (std::size_t i = bottom; i < top.size() && index(size) > i - bottom; ++i) {
      deck[index(at[index(size - 1) - (i - bottom)])] = static_cast<std::uint8_t>(top[i]);
    }
    if (bottom) deck[0] = static_cast<std::uint8_t>(top[0]);
    return true;
  }
};

}  // namespace ludoteca
