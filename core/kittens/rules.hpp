// Kittens: two seats draw from one face-down deck; a seat that draws a bomb and has no Defuse loses.
//
//      depth 0      ┌─────────┐  top: `draw` takes it         index n-1
//      depth 1      │░░░░░░░░░│  `see` shows depths 0, 1, 2   index n-2
//         …         │░░░░░░░░░│  `place middle`: depth ⌊n/2⌋     …          (original rules: ⌈n/2⌉)
//      depth n-1    └─────────┘  bottom: `bottom` takes it    index 0
//
// Players speak of depths; the array holds the deck from the bottom up, so that drawing is a pop. A defused bomb goes
// back, so all bombs stay in the deck until one ends the game (in the original rules one of two that seat 0 draws in
// one go is lost). Whether a drawn card was a bomb is public; which card it was is not. Public has a log of all that
// happened, and each Private a parallel log of what only that seat saw, so a view remembers everything. Each seat also
// has a KittensDeckKnowledge, which says which card lies where and is updated as cards move.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

#include "game.hpp"
#include "kittens/belief/deck_knowledge.hpp"

namespace ludoteca {

class KittensBombBelief;
class KittensObservation;
class KittensWorlds;

struct Kittens {
  static constexpr int kMaxDeck = 60;
  static constexpr int kMaxActions = 9 + kMaxDeck;
  static constexpr int kSeen = 3;  // cards that `see` shows

  enum Card : std::uint8_t { kBomb, kDefuse, kSkip, kAttack, kSee, kBottom, kShuffle, kSafe };
  static constexpr int kCards = 8;
  using Counts = std::array<std::uint8_t, kCards>;
  static constexpr Counts kStart{0, 1, 1, 1, 0, 0, 0, 0};  // each seat's first hand
  static constexpr std::uint8_t kStartSize = 3;
  // The kinds whose number in each hand is public in the original rules.
  static constexpr bool is_counted(std::size_t card) { return (card >= kDefuse && card <= kAttack) || card == kSafe; }

  // The seed's numbers; with `place=any` the bomb goes to depth d by kPlaceAt + d instead of 3, 4, 5.
  enum : Action {
    kDoDraw, kDoSkip, kDoAttack, kPlaceTop, kPlaceMiddle, kPlaceBottom, kDoSee, kDoBottom, kDoShuffle, kPlaceAt
  };

  // An entry of the log is 2 * event + seat. The entry of a bomb implies the Defuse that it cost. The entry of a card
  // drawn in the original rules has kUncounted set unless the card is of a counted kind.
  enum Event : std::uint8_t {
    kNone, kDrew, kDrewBomb, kBottomDrew, kBottomDrewBomb, kSkipped, kAttacked, kSaw, kPlayedBottom, kShuffled
  };
  static constexpr std::uint8_t kUncounted = 0x80;
  // There are N cards in the deck that are no bombs, and 6 more in hands. At most N are drawn; with D Defuses among
  // them D + 1 bombs are drawn (the last explodes); all but Defuses can be played: N + (N + 6) + 1. A deck that was set
  // up by hand has no more cards.
  static constexpr int kMaxLog = 2 * (kMaxDeck - 1) + 7;

  struct Public {
    std::int16_t turns = 0;  // ended so far
    Seat turn = 0;
    Seat loser = kNobody;
    std::uint8_t owed = 1;     // draws that the seat on turn still owes
    std::uint8_t placing = 0;  // 1: the seat on turn holds a defused bomb and chooses its place
    std::uint8_t deck = 0;     // cards
    std::uint8_t bombs = 0;    // among them
    std::array<std::uint8_t, 2> hand{kStartSize, kStartSize};
    std::array<std::uint8_t, 2> counted{};     // in the original rules: cards of counted kinds in each hand
    std::uint8_t arranged = 0;                 // 1: set up by hand, so the opponent's first hand is unknown
    Counts gone{};                             // cards that were left out of that position, and a bomb that was lost
    std::array<std::int8_t, 2> last{-1, -1};   // last card action as the opponent saw it: 0, 1, 2, 6, 7, 8
    std::array<std::uint8_t, 2> defused{};     // 1: this seat used a Defuse in its last or present turn
    std::array<std::uint8_t, 2> since{};       // 1 + draws since this seat put a bomb back; 0 after a shuffle
    std::array<Counts, 2> played{};            // by each seat, Defuses too
    std::uint8_t events = 0;
    std::array<std::uint8_t, kMaxLog> log{};
    std::array<std::uint8_t, 7> zero{};  // explicit where padding would have been
  };

