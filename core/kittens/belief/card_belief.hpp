// The belief about where the cards of Kittens other than bombs are, given what one seat saw.
#pragma once

#include <algorithm>

#include "kittens/belief/softmax_policy.hpp"

namespace ludoteca {

// The opponent's unknown draws are a uniformly random sequence of the cards that this seat cannot locate, under three
// conditions: the opponent held what it played (and no Defuse when it exploded); cards that this seat saw go into a
// shuffle had not been drawn before; and in the original rules each draw is of a counted kind or not, as the log says.
// Where the opponent's policy is known, the likelihood of its choices counts too.
//
// The draws are sampled one by one. `likelihood_` holds, for each number of draws and of each tracked kind among them,
// the probability that the rest agrees with what this seat saw. A kind is tracked while the opponent still has to play
// a card of it that is among the unknown draws; or always, where this seat saw some of it go into a shuffle.
class KittensCardBelief {
 public:
  using Codes = std::array<std::uint8_t, 64>;
  using Counts = Kittens::Counts;

  static constexpr std::uint8_t kAllButSafe = 0xff & ~(1u << Kittens::kBomb | 1u << Kittens::kSafe);

  // also: kinds to be tracked in full, one bit each, for `held`.
  explicit KittensCardBelief(const KittensHistory& history, std::uint8_t also = 0)
      : KittensCardBelief(history, also, {}, {}) {}

  // likelihoods: of each choice; empty if the choices are no evidence. All kinds but Safe must be tracked in full then.
  KittensCardBelief(const KittensHistory& history, std::uint8_t also, const std::vector<KittensChoice>& choices,
                    const std::vector<KittensSoftmaxPolicy::Likelihood>& likelihoods)
      : history_(history), rules_(history.rules), likelihoods_(likelihoods) {
    locate_seen_cards();
    collect_conditions(choices);
    choose_tracked_kinds(also);
    if (!consistent_) return;
    lay_out_table();
    for (int drawn = draws(); drawn >= 0; --drawn) fill(drawn);
  }

  // Whether some order of the cards explains what this seat saw. Always true for the view of a true match.
  bool possible() const { return consistent_ && likelihood_[0] > 0; }

  // How likely this seat was to see what it saw, up to a factor that is the same for all policies of the opponent.
  double likelihood() const { return consistent_ ? likelihood_[0] : 0; }

  // By kind, the probability of each number of cards in the opponent's hand; right for kinds that are tracked in full,
  // and for Safe cards if all others are.
  std::array<std::vector<double>, Kittens::kCards> held() const {
    std::vector<double> mass(likelihood_.size(), 0);
    mass[0] = 1;
    for (int drawn = 0; drawn < draws(); ++drawn) {
      each_count(drawn, [&](std::size_t i, const Ints& count) {
        const double plain = rest(drawn, count) * likelihood(drawn + 1, count);
        double sum = plain;
        for (const std::size_t kind : tracked_) sum += weight(drawn, count, kind);
        if (!(mass[i] > 0) || !(sum > 0)) return;
        if (plain > 0) mass[slot(drawn + 1, count)] += mass[i] * plain / sum;
        for (const std::size_t kind : tracked_) {
          const double chance = weight(drawn, count, kind) / sum;
          if (!(chance > 0)) continue;
          Ints more = count;
          ++more[kind];
          mass[slot(drawn + 1, more)] += mass[i] * chance;
        }
      });
    }
    std::array<std::vector<double>, Kittens::kCards> chances;
    each_count(draws(), [&](std::size_t i, const Ints& count) {
      if (!(mass[i] > 0)) return;
      const Ints hand = final_hand(count);
      for (std::size_t card = 1; card < Kittens::kCards; ++card) {
        const std::size_t number = index(std::max(hand[card], 0));
        if (number >= chances[card].size()) chances[card].resize(number + 1, 0);
        chances[card][number] += mass[i];
      }
    });
    return chances;
  }

  // Samples the opponent's hand, calling on_choice(number, hand) for each choice with the hand before it.
  template <class F>
  KittensSoftmaxPolicy::Hand sample_hand(Rng& rng, F on_choice) const {
    Ints count{};
    for (int drawn = 0;; ++drawn) {
      for (const Decided& each : decided_) {
        if (each.after == drawn) on_choice(each.choice, each.hand(count));
      }
      if (drawn == draws()) return final_hand(count);
      ++count[next(drawn, count, rng)];
    }
  }

