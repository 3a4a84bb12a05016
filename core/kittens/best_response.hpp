// The best response to a known policy of Kittens in the original rules, with its hand open: dynamic programming.
#pragma once

#include <cmath>
#include <optional>

#include "kittens/open_position.hpp"
#include "search/hash_table.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// A hash table of a fixed size from positions to values from -1 to 1, to seven digits. Key and value share a word, so
// that twice as many fit: the lower bits of a mixed key select the slot and the upper forty are stored, so two keys are
// mistaken for one about once in 10^11 lookups.
class KittensValueTable {
 public:
  explicit KittensValueTable(std::size_t bytes) : table_(HashTable<Slot>::slots_in(bytes)) {}

  std::size_t size() const { return size_; }
  bool full() const { return size_ >= table_.slots() - table_.slots() / 16; }

  std::optional<float> find(std::uint64_t key) const {
    const Slot found = table_.slot(mixed(key));
    if (found.empty()) return std::nullopt;
    return static_cast<float>(static_cast<double>(found.word & kValue) / kHalf - 1);
  }
  // The table must not be full, and the key must be new.
  void insert(std::uint64_t key, float value) {
    const std::uint64_t mix = mixed(key);
    const auto number = static_cast<std::uint64_t>(std::lround((static_cast<double>(value) + 1) * kHalf));
    table_.slot(mix) = {(mix & ~kValue) | std::min(number, kValue)};
    ++size_;
  }

 private:
  static constexpr std::uint64_t kValue = (1 << 24) - 1;
  static constexpr double kHalf = 1 << 23;

  struct Slot {
    std::uint64_t word;
    bool empty() const { return !word; }
    bool has(std::uint64_t mix) const { return !((word ^ mix) & ~kValue); }
  };
  HashTable<Slot> table_;
  std::size_t size_ = 0;

  static std::uint64_t mixed(std::uint64_t key) {  // a bijection
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9ULL;
    return key ^ key >> 32;
  }
};

// Every draw takes a card from the deck for good or costs a Defuse, and every other action costs a card. So positions
// never repeat, and each is valued once. With the hand open, only the order of the unknown cards is left, which is
// chance. The value is therefore an upper bound for a seat that does not see the hand, and its mean over the belief
// about the hand nearly always shows which action is best.
class KittensBestResponse {
 public:
  struct LimitReached {};  // thrown when a limit ends the search; values found so far stay in the table

  // `abstracted`: seat 0 never puts a bomb into the middle. It makes little difference and a fifth of the positions.
  KittensBestResponse(const KittensTabularPolicy& opponent, bool abstracted, KittensValueTable& values, Limits& limits)
      : opponent_(opponent), abstracted_(abstracted), values_(values), limits_(limits) {}

  // The expected return of seat 0, in [-1, 1], with best play from here on.
  float value(const KittensOpenPosition& at) {
    if (!at.cards) return 0;
    const std::uint64_t key = at.key();
    if (const auto known = values_.find(key)) return *known;
    if (values_.full() || !limits_.spend(kNodesPerCheck)) throw LimitReached{};
    const float found = at.theirs ? their_turn(at) : my_turn(at);
    values_.insert(key, found);
    return found;
  }

  // The value after an action of seat 0, which is on turn and holds that card.
  float after(KittensOpenPosition at, Action action) {
    switch (action) {
      case Kittens::kDoSkip: --at.mine[KittensOpenPosition::kSkip]; return draw(at, at.owed - 1);
      case Kittens::kDoAttack: --at.mine[KittensOpenPosition::kAttack]; return end_turn(at, 2);
      case Kittens::kDoBottom: --at.mine[KittensOpenPosition::kBottom]; return draw(at, at.owed, true);
      case Kittens::kDoShuffle:
        --at.mine[KittensOpenPosition::kShuffle];
        at.known_bombs = 0;
        return draw(at, at.owed);
      default: return draw(at, at.owed);
    }
  }

  // The value after seat 0 has put back the bomb that it drew.
  float after_placing(KittensOpenPosition at, KittensTabularPolicy::Place place) {
    at.put_bomb(KittensOpenPosition::depth(place, at.cards));
    return end_turn(at, 1);
  }

 private:
  static constexpr std::uint64_t kNodesPerCheck = 64;

