// What seat 0 of the original rules knows when it plays against a known player: exactly, and all that matters.
//
// Where that player puts bombs back follows from what everybody sees, so the depths of all bombs that were put back
// are known. What it holds is known but for the cards that it drew: these are weighed by how likely they were
// drawn (by both seats, each draw being a draw from what is left) and by how likely what it then did was, holding them.
#pragma once

#include "kittens/open_position.hpp"
#include "kittens/history.hpp"

namespace ludoteca {

class KittensHandBelief {
 public:
  struct Hand {
    double weight;  // the sum over all hands is 1
    KittensOpenPosition position;
  };

  // The view's seat is 0 and its match began with a deal; in the log nothing is left out.
  KittensHandBelief(const Kittens& rules, const KittensTabularPolicy& model, const View<Kittens>& view)
      : model_(model), safe_(rules.counts[Kittens::kSafe]), see_(rules.counts[Kittens::kSee]) {
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      const KittensOpenPosition::Kind kind = KittensOpenPosition::kind_of(card);
      table_.deck[kind] = static_cast<std::uint8_t>(table_.deck[kind] + rules.counts[card]);
      table_.mine[kind] = static_cast<std::uint8_t>(table_.mine[kind] + Kittens::kStart[card]);
      table_.other[kind] = static_cast<std::uint8_t>(table_.other[kind] + Kittens::kStart[card]);
    }
    table_.bombs = rules.counts[Kittens::kBomb];
    table_.cards = static_cast<std::uint8_t>(rules.size());
    weight_.fill(0);
    weight_[0] = 1;
    const KittensHistory story(rules, view);
    for (const KittensHistoryEntry& entry : story.log) follow(entry);
    table_.owed = view.pub.owed ? view.pub.owed : std::uint8_t{1};
    table_.theirs = false;
  }

