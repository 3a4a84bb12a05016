// Which cards of Kittens, bombs apart, can have been where, given what one seat saw.
//
// The other's draws that I do not know are a uniformly random sequence from the cards that I cannot place, under
// three conditions: the other must have held what it played (and, where it exploded, no Defuse); cards that I saw go
// into a shuffle had not been drawn before; and in the original rules each is of those kinds that were told.
//
// They are drawn one by one. `ahead_` is, for each number of cards drawn and of each watched kind among them, the
// chance that all to come agrees with what I saw. A kind is watched while the other is still to play a card of it
// that it must have drawn here, from then on its cards are like any; or all the time, where I saw some of it go
// into a shuffle.
#pragma once

#include <algorithm>

#include "kittens/history.hpp"

namespace ludoteca {

class KittensCardBelief {
 public:
  using Codes = std::array<std::uint8_t, 64>;
  using Counts = Kittens::Counts;

  explicit KittensCardBelief(const KittensHistory& story) : story_(story), rules_(story.rules) {
    look_back();
    read_log();
    watch();
    lay_out();
    for (int drawn = draws(); drawn >= 0; --drawn) fill(drawn);
  }

  // Decides the open draws. Returns the cards of the deck without bombs, from the bottom, as they lay after each
  // shuffle, from the last one back to the first deal; where nothing is known, in any order.
  std::vector<Codes> sample(Rng& rng) {
    Ints count{};
    for (int drawn = 0; drawn < draws(); ++drawn) {
      const std::size_t card = next(drawn, count, rng);
      ++count[card];
      drawn_[at(open_[at(drawn)].number)] = static_cast<std::uint8_t>(1 + card);
    }
    Ints left{};  // the cards in the deck at the time
    const Counts others = first_hand();
    for (std::size_t card = 1; card < Kittens::kCards; ++card) left[card] = story_.rest[card] - others[card];
    for (const KittensHistoryEntry& entry : story_.log) {
      if (entry.card()) --left[card_of(entry)];
    }
    std::vector<Codes> decks;
    for (std::size_t i = story_.log.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = story_.log[i];
      if (entry.event == Kittens::kShuffled) decks.push_back(deck(stretches_[decks.size()].row, left, rng));
      if (entry.card()) ++left[card_of(entry)];
    }
    decks.push_back(deck(stretches_[decks.size()].row, left, rng));
    return decks;
  }

  // What the other held at the start, once it is decided.
  Counts first_hand() const {
    if (!story_.arranged) return Kittens::kStart;
    Counts hand{};
    for (std::size_t i = 0; i < at(story_.others); ++i) ++hand[drawn_[i] - 1u];
    return hand;
  }

 private:
  using Ints = std::array<int, Kittens::kCards>;

  // Tokens.
  static constexpr std::uint8_t kMine = 0x00;    // | 1 + card: I drew it later
  static constexpr std::uint8_t kLeft = 0x10;    // | 1 + card: I saw it, and nobody drew it before a shuffle
  static constexpr std::uint8_t kTheirs = 0x80;  // | number: the other drew it later

  struct Draw {
    int number;
    std::uint8_t kinds;  // one bit for each card that it may be; two draws have all of these in common, or none
    int left = 0;        // so many cards of these kinds that I cannot place are left when it is drawn

    bool may_be(std::size_t card) const { return kinds >> card & 1; }
  };
  // From one shuffle to the next; the deck's cards without bombs as they lay at its start.
  struct Stretch {
    KittensPartialDeck row;
    Counts left{};  // cards that I saw and that were still there at its end
  };
  struct Shuffle {
    int after;    // so many open draws
    int size;     // of the deck, without bombs
    Ints base;    // the cards in it if no open draw had taken any
    Counts left;  // those that I saw go in
  };
  struct Layer {  // the counts of watched cards that are possible after so many open draws
    Ints low{}, high{};
    std::array<std::size_t, Kittens::kCards> stride{};
    std::size_t offset = 0, size = 1;
  };

  const KittensHistory& story_;
  const Kittens& rules_;
  std::vector<Stretch> stretches_;         // from the last to the first
  std::array<std::uint8_t, 128> drawn_{};  // 1 + card: the other's draws, 0 while not known
  std::vector<Draw> open_;                 // the unknown ones
  std::vector<Counts> need_ = {Counts{}};  // after each: so many of each kind must be among them
  std::vector<Shuffle> shuffles_;
  Ints pool_{};            // cards that I cannot place, drawn or in the deck
  bool exploded_ = false;  // then the other has no Defuse left
  std::vector<std::size_t> watched_;
  Ints cap_{};  // from this count on a kind is like any other
  std::vector<Layer> layers_;
  std::vector<double> ahead_;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int draws() const { return static_cast<int>(open_.size()); }
  bool closed(std::size_t card) const { return exploded_ && card == Kittens::kDefuse; }