  // Samples the unknown draws. Returns the deck without bombs, from the bottom, after each shuffle, from the last one
  // back to the deal. Unknown cards are in random order.
  std::vector<Codes> sample(Rng& rng) {
    Ints count{};
    for (int drawn = 0; drawn < draws(); ++drawn) {
      const std::size_t card = next(drawn, count, rng);
      ++count[card];
      drawn_[index(unknown_[index(drawn)].number)] = static_cast<std::uint8_t>(1 + card);
    }
    Ints left{};  // the cards in the deck at the time
    const Counts opponent = first_hand();
    for (std::size_t card = 1; card < Kittens::kCards; ++card) left[card] = history_.rest[card] - opponent[card];
    for (const KittensHistoryEntry& entry : history_.entries) {
      if (entry.card()) --left[card_of(entry)];
    }
    std::vector<Codes> decks;
    for (std::size_t i = history_.entries.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = history_.entries[i];
      if (entry.event == Kittens::kShuffled) decks.push_back(deck(segments_[decks.size()].deck, left, rng));
      if (entry.card()) ++left[card_of(entry)];
    }
    decks.push_back(deck(segments_[decks.size()].deck, left, rng));
    return decks;
  }

  // The opponent's first hand, after sampling.
  Counts first_hand() const {
    if (!history_.arranged) return Kittens::kStart;
    Counts hand{};
    for (std::size_t i = 0; i < index(history_.opponent_size); ++i) ++hand[drawn_[i] - 1u];
    return hand;
  }

 private:
  using Ints = std::array<int, Kittens::kCards>;

  // Tokens.
  static constexpr std::uint8_t kMine = 0x00;    // | 1 + card: this seat drew it later
  static constexpr std::uint8_t kLeft = 0x10;    // | 1 + card: this seat saw it, and no seat drew it before a shuffle
  static constexpr std::uint8_t kTheirs = 0x80;  // | number: the opponent drew it later

  struct Draw {
    int number;
    std::uint8_t kinds;  // one bit for each card that it may be; two draws have equal or disjoint kinds
    int left = 0;        // cards of these kinds that are still unlocated when it is drawn

    bool may_be(std::size_t card) const { return kinds >> card & 1; }
  };
  // The time from one shuffle to the next, with the deck without bombs at its start.
  struct Segment {
    KittensPartialDeck deck;
    Counts left{};  // cards that this seat saw and that were still there at its end
  };
  struct Shuffle {
    int after;    // number of unknown draws before it
    int size;     // of the deck, without bombs
    Ints base;    // the cards in it if no unknown draw had taken any
    Counts left;  // those that this seat saw go in
  };
  struct Decided {  // a choice of the opponent
    std::size_t choice;
    int after;              // number of unknown draws before it
    Counts have, required;  // before it

    Ints hand(const Ints& count) const {
      Ints out;
      for (std::size_t card = 0; card < Kittens::kCards; ++card) out[card] = have[card] + count[card] - required[card];
      return out;
    }
  };
  struct Layer {  // the possible counts of tracked kinds after a number of unknown draws
    Ints low{}, high{};
    std::array<std::size_t, Kittens::kCards> stride{};
    std::size_t offset = 0, size = 1;
  };

  const KittensHistory& history_;
  const Kittens& rules_;
  const std::vector<KittensSoftmaxPolicy::Likelihood> likelihoods_;
  std::vector<Segment> segments_;         // from the last to the first
  std::array<std::uint8_t, 128> drawn_{};  // 1 + card: the opponent's draws, 0 while unknown
  std::vector<Draw> unknown_;              // those that are unknown
  std::vector<Counts> required_ = {Counts{}};  // after each: how many of each kind must be among them
  std::vector<Shuffle> shuffles_;
  std::vector<Decided> decided_;
  Ints unlocated_{};       // cards that this seat cannot locate: drawn or in the deck
  bool exploded_ = false;  // then the opponent had no Defuse left
  bool consistent_ = true;  // false: what this seat saw contradicts itself
  Counts have_{};           // cards that this seat knows to be in the opponent's hand
  std::vector<std::size_t> tracked_;
  Ints cap_{};  // from this count on a kind is no longer tracked
  std::vector<Layer> layers_;
  std::vector<double> likelihood_;