  // All hands that the other may have, each with the position that it makes. `roughly`: Bottom and Shuffle cards that
  // may come count as Safe, for they are rarely worth anything and make many more positions.
  std::vector<Hand> hands(bool roughly) const {
    std::vector<Hand> out;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] <= 0) continue;
      Hand hand{weight_[i], table_};
      const Drawn drawn = drawn_of(i);
      for (std::size_t kind = 0; kind < drawn.size(); ++kind) move(hand.position, kind, drawn[kind]);
      if (roughly) {
        move(hand.position, KittensOpenPosition::kBottom, table_.deck[KittensOpenPosition::kBottom]);
        move(hand.position, KittensOpenPosition::kShuffle, table_.deck[KittensOpenPosition::kShuffle]);
        out.push_back(settled(hand));
      } else {
        add_uncounted(hand, out);
      }
    }
    double sum = 0;
    for (const Hand& hand : out) sum += hand.weight;
    for (Hand& hand : out) hand.weight /= sum;
    return out;
  }

  bool bomb_on_top() const { return table_.bomb_at(0); }
  // Whether a bomb lay elsewhere than the known player would have put it: it is another one, and no place is known.
  bool surprised() const { return surprised_; }

 private:
  using Drawn = std::array<int, 3>;  // Defuse, Skip and Attack cards that the other drew
  static constexpr int kMost = 8;    // of each
  // So likely the player does what it never does: it may be another one, and no hand shall be ruled out by that.
  static constexpr double kStranger = 1e-4;

  const KittensTabularPolicy& model_;
  // What is public, and my hand; in `deck` are those cards that I have not seen leave it, in `other` those which the
  // other has besides what it drew (below zero, modulo 256, where it played such).
  KittensOpenPosition table_;
  std::array<double, kMost * kMost * kMost> weight_;  // by cards drawn
  int draws_ = 0, counted_ = 0;  // by the other: all, and those of cards that the table counts
  int safe_, see_;               // Safe and See cards that I have not seen leave the deck
  int other_size_ = Kittens::kStartSize, my_size_ = Kittens::kStartSize;
  bool started_ = false;  // the turn: its action is known
  bool surprised_ = false;

  static Drawn drawn_of(std::size_t i) {
    const int index = static_cast<int>(i);
    return {index / (kMost * kMost), index / kMost % kMost, index % kMost};
  }
  static std::size_t index_of(const Drawn& drawn) {
    return static_cast<std::size_t>((drawn[0] * kMost + drawn[1]) * kMost + drawn[2]);
  }
  int held(const Drawn& drawn, std::size_t kind) const {
    return static_cast<std::int8_t>(table_.other[kind]) + drawn[kind];
  }
  int in_deck(const Drawn& drawn, std::size_t kind) const { return table_.deck[kind] - drawn[kind]; }

  static void move(KittensOpenPosition& at, std::size_t kind, int count) {
    at.deck[kind] = static_cast<std::uint8_t>(at.deck[kind] - count);
    at.other[kind] = static_cast<std::uint8_t>(at.other[kind] + count);
  }

  // What the deck and the other's hand have besides is Safe, or as good as that; so is what it never plays.
  Hand settled(Hand hand) const {
    KittensOpenPosition& at = hand.position;
    at.other[KittensOpenPosition::kBottom] = at.other[KittensOpenPosition::kShuffle] = 0;
    at.other[KittensOpenPosition::kSafe] = at.deck[KittensOpenPosition::kSafe] = 0;
    at.other[KittensOpenPosition::kSafe] = static_cast<std::uint8_t>(other_size_ - KittensOpenPosition::count(at.other));
    at.deck[KittensOpenPosition::kSafe] = static_cast<std::uint8_t>(at.cards - at.bombs - KittensOpenPosition::count(at.deck));
    return hand;
  }

  // All ways in which the cards that it drew and the table does not count can be Bottom and Shuffle cards.
  void add_uncounted(const Hand& hand, std::vector<Hand>& out) const {
    const int bottoms = table_.deck[KittensOpenPosition::kBottom], shuffles = table_.deck[KittensOpenPosition::kShuffle];
    for (int i = 0; i <= std::min(bottoms, draws_ - counted_); ++i) {
      for (int j = 0; j <= std::min(shuffles, draws_ - counted_ - i); ++j) {
        Hand next = hand;
        next.weight *= choose(bottoms, i) * choose(shuffles, j) * choose(see_, draws_ - counted_ - i - j);
        if (next.weight <= 0) continue;
        move(next.position, KittensOpenPosition::kBottom, i);
        move(next.position, KittensOpenPosition::kShuffle, j);
        out.push_back(settled(next));
      }
    }
  }
  static double choose(int n, int k) {
    double ways = k <= n ? 1 : 0;
    for (int i = 0; i < k; ++i) ways *= static_cast<double>(n - i) / (i + 1);
    return ways;
  }

  template <class F>
  void weigh(F factor) {
    double sum = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] > 0) sum += weight_[i] *= factor(drawn_of(i));
    }
    for (double& weight : weight_) weight /= sum > 0 ? sum : 1;
  }

  void follow(const KittensHistoryEntry& entry) {
    if (!started_) decide(entry);
    started_ = true;
    switch (entry.event) {
      case Kittens::kSkipped:
        --table_.owed;
        play(entry.theirs, KittensOpenPosition::kSkip);
        break;
      case Kittens::kAttacked:
        play(entry.theirs, KittensOpenPosition::kAttack);
        return end_turn(2);
      case Kittens::kSaw: play(entry.theirs, KittensOpenPosition::kSafe); break;
      case Kittens::kPlayedBottom: play(entry.theirs, KittensOpenPosition::kBottom); break;
      case Kittens::kShuffled:
        play(entry.theirs, KittensOpenPosition::kShuffle);
        table_.placed = 0;
        break;
      default: drawn(entry);
    }
    if (!table_.owed) end_turn(1);
  }

  void end_turn(int owed) {
    table_.theirs = !table_.theirs;
    table_.owed = static_cast<std::uint8_t>(owed);
    started_ = false;
  }

  // The first event of a turn tells what its seat chose.
  void decide(const KittensHistoryEntry& entry) {
    if (!entry.theirs) return;
    const auto habit = entry.event == Kittens::kSkipped    ? KittensTabularPolicy::kSkips
                       : entry.event == Kittens::kAttacked ? KittensTabularPolicy::kAttacks
                                                           : KittensTabularPolicy::kDraws;
    weigh([&](const Drawn& drawn) {
      const bool skip = held(drawn, KittensOpenPosition::kSkip) > 0, attack = held(drawn, KittensOpenPosition::kAttack) > 0;
      if ((habit == KittensTabularPolicy::kSkips && !skip) || (habit == KittensTabularPolicy::kAttacks && !attack)) return 0.0;
      const auto& chances = model_.habits(table_.cards, table_.bombs, skip, attack, other_size_ - my_size_);
      return kStranger + (1 - kStranger) * static_cast<double>(chances[habit]);
    });
  }

  void play(bool theirs, std::size_t kind) {
    --(theirs ? table_.other : table_.mine)[kind];
    --(theirs ? other_size_ : my_size_);
  }

  void drawn(const KittensHistoryEntry& entry) {
    --table_.owed;
    if (table_.bomb_at(entry.bottom() ? table_.cards - 1 : 0) && entry.card()) {
      surprised_ = true;
      table_.placed = 0;
    }
    table_.take(entry.bottom());
    if (entry.bomb()) {
      --table_.bombs;
      if (entry.defused) defuse(entry);
    } else if (entry.theirs) {
      take_unseen(entry.counted);
    } else {
      take_seen(entry.seen - 1u);
    }
    if (!entry.back) return;
    const int size = table_.cards;
    table_.put_bomb(entry.theirs ? KittensOpenPosition::depth(model_.place(size, table_.bombs), size) : entry.depth);
  }

  void defuse(const KittensHistoryEntry& entry) {
    play(entry.theirs, KittensOpenPosition::kDefuse);
    if (entry.theirs) weigh([&](const Drawn& drawn) { return held(drawn, KittensOpenPosition::kDefuse) >= 0 ? 1.0 : 0.0; });
    else if (!entry.bottom()) table_.owed = 0;
  }

  // My own card: the more of its kind the other has, the less likely it was.
  void take_seen(std::size_t card) {
    const KittensOpenPosition::Kind kind = KittensOpenPosition::kind_of(card);
    if (kind <= KittensOpenPosition::kAttack) weigh([&](const Drawn& drawn) { return 1.0 * in_deck(drawn, kind); });
    if (card == Kittens::kSafe) {
      weigh([&](const Drawn& drawn) { return 1.0 * safe_in_deck(drawn); });
      --safe_;
    }
    see_ -= card == Kittens::kSee;
    --table_.deck[kind];
    ++table_.mine[kind];
    ++my_size_;
  }

  // The other's card: told is only whether it is one of those that the table counts.
  void take_unseen(bool counted) {
    ++draws_;
    ++other_size_;
    if (!counted) return;  // none of those that it plays
    std::array<double, kMost * kMost * kMost> next{};
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] <= 0) continue;
      Drawn drawn = drawn_of(i);
      next[i] += weight_[i] * safe_in_deck(drawn);
      for (std::size_t kind = 0; kind < drawn.size(); ++kind) {
        const int ways = in_deck(drawn, kind);
        if (ways <= 0) continue;
        ++drawn[kind];
        next[index_of(drawn)] += weight_[i] * ways;
        --drawn[kind];
      }
    }
    weight_ = next;
    ++counted_;
    weigh([](const Drawn&) { return 1.0; });
  }

  int safe_in_deck(const Drawn& drawn) const { return safe_ - (counted_ - drawn[0] - drawn[1] - drawn[2]); }
};

}  // namespace ludoteca
