// A match of Kittens as it can have been, given what one seat saw of it.
//
// Counted are the orders of the first deck (all cards told apart), the orders of every later shuffle and the
// other seat's choices where to put a bomb back. Whether a drawn card was a bomb is public, and only bombs are
// put back, so the other cards keep their order among themselves wherever the bombs are. That makes two
// independent questions of one: where were the bombs (bombs.hpp), and which were the other cards
// (cards.hpp)? Here the two answers become one world.
#pragma once

#include "kittens/bomb_belief.hpp"
#include "kittens/card_belief.hpp"

namespace ludoteca {

class KittensWorlds {
 public:
  KittensWorlds(const Kittens& rules, const View<Kittens>& view) : story_(rules, view), rules_(rules) {}

  // A world in which this seat sees exactly this view, as likely as it has ways to come about.
  void sample(Rng& rng, State<Kittens>& state) const {
    sample(rng, state, [](const State<Kittens>&, Action) {});
  }

  // The same, calling told(state, action) before each choice of the other, which is then on turn. In the clean rules: the
  // original has its own turns.
  template <class F>
  void sample(Rng& rng, State<Kittens>& state, F told) const {
    const KittensBombBelief bombs(story_);
    const KittensBombBelief::Hiding hiding = bombs.sample(rng);
    const std::vector<KittensPartialDeck> rows = bombs.decks(hiding);
    KittensCardBelief other_cards(story_);
    const std::vector<Codes> cards = other_cards.sample(rng);
    state = State<Kittens>{};
    open(state, other_cards.first_hand());
    std::size_t stretch = rows.size() - 1;
    state.hidden.deck = deck(rows[stretch], cards[stretch], story_.bombs, rng);
    for (const KittensHistoryEntry& entry : story_.log) {
      redo(state, entry, hiding, told);
      if (entry.event != Kittens::kShuffled) continue;
      --stretch;
      state.hidden.deck = deck(rows[stretch], cards[stretch], entry.bombs, rng);
      Kittens::forget(state);
    }
    const View<Kittens>& view = story_.view;
    assert(std::memcmp(&state.own[at(story_.me)], &view.own, sizeof view.own) == 0);
    assert(state.pub.log == view.pub.log && state.pub.hand == view.pub.hand && state.pub.counted == view.pub.counted);
    state.pub = view.pub;
    state.hidden.rng = Rng{rng.next()};
  }

 private:
  using Codes = KittensCardBelief::Codes;

  const KittensHistory story_;
  const Kittens& rules_;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void open(State<Kittens>& state, const Kittens::Counts& others) const {
    if (!story_.arranged) return rules_.open(state);
    std::array<Kittens::Counts, 2> hands;
    hands[at(story_.me)] = story_.hand;
    hands[at(other(story_.me))] = others;
    rules_.open(state, hands, story_.gone);
  }

  // A whole deck just shuffled: the bombs that are unknown anywhere, between them the cards in their order.
  static Codes deck(const KittensPartialDeck& row, const Codes& cards, int bombs, Rng& rng) {
    std::array<std::uint8_t, 64> token = row.token;
    std::array<std::size_t, 64> open;
    std::uint32_t unknown = 0;
    for (std::size_t i = 0; i < at(row.size); ++i) {
      bombs -= token[i] == KittensBombBelief::kBomb;
      if (token[i] == KittensBombBelief::kUnknown) open[unknown++] = i;
    }
    for (; bombs > 0; --bombs) {
      std::size_t& pick = open[rng.below(unknown)];
      token[pick] = KittensBombBelief::kBomb;
      pick = open[--unknown];
    }
    Codes out{};
    for (std::size_t i = 0, card = 0; i < at(row.size); ++i) {
      out[i] = token[i] == KittensBombBelief::kBomb ? std::uint8_t{Kittens::kBomb} : cards[card++];
    }
    return out;
  }

  template <class F>
  void redo(State<Kittens>& state, const KittensHistoryEntry& entry, const KittensBombBelief::Hiding& hiding, F told) const {
    const Seat seat = entry.theirs ? other(story_.me) : story_.me;
    begin_turn(state.pub, seat);
    if (entry.theirs && !entry.bottom()) told(state, chosen(entry));  // a Bottom was chosen when it was played
    if (!entry.card() && !entry.bomb()) {
      rules_.play(state, seat, entry.played());
      if (entry.event == Kittens::kSaw && !rules_.original) Kittens::look(state, seat);
      if (entry.event == Kittens::kSkipped) --state.pub.owed;
      if (entry.event != Kittens::kAttacked) return;
      state.pub.owed = static_cast<std::uint8_t>(rules_.stack && state.pub.owed >= 2 ? state.pub.owed + 2 : 2);
      state.pub.turn = other(seat);
      return;
    }
    rules_.take(state, seat, entry.bottom());
    if (state.pub.owed) --state.pub.owed;
    if (entry.defused) rules_.discard(state, seat, Kittens::kDefuse);
    if (!entry.back) return;
    const int depth = entry.theirs ? state.pub.deck - hiding[at(entry.hiding)] : entry.depth;
    state.pub.placing = 1;
    if (entry.theirs) told(state, place(depth, state.pub.deck));
    state.pub.placing = 0;
    rules_.put_back(state, seat, depth);
  }

  // Whose turn it is and how many draws it owes follows from the log, but for how a position began that was set up.
  static void begin_turn(Kittens::Public& pub, Seat seat) {
    if (pub.turn != seat) pub.owed = 0;
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
  const KittensHistory story(*this, view);
  return KittensBombBelief(story).chance(depth);
}

static_assert(Game<Kittens>);

}  // namespace ludoteca