  int draws() const { return static_cast<int>(unknown_.size()); }
  // All that is not of another kind is Safe, so that Safe cards need not be tracked.
  Ints final_hand(const Ints& count) const {
    Ints hand = Decided{0, draws(), have_, required_.back()}.hand(count);
    if (is_tracked(Kittens::kSafe)) return hand;
    hand[Kittens::kSafe] = history_.view.pub.hand[index(other(history_.me))];
    for (std::size_t card = 1; card < Kittens::kSafe; ++card) hand[Kittens::kSafe] -= hand[card];
    return hand;
  }
  bool is_tracked(std::size_t card) const {
    return std::find(tracked_.begin(), tracked_.end(), card) != tracked_.end();
  }
  bool excluded(std::size_t card) const { return exploded_ && card == Kittens::kDefuse; }

  static constexpr std::uint8_t kAllKinds = 0xfe, kCountedKinds = [] {
    int kinds = 0;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) kinds |= Kittens::is_counted(card) << card;
    return static_cast<std::uint8_t>(kinds);
  }();
  std::uint8_t kinds(bool counted) const {
    return !rules_.original ? kAllKinds : counted ? kCountedKinds : kAllKinds & ~kCountedKinds;
  }

  // The card of a token or a draw, after sampling.
  std::size_t card_of(std::uint8_t token) const {
    return (token & kTheirs ? drawn_[token & ~kTheirs] : token & 15) - 1u;
  }
  std::size_t card_of(const KittensHistoryEntry& entry) const {
    return (entry.theirs ? drawn_[index(entry.draw_number)] : entry.seen) - 1u;
  }

