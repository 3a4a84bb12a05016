// What can have happened in a match of Kittens, given what one seat saw of it.
//
// Counted are the orders of the first deck (all cards told apart), the orders of every later shuffle and the
// other seat's choices where to put a bomb back. Three facts make this small:
//
// 1. Going back in time, a draw puts a card on the deck of which it is public whether it was a bomb, a bomb
//    that was put back is taken out again, and only my own `see` and `place` say anything more. So a Past, the
//    deck as far as it is determined, branches only where the other put a bomb back, and pasts that have
//    become alike are one again. The cards of which nothing is known share the remaining bombs in every way.
//
//        now         ? ? ? ?        from the bottom to the top
//        before      ? ? ? ? x      x: a draw of the other, no bomb
//        before      ? ? ? x        it had put a bomb back: at the bottom or in the middle, two ways, one past
//        before      ? ? ? x B      B: the bomb that it had drawn
//
// 2. A shuffle forgets the order: the stretches between shuffles meet only in which cards were drawn when.
// 3. Which cards they were is a second question: the draws that I do not know are a uniformly random sequence
//    from the cards that I cannot place, under two conditions. The other must have held what it played (and,
//    where it exploded, no Defuse); and cards that I saw go into a shuffle had not been drawn before.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "kittens.hpp"

namespace ludoteca {

class KittensWorlds {
  using K = Kittens;
  using Counts = K::Counts;
  using Codes = std::array<std::uint8_t, 64>;

 public:
  KittensWorlds(const Kittens& rules, const View<Kittens>& view) : rules_(rules), view_(view), me_(view.seat) {
    const K::Public& pub = view.pub;
    log_.reserve(pub.events);
    for (int i = 0; i < pub.events; ++i) {
      Entry entry{};
      entry.event = static_cast<K::Event>(pub.log[at(i)] / 2);
      entry.theirs = (pub.log[at(i)] & 1) != me_;
      entry.seen = view.own.seen[at(i)];
      const bool last = i == pub.events - 1;
      if (draws_bomb(entry)) {
        entry.defused = !(last && pub.loser != kNobody);
        entry.back = entry.defused && !(last && pub.placing);
        if (entry.theirs && entry.back) entry.number = hidings_++;
      } else if (draws_card(entry) && entry.theirs) {
        entry.number = draws_++;
      }
      shuffles_ += entry.event == K::kShuffled;
      log_.push_back(entry);
    }
  }

  // A world in which this seat sees exactly this view, as likely as it has ways to come about.
  void sample(Rng& rng, State<Kittens>& state) const {
    const std::vector<Past> pasts = look_back_surely(rng);
    std::vector<double> weights{1};
    if (pasts.size() > 1) {
      weights.clear();
      for (const Past& past : pasts) weights.push_back(past.weight * Draws(*this, past).chance);
    }
    const Past& past = pasts[choose(weights, rng)];
    rebuild(past, Draws(*this, past).sample(rng), rng, state);
  }

  // The part of all worlds in which a bomb lies at this depth.
  double bomb_chance(int depth) const {
    if (depth < 0 || depth >= view_.pub.deck) return 0;
    Rng rng{0};
    Past bomb = start();
    bomb.token[at(bomb.size - 1 - depth)] = kBombToken;
    return std::min(1.0, total(look_back(bomb, kMaxPasts, rng)) / total(look_back_surely(rng)));
  }

 private:
  struct Entry {
    K::Event event;
    bool theirs;
    bool defused, back;  // a bomb: did it cost a Defuse, is it in the deck again
    int number;          // how many cards the other had drawn, or bombs it had put back, before this one
    std::uint16_t seen;  // by me
  };

  // Where a deck has so many Defuses that more pasts than this are left (dozens of bombs put back at any depth), what
  // follows is approximate.
  static constexpr std::size_t kMaxPasts = 256;

  // Tokens: what is known of one card of the deck at a time past.
  static constexpr std::uint8_t kUnknown = 0, kBombToken = 1 + K::kBomb;
  static constexpr std::uint8_t kMine = 0x00;    // | 1 + card: I drew it later
  static constexpr std::uint8_t kLeft = 0x10;    // | 1 + card: I saw it, and nobody drew it before a shuffle
  static constexpr std::uint8_t kTheirs = 0x80;  // | number: the other drew it later

