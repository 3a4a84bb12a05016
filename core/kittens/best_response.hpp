// The best reply to a known player of Kittens in the original rules, as if its hand lay open: by dynamic programming.
//
// Every draw takes a card from the deck for good or costs a Defuse, and every other action costs a card, so positions
// never come back and each is valued once. With the hand open nothing is hidden but the order of the loose cards,
// which is chance: the value is an upper bound for whoever does not see that hand, and its average over what the hand
// may be says very nearly which action is best.
#pragma once

#include "kittens/open_position.hpp"
#include "kittens/value_table.hpp"
#include "search/limits.hpp"

namespace ludoteca {

class KittensBestResponse {
 public:
  struct Spent {};  // thrown when a limit ends the search; what is valued by then stays valued

  // `everything`: bombs go to the middle, too. It makes little difference and five times as many positions.
  KittensBestResponse(const KittensTabularPolicy& model, bool everything, KittensValueTable& values, Limits& limits)
      : model_(model), everything_(everything), values_(values), limits_(limits) {}

  // The expected return of seat 0, in [-1, 1], with best play from here on.
  float value(const KittensOpenPosition& at) {
    if (!at.cards) return 0;
    const std::uint64_t key = at.key();
    if (const auto known = values_.get(key)) return *known;
    if (values_.full() || !limits_.spend(kNodesPerLook)) throw Spent{};
    const float found = at.theirs ? their_turn(at) : my_turn(at);
    values_.put(key, found);
    return found;
  }

  // The same after an action of seat 0, which is on turn and holds that card.
  float after(KittensOpenPosition at, Action action) {
    switch (action) {
      case Kittens::kDoSkip: --at.mine[KittensOpenPosition::kSkip]; return draw(at, at.owed - 1);
      case Kittens::kDoAttack: --at.mine[KittensOpenPosition::kAttack]; return end_turn(at, 2);
      case Kittens::kDoBottom: --at.mine[KittensOpenPosition::kBottom]; return draw(at, at.owed, true);
      case Kittens::kDoShuffle:
        --at.mine[KittensOpenPosition::kShuffle];
        at.placed = 0;
        return draw(at, at.owed);
      default: return draw(at, at.owed);
    }
  }

  // The same after seat 0 has put back a bomb that is in neither deck nor hand.
  float after_placing(KittensOpenPosition at, KittensTabularPolicy::Place place) {
    at.put_bomb(KittensOpenPosition::depth(place, at.cards));
    return end_turn(at, 1);
  }

 private:
  static constexpr std::uint64_t kNodesPerLook = 64;

  const KittensTabularPolicy& model_;
  const bool everything_;
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
    const auto& chances = model_.habits(at.cards, at.bombs, skip, attack, at.lead());
    float sum = 0;
    if (chances[KittensTabularPolicy::kDraws] > 0) sum += chances[KittensTabularPolicy::kDraws] * draw(at, at.owed);
    if (chances[KittensTabularPolicy::kSkips] > 0) {
      KittensOpenPosition next = at;
      --next.other[KittensOpenPosition::kSkip];
      sum += chances[KittensTabularPolicy::kSkips] * draw(next, at.owed - 1);
    }
    if (chances[KittensTabularPolicy::kAttacks] > 0) {
      KittensOpenPosition next = at;
      --next.other[KittensOpenPosition::kAttack];
      sum += chances[KittensTabularPolicy::kAttacks] * end_turn(next, 2);
    }
    return sum;
  }

  float end_turn(KittensOpenPosition at, int owed) {
    at.theirs = !at.theirs;
    at.owed = static_cast<std::uint8_t>(owed);
    return value(at);
  }

  // The seat on turn draws so many cards, the first perhaps from the bottom, and its turn ends. `holding`: seat 0 has a
  // bomb in hand that it puts back after that.
  float draw(const KittensOpenPosition& at, int left, bool bottom = false, bool holding = false) {
    if (!left || !at.cards) return holding ? place(at) : end_turn(at, 1);
    const bool sure = at.bomb_at(bottom ? at.cards - 1 : 0);
    const auto loose = static_cast<float>(at.loose());
    KittensOpenPosition next = at;
    next.take(bottom);
    float sum = 0;
    if (sure || at.loose_bombs()) {
      const float chance = sure ? 1 : static_cast<float>(at.loose_bombs()) / loose;
      --next.bombs;
      sum += chance * bomb(next, left - 1, bottom);
      ++next.bombs;
    }
    if (sure) return sum;
    auto& hand = at.theirs ? next.other : next.mine;
    for (std::size_t kind = 0; kind < KittensOpenPosition::kKinds; ++kind) {
      if (!at.deck[kind]) continue;
      --next.deck[kind];
      ++hand[kind];
      sum += static_cast<float>(at.deck[kind]) / loose * draw(next, left - 1, false, holding);
      ++next.deck[kind];
      --hand[kind];
    }
    return sum;
  }

  // The seat on turn has drawn a bomb, and so many draws are left. (Of two that seat 0 holds one is lost, so `holding`
  // makes no difference here.)
  float bomb(KittensOpenPosition at, int left, bool bottom) {
    auto& hand = at.theirs ? at.other : at.mine;
    if (!hand[KittensOpenPosition::kDefuse]) return at.theirs ? 1.0f : -1.0f;
    --hand[KittensOpenPosition::kDefuse];
    if (!at.theirs) return bottom && left ? draw(at, left, false, true) : place(at);
    at.put_bomb(KittensOpenPosition::depth(model_.place(at.cards, at.bombs), at.cards));
    return draw(at, left);
  }

  float place(const KittensOpenPosition& at) {
    const float best = std::max(after_placing(at, KittensTabularPolicy::kTop), after_placing(at, KittensTabularPolicy::kBottom));
    return everything_ ? std::max(best, after_placing(at, KittensTabularPolicy::kMiddle)) : best;
  }
};

}  // namespace ludoteca
