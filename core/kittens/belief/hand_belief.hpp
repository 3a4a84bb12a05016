// The belief of seat 0 about the opponent's hand in the original rules, when the opponent's policy is known.
#pragma once

#include "kittens/open_position.hpp"
#include "kittens/history.hpp"

namespace ludoteca {

// An exact Bayesian update over the view's history. The policy puts bombs back by public facts, so the depth of every
// bomb that was put back is known. Only the cards that the opponent drew are unknown: each combination of Defuse, Skip
// and Attack cards is weighed by how likely it was drawn, and by how likely the opponent's actions were with it.
class KittensHandBelief {
 public:
  struct Hand {
    double weight;  // the sum over all hands is 1
    KittensOpenPosition position;
  };

  // The view is seat 0's, in a match that began with a deal.
  KittensHandBelief(const Kittens& rules, const KittensTabularPolicy& opponent, const View<Kittens>& view)
      : opponent_(opponent), safe_(rules.counts[Kittens::kSafe]), see_(rules.counts[Kittens::kSee]) {
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      const KittensOpenPosition::Kind kind = KittensOpenPosition::kind_of(card);
      known_.deck[kind] = static_cast<std::uint8_t>(known_.deck[kind] + rules.counts[card]);
      known_.mine[kind] = static_cast<std::uint8_t>(known_.mine[kind] + Kittens::kStart[card]);
      known_.other[kind] = static_cast<std::uint8_t>(known_.other[kind] + Kittens::kStart[card]);
    }
    known_.bombs = rules.counts[Kittens::kBomb];
    known_.cards = static_cast<std::uint8_t>(rules.size());
    weight_.fill(0);
    weight_[0] = 1;
    const KittensHistory history(rules, view);
    for (const KittensHistoryEntry& entry : history.entries) observe(entry);
    known_.owed = view.pub.owed ? view.pub.owed : std::uint8_t{1};
    known_.theirs = false;
  }