  const KittensTabularPolicy& opponent_;
  const bool abstracted_;
  KittensValueTable& values_;
  Limits& limits_;

  float my_turn(const KittensOpenPosition& at) {
    float best = after(at, Kittens::kDoDraw);
    const auto consider = [&](KittensOpenPosition::Kind kind, Action action) {
      if (at.mine[kind]) best = std::max(best, after(at, action));
    };
    consider(KittensOpenPosition::kSkip, Kittens::kDoSkip);
    consider(KittensOpenPosition::kAttack, Kittens::kDoAttack);
    consider(KittensOpenPosition::kBottom, Kittens::kDoBottom);
    consider(KittensOpenPosition::kShuffle, Kittens::kDoShuffle);
    return best;
  }

  float their_turn(const KittensOpenPosition& at) {
    const bool skip = at.other[KittensOpenPosition::kSkip], attack = at.other[KittensOpenPosition::kAttack];
    const auto& p = opponent_.probabilities(at.cards, at.bombs, skip, attack, at.lead());
    float sum = 0;
    if (p[KittensTabularPolicy::kDraw] > 0) sum += p[KittensTabularPolicy::kDraw] * draw(at, at.owed);
    if (p[KittensTabularPolicy::kSkip] > 0) {
      KittensOpenPosition next = at;
      --next.other[KittensOpenPosition::kSkip];
      sum += p[KittensTabularPolicy::kSkip] * draw(next, at.owed - 1);
    }
    if (p[KittensTabularPolicy::kAttack] > 0) {
      KittensOpenPosition next = at;
      --next.other[KittensOpenPosition::kAttack];
      sum += p[KittensTabularPolicy::kAttack] * end_turn(next, 2);
    }
    return sum;
  }

  float end_turn(KittensOpenPosition at, int owed) {
    at.theirs = !at.theirs;
    at.owed = static_cast<std::uint8_t>(owed);
    return value(at);
  }

  // The seat on turn draws `left` cards, the first from the bottom if `bottom`, and its turn ends. `holding`: seat 0
  // holds a bomb that it puts back after the draws.
  float draw(const KittensOpenPosition& at, int left, bool bottom = false, bool holding = false) {
    if (!left || !at.cards) return holding ? place(at) : end_turn(at, 1);
    const bool certain = at.bomb_at(bottom ? at.cards - 1 : 0);
    const auto unknown = static_cast<float>(at.unknown());
    KittensOpenPosition next = at;
    next.take(bottom);
    float sum = 0;
    if (certain || at.unknown_bombs()) {
      const float chance = certain ? 1 : static_cast<float>(at.unknown_bombs()) / unknown;
      --next.bombs;
      sum += chance * bomb(next, left - 1, bottom);
      ++next.bombs;
    }
    if (certain) return sum;
    auto& hand = at.theirs ? next.other : next.mine;
    for (std::size_t kind = 0; kind < KittensOpenPosition::kKinds; ++kind) {
      if (!at.deck[kind]) continue;
      --next.deck[kind];
      ++hand[kind];
      sum += static_cast<float>(at.deck[kind]) / unknown * draw(next, left - 1, false, holding);
      ++next.deck[kind];
      --hand[kind];
    }
    return sum;
  }

  // The seat on turn has drawn a bomb and has `left` more draws. If seat 0 held a bomb already, one of the two is lost,
  // so `holding` does not matter here.
  float bomb(KittensOpenPosition at, int left, bool bottom) {
    auto& hand = at.theirs ? at.other : at.mine;
    if (!hand[KittensOpenPosition::kDefuse]) return at.theirs ? 1.0f : -1.0f;
    --hand[KittensOpenPosition::kDefuse];
    if (!at.theirs) return bottom && left ? draw(at, left, false, true) : place(at);
    at.put_bomb(KittensOpenPosition::depth(opponent_.place(at.cards, at.bombs), at.cards));
    return draw(at, left);
  }

  float place(const KittensOpenPosition& at) {
    const float best = std::max(after_placing(at, KittensTabularPolicy::kTop), after_placing(at, KittensTabularPolicy::kBottom));
    return abstracted_ ? best : std::max(best, after_placing(at, KittensTabularPolicy::kMiddle));
  }
};

}  // namespace ludoteca