  static constexpr std::uint8_t kAllKinds = 0xfe, kCountedKinds = [] {
    int kinds = 0;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) kinds |= Kittens::is_counted(card) << card;
    return static_cast<std::uint8_t>(kinds);
  }();
  std::uint8_t kinds(bool counted) const {
    return !rules_.original ? kAllKinds : counted ? kCountedKinds : kAllKinds & ~kCountedKinds;
  }

  // The card of a token or a draw, once all are decided.
  std::size_t card_of(std::uint8_t token) const {
    return (token & kTheirs ? drawn_[token & ~kTheirs] : token & 15) - 1u;
  }
  std::size_t card_of(const KittensHistoryEntry& entry) const {
    return (entry.theirs ? drawn_[at(entry.number)] : entry.seen) - 1u;
  }

  Codes deck(const KittensPartialDeck& row, Ints left, Rng& rng) const {
    Codes out{}, rest{};
    for (std::size_t i = 0; i < at(row.size); ++i) {
      if (!row.token[i]) continue;
      const std::size_t card = card_of(row.token[i]);
      out[i] = static_cast<std::uint8_t>(card);
      --left[card];
    }
    int count = 0;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      for (int i = 0; i < left[card]; ++i) rest[at(count++)] = static_cast<std::uint8_t>(card);
    }
    rng.shuffle(rest.data(), count);
    for (std::size_t i = 0; i < at(row.size); ++i) {
      if (!row.token[i]) out[i] = rest[at(--count)];
    }
    assert(count == 0);
    return out;
  }

  // Follows the cards back in time: which did I see before the other drew them, or they were shuffled?
  void look_back() {
    stretches_.emplace_back().row.size = story_.view.pub.deck - story_.view.pub.bombs;
    for (std::size_t i = story_.log.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = story_.log[i];
      Stretch& stretch = stretches_.back();
      if (entry.card()) {
        const int token = entry.theirs ? kTheirs | entry.number : kMine | entry.seen;
        stretch.row.insert(entry.bottom() ? 0 : stretch.row.size, token);
      } else if (entry.event == Kittens::kSaw) {
        recall(stretch, entry.seen);
      } else if (entry.event == Kittens::kShuffled) {
        const int size = stretch.row.size;
        stretches_.emplace_back().row.size = size;
      }
    }
  }

  void recall(Stretch& stretch, int seen) {
    for (int i = stretch.row.size - 1; seen; seen >>= 4) {
      const auto code = static_cast<std::uint8_t>(seen & 15);
      if (code == 1 + Kittens::kBomb) continue;
      std::uint8_t& token = stretch.row.token[at(i--)];
      if (token & kTheirs) {
        drawn_[token & ~kTheirs] = code;
      } else if (!token) {
        token = kLeft | code;
        ++stretch.left[code - 1u];
      }
    }
  }

  // What the cards must agree with.
  void read_log() {
    Ints base{};
    int size = -story_.others;
    Counts have{};
    for (std::size_t card = 1; card < Kittens::kCards; ++card) size += base[card] = story_.rest[card];
    if (story_.arranged) {  // the first hand counts as drawn before all else
      for (int i = 0; i < story_.others; ++i) open_.push_back({i, kinds(i < story_.others_counted)});
      need_.resize(open_.size() + 1);
    } else {
      have = Kittens::kStart;
      for (std::size_t card = 1; card < Kittens::kCards; ++card) base[card] -= have[card];
    }
    std::size_t stretch = stretches_.size();
    for (const KittensHistoryEntry& entry : story_.log) {
      if (entry.card()) {
        --size;
        const int code = entry.theirs ? drawn_[at(entry.number)] : entry.seen;
        if (code) {
          --base[at(code - 1)];
          if (entry.theirs) ++have[at(code - 1)];
        } else {
          open_.push_back({entry.number, kinds(entry.counted)});
          need_.push_back(need_.back());
        }
      } else if (const Kittens::Card card = entry.played(); entry.theirs && card != Kittens::kBomb) {
        if (have[card]) --have[card];
        else ++need_.back()[card];
      }
      if (entry.event == Kittens::kShuffled) {
        const Counts& left = stretches_[--stretch].left;
        if (left != Counts{}) shuffles_.push_back({draws(), size, base, left});
      }
    }
    exploded_ = story_.view.pub.loser == other(story_.me);
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      pool_[card] = base[card] - stretches_[0].left[card];
      for (Draw& draw : open_) draw.left += draw.may_be(card) ? pool_[card] : 0;
    }
    for (std::size_t i = 0; i < open_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) open_[i].left -= open_[k].kinds == open_[i].kinds;
    }
  }

  void watch() {
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      bool left = false;
      for (const Shuffle& shuffle : shuffles_) left |= shuffle.left[card] > 0;
      const int need = need_.back()[card];
      if (need || left || closed(card)) watched_.push_back(card);
      cap_[card] = left && !closed(card) ? std::min(pool_[card], draws()) : need;
    }
  }

  void lay_out() {
    layers_.resize(open_.size() + 1);
    std::size_t offset = 0;
    for (int drawn = 0; drawn <= draws(); ++drawn) {
      Layer& layer = layers_[at(drawn)];
      layer.offset = offset;
      int spare = drawn;
      for (const std::size_t card : watched_) spare -= layer.low[card] = need_[at(drawn)][card];
      for (const std::size_t card : watched_) {
        layer.high[card] = std::min(cap_[card], layer.low[card] + spare);
        layer.stride[card] = layer.size;
        layer.size *= at(layer.high[card] - layer.low[card] + 1);
      }
      offset += layer.size;
    }
    ahead_.assign(offset, 0);
  }

  void fill(int drawn) {
    const Layer& layer = layers_[at(drawn)];
    Ints count = layer.low;
    for (std::size_t i = 0; i < layer.size; ++i) {
      ahead_[layer.offset + i] = from_here(drawn, count);
      for (const std::size_t card : watched_) {  // the next counts, the first one running fastest
        if (++count[card] <= layer.high[card]) break;
        count[card] = layer.low[card];
      }
    }
  }

  double from_here(int drawn, const Ints& count) const {
    double chance = 1;
    for (const Shuffle& shuffle : shuffles_) {
      if (shuffle.after == drawn) chance *= into(shuffle, count);
    }
    if (drawn == draws()) return chance;
    double sum = rest(drawn, count) * ahead(drawn + 1, count);
    for (const std::size_t card : watched_) sum += weight(drawn, count, card);
    return chance * sum / open_[at(drawn)].left;
  }

  double ahead(int drawn, const Ints& count) const {
    const Layer& layer = layers_[at(drawn)];
    std::size_t i = layer.offset;
    for (const std::size_t card : watched_) {
      const int n = std::min(count[card], cap_[card]);
      if (n < layer.low[card] || n > layer.high[card]) return 0;
      i += at(n - layer.low[card]) * layer.stride[card];
    }
    return ahead_[i];
  }

  // How many cards of a watched kind are left, weighed with what follows from drawing one.
  double weight(int drawn, const Ints& count, std::size_t card) const {
    if (count[card] >= cap_[card] || !open_[at(drawn)].may_be(card)) return 0;
    Ints more = count;
    ++more[card];
    return (pool_[card] - count[card]) * ahead(drawn + 1, more);
  }

  // How many of the cards left, of the kinds that this draw may be, are not watched, or no longer.
  int rest(int drawn, const Ints& count) const {
    int cards = open_[at(drawn)].left;
    for (const std::size_t card : watched_) {
      if (!open_[at(drawn)].may_be(card)) continue;
      if (count[card] < cap_[card]) cards -= pool_[card] - count[card];
      else if (closed(card)) cards -= pool_[card] - cap_[card];
    }
    return std::max(cards, 0);
  }

  // The chance that the cards which I saw go into a shuffle lay where I saw them: the ways to take different
  // cards of these kinds, as a part of the ways to take any.
  static double into(const Shuffle& shuffle, const Ints& count) {
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
    for (const std::size_t card : watched_) sum += weights[card] = weight(drawn, count, card);
    double left = rng.unit() * (sum + rest(drawn, count) * ahead(drawn + 1, count));
    if (left >= sum) return any_of_rest(open_[at(drawn)], count, rng);
    std::size_t chosen = 0;
    for (const std::size_t card : watched_) {
      if (weights[card] <= 0) continue;
      chosen = card;
      if ((left -= weights[card]) < 0) break;
    }
    return chosen;
  }

  std::size_t any_of_rest(const Draw& draw, const Ints& count, Rng& rng) const {
    Ints cards{};
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      if (draw.may_be(card)) cards[card] = pool_[card] - count[card];
    }
    for (const std::size_t card : watched_) {
      if (count[card] < cap_[card] || closed(card)) cards[card] = 0;
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
