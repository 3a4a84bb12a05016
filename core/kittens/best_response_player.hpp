// How seat 0 of Kittens, in the original rules, plays against a player whose habits are known.
#pragma once

#include <mutex>

#include "kittens/hand_belief.hpp"
#include "kittens/best_response.hpp"
#include "search/choice.hpp"

namespace ludoteca {

// Tables of values that were filled by searches and can be used by the next, one search at a time.
class KittensResponseTables {
 public:
  // roughly: see KittensBestResponsePlayer::choose.
  KittensResponseTables(KittensTabularPolicy model_, bool roughly_, std::size_t bytes)
      : model(std::move(model_)), roughly(roughly_), bytes_(bytes) {}

  const KittensTabularPolicy model;
  const bool roughly;

  std::unique_ptr<KittensValueTable> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (free_) return std::move(free_);
    }
    return std::make_unique<KittensValueTable>(bytes_);
  }
  // Of two that come back the fuller one stays.
  void give_back(std::unique_ptr<KittensValueTable> values) {
    const std::lock_guard lock(mutex_);
    if (!free_ || free_->size() < values->size()) free_.swap(values);
  }

 private:
  const std::size_t bytes_;
  std::mutex mutex_;
  std::unique_ptr<KittensValueTable> free_;
};

// Averages the best reply to an open hand over all hands that the other may have. Before that is known, it puts bombs
// on top and plays what it can to get around one that it knows of, which is nearly as good.
class KittensBestResponsePlayer {
 public:
  // Whether this can be played so: the view is seat 0's, on turn in a match of the original rules that was dealt.
  static bool can(const Kittens& rules, const View<Kittens>& view) {
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

  KittensBestResponsePlayer(const Kittens& rules, const KittensTabularPolicy& model, const View<Kittens>& view)
      : model_(model), view_(view), guess_(rules, model, view) {}

  // What to play before anything is searched.
  Action first() const {
    if (view_.pub.placing) return Kittens::kPlaceTop;
    if (!guess_.bomb_on_top()) return Kittens::kDoDraw;
    const auto& hand = view_.own.hand;
    if (hand[Kittens::kAttack]) return Kittens::kDoAttack;
    if (hand[Kittens::kSkip] && view_.pub.owed == 1) return Kittens::kDoSkip;
    if (hand[Kittens::kBottom] && view_.pub.owed == 1) return Kittens::kDoBottom;
    return hand[Kittens::kShuffle] ? Kittens::kDoShuffle : Kittens::kDoDraw;
  }

  // `roughly`: leaves out positions that hardly matter. Else no action is left out, and the value is an upper bound for
  // what can be had against this player without seeing its hand.
  void choose(bool roughly, KittensValueTable& values, Limits& limits, SharedChoice& shared) const {
    KittensBestResponse reply(model_, !roughly, values, limits);
    const std::vector<KittensHandBelief::Hand> hands = guess_.hands(roughly);
    Choice found;
    try {
      for (const Action action : actions(roughly)) {
        double mean = 0;
        for (const KittensHandBelief::Hand& hand : hands) mean += hand.weight * value(reply, hand.position, action, roughly);
        if (found.scores.empty() || mean > found.value) {
          found.action = action;
          found.value = mean;
        }
        found.scores.emplace_back(action, mean);
      }
    } catch (const KittensBestResponse::Spent&) {
      return;
    }
    found.line.add(found.action);
    found.depth = 1;
    found.complete = true;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }

 private:
  const KittensTabularPolicy& model_;
  const View<Kittens>& view_;
  const KittensHandBelief guess_;

  // Those that can be worth it. A card that is not held, or a See, is a draw; a Shuffle is for when a bomb is on top; and
  // bombs in the middle are hardly ever better, but many more positions.
  std::vector<Action> actions(bool roughly) const {
    if (view_.pub.placing && roughly) return {Kittens::kPlaceTop, Kittens::kPlaceBottom};
    if (view_.pub.placing) return {Kittens::kPlaceTop, Kittens::kPlaceMiddle, Kittens::kPlaceBottom};
    std::vector<Action> out{Kittens::kDoDraw};
    const auto& hand = view_.own.hand;
    if (hand[Kittens::kSkip]) out.push_back(Kittens::kDoSkip);
    if (hand[Kittens::kAttack]) out.push_back(Kittens::kDoAttack);
    if (hand[Kittens::kBottom]) out.push_back(Kittens::kDoBottom);
    if (hand[Kittens::kShuffle] && (!roughly || guess_.bomb_on_top())) out.push_back(Kittens::kDoShuffle);
    return out;
  }

  // Roughly, a Shuffle that is kept counts as a Safe card, to have fewer positions.
  static double value(KittensBestResponse& reply, KittensOpenPosition at, Action action, bool roughly) {
    if (roughly) {
      const bool shuffle = action == Kittens::kDoShuffle;
      std::uint8_t &kept = at.mine[KittensOpenPosition::kShuffle], &safe = at.mine[KittensOpenPosition::kSafe];
      safe = static_cast<std::uint8_t>(safe + kept - shuffle);
      kept = shuffle;
    }
    switch (action) {
      case Kittens::kPlaceMiddle: return reply.after_placing(at, KittensTabularPolicy::kMiddle);
      case Kittens::kPlaceTop: return reply.after_placing(at, KittensTabularPolicy::kTop);
      case Kittens::kPlaceBottom: return reply.after_placing(at, KittensTabularPolicy::kBottom);
      default: return reply.after(at, action);
    }
  }
};

// How many of so many matches, dealt by seeds from `seed` on, seat 0 wins so against the known player.
inline int kittens_wins(const Kittens& rules, KittensResponseTables& replies, int matches, std::uint64_t seed) {
  const KittensTabularPolicy& model = replies.model;
  std::unique_ptr<KittensValueTable> values = replies.borrow();
  int wins = 0;
  for (int i = 0; i < matches; ++i) {
    Rng rng{seed + static_cast<std::uint64_t>(i)};
    State<Kittens> state;
    rules.deal(state, Rng{rng.next()});
    while (state.pub.turn != kNobody) {
      Action action;
      if (state.pub.turn == 0) {
        const View<Kittens> view = view_of(state, 0);
        const KittensBestResponsePlayer player(rules, model, view);
        Limits limits(std::nullopt, std::nullopt);
        SharedChoice shared(player.first());
        player.choose(replies.roughly, *values, limits, shared);
        action = shared.read().action;
      } else {
        action = model.choose(ViewRef<Kittens>(state, 1), rng);
      }
      rules.apply(state, action);
    }
    wins += state.pub.loser == 1;
  }
  replies.give_back(std::move(values));
  return wins;
}

}  // namespace ludoteca