  struct Past {
    double weight = 1;
    int size = 0;
    Codes token{};   // from the bottom
    Codes card{};    // 1 + card: the other's draws that I know, by number
    Codes hiding{};  // the index of each bomb that the other put back, by number
    std::vector<Counts> left;  // cards I saw that stayed: until now, until the last shuffle, …

    auto key() const { return std::tie(size, token, card, left); }  // what decides all that came before

    void insert(int i, std::uint8_t what) {
      std::memmove(&token[at(i + 1)], &token[at(i)], at(size - i));
      token[at(i)] = what;
      ++size;
    }
    void remove(int i) {
      --size;
      std::memmove(&token[at(i)], &token[at(i + 1)], at(size - i));
      token[at(size)] = kUnknown;
    }
    bool may_be_bomb(int i) const { return token[at(i)] == kUnknown || token[at(i)] == kBombToken; }
  };

  const Kittens& rules_;
  const View<Kittens>& view_;
  const Seat me_;
  std::vector<Entry> log_;
  int draws_ = 0, hidings_ = 0;  // of the other: cards, bombs put back
  int shuffles_ = 0;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool draws_card(const Entry& e) { return e.event == K::kDrew || e.event == K::kBottomDrew; }
  static bool draws_bomb(const Entry& e) { return e.event == K::kDrewBomb || e.event == K::kBottomDrewBomb; }
  static bool from_bottom(const Entry& e) { return e.event == K::kBottomDrew || e.event == K::kBottomDrewBomb; }
  // The card that an event took from a hand, kBomb for none.
  static K::Card played(const Entry& e) {
    switch (e.event) {
      case K::kSkipped: return K::kSkip;
      case K::kAttacked: return K::kAttack;
      case K::kSaw: return K::kSee;
      case K::kPlayedBottom: return K::kBottom;
      case K::kShuffled: return K::kShuffle;
      default: return e.defused ? K::kDefuse : K::kBomb;
    }
  }

  static std::size_t choose(const std::vector<double>& weights, Rng& rng) {
    double left = 0;
    for (const double weight : weights) left += weight;
    left *= rng.unit();
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < weights.size() && left >= 0; ++i) {
      if (weights[i] <= 0) continue;
      chosen = i;
      left -= weights[i];
    }
    return chosen;
  }

  // In how many ways n of x different cards can be dealt: x (x-1) … (x-n+1).
  static double falling(int x, int n) {
    double product = x < n ? 0 : 1;
    for (int i = 0; i < n; ++i) product *= x - i;
    return product;
  }

  // Back in time.

  Past start() const {
    Past past;
    past.size = view_.pub.deck;
    return past;
  }

  double total(const std::vector<Past>& pasts) const {
    double sum = 0;
    for (const Past& past : pasts) sum += past.weight * Draws(*this, past).chance;
    return sum;
  }

  // There is a past, so if all that were kept lead nowhere, more are kept.
  std::vector<Past> look_back_surely(Rng& rng) const {
    for (std::size_t limit = kMaxPasts;; limit *= 4) {
      std::vector<Past> pasts = look_back(start(), limit, rng);
      if (!pasts.empty()) return pasts;
    }
  }

  // All pasts from which `from` can have come, back to the first deal.
  std::vector<Past> look_back(const Past& from, std::size_t limit, Rng& rng) const {
    std::vector<Past> pasts{from};
    for (std::size_t i = log_.size(); i-- > 0;) {
      const Entry& entry = log_[i];
      if (entry.back && entry.theirs) pasts = unhide(pasts, entry, rng);
      if (pasts.size() > limit) thin(pasts, limit, rng);
      std::erase_if(pasts, [&](Past& past) { return !undo(past, entry); });
    }
    std::erase_if(pasts, [&](Past& past) { return !close(past); });
    return pasts;
  }

