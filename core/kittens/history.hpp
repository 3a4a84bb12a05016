// A match of Kittens as one seat saw it, event by event: what sampling goes through, back and forth.
#pragma once

#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

struct KittensHistoryEntry {
  Kittens::Event event;
  bool theirs;         // the other seat did it
  bool counted;        // a card drawn in the original rules: does the table count such cards
  bool defused;        // a bomb: did it cost a Defuse
  bool back;           // a bomb was put back then; it is the one drawn here or, in the original rules, just before
  int bombs;           // so many were in the deck before it
  int number;          // so many cards the other had drawn before (its first hand, where I do not know it, among them)
  int hiding;          // so many bombs it had put back before
  int depth;           // where I put the bomb back
  std::uint16_t seen;  // by me, as in Kittens::Private, without that depth

  bool card() const { return event == Kittens::kDrew || event == Kittens::kBottomDrew; }
  bool bomb() const { return event == Kittens::kDrewBomb || event == Kittens::kBottomDrewBomb; }
  bool bottom() const { return event == Kittens::kBottomDrew || event == Kittens::kBottomDrewBomb; }

  // The card that it took from a hand, kBomb for none.
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

struct KittensHistory {
  const Kittens& rules;
  const View<Kittens>& view;
  const Seat me;
  std::vector<KittensHistoryEntry> log;

  // How it began.
  const bool arranged;         // by hand: then I do not know which cards the other had
  Kittens::Counts gone;        // cards that were left out
  int bombs;                   // in the deck
  Kittens::Counts hand;        // mine
  Kittens::Counts rest{};      // the other's and those of the deck together, bombs apart
  int others, others_counted;  // the size of the other's hand, and what the original rules tell of it

  KittensHistory(const Kittens& rules_, const View<Kittens>& view_)
      : rules(rules_), view(view_), me(view_.seat), arranged(view_.pub.arranged), gone(view_.pub.gone) {
    const Kittens::Public& pub = view.pub;
    const auto you = static_cast<std::size_t>(other(me));
    hand = view.own.hand;
    others = pub.hand[you];
    others_counted = pub.counted[you];
    read();
    for (const KittensHistoryEntry& entry : log) undo(entry);
    bombs = rules.counts[Kittens::kBomb] - gone[Kittens::kBomb];
    int left = bombs;
    for (KittensHistoryEntry& entry : log) {
      entry.bombs = left;
      left += int{entry.back} - int{entry.bomb()};
    }
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      rest[card] = static_cast<std::uint8_t>(rules.all(card) - gone[card] - hand[card]);
    }
    if (!arranged) return;
    for (KittensHistoryEntry& entry : log) entry.number += entry.card() && entry.theirs ? others : 0;
  }

 private:
  void read() {
    const Kittens::Public& pub = view.pub;
    log.reserve(pub.events);
    int draws = 0, hidings = 0;
    bool holding = false;  // a bomb from the event before, which is yet to be put back
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
        gone[Kittens::kBomb] = static_cast<std::uint8_t>(gone[Kittens::kBomb] - holding);  // one of two is lost
      }
      const bool held = holding || entry.defused;
      // Nobody but the original's seat 0 does anything more before it puts a bomb back (Kittens::draws_on).
      holding = rules.original && seat == 0 && entry.event == Kittens::kBottomDrewBomb && !last && !(pub.log[i + 1] & 1);
      entry.back = held && !holding && !(last && (pub.placing || pub.loser != kNobody));
      if (entry.theirs && entry.back) entry.hiding = hidings++;
      if (entry.theirs && entry.card()) entry.number = draws++;
      log.push_back(entry);
    }
  }

  // Takes what an event gave to a hand, and gives what it took.
  void undo(const KittensHistoryEntry& entry) {
    const int step = entry.card() ? -1 : entry.played() != Kittens::kBomb ? 1 : 0;
    if (!entry.theirs) {
      std::uint8_t& count = hand[entry.card() ? entry.seen - 1u : std::size_t{entry.played()}];
      count = static_cast<std::uint8_t>(count + step);
      return;
    }
    others += step;
    const bool counted = entry.card() ? entry.counted : Kittens::is_counted(entry.played());
    if (rules.original && counted) others_counted += step;
  }
};

// A deck at a time past, a token for each card from the bottom; 0 where nothing has been said of it.
struct KittensPartialDeck {
  int size = 0;
  std::array<std::uint8_t, 64> token{};

  void insert(int i, int what) {
    std::memmove(&token[at(i + 1)], &token[at(i)], at(size - i));
    token[at(i)] = static_cast<std::uint8_t>(what);
    ++size;
  }
  void remove(int i) {
    --size;
    std::memmove(&token[at(i)], &token[at(i + 1)], at(size - i));
    token[at(size)] = 0;
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace ludoteca