  Codes deck(const KittensPartialDeck& known, Ints left, Rng& rng) const {
    Codes out{}, rest{};
    for (std::size_t i = 0; i < index(known.size); ++i) {
      if (!known.token[i]) continue;
      const std::size_t card = card_of(known.token[i]);
      out[i] = static_cast<std::uint8_t>(card);
      --left[card];
    }
    int count = 0;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      for (int i = 0; i < left[card]; ++i) rest[index(count++)] = static_cast<std::uint8_t>(card);
    }
    rng.shuffle(rest.data(), count);
    for (std::size_t i = 0; i < index(known.size); ++i) {
      if (!known.token[i]) out[i] = rest[index(--count)];
    }
    assert(count == 0);
    return out;
  }

  // Goes back in time to find which cards this seat saw before the opponent drew them, or before a shuffle.
  void locate_seen_cards() {
    segments_.emplace_back().deck.size = history_.view.pub.deck - history_.view.pub.bombs;
    for (std::size_t i = history_.entries.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = history_.entries[i];
      Segment& segment = segments_.back();
      if (entry.card()) {
        const int token = entry.theirs ? kTheirs | entry.draw_number : kMine | entry.seen;
        segment.deck.insert(entry.bottom() ? 0 : segment.deck.size, token);
      } else if (entry.event == Kittens::kSaw) {
        locate_seen(segment, entry.seen);
      } else if (entry.event == Kittens::kShuffled) {
        const int size = segment.deck.size;
        segments_.emplace_back().deck.size = size;
      }
    }
  }

  void locate_seen(Segment& segment, int seen) {
    for (int i = segment.deck.size - 1; seen; seen >>= 4) {
      const auto code = static_cast<std::uint8_t>(seen & 15);
      if (code == 1 + Kittens::kBomb) continue;
      consistent_ &= i >= 0;
      if (i < 0) return;
      std::uint8_t& token = segment.deck.token[index(i--)];
      if (token & kTheirs) {
        std::uint8_t& drawn = drawn_[token & ~kTheirs];
        consistent_ &= !drawn || drawn == code;
        drawn = code;
      } else if (!token) {
        token = kLeft | code;
        ++segment.left[code - 1u];
      } else {
        consistent_ &= (token & 15) == code;
      }
    }
  }

  // Collects what the unknown draws must agree with.
  void collect_conditions(const std::vector<KittensChoice>& choices) {
    Ints base{};
    int size = -history_.opponent_size;
    Counts have{};
    for (std::size_t card = 1; card < Kittens::kCards; ++card) size += base[card] = history_.rest[card];
    if (history_.arranged) {  // the first hand counts as the first draws
      for (int i = 0; i < history_.opponent_size; ++i) unknown_.push_back({i, kinds(i < history_.opponent_counted)});
      required_.resize(unknown_.size() + 1);
    } else {
      have = Kittens::kStart;
      for (std::size_t card = 1; card < Kittens::kCards; ++card) base[card] -= have[card];
    }
    std::size_t segment = segments_.size(), choice = 0;
    for (const KittensHistoryEntry& entry : history_.entries) {
      if (choice < choices.size() && &entry == &history_.entries[choices[choice].entry]) {
        decided_.push_back({choice++, draws(), have, required_.back()});
      }
      if (entry.card()) {
        --size;
        const int code = entry.theirs ? drawn_[index(entry.draw_number)] : entry.seen;
        if (code) {
          --base[index(code - 1)];
          if (!entry.theirs) continue;
          ++have[index(code - 1)];
          consistent_ &= kinds(entry.counted) >> (code - 1) & 1;
        } else {
          unknown_.push_back({entry.draw_number, kinds(entry.counted)});
          required_.push_back(required_.back());
        }
      } else if (const Kittens::Card card = entry.played(); entry.theirs && card != Kittens::kBomb) {
        if (have[card]) --have[card];
        else ++required_.back()[card];
      }
      if (entry.event == Kittens::kShuffled) {
        const Counts& left = segments_[--segment].left;
        if (left != Counts{}) shuffles_.push_back({draws(), size, base, left});
      }
    }
    exploded_ = history_.view.pub.loser == other(history_.me);
    have_ = have;
    consistent_ &= !exploded_ || !have[Kittens::kDefuse];
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      unlocated_[card] = base[card] - segments_[0].left[card];
      for (Draw& draw : unknown_) draw.left += draw.may_be(card) ? unlocated_[card] : 0;
    }
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) unknown_[i].left -= unknown_[k].kinds == unknown_[i].kinds;
      consistent_ &= unknown_[i].left > 0;
    }
    for (std::size_t i = 0; i < required_.size(); ++i) {
      int sum = 0;
      for (const std::uint8_t need : required_[i]) sum += need;
      consistent_ &= sum <= static_cast<int>(i);
    }
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      consistent_ &= unlocated_[card] >= required_.back()[card];
    }
  }

  void choose_tracked_kinds(std::uint8_t also) {
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      bool left = false;
      for (const Shuffle& shuffle : shuffles_) left |= shuffle.left[card] > 0;
      const int need = required_.back()[card];
      left |= also >> card & 1;
      if (need || left || excluded(card)) tracked_.push_back(card);
      cap_[card] = left && !excluded(card) ? std::min(unlocated_[card], draws()) : need;
    }
  }

  void lay_out_table() {
    layers_.resize(unknown_.size() + 1);
    std::size_t offset = 0;
    for (int drawn = 0; drawn <= draws(); ++drawn) {
      Layer& layer = layers_[index(drawn)];
      layer.offset = offset;
      int spare = drawn;
      for (const std::size_t card : tracked_) spare -= layer.low[card] = required_[index(drawn)][card];
      for (const std::size_t card : tracked_) {
        layer.high[card] = std::min(cap_[card], layer.low[card] + spare);
        layer.stride[card] = layer.size;
        layer.size *= index(layer.high[card] - layer.low[card] + 1);
      }
      offset += layer.size;
    }
    likelihood_.assign(offset, 0);
  }

  void fill(int drawn) {
    each_count(drawn, [&](std::size_t i, const Ints& count) { likelihood_[i] = likelihood_from(drawn, count); });
  }

  // Calls f(slot, count) for each possible count of tracked kinds after a number of unknown draws.
  template <class F>
  void each_count(int drawn, F f) const {
    const Layer& layer = layers_[index(drawn)];
    Ints count = layer.low;
    for (std::size_t i = 0; i < layer.size; ++i) {
      f(layer.offset + i, count);
      for (const std::size_t card : tracked_) {  // the next counts; the first one changes fastest
        if (++count[card] <= layer.high[card]) break;
        count[card] = layer.low[card];
      }
    }
  }

  double likelihood_from(int drawn, const Ints& count) const {
    double chance = 1;
    for (const Shuffle& shuffle : shuffles_) {
      if (shuffle.after == drawn) chance *= shuffle_likelihood(shuffle, count);
    }
    if (!likelihoods_.empty()) {
      for (const Decided& each : decided_) {
        if (each.after == drawn) chance *= likelihoods_[each.choice](each.hand(count));
      }
    }
    if (drawn == draws()) return chance;
    double sum = rest(drawn, count) * likelihood(drawn + 1, count);
    for (const std::size_t card : tracked_) sum += weight(drawn, count, card);
    return chance * sum / unknown_[index(drawn)].left;
  }

  double likelihood(int drawn, const Ints& count) const {
    const Layer& layer = layers_[index(drawn)];
    for (const std::size_t card : tracked_) {
      const int n = std::min(count[card], cap_[card]);
      if (n < layer.low[card] || n > layer.high[card]) return 0;
    }
    return likelihood_[slot(drawn, count)];
  }
  std::size_t slot(int drawn, const Ints& count) const {
    const Layer& layer = layers_[index(drawn)];
    std::size_t i = layer.offset;
    for (const std::size_t card : tracked_) {
      i += index(std::min(count[card], cap_[card]) - layer.low[card]) * layer.stride[card];
    }
    return i;
  }

  // How many cards of a tracked kind are left, times the likelihood after drawing one.
  double weight(int drawn, const Ints& count, std::size_t card) const {
    if (count[card] >= cap_[card] || !unknown_[index(drawn)].may_be(card)) return 0;
    Ints more = count;
    ++more[card];
    return (unlocated_[card] - count[card]) * likelihood(drawn + 1, more);
  }

  // How many of the cards that this draw may be are of kinds that are not tracked, or no longer.
  int rest(int drawn, const Ints& count) const {
    int cards = unknown_[index(drawn)].left;
    for (const std::size_t card : tracked_) {
      if (!unknown_[index(drawn)].may_be(card)) continue;
      if (count[card] < cap_[card]) cards -= unlocated_[card] - count[card];
      else if (excluded(card)) cards -= unlocated_[card] - cap_[card];
    }
    return std::max(cards, 0);
  }

  // The probability that the cards which this seat saw go into a shuffle lay where it saw them: the ways to take cards
  // of these kinds, as a share of the ways to take any.
  static double shuffle_likelihood(const Shuffle& shuffle, const Ints& count) {
    double chance = 1;
    int size = shuffle.size;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      for (int i = 0; i < shuffle.left[card]; ++i) {
        chance *= static_cast<double>(std::max(shuffle.base[card] - count[card] - i, 0)) / size--;
      }
    }
    return chance;
  }

  std::size_t next(int drawn, const Ints& count, Rng& rng) const {
    std::array<double, Kittens::kCards> weights{};
    double sum = 0;
    for (const std::size_t card : tracked_) sum += weights[card] = weight(drawn, count, card);
    double left = rng.unit() * (sum + rest(drawn, count) * likelihood(drawn + 1, count));
    if (left >= sum) return any_of_rest(unknown_[index(drawn)], count, rng);
    std::size_t chosen = 0;
    for (const std::size_t card : tracked_) {
      if (weights[card] <= 0) continue;
      chosen = card;
      if ((left -= weights[card]) < 0) break;
    }
    return chosen;
  }

  std::size_t any_of_rest(const Draw& draw, const Ints& count, Rng& rng) const {
    Ints cards{};
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      if (draw.may_be(card)) cards[card] = unlocated_[card] - count[card];
    }
    for (const std::size_t card : tracked_) {
      if (count[card] < cap_[card] || excluded(card)) cards[card] = 0;
    }
    int sum = 0;
    for (const int n : cards) sum += n;
    int pick = static_cast<int>(rng.below(static_cast<std::uint32_t>(sum)));
    std::size_t card = 1;
    while ((pick -= cards[card]) >= 0) ++card;
    return card;
  }
};

}  // namespace ludoteca