  // Every hand that the opponent may have, with the position that it makes. `abstracted`: Bottom and Shuffle cards that
  // may still be drawn count as Safe; they rarely matter and make many more positions.
  std::vector<Hand> hands(bool abstracted) const {
    std::vector<Hand> out;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] <= 0) continue;
      Hand hand{weight_[i], known_};
      const Drawn drawn = drawn_of(i);
      for (std::size_t kind = 0; kind < drawn.size(); ++kind) move(hand.position, kind, drawn[kind]);
      if (abstracted) {
        move(hand.position, KittensOpenPosition::kBottom, known_.deck[KittensOpenPosition::kBottom]);
        move(hand.position, KittensOpenPosition::kShuffle, known_.deck[KittensOpenPosition::kShuffle]);
        out.push_back(filled(hand));
      } else {
        add_uncounted(hand, out);
      }
    }
    double sum = 0;
    for (const Hand& hand : out) sum += hand.weight;
    for (Hand& hand : out) hand.weight /= sum;
    return out;
  }

  bool bomb_on_top() const { return known_.bomb_at(0); }

  // Whether the opponent did what the policy never does, so that it is somebody else.
  bool refuted() const { return refuted_; }

 private:
  using Drawn = std::array<int, 3>;    // Defuse, Skip and Attack cards that the opponent drew
  static constexpr int kMaxOfKind = 8;
  // How likely the opponent deviates from the policy, so that no action rules a hand out.
  static constexpr double kDeviation = 1e-4;

  const KittensTabularPolicy& opponent_;
  // What is public, and this seat's hand. `deck` counts the cards that this seat has not seen leave it; `other` counts
  // the opponent's cards without those it drew (negative, modulo 256, where it played some of those).
  KittensOpenPosition known_;
  std::array<double, kMaxOfKind * kMaxOfKind * kMaxOfKind> weight_;  // by cards drawn
  int draws_ = 0, counted_ = 0;  // by the opponent: all, and those of counted kinds (Kittens::is_counted)
  int safe_, see_;               // Safe and See cards that this seat has not seen leave the deck
  int other_size_ = Kittens::kStartSize, my_size_ = Kittens::kStartSize;
  bool turn_started_ = false;  // the action of this turn has been observed
  bool refuted_ = false;

  static Drawn drawn_of(std::size_t i) {
    const int number = static_cast<int>(i);
    return {number / (kMaxOfKind * kMaxOfKind), number / kMaxOfKind % kMaxOfKind, number % kMaxOfKind};
  }
  static std::size_t index_of(const Drawn& drawn) {
    return static_cast<std::size_t>((drawn[0] * kMaxOfKind + drawn[1]) * kMaxOfKind + drawn[2]);
  }
  int held(const Drawn& drawn, std::size_t kind) const {
    return static_cast<std::int8_t>(known_.other[kind]) + drawn[kind];
  }
  int in_deck(const Drawn& drawn, std::size_t kind) const { return known_.deck[kind] - drawn[kind]; }

  static void move(KittensOpenPosition& at, std::size_t kind, int count) {
    at.deck[kind] = static_cast<std::uint8_t>(at.deck[kind] - count);
    at.other[kind] = static_cast<std::uint8_t>(at.other[kind] + count);
  }

  // Fills deck and opponent's hand up with Safe cards. Cards that the policy never plays count as Safe too.
  Hand filled(Hand hand) const {
    KittensOpenPosition& at = hand.position;
    at.other[KittensOpenPosition::kBottom] = at.other[KittensOpenPosition::kShuffle] = 0;
    at.other[KittensOpenPosition::kSafe] = at.deck[KittensOpenPosition::kSafe] = 0;
    at.other[KittensOpenPosition::kSafe] = static_cast<std::uint8_t>(other_size_ - KittensOpenPosition::count(at.other));
    at.deck[KittensOpenPosition::kSafe] = static_cast<std::uint8_t>(at.cards - at.bombs - KittensOpenPosition::count(at.deck));
    return hand;
  }

  // Every way in which the opponent's draws of kinds that are not counted can be Bottom and Shuffle cards.
  void add_uncounted(const Hand& hand, std::vector<Hand>& out) const {
    const int bottoms = known_.deck[KittensOpenPosition::kBottom], shuffles = known_.deck[KittensOpenPosition::kShuffle];
    for (int i = 0; i <= std::min(bottoms, draws_ - counted_); ++i) {
      for (int j = 0; j <= std::min(shuffles, draws_ - counted_ - i); ++j) {
        Hand next = hand;
        next.weight *= choose(bottoms, i) * choose(shuffles, j) * choose(see_, draws_ - counted_ - i - j);
        if (next.weight <= 0) continue;
        move(next.position, KittensOpenPosition::kBottom, i);
        move(next.position, KittensOpenPosition::kShuffle, j);
        out.push_back(filled(next));
      }
    }
  }
  static double choose(int n, int k) {
    double ways = k <= n ? 1 : 0;
    for (int i = 0; i < k; ++i) ways *= static_cast<double>(n - i) / (i + 1);
    return ways;
  }

  // Multiplies each weight by its factor and normalises. Returns the mean of the factor.
  template <class F>
  double reweigh(F factor) {
    double sum = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] > 0) sum += weight_[i] *= factor(drawn_of(i));
    }
    for (double& weight : weight_) weight /= sum > 0 ? sum : 1;
    return sum;
  }

  void observe(const KittensHistoryEntry& entry) {
    if (!turn_started_) observe_choice(entry);
    turn_started_ = true;
    switch (entry.event) {
      case Kittens::kSkipped:
        --known_.owed;
        play(entry.theirs, KittensOpenPosition::kSkip);
        break;
      case Kittens::kAttacked:
        play(entry.theirs, KittensOpenPosition::kAttack);
        return end_turn(2);
      // The policy plays none of the following cards.
      case Kittens::kSaw:
        refuted_ |= entry.theirs;
        play(entry.theirs, KittensOpenPosition::kSafe);
        break;
      case Kittens::kPlayedBottom:
        refuted_ |= entry.theirs;
        play(entry.theirs, KittensOpenPosition::kBottom);
        break;
      case Kittens::kShuffled:
        refuted_ |= entry.theirs;
        play(entry.theirs, KittensOpenPosition::kShuffle);
        known_.known_bombs = 0;
        break;
      default: observe_draw(entry);
    }
    if (!known_.owed) end_turn(1);
  }

  void end_turn(int owed) {
    known_.theirs = !known_.theirs;
    known_.owed = static_cast<std::uint8_t>(owed);
    turn_started_ = false;
  }

  // The first event of a turn shows what its seat chose.
  void observe_choice(const KittensHistoryEntry& entry) {
    if (!entry.theirs) return;
    const auto move = entry.event == Kittens::kSkipped    ? KittensTabularPolicy::kSkip
                       : entry.event == Kittens::kAttacked ? KittensTabularPolicy::kAttack
                                                           : KittensTabularPolicy::kDraw;
    const double probability = reweigh([&](const Drawn& drawn) {
      const bool skip = held(drawn, KittensOpenPosition::kSkip) > 0, attack = held(drawn, KittensOpenPosition::kAttack) > 0;
      if ((move == KittensTabularPolicy::kSkip && !skip) || (move == KittensTabularPolicy::kAttack && !attack)) return 0.0;
      const auto& p = opponent_.probabilities(known_.cards, known_.bombs, skip, attack, other_size_ - my_size_);
      return kDeviation + (1 - kDeviation) * static_cast<double>(p[move]);
    });
    refuted_ |= probability <= 2 * kDeviation;
  }

  void play(bool theirs, std::size_t kind) {
    --(theirs ? known_.other : known_.mine)[kind];
    --(theirs ? other_size_ : my_size_);
  }

  void observe_draw(const KittensHistoryEntry& entry) {
    --known_.owed;
    // A card where the policy would have put a bomb: the opponent plays otherwise, so no depth is known.
    if (known_.bomb_at(entry.bottom() ? known_.cards - 1 : 0) && entry.card()) {
      known_.known_bombs = 0;
      refuted_ = true;
    }
    known_.take(entry.bottom());
    if (entry.bomb()) {
      --known_.bombs;
      if (entry.defused) defuse(entry);
    } else if (entry.theirs) {
      take_unseen(entry.counted);
    } else {
      take_seen(entry.seen - 1u);
    }
    if (!entry.bomb_returned) return;
    const int size = known_.cards;
    known_.put_bomb(entry.theirs ? KittensOpenPosition::depth(opponent_.place(size, known_.bombs), size) : entry.depth);
  }

  void defuse(const KittensHistoryEntry& entry) {
    play(entry.theirs, KittensOpenPosition::kDefuse);
    if (entry.theirs) reweigh([&](const Drawn& drawn) { return held(drawn, KittensOpenPosition::kDefuse) >= 0 ? 1.0 : 0.0; });
    else if (!entry.bottom()) known_.owed = 0;
  }

  // This seat drew a card: the more of its kind the opponent has, the less likely that was.
  void take_seen(std::size_t card) {
    const KittensOpenPosition::Kind kind = KittensOpenPosition::kind_of(card);
    if (kind <= KittensOpenPosition::kAttack) reweigh([&](const Drawn& drawn) { return 1.0 * in_deck(drawn, kind); });
    if (card == Kittens::kSafe) {
      reweigh([&](const Drawn& drawn) { return 1.0 * safe_in_deck(drawn); });
      --safe_;
    }
    see_ -= card == Kittens::kSee;
    --known_.deck[kind];
    ++known_.mine[kind];
    ++my_size_;
  }

  // The opponent drew a card: only whether it is of a counted kind is public.
  void take_unseen(bool counted) {
    ++draws_;
    ++other_size_;
    if (!counted) return;  // the policy never plays such a card
    std::array<double, kMaxOfKind * kMaxOfKind * kMaxOfKind> next{};
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
    reweigh([](const Drawn&) { return 1.0; });
  }

  int safe_in_deck(const Drawn& drawn) const { return safe_ - (counted_ - drawn[0] - drawn[1] - drawn[2]); }
};

}  // namespace ludoteca