  struct Private {
    KittensDeckKnowledge deck_knowledge;
    Counts hand = kStart;
    Counts holds = kStart;  // cards that the opponent holds for certain
    // Parallel to the log; 0 where this seat saw nothing more. 1 + card for a draw, plus 16 * (1 + depth) if a bomb was
    // put back after it; for `see` four bits per card, the topmost in the lowest bits.
    std::array<std::uint16_t, kMaxLog + 3> seen{};
  };

  struct Hidden {
    Rng rng;
    std::array<std::uint8_t, 64> deck{};  // cards, from the bottom
  };

  // A position set up by hand. Each seat holds the cards of `hands` and `more` random ones. Without a deck, all
  // remaining cards are the deck, shuffled; with one, they are gone.
  struct Start {
    std::optional<std::vector<int>> deck;  // from the top
    std::array<std::vector<int>, 2> hands;
    std::array<int, 2> more{};
    Seat turn = 0;
    int owed = 1;
  };

  const Counts counts;  // the deck at the start
  const bool original;
  const bool stack;
  const bool any;  // bombs go back to any depth
  const int max_turns;

  Kittens(const std::array<int, kCards>& counts_, bool original_, bool stack_, bool any_, int max_turns_)
      : counts(checked(counts_)), original(original_), stack(stack_ && !original_), any(any_), max_turns(max_turns_) {
    if (max_turns < 1 || max_turns > 10'000) throw std::invalid_argument("Kittens: max_turns must be 1 to 10000");
    for (int card = 0; card < kCards; ++card) {
      for (int i = 0; i < counts[index(card)]; ++i) sorted[index(cards++)] = static_cast<std::uint8_t>(card);
      share[index(card)] = 1.0f / static_cast<float>(std::max(all(index(card)), 1));
    }
  }

  int size() const { return cards; }  // of the deck at the start
  int num_actions() const { return any ? kPlaceAt + cards : static_cast<int>(kPlaceAt); }

  void deal(State<Kittens>& state, Rng rng) const {
    state = State<Kittens>{};
    begin(state);
    state.hidden.deck = sorted;
    rng.shuffle(state.hidden.deck.data(), cards);
    state.hidden.rng = rng;
  }

  // Throws std::invalid_argument for an impossible position. In start_position.hpp.
  void arrange(const Start& start, Rng rng, State<Kittens>& state) const;

  int max_owed() const { return stack ? 4 : 2; }  // in a Start
  // The largest deck of a Start; with `place=any` each depth needs an action.
  int max_deck() const { return any ? cards : kMaxDeck; }

  void legal(ViewRef<Kittens> v, Actions<Kittens>& out) const {
    if (v.pub.placing) {
      const Action first = any ? kPlaceAt : kPlaceTop, end = any ? kPlaceAt + v.pub.deck : kPlaceBottom;
      for (Action action = first; action <= end; ++action) out.add(action);
      return;
    }
    out.add(kDoDraw);
    for (const Action action : {kDoSkip, kDoAttack, kDoSee, kDoBottom, kDoShuffle}) {
      out.add_if(original || v.own.hand[card_of(action)], action);
    }
  }

  bool is_legal(ViewRef<Kittens> v, Action action) const {
    if (v.pub.placing) {
      return any ? action >= kPlaceAt && action <= kPlaceAt + v.pub.deck
                 : action >= kPlaceTop && action <= kPlaceBottom;
    }
    if (action == kDoDraw) return true;
    if (action < 0 || action > kDoShuffle || (action >= kPlaceTop && action <= kPlaceBottom)) return false;
    return original || v.own.hand[card_of(action)];
  }

  // Not on placing. In the original rules a card that the seat does not hold may be played: that is a draw.
  bool is_plain_draw(const Private& own, Action action) const {
    return action == kDoDraw || (original && !own.hand[card_of(action)]);
  }
  void apply(State<Kittens>& state, Action action) const {
    Public& pub = state.pub;
    const Seat seat = pub.turn;
    if (pub.placing) {
      put_back(state, seat, depth_of(action, pub.deck));
      pub.placing = 0;
      if (original) draw_owed(state, seat);
      return end_if_done(pub);
    }
    const auto card = static_cast<Card>(card_of(action));
    if (is_plain_draw(state.own[index(seat)], action)) action = kDoDraw;
    pub.last[index(seat)] = static_cast<std::int8_t>(action);
    if (action != kDoDraw) play(state, seat, card);
    switch (action) {
      case kDoDraw: if (!original) draw(state, seat, false); break;
      case kDoSkip: --pub.owed; break;
      case kDoAttack: return end_turn(pub, stack && pub.owed >= 2 ? pub.owed + 2 : 2);
      case kDoSee: if (!original) look(state, seat); break;
      case kDoBottom:
        draw(state, seat, true);
        if (draws_on(pub, seat)) draw(state, seat, false);
        break;
      case kDoShuffle: shuffle(state); break;
      default: assert(false);
    }
    if (original) draw_owed(state, seat);
    end_if_done(pub);
  }

  // The action that puts a bomb at kPlaceTop, kPlaceMiddle or kPlaceBottom of a deck of `size`: with `place=any` a
  // depth.
  Action place_action(Action place, int size) const {
    if (!any) return place;
    return kPlaceAt + (place == kPlaceTop ? 0 : place == kPlaceMiddle ? size / 2 : size);
  }

  Returns playout(const State<Kittens>& from, Rng& rng) const;  // in playout.hpp

  Returns returns(const Public& pub) const {
    if (pub.loser == kNobody) return {0, 0};
    return pub.loser == 0 ? Returns{-1, 1} : Returns{1, -1};
  }

  // In worlds.hpp.
  void sample(const View<Kittens>& view, Rng rng, State<Kittens>& state) const;
  double bomb_chance(const View<Kittens>& view, int depth) const;

  // A flat vector; games/kittens/game.py lists its numbers. In tensor.hpp.
  static constexpr int kTop = 6, kLow = 3, kSlot = kCards + 2;  // places of the deck in the tensor, and their width
  static constexpr int kPlaces = 71, kTensor = kPlaces + (kTop + kLow) * kSlot;
  std::vector<int> tensor_shape() const { return {kTensor}; }
  void tensor(ViewRef<Kittens> v, float* out) const;
  // The eleven inputs of the seed document's network.
  std::array<double, 11> seed_observation(ViewRef<Kittens> v) const;

 private:
  friend class KittensBombBelief;
  friend class KittensObservation;
  friend class KittensWorlds;
  friend struct KittensHistory;

  int cards = 0;
  std::array<std::uint8_t, 64> sorted{};  // the deck before its first shuffle
  std::array<float, kCards> share{};      // one card as a share of all cards of its kind, hands included

  int all(std::size_t card) const { return counts[card] + 2 * kStart[card]; }  // of this kind in the whole game

  static Counts checked(const std::array<int, kCards>& counts_) {
    Counts out{};
    int total = 0;
    for (std::size_t card = 0; card < kCards; ++card) {
      if (counts_[card] < 0 || counts_[card] > kMaxDeck) throw std::invalid_argument("Kittens: a count of cards");
      out[card] = static_cast<std::uint8_t>(counts_[card]);
      total += counts_[card];
    }
    if (total < 1 || total > kMaxDeck) throw std::invalid_argument("Kittens: the deck must have 1 to 60 cards");
    return out;
  }

  static constexpr std::size_t card_of(Action action) {
    constexpr std::array<std::uint8_t, 9> card{kSafe, kSkip, kAttack, kSafe, kSafe, kSafe, kSee, kBottom, kShuffle};
    return card[index(action)];
  }
  static constexpr Event event_of(Card card) {
    constexpr std::array<Event, kCards> event{kNone, kNone, kSkipped, kAttacked, kSaw, kPlayedBottom, kShuffled, kNone};
    return event[card];
  }
  int depth_of(Action action, int size) const {
    if (any) return action - kPlaceAt;
    return action == kPlaceTop ? 0 : action == kPlaceMiddle ? size - middle(size) : size;
  }
  // The index that `place middle` means in a deck of `size`: the original counts from the bottom.
  int middle(int size) const { return original ? size / 2 : size - size / 2; }
  // Where a bomb can have been put back into a deck of `size`, one bit per index.
  std::uint64_t places(int size) const {
    const std::uint64_t top = std::uint64_t{1} << size;
    return any ? 2 * top - 1 : top | std::uint64_t{1} << middle(size) | 1;
  }

  void begin(State<Kittens>& state) const {
    state.pub.deck = static_cast<std::uint8_t>(cards);
    state.pub.bombs = counts[kBomb];
    if (original) state.pub.counted = {kStartSize, kStartSize};
  }
  // The same with hands that are not those of a deal: a seat knows only the size of the other hand.
  void begin(State<Kittens>& state, const std::array<Counts, 2>& hands, const Counts& gone) const {
    Public& pub = state.pub;
    pub.arranged = 1;
    pub.gone = gone;
    pub.hand = {};
    for (std::size_t card = 0; card < kCards; ++card) {
      pub.deck = static_cast<std::uint8_t>(pub.deck + all(card) - gone[card] - hands[0][card] - hands[1][card]);
      for (std::size_t seat : {0u, 1u}) {
        pub.hand[seat] = static_cast<std::uint8_t>(pub.hand[seat] + hands[seat][card]);
        if (!original || !is_counted(card)) continue;
        pub.counted[seat] = static_cast<std::uint8_t>(pub.counted[seat] + hands[seat][card]);
      }
    }
    pub.bombs = static_cast<std::uint8_t>(counts[kBomb] - gone[kBomb]);
    for (std::size_t seat : {0u, 1u}) {
      state.own[seat].hand = hands[seat];
      state.own[seat].holds = {};
    }
  }

  // How cards move, with hands, logs and deck knowledge. Used by `apply`, and by sampling to replay a history.

  static void append_log(State<Kittens>& state, Seat seat, Event event, int seen = 0, int flag = 0) {
    Public& pub = state.pub;
    assert(pub.events < kMaxLog);
    state.own[index(seat)].seen[pub.events] = static_cast<std::uint16_t>(seen);
    pub.log[pub.events++] = static_cast<std::uint8_t>((2 * event + seat) | flag);
  }

  void discard(State<Kittens>& state, Seat seat, Card card) const {
    --state.own[index(seat)].hand[card];
    --state.pub.hand[index(seat)];
    ++state.pub.played[index(seat)][card];
    if (original && is_counted(card)) --state.pub.counted[index(seat)];
    std::uint8_t& known = state.own[index(other(seat))].holds[card];
    if (known) --known;
  }

  void play(State<Kittens>& state, Seat seat, Card card) const {
    discard(state, seat, card);
    append_log(state, seat, event_of(card));
  }

  // Draws the top or bottom card of a deck that is not empty.
  Card take(State<Kittens>& state, Seat seat, bool bottom) const {
    Public& pub = state.pub;
    auto& deck = state.hidden.deck;
    const int size = pub.deck--;
    const auto card = static_cast<Card>(deck[index(bottom ? 0 : size - 1)]);
    if (bottom) std::memmove(&deck[0], &deck[1], index(size - 1));
    const bool bomb = card == kBomb;
    deck[index(size - 1)] = 0;
    const Event event = bottom ? (bomb ? kBottomDrewBomb : kBottomDrew) : bomb ? kDrewBomb : kDrew;
    const bool public_kind = original && !bomb, counted = is_counted(card);
    append_log(state, seat, event, 1 + card, public_kind && !counted ? kUncounted : 0);
    for (std::uint8_t& since : pub.since) since = static_cast<std::uint8_t>(since + (since > 0 && since < 255));
    Private &own = state.own[index(seat)], &others = state.own[index(other(seat))];
    own.deck_knowledge.draw(bottom, bomb, size);
    const std::uint8_t known = others.deck_knowledge.draw(bottom, bomb, size);
    if (bomb) {
      --pub.bombs;
    } else {
      ++own.hand[card];
      ++pub.hand[index(seat)];
      if (public_kind && counted) ++pub.counted[index(seat)];
      if (known) ++others.holds[known - 1u];
    }
    return card;
  }

  void put_back(State<Kittens>& state, Seat seat, int depth) const {
    Public& pub = state.pub;
    auto& deck = state.hidden.deck;
    const int size = pub.deck, at = size - depth;
    std::memmove(&deck[index(at + 1)], &deck[index(at)], index(depth));
    deck[index(at)] = kBomb;
    ++pub.deck;
    Private& own = state.own[index(seat)];
    own.seen[pub.events - 1u] = static_cast<std::uint16_t>(16 * (1 + depth) + own.seen[pub.events - 1u]);
    own.deck_knowledge.place_bomb(at, size);
    state.own[index(other(seat))].deck_knowledge.opponent_placed_bomb(places(size), size);
    pub.since[index(seat)] = 1;
    ++pub.bombs;
  }

  // Shows the top cards to a seat that has just played `see`.
  static void look(State<Kittens>& state, Seat seat) {
    const int size = state.pub.deck, count = size < kSeen ? size : kSeen;
    std::array<std::uint8_t, kSeen> codes{};
    int seen = 0;
    for (int d = 0; d < count; ++d) {
      codes[index(d)] = static_cast<std::uint8_t>(1 + state.hidden.deck[index(size - 1 - d)]);
      seen |= codes[index(d)] << (4 * d);
    }
    state.own[index(seat)].seen[state.pub.events - 1u] = static_cast<std::uint16_t>(seen);
    state.own[index(seat)].deck_knowledge.see(codes.data(), count, size);
  }

  static void clear_deck_knowledge(State<Kittens>& state) {
    for (Private& own : state.own) own.deck_knowledge.clear();
    state.pub.since = {};
  }

  static void shuffle(State<Kittens>& state) {
    state.hidden.rng.shuffle(state.hidden.deck.data(), state.pub.deck);
    clear_deck_knowledge(state);
  }

  // The flow of turns.

  // One owed draw; an empty deck gives nothing.
  void draw(State<Kittens>& state, Seat seat, bool bottom) const {
    Public& pub = state.pub;
    --pub.owed;
    if (!pub.deck || take(state, seat, bottom) != kBomb) return;
    if (pub.placing) ++pub.gone[kBomb];  // of two bombs one goes back
    if (state.own[index(seat)].hand[kDefuse]) {
      discard(state, seat, kDefuse);
      pub.placing = pub.defused[index(seat)] = 1;
      if (forgives_draws(seat, bottom)) pub.owed = 0;
    } else {
      pub.placing = 0;
      pub.loser = seat;
      pub.turn = kNobody;
    }
  }

  // In the original rules seat 0 owes nothing more once it has defused a bomb from the top.
  bool forgives_draws(Seat seat, bool bottom) const { return original && seat == 0 && !bottom; }

  // In the original rules seat 0, holding a bomb from the bottom, draws what it still owes before it places the bomb.
  bool draws_on(const Public& pub, Seat seat) const { return original && seat == 0 && pub.placing && pub.owed; }

  void draw_owed(State<Kittens>& state, Seat seat) const {
    while (state.pub.owed && !state.pub.placing && state.pub.turn == seat) draw(state, seat, false);
  }

  void end_if_done(Public& pub) const {
    if (!pub.owed && !pub.placing && pub.turn != kNobody) end_turn(pub, 1);
  }

  void end_turn(Public& pub, int owed) const {
    pub.owed = static_cast<std::uint8_t>(owed);
    pub.turn = ++pub.turns < max_turns ? other(pub.turn) : kNobody;
    if (pub.turn != kNobody) pub.defused[index(pub.turn)] = 0;
  }
};

}  // namespace ludoteca

#include "kittens/start_position.hpp"
#include "kittens/playout.hpp"
#include "kittens/tensor.hpp"
#include "kittens/worlds.hpp"
