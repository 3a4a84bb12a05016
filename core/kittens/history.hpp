// The history of a match of Kittens as one seat saw it, event by event.
#pragma once

#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

// One event of the entries, with what the seat saw of it.
struct KittensHistoryEntry {
  Kittens::Event event;
  bool theirs;         // by the opponent
  bool counted;        // a card drawn in the original rules: it is of a counted kind (Kittens::is_counted)
  bool defused;        // a bomb: it cost a Defuse
  bool bomb_returned;  // a bomb was put back: the one drawn here or, in the original rules, just before
  int bombs;           // in the deck before this event
  int draw_number;     // cards that the opponent had drawn before (including its first hand, if that is unknown)
  int place_number;    // bombs that the opponent had put back before
  int depth;           // where this seat put the bomb back
  std::uint16_t seen;  // by this seat, as in Kittens::Private, without that depth

  bool card() const { return event == Kittens::kDrew || event == Kittens::kBottomDrew; }
  bool bomb() const { return event == Kittens::kDrewBomb || event == Kittens::kBottomDrewBomb; }
  bool bottom() const { return event == Kittens::kBottomDrew || event == Kittens::kBottomDrewBomb; }

  // The card that left a hand; kBomb for none.
  Kittens::Card played() const {
    switch (event) {
      case Kittens::kSkipped: return Kittens::kSkip;
      case Kittens::kAttacked: return Kittens::kAttack;
      case Kittens::kSaw: return Kittens::kSee;
      case Kittens::kPlayedBottom: return Kittens::kBottom;
      case Kittens::kShuffled: return Kittens::kShuffle;
      default: return defused ? Kittens::kDefuse : Kittens::kBomb;
    }
  }
};

// A view's entries from the first event to the last, and the position from which it began.
struct KittensHistory {
  const Kittens& rules;
  const View<Kittens>& view;
  const Seat me;
  std::vector<KittensHistoryEntry> entries;

  // How the match began.
  const bool arranged;     // set up by hand: the opponent's first hand is unknown
  Kittens::Counts gone;    // cards that were left out
  int bombs;               // in the deck
  Kittens::Counts hand;    // this seat's
  Kittens::Counts rest{};  // all other cards, in the opponent's hand or in the deck, except bombs
  int opponent_size;       // of the opponent's hand
  int opponent_counted;    // cards of counted kinds in it, in the original rules

  KittensHistory(const Kittens& rules_, const View<Kittens>& view_)
      : rules(rules_), view(view_), me(view_.seat), arranged(view_.pub.arranged), gone(view_.pub.gone) {
    const Kittens::Public& pub = view.pub;
    const auto you = index(other(me));
    hand = view.own.hand;
    opponent_size = pub.hand[you];
    opponent_counted = pub.counted[you];
    read();
    for (const KittensHistoryEntry& entry : entries) undo(entry);
    bombs = rules.counts[Kittens::kBomb] - gone[Kittens::kBomb];
    int left = bombs;
    for (KittensHistoryEntry& entry : entries) {
      entry.bombs = left;
      left += int{entry.bomb_returned} - int{entry.bomb()};
    }
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      rest[card] = static_cast<std::uint8_t>(rules.all(card) - gone[card] - hand[card]);
    }
    if (!arranged) return;
    for (KittensHistoryEntry& entry : entries) entry.draw_number += entry.card() && entry.theirs ? opponent_size : 0;
  }

 private:
  void read() {
    const Kittens::Public& pub = view.pub;
    entries.reserve(pub.events);
    int draws = 0, places = 0;
    bool holding = false;  // the bomb of the event before has not been put back yet
    for (std::size_t i = 0; i < pub.events; ++i) {
      KittensHistoryEntry entry{};
      const Seat seat = pub.log[i] & 1;
      entry.event = static_cast<Kittens::Event>((pub.log[i] & ~Kittens::kUncounted) / 2);
      entry.theirs = seat != me;
      entry.counted = !(pub.log[i] & Kittens::kUncounted);
      entry.seen = view.own.seen[i];
      const bool last = i + 1 == pub.events;
      if (entry.card() || entry.bomb()) {
        entry.depth = entry.seen / 16 - 1;
        entry.seen &= 15;
      }
      if (entry.bomb()) {
        entry.defused = !(last && pub.loser != kNobody);
        gone[Kittens::kBomb] = static_cast<std::uint8_t>(gone[Kittens::kBomb] - holding);  // one of two bombs is lost
      }
      const bool held = holding || entry.defused;
      // Only seat 0 of the original rules draws on before it puts a bomb back (Kittens::draws_on).
      holding = rules.original && seat == 0 && entry.event == Kittens::kBottomDrewBomb && !last && !(pub.log[i + 1] & 1);
      entry.bomb_returned = held && !holding && !(last && (pub.placing || pub.loser != kNobody));
      if (entry.theirs && entry.bomb_returned) entry.place_number = places++;
      if (entry.theirs && entry.card()) entry.draw_number = draws++;
      entries.push_back(entry);
    }
  }

  // Undoes what an event did to a hand.
  void undo(const KittensHistoryEntry& entry) {
    const int step = entry.card() ? -1 : entry.played() != Kittens::kBomb ? 1 : 0;
    if (!entry.theirs) {
      std::uint8_t& count = hand[entry.card() ? entry.seen - 1u : std::size_t{entry.played()}];
      count = static_cast<std::uint8_t>(count + step);
      return;
    }
    opponent_size += step;
    const bool counted = entry.card() ? entry.counted : Kittens::is_counted(entry.played());
    if (rules.original && counted) opponent_counted += step;
  }
};

// An earlier deck as far as it is known: a token for each card from the bottom, 0 where the card is unknown.
struct KittensPartialDeck {
  int size = 0;
  std::array<std::uint8_t, 64> token{};

  void insert(int i, int what) {
    std::memmove(&token[index(i + 1)], &token[index(i)], index(size - i));
    token[index(i)] = static_cast<std::uint8_t>(what);
    ++size;
  }
  void remove(int i) {
    --size;
    std::memmove(&token[index(i)], &token[index(i + 1)], index(size - i));
    token[index(size)] = 0;
  }

 private:
};

}  // namespace ludoteca
