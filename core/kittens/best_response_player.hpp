// How seat 0 of Kittens plays against a known policy in the original rules.
#pragma once

#include <mutex>

#include "kittens/belief/hand_belief.hpp"
#include "kittens/best_response.hpp"
#include "search/choice.hpp"

namespace ludoteca {

// The opponent's policy, with value tables that one search fills and a later one uses. Each table serves one search at
// a time.
class KittensResponseTables {
 public:
  // abstracted: see KittensBestResponsePlayer::choose.
  KittensResponseTables(KittensTabularPolicy opponent_, bool abstracted_, std::size_t bytes)
      : opponent(std::move(opponent_)), abstracted(abstracted_), bytes_(bytes) {}

  const KittensTabularPolicy opponent;
  const bool abstracted;

  std::unique_ptr<KittensValueTable> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (free_) return std::move(free_);
    }
    return std::make_unique<KittensValueTable>(bytes_);
  }
  // Keeps the fuller one of two tables.
  void give_back(std::unique_ptr<KittensValueTable> values) {
    const std::lock_guard lock(mutex_);
    if (!free_ || free_->size() < values->size()) free_.swap(values);
  }

 private:
  const std::size_t bytes_;
  std::mutex mutex_;
  std::unique_ptr<KittensValueTable> free_;
};

// Averages the best response to an open hand over the belief about that hand. Its action before any search puts bombs
// on top and avoids a bomb that it knows of, which is nearly as good.
class KittensBestResponsePlayer {
 public:
  // Whether it can play this view: seat 0's, on turn, in a dealt match of the original rules.
  static bool applies(const Kittens& rules, const View<Kittens>& view) {
    if (!rules.original || rules.any || view.seat != 0 || view.pub.turn != 0 || view.pub.arranged) return false;
    KittensOpenPosition all{};
    all.cards = static_cast<std::uint8_t>(rules.size());
    all.bombs = rules.counts[Kittens::kBomb];
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      const KittensOpenPosition::Kind kind = KittensOpenPosition::kind_of(card);
      all.deck[kind] = static_cast<std::uint8_t>(all.deck[kind] + rules.counts[card]);
      all.mine[kind] = static_cast<std::uint8_t>(all.mine[kind] + 2 * Kittens::kStart[card]);
    }
    return all.fits();
  }

  KittensBestResponsePlayer(const Kittens& rules, const KittensTabularPolicy& opponent, const View<Kittens>& view)
      : opponent_(opponent), view_(view), belief_(rules, opponent, view) {}

  // Whether the opponent did what this policy never does.
  bool refuted() const { return belief_.refuted(); }

  // The action before any search.
  Action default_action() const {
    if (view_.pub.placing) return Kittens::kPlaceTop;
    if (!belief_.bomb_on_top()) return Kittens::kDoDraw;
    const auto& hand = view_.own.hand;
    if (hand[Kittens::kAttack]) return Kittens::kDoAttack;
    if (hand[Kittens::kSkip] && view_.pub.owed == 1) return Kittens::kDoSkip;
    if (hand[Kittens::kBottom] && view_.pub.owed == 1) return Kittens::kDoBottom;
    return hand[Kittens::kShuffle] ? Kittens::kDoShuffle : Kittens::kDoDraw;
  }

  // `abstracted`: leaves out positions and actions that hardly matter. Otherwise no action is left out, and the value
  // is an upper bound of what any player can get without seeing the hand.
  void choose(bool abstracted, KittensValueTable& values, Limits& limits, SharedChoice& shared) const {
    KittensBestResponse response(opponent_, abstracted, values, limits);
    const std::vector<KittensHandBelief::Hand> hands = belief_.hands(abstracted);
    Choice found;
    try {
      for (const Action action : actions(abstracted)) {
        double mean = 0;
        for (const KittensHandBelief::Hand& hand : hands) mean += hand.weight * value(response, hand.position, action, abstracted);
        if (found.scores.empty() || mean > found.value) {
          found.action = action;
          found.value = mean;
        }
        found.scores.emplace_back(action, mean);
      }
    } catch (const KittensBestResponse::LimitReached&) {
      return;
    }
    found.line.add(found.action);
    found.depth = 1;
    found.complete = true;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }

 private:
  const KittensTabularPolicy& opponent_;
  const View<Kittens>& view_;
  const KittensHandBelief belief_;

  // The actions that are searched. A card that is not held, or a See, is a draw. The abstraction leaves out a Shuffle
  // unless a bomb is on top, and bombs in the middle: they are hardly ever better but make many more positions.
  std::vector<Action> actions(bool abstracted) const {
    if (view_.pub.placing && abstracted) return {Kittens::kPlaceTop, Kittens::kPlaceBottom};
    if (view_.pub.placing) return {Kittens::kPlaceTop, Kittens::kPlaceMiddle, Kittens::kPlaceBottom};
    std::vector<Action> out{Kittens::kDoDraw};
    const auto& hand = view_.own.hand;
    if (hand[Kittens::kSkip]) out.push_back(Kittens::kDoSkip);
    if (hand[Kittens::kAttack]) out.push_back(Kittens::kDoAttack);
    if (hand[Kittens::kBottom]) out.push_back(Kittens::kDoBottom);
    if (hand[Kittens::kShuffle] && (!abstracted || belief_.bomb_on_top())) out.push_back(Kittens::kDoShuffle);
    return out;
  }

  // The abstraction counts a Shuffle that is kept as a Safe card, to have fewer positions.
  static double value(KittensBestResponse& response, KittensOpenPosition at, Action action, bool abstracted) {
    if (abstracted) {
      const bool shuffle = action == Kittens::kDoShuffle;
      std::uint8_t &kept = at.mine[KittensOpenPosition::kShuffle], &safe = at.mine[KittensOpenPosition::kSafe];
      safe = static_cast<std::uint8_t>(safe + kept - shuffle);
      kept = shuffle;
    }
    switch (action) {
      case Kittens::kPlaceMiddle: return response.after_placing(at, KittensTabularPolicy::kMiddle);
      case Kittens::kPlaceTop: return response.after_placing(at, KittensTabularPolicy::kTop);
      case Kittens::kPlaceBottom: return response.after_placing(at, KittensTabularPolicy::kBottom);
      default: return response.after(at, action);
    }
  }
};

// How many of `matches`, dealt from `seed` on, the best response wins in seat 0 against the policy.
inline int kittens_best_response_wins(const Kittens& rules, KittensResponseTables& tables, int matches, std::uint64_t seed) {
  const KittensTabularPolicy& opponent = tables.opponent;
  std::unique_ptr<KittensValueTable> values = tables.borrow();
  int wins = 0;
  for (int i = 0; i < matches; ++i) {
    Rng rng{seed + static_cast<std::uint64_t>(i)};
    State<Kittens> state;
    rules.deal(state, Rng{rng.next()});
    while (state.pub.turn != kNobody) {
      Action action;
      if (state.pub.turn == 0) {
        const View<Kittens> view = view_of(state, 0);
        const KittensBestResponsePlayer player(rules, opponent, view);
        Limits limits(std::nullopt, std::nullopt);
        SharedChoice shared(player.default_action());
        player.choose(tables.abstracted, *values, limits, shared);
        action = shared.read().action;
      } else {
        action = opponent.sample(ViewRef<Kittens>(state, 1), rng);
      }
      rules.apply(state, action);
    }
    wins += state.pub.loser == 1;
  }
  tables.give_back(std::move(values));
  return wins;
}

}  // namespace ludoteca