  // Undoes one event, except for the place of a bomb that the other put back. False: it cannot have been so.
  bool undo(Past& past, const Entry& entry) const {
    if (entry.event == K::kShuffled) return close(past);
    if (entry.event == K::kSaw) return recall(past, entry.seen);
    if (!draws_card(entry) && !draws_bomb(entry)) return true;
    if (entry.back && !entry.theirs) {
      const int i = past.size - entry.seen / 16;  // it was put at a depth of `seen / 16 - 1`
      if (!past.may_be_bomb(i)) return false;
      past.remove(i);
    }
    const int token = draws_bomb(entry) ? kBombToken : entry.theirs ? kTheirs | entry.number : kMine | entry.seen;
    past.insert(from_bottom(entry) ? 0 : past.size, static_cast<std::uint8_t>(token));
    return true;
  }

  // The top cards were those that I saw.
  static bool recall(Past& past, int seen) {
    for (int i = past.size - 1; seen; seen >>= 4, --i) {
      const auto code = static_cast<std::uint8_t>(seen & 15);
      std::uint8_t& token = past.token[at(i)];
      if (token == kUnknown) {
        token = code == kBombToken ? kBombToken : kLeft | code;
      } else if (token & kTheirs) {
        std::uint8_t& card = past.card[token & ~kTheirs];
        if (code == kBombToken || (card && card != code)) return false;
        card = code;
      } else if ((token & 15) != code) {
        return false;
      }
    }
    return true;
  }

  // The deck had just been shuffled: every place of the bombs that are still open was as likely.
  bool close(Past& past) const {
    int open = 0, bombs = rules_.counts[K::kBomb];
    const int all = bombs;
    Counts left{};
    for (int i = 0; i < past.size; ++i) {
      const std::uint8_t token = past.token[at(i)];
      open += token == kUnknown;
      bombs -= token == kBombToken;
      if (!(token & kTheirs) && token & kLeft) ++left[(token & 15) - 1u];
    }
    if (bombs < 0 || bombs > open) return false;
    for (int i = 0; i < bombs; ++i) past.weight *= static_cast<double>(open - i) / (bombs - i);
    for (int i = 0; i < all; ++i) past.weight *= static_cast<double>(all - i) / (past.size - i);
    past.left.push_back(left);
    past.token = {};
    return true;
  }

  // Takes a bomb that the other put back out of the deck again, wherever it may have been.
  std::vector<Past> unhide(const std::vector<Past>& pasts, const Entry& entry, Rng& rng) const {
    std::vector<Past> found;
    for (const Past& past : pasts) {
      const auto take_out = [&](int i, int ways) {
        Past& next = found.emplace_back(past);
        next.weight *= ways;
        next.hiding[at(entry.number)] = static_cast<std::uint8_t>(i);
        next.remove(i);
      };
      const int size = past.size - 1;
      if (!rules_.any) {
        for (const int i : {size, size - size / 2, 0}) {
          if (past.may_be_bomb(i)) take_out(i, 1);
        }
        continue;
      }
      for (int i = 0, end; i <= size; i = end) {  // which of a run of equal cards it was changes nothing
        for (end = i + 1; end <= size && past.token[at(end)] == past.token[at(i)];) ++end;
        if (past.may_be_bomb(i)) {
          take_out(i + static_cast<int>(rng.below(static_cast<std::uint32_t>(end - i))), end - i);
        }
      }
    }
    merge(found, rng);
    return found;
  }

