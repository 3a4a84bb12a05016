// Fast random playouts of Kittens in the clean rules.
#pragma once

#include <utility>

#include "kittens/rules.hpp"

namespace ludoteca {

// Plays the same matches as `apply` from the same random numbers, on a state that holds only what decides who wins.
//
//      a hand is one word, a byte for each card      │Safe│Shuffle│Bottom│ See │Attack│ Skip │Defuse│  -  │
//      the deck is a window of an array              [lo, hi): the top card at hi-1, the bottom one at lo
//
// Half of all actions are draws of a seat that can do nothing else. They are handled first: the processor predicts that
// branch well, but not which of several random actions comes.
class KittensPlayout {
 public:
  KittensPlayout(const Kittens& rules_, const State<Kittens>& state)
      : rules(rules_),
        mine(word(state.own[state.pub.turn].hand)),
        theirs(word(state.own[1 - state.pub.turn].hand)),
        turns(state.pub.turns),
        seat(state.pub.turn),
        owed(state.pub.owed),
        hi(kRoom + state.pub.deck),
        shuffles(state.hidden.rng) {
    std::memcpy(&deck[kRoom], state.hidden.deck.data(), sizeof state.hidden.deck);
  }

  // The seat that loses, or kNobody. `placing`: the seat on turn holds a bomb that it puts back first. Everything is
  // inlined: in a large unit GCC would leave calls, which cost a seventh of the speed.
  [[gnu::flatten]] Seat loser(bool placing, Rng& rng) {
    if (placing) {
      put_back(rng);
      if (!owed && end_turn(1)) return kNobody;
    }
    while (true) {
      const std::uint32_t next = mine & kPlayable ? act(rng) : only_draw(rng);
      if (next == kLost) return seat;
      if (next && end_turn(next)) return kNobody;
    }
  }

 private:
  static constexpr auto one = [](int card) { return std::uint64_t{1} << (8 * card); };
  static constexpr std::uint64_t kDefuses = 0xff * one(Kittens::kDefuse);
  static constexpr std::uint64_t kPlayable = one(Kittens::kSafe) - one(Kittens::kSkip);
  static constexpr std::uint32_t kLost = ~0u;

  // The legal actions for each set of held cards (bit i: kSkip + i), in the order of `legal`. The lowest three bits are
  // the number of actions; each further three bits are one: 0 draw, 1 skip, 2 attack, 3 see, 4 bottom, 5 shuffle.
  static constexpr std::array<std::uint32_t, 32> kChoices = [] {
    std::array<std::uint32_t, 32> out{};
    for (unsigned held = 0; held < out.size(); ++held) {
      unsigned count = 1;
      for (unsigned i = 0; i < 5; ++i) {
        if (held >> i & 1) out[held] |= (i + 1) << (3 + 3 * count++);
      }
      out[held] |= count;
    }
    return out;
  }();

  static std::uint64_t word(const Kittens::Counts& hand) {
    std::uint64_t out = 0;
    for (std::size_t card = 1; card < hand.size(); ++card) out |= std::uint64_t{hand[card]} << (8 * card);
    return out;
  }
  // One bit for each kind from Skip to Shuffle that the hand holds; each count is below 128.
  static unsigned held(std::uint64_t hand) {
    const std::uint64_t some = (hand + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
    return static_cast<unsigned>(some * 0x0102040810204080ULL >> 58) & 31;  // gathers the bits of the bytes
  }

  // Each of these returns the draws that the other seat owes if the turn is over, 0 if it goes on, or kLost.

  std::uint32_t act(Rng& rng) {
    const std::uint32_t choices = kChoices[held(mine)];
    const std::uint32_t chosen = choices >> (3 + 3 * rng.below(choices & 7)) & 7;
    if (chosen) mine -= one(Kittens::kSkip + static_cast<int>(chosen) - 1);
    switch (chosen) {
      case 0: return draw(false, rng);
      case 1: return --owed ? 0 : 1;
      case 2: return rules.stack && owed >= 2 ? owed + 2 : 2;
      case 3: return 0;
      case 4: return draw(true, rng);
      default: shuffles.shuffle(&deck[lo], static_cast<int>(hi - lo)); return 0;
    }
  }

  std::uint32_t only_draw(Rng& rng) {
    rng.next();  // the choice of one among one
    return draw(false, rng);
  }

  std::uint32_t draw(bool bottom, Rng& rng) {
    --owed;
    if (hi != lo) {
      const std::uint8_t card = deck[bottom ? lo++ : --hi];
      if (card != Kittens::kBomb) {
        mine += one(card);
      } else if (mine & kDefuses) {
        mine -= one(Kittens::kDefuse);
        put_back(rng);
      } else {
        return kLost;
      }
    }
    return owed ? 0 : 1;
  }

  void put_back(Rng& rng) {
    const std::uint32_t size = hi - lo, choice = rng.below(rules.any ? size + 1 : 3);
    const std::uint32_t depth = rules.any ? choice : choice * size / 2;  // top, middle, bottom
    if (depth == size) {
      deck[--lo] = Kittens::kBomb;
      return;
    }
    std::memmove(&deck[hi - depth + 1], &deck[hi - depth], depth);
    deck[hi++ - depth] = Kittens::kBomb;
  }

  // Whether that was the last turn of the match.
  bool end_turn(std::uint32_t next_owed) {
    owed = next_owed;
    std::swap(mine, theirs);
    seat = other(seat);
    return ++turns >= rules.max_turns;
  }

  // Every bomb that goes back costs a Defuse, so there is room for all of them at either end.
  static constexpr std::uint32_t kRoom = Kittens::kMaxDeck + 4;

  const Kittens& rules;
  std::uint64_t mine, theirs;  // the hands of the seat on turn and of the other
  int turns;
  Seat seat;
  std::uint32_t owed, lo = kRoom, hi;
  Rng shuffles;  // the match's own generator, for Shuffle cards
  std::array<std::uint8_t, 3 * kRoom> deck;
};

inline Returns Kittens::playout(const State<Kittens>& state, Rng& rng) const {
  if (original || state.pub.turn == kNobody) {
    State<Kittens> end = state;
    playout_stepwise(*this, end, rng);
    return returns(end.pub);
  }
  const Seat loser = KittensPlayout(*this, state).loser(state.pub.placing, rng);
  return loser == kNobody ? Returns{0, 0} : loser == 0 ? Returns{-1, 1} : Returns{1, -1};
}

}  // namespace ludoteca
