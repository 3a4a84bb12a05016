// Determinizations of Kittens: worlds in which a seat sees exactly its view.
#pragma once

#include "kittens/belief/bomb_belief.hpp"
#include "kittens/belief/card_belief.hpp"

namespace ludoteca {

// A world is weighed by the orders of the first deck (with all cards distinct), the orders of every later shuffle and
// the opponent's choices where to put a bomb back. Whether a drawn card was a bomb is public and only bombs are put
// back, so the other cards keep their order among themselves wherever the bombs are. That splits the question into two
// independent ones: where the bombs were (bomb_belief.hpp) and which the other cards were (card_belief.hpp). This class
// joins the two answers to one world.
class KittensWorlds {
 public:
  KittensWorlds(const Kittens& rules, const View<Kittens>& view) : history_(rules, view), rules_(rules) {}

  // A world, sampled in proportion to its weight.
  void sample(Rng& rng, State<Kittens>& state) const {
    sample(rng, state, [](const State<Kittens>&, Action) {});
  }

  // The same, calling on_opponent_choice(state, action) before each choice of the opponent, which is then on turn. In the
  // original rules a draw may also have been a card that it did not hold.
  template <class F>
  void sample(Rng& rng, State<Kittens>& state, F on_opponent_choice) const {
    const KittensBombBelief bombs(history_);
    const KittensBombBelief::Placements placements = bombs.sample(rng);
    const std::vector<KittensPartialDeck> decks = bombs.decks(placements);
    KittensCardBelief other_cards(history_);
    const std::vector<Codes> cards = other_cards.sample(rng);
    state = State<Kittens>{};
    begin(state, other_cards.first_hand());
    std::size_t segment = decks.size() - 1;
    state.hidden.deck = deck(decks[segment], cards[segment], history_.bombs, rng);
    for (const KittensHistoryEntry& entry : history_.entries) {
      replay(state, entry, placements, on_opponent_choice);
      if (entry.event != Kittens::kShuffled) continue;
      --segment;
      state.hidden.deck = deck(decks[segment], cards[segment], entry.bombs, rng);
      Kittens::clear_deck_knowledge(state);
    }
    const View<Kittens>& view = history_.view;
    assert(std::memcmp(&state.own[index(history_.me)], &view.own, sizeof view.own) == 0);
    assert(state.pub.log == view.pub.log && state.pub.hand == view.pub.hand && state.pub.counted == view.pub.counted);
    state.pub = view.pub;
    state.hidden.rng = Rng{rng.next()};
  }

 private:
  using Codes = KittensCardBelief::Codes;

  const KittensHistory history_;
  const Kittens& rules_;

  void begin(State<Kittens>& state, const Kittens::Counts& opponent) const {
    if (!history_.arranged) return rules_.begin(state);
    std::array<Kittens::Counts, 2> hands;
    hands[index(history_.me)] = history_.hand;
    hands[index(other(history_.me))] = opponent;
    rules_.begin(state, hands, history_.gone);
  }

  // A full deck after a shuffle: the unknown bombs anywhere, the other cards in their order between them.
  static Codes deck(const KittensPartialDeck& known, const Codes& cards, int bombs, Rng& rng) {
    std::array<std::uint8_t, 64> token = known.token;
    std::array<std::size_t, 64> free;
    std::uint32_t unknown = 0;
    for (std::size_t i = 0; i < index(known.size); ++i) {
      bombs -= token[i] == KittensBombBelief::kBomb;
      if (token[i] == KittensBombBelief::kUnknown) free[unknown++] = i;
    }
    for (; bombs > 0; --bombs) {
      std::size_t& pick = free[rng.below(unknown)];
      token[pick] = KittensBombBelief::kBomb;
      pick = free[--unknown];
    }
    Codes out{};
    for (std::size_t i = 0, card = 0; i < index(known.size); ++i) {
      out[i] = token[i] == KittensBombBelief::kBomb ? std::uint8_t{Kittens::kBomb} : cards[card++];
    }
    return out;
  }

  template <class F>
  void replay(State<Kittens>& state, const KittensHistoryEntry& entry, const KittensBombBelief::Placements& placements,
              F on_opponent_choice) const {
    const Seat seat = entry.theirs ? other(history_.me) : history_.me;
    begin_turn(state.pub, seat);
    // In the original rules all draws of a turn follow from its first event; a Bottom was chosen when it was played.
    const bool new_turn = &entry == history_.entries.data() || (&entry - 1)->theirs != entry.theirs;
    if (rules_.original ? new_turn : !entry.bottom()) {
      if (entry.theirs) on_opponent_choice(state, chosen(entry));
      state.pub.last[index(seat)] = static_cast<std::int8_t>(chosen(entry));
    }
    if (!entry.card() && !entry.bomb()) {
      rules_.play(state, seat, entry.played());
      if (entry.event == Kittens::kSaw && !rules_.original) Kittens::look(state, seat);
      if (entry.event == Kittens::kSkipped) --state.pub.owed;
      if (entry.event != Kittens::kAttacked) return;
      state.pub.owed = static_cast<std::uint8_t>(rules_.stack && state.pub.owed >= 2 ? state.pub.owed + 2 : 2);
      state.pub.turn = other(seat);
      ++state.pub.turns;
      return;
    }
    rules_.take(state, seat, entry.bottom());
    if (state.pub.owed) --state.pub.owed;
    if (entry.bomb() && rules_.forgives_draws(seat, entry.bottom())) state.pub.owed = 0;
    if (entry.defused) rules_.discard(state, seat, Kittens::kDefuse);
    if (!entry.bomb_returned) return;
    const int depth = entry.theirs ? state.pub.deck - placements[index(entry.place_number)] : entry.depth;
    state.pub.placing = 1;
    if (entry.theirs) on_opponent_choice(state, place(depth, state.pub.deck));
    state.pub.placing = 0;
    rules_.put_back(state, seat, depth);
  }

  // The log implies the seat on turn and the draws it owes, except at the start of a position set up by hand.
  static void begin_turn(Kittens::Public& pub, Seat seat) {
    if (pub.turn != seat) pub.owed = 0, ++pub.turns;
    pub.turn = seat;
    if (!pub.owed) pub.owed = 1;
  }

  static Action chosen(const KittensHistoryEntry& entry) {
    switch (entry.event) {
      case Kittens::kSkipped: return Kittens::kDoSkip;
      case Kittens::kAttacked: return Kittens::kDoAttack;
      case Kittens::kSaw: return Kittens::kDoSee;
      case Kittens::kPlayedBottom: return Kittens::kDoBottom;
      case Kittens::kShuffled: return Kittens::kDoShuffle;
      default: return Kittens::kDoDraw;
    }
  }
  Action place(int depth, int size) const {
    if (rules_.any) return Kittens::kPlaceAt + depth;
    for (const Action action : {Kittens::kPlaceTop, Kittens::kPlaceMiddle}) {
      if (rules_.depth_of(action, size) == depth) return action;
    }
    return Kittens::kPlaceBottom;
  }
};

inline void Kittens::sample(const View<Kittens>& view, Rng rng, State<Kittens>& state) const {
  KittensWorlds(*this, view).sample(rng, state);
}

inline double Kittens::bomb_chance(const View<Kittens>& view, int depth) const {
  const KittensHistory history(*this, view);
  return KittensBombBelief(history).probability(depth);
}

static_assert(Game<Kittens>);

}  // namespace ludoteca