  // Of pasts that are alike one stays, by chance, with the weight of all.
  static void merge(std::vector<Past>& pasts, Rng& rng) {
    if (pasts.size() < 2) return;
    std::sort(pasts.begin(), pasts.end(), [](const Past& a, const Past& b) { return a.key() < b.key(); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < pasts.size(); ++i) {
      if (pasts[kept].key() != pasts[i].key()) {
        if (++kept != i) pasts[kept] = std::move(pasts[i]);
        continue;
      }
      pasts[kept].weight += pasts[i].weight;
      if (rng.unit() * pasts[kept].weight < pasts[i].weight) pasts[kept].hiding = pasts[i].hiding;
    }
    pasts.resize(kept + 1);
  }

  // Keeps a fair choice of too many pasts, each with a chance that goes by its weight.
  static void thin(std::vector<Past>& pasts, std::size_t limit, Rng& rng) {
    double step = 0;
    for (const Past& past : pasts) step += past.weight / static_cast<double>(limit);
    double next = rng.unit() * step, reached = 0;
    std::erase_if(pasts, [&](Past& past) {
      reached += past.weight;
      past.weight = 0;
      for (; next < reached; next += step) past.weight += step;
      return past.weight <= 0;
    });
  }

  // The other's draws that a past leaves open, drawn one by one from the cards that I cannot place. `ahead_`
  // is, for each number of cards drawn and of each watched kind among them, the chance that all to come agrees
  // with what I saw. A kind is watched while the other is still to play a card of it that it must have drawn
  // here, from then on its cards are like any; or all the time, where I saw some of it go into a shuffle.
  class Draws {
   public:
    double chance = 0;  // that the cards fell as I saw them and as the other played them

    Draws(const KittensWorlds& worlds, const Past& past) : rules_(worlds.rules_), card_(past.card) {
      if (!read(worlds, past)) return;
      watch();
      if (!lay_out()) return;
      fill();
      chance = ahead_[0] / falling(all_, all_ - total_);
      for (std::size_t card = 1; card < K::kCards; ++card) {
        chance *= falling(rules_.counts[card], rules_.counts[card] - pool_[card]);
      }
    }

    // Decides the open draws and returns all that the other drew, by number.
    Codes sample(Rng& rng) {
      Ints count{};
      std::vector<double> weights(watched_.size() + 1);
      for (int drawn = 0; drawn < draws(); ++drawn) {
        weights[0] = rest(drawn, count) * ahead(drawn + 1, count);
        for (std::size_t i = 0; i < watched_.size(); ++i) weights[i + 1] = weight(drawn, count, watched_[i]);
        const std::size_t chosen = choose(weights, rng);
        const std::size_t card = chosen ? watched_[chosen - 1] : any_of_rest(count, rng);
        ++count[card];
        card_[at(open_[at(drawn)])] = static_cast<std::uint8_t>(1 + card);
      }
      return card_;
    }

   private:
    using Ints = std::array<int, K::kCards>;
    struct Shuffle {
      int after;    // so many open draws
      int size;     // of the deck, without bombs
      Ints base;    // the cards in it if no open draw had taken any
      Counts seen;  // those that I saw go in
    };
    struct Layer {  // the counts of watched cards that are possible after so many open draws
      Ints low{}, high{};
      std::array<std::size_t, K::kCards> stride{};
      std::size_t offset = 0, size = 1;
    };

    const Kittens& rules_;
    Codes card_;
    std::vector<int> open_;                  // the numbers of the open draws
    std::vector<Counts> need_ = {Counts{}};  // after each: so many of each kind must be among them
    std::vector<Shuffle> shuffles_;
    Ints pool_{};               // cards that I cannot place, drawn or in the deck
    int total_ = 0, all_ = 0;   // of them; of all cards but bombs
    bool exploded_ = false;     // then the other has no Defuse left
    std::vector<std::size_t> watched_;
    Ints cap_{};                // from this count on a kind is like any other
    std::vector<Layer> layers_;
    std::vector<double> ahead_;

    int draws() const { return static_cast<int>(open_.size()); }
    bool closed(std::size_t card) const { return exploded_ && card == K::kDefuse; }

    // What is known, from the log. False: the cards do not suffice.
    bool read(const KittensWorlds& worlds, const Past& past) {
      Ints base{};
      for (std::size_t card = 1; card < K::kCards; ++card) all_ += base[card] = rules_.counts[card];
      Counts have = K::kStart;
      int size = all_;
      std::size_t stretch = past.left.size();
      for (const Entry& entry : worlds.log_) {
        if (draws_card(entry)) {
          --size;
          const int code = entry.theirs ? card_[at(entry.number)] : entry.seen;
          if (code) {
            --base[at(code - 1)];
            if (entry.theirs) ++have[at(code - 1)];
          } else {
            open_.push_back(entry.number);
            need_.push_back(need_.back());
          }
        } else if (const K::Card card = played(entry); entry.theirs && card != K::kBomb) {
          if (have[card]) --have[card];
          else ++need_.back()[card];
        }
        if (entry.event == K::kShuffled) {
          const Counts& seen = past.left[--stretch];
          if (seen != Counts{}) shuffles_.push_back({draws(), size, base, seen});
        }
      }
      const K::Public& pub = worlds.view_.pub;
      exploded_ = pub.loser != kNobody && pub.loser != worlds.me_;
      for (std::size_t card = 1; card < K::kCards; ++card) {
        pool_[card] = base[card] - past.left[0][card];
        if (pool_[card] < need_.back()[card]) return false;
        total_ += pool_[card];
      }
      return true;
    }

    void watch() {
      for (std::size_t card = 1; card < K::kCards; ++card) {
        bool seen = false;
        for (const Shuffle& shuffle : shuffles_) seen |= shuffle.seen[card] > 0;
        const int need = need_.back()[card];
        if (need || seen || closed(card)) watched_.push_back(card);
        cap_[card] = seen && !closed(card) ? std::min(pool_[card], draws()) : need;
      }
    }

    // False: the other cannot have held all that it played.
    bool lay_out() {
      layers_.reserve(open_.size() + 1);
      std::size_t offset = 0;
      for (int drawn = 0; drawn <= draws(); ++drawn) {
        Layer& layer = layers_.emplace_back();
        layer.offset = offset;
        int spare = drawn;
        for (const std::size_t card : watched_) spare -= layer.low[card] = need_[at(drawn)][card];
        if (spare < 0) return false;
        for (const std::size_t card : watched_) {
          layer.high[card] = std::min(cap_[card], layer.low[card] + spare);
          layer.stride[card] = layer.size;
          layer.size *= at(layer.high[card] - layer.low[card] + 1);
        }
        offset += layer.size;
      }
      ahead_.assign(offset, 0);
      return true;
    }

    void fill() {
      for (int drawn = draws(); drawn >= 0; --drawn) {
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
    }

    double from_here(int drawn, const Ints& count) const {
      double chance_here = 1;
      for (const Shuffle& shuffle : shuffles_) {
        if (shuffle.after == drawn) chance_here *= shuffled(shuffle, count);
      }
      if (drawn == draws() || chance_here <= 0) return chance_here;
      double sum = rest(drawn, count) * ahead(drawn + 1, count);
      for (const std::size_t card : watched_) sum += weight(drawn, count, card);
      return chance_here * sum / (total_ - drawn);
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

    // The cards left of a kind that is still watched, weighed with what follows from drawing one.
    double weight(int drawn, const Ints& count, std::size_t card) const {
      if (count[card] >= cap_[card]) return 0;
      Ints next = count;
      ++next[card];
      return (pool_[card] - count[card]) * ahead(drawn + 1, next);
    }

    // How many of the cards left are not watched, or no longer.
    int rest(int drawn, const Ints& count) const {
      int cards = total_ - drawn;
      for (const std::size_t card : watched_) {
        if (count[card] < cap_[card]) cards -= pool_[card] - count[card];
        else if (closed(card)) cards -= pool_[card] - cap_[card];
      }
      return std::max(cards, 0);
    }

    std::size_t any_of_rest(const Ints& count, Rng& rng) const {
      Ints cards{};
      int sum = 0;
      for (std::size_t card = 1; card < K::kCards; ++card) {
        const bool watched = std::find(watched_.begin(), watched_.end(), card) != watched_.end();
        if (watched && (count[card] < cap_[card] || closed(card))) continue;
        sum += cards[card] = pool_[card] - count[card];
      }
      int pick = static_cast<int>(rng.below(static_cast<std::uint32_t>(sum)));
      std::size_t card = 1;
      while ((pick -= cards[card]) >= 0) ++card;
      return card;
    }

    // The chance that those cards which I saw go into a shuffle lay where I saw them.
    static double shuffled(const Shuffle& shuffle, const Ints& count) {
      double product = 1;
      int seen = 0;
      for (std::size_t card = 1; card < K::kCards; ++card) {
        product *= falling(shuffle.base[card] - count[card], shuffle.seen[card]);
        seen += shuffle.seen[card];
      }
      return product / falling(shuffle.size, seen);
    }
  };

  // Forward again.

  // Goes through the log once more with every question answered, first back to find each shuffle's deck,
  // then forward to let both seats see what they saw.
  void rebuild(const Past& chosen, const Codes& cards, Rng& rng, State<Kittens>& state) const {
    std::vector<Codes> decks;
    Past past = start();
    std::array<int, K::kCards> left{};  // the cards in the deck at the time
    for (std::size_t card = 0; card < K::kCards; ++card) left[card] = rules_.counts[card];
    for (const Entry& entry : log_) left[card_drawn(entry, cards)] -= draws_card(entry);
    for (std::size_t i = log_.size(); i-- > 0;) {
      const Entry& entry = log_[i];
      if (entry.event == K::kShuffled) {
        decks.push_back(deck_of(past, left, cards, rng));
        past.token = {};
        continue;
      }
      if (entry.back && entry.theirs) past.remove(chosen.hiding[at(entry.number)]);
      undo(past, entry);
      left[card_drawn(entry, cards)] += draws_card(entry);
    }
    state = State<Kittens>{};
    rules_.open(state);
    state.hidden.deck = deck_of(past, left, cards, rng);
    for (const Entry& entry : log_) {
      redo(state, entry, chosen);
      if (entry.event != K::kShuffled) continue;
      state.hidden.deck = decks.back();
      decks.pop_back();
      K::forget(state);
    }
    assert(std::memcmp(&state.own[at(me_)], &view_.own, sizeof view_.own) == 0);
    assert(state.pub.log == view_.pub.log && state.pub.hand == view_.pub.hand);
    state.pub = view_.pub;
    state.hidden.rng = Rng{rng.next()};
  }

  static std::size_t card_drawn(const Entry& entry, const Codes& cards) {
    if (!draws_card(entry)) return K::kBomb;
    return (entry.theirs ? cards[at(entry.number)] : entry.seen) - 1u;
  }

  // A whole deck just shuffled, the open cards in any order.
  Codes deck_of(const Past& past, std::array<int, K::kCards> left,
                const Codes& cards, Rng& rng) const {
    Codes deck{}, open{};
    for (int i = 0; i < past.size; ++i) {
      const std::uint8_t token = past.token[at(i)];
      if (token == kUnknown) continue;
      deck[at(i)] = static_cast<std::uint8_t>((token & kTheirs ? cards[token & ~kTheirs] : token & 15) - 1);
      --left[deck[at(i)]];
    }
    int count = 0;
    for (std::size_t card = 0; card < K::kCards; ++card) {
      for (int i = 0; i < left[card]; ++i) open[at(count++)] = static_cast<std::uint8_t>(card);
    }
    rng.shuffle(open.data(), count);
    for (int i = 0; i < past.size; ++i) {
      if (past.token[at(i)] == kUnknown) deck[at(i)] = open[at(--count)];
    }
    assert(count == 0);
    return deck;
  }

  void redo(State<Kittens>& state, const Entry& entry, const Past& chosen) const {
    const Seat seat = entry.theirs ? other(me_) : me_;
    if (!draws_card(entry) && !draws_bomb(entry)) {
      K::play(state, seat, played(entry));
      if (entry.event == K::kSaw && !rules_.original) K::look(state, seat);
      return;
    }
    K::take(state, seat, from_bottom(entry));
    if (entry.defused) K::discard(state, seat, K::kDefuse);
    if (!entry.back) return;
    const int depth = entry.theirs ? state.pub.deck - chosen.hiding[at(entry.number)] : entry.seen / 16 - 1;
    rules_.put_back(state, seat, depth);
  }

};

inline void Kittens::sample(const View<Kittens>& view, Rng rng, State<Kittens>& state) const {
  KittensWorlds(*this, view).sample(rng, state);
}

inline double Kittens::bomb_chance(const View<Kittens>& view, int depth) const {
  return KittensWorlds(*this, view).bomb_chance(depth);
}

static_assert(Game<Kittens>);

}  // namespace ludoteca
