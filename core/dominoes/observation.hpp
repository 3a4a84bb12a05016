// Dominoes followed from one seat at a real table: the view after each event that the seat saw, without the truth.
#pragma once

#include <optional>

#include "dominoes/rules.hpp"

namespace ludoteca {

// A view depends only on what its seat saw. So each step applies the event to a state that is right where the event
// looks, and takes the view of the result; the other hidden tiles lie anywhere. Every function gives nothing where the
// rules forbid the event. Whether the whole history can have happened is another question: see `possible`.
class DominoesObservation {
  using D = Dominoes;
  using Set = Tiles::Set;

 public:
  explicit DominoesObservation(const Dominoes& rules) : rules_(rules) {}

  // The first view of a deal: this seat holds these tiles, and `turn` begins.
  View<Dominoes> first_view(Set hand, Seat seat, Seat turn) const {
    State<Dominoes> state{};
    state.pub.count.fill(static_cast<std::uint8_t>(rules_.hand));
    state.pub.boneyard = static_cast<std::uint8_t>(rules_.num_tiles() - 2 * rules_.hand);
    state.pub.turn = turn;
    state.own[index(seat)].hand = hand;
    return view_of(state, seat);
  }

  // After an action of the seat on turn. drawn: the tile, if this seat draws; else -1.
  //
  // In a round without drawing, this seat does not see whether the round is blocked: then the round goes on until
  // `reveal`. If this seat wins, the opponent's tiles stay unknown until `reveal`.
  std::optional<View<Dominoes>> after(const View<Dominoes>& view, Action action, int drawn) const {
    const Seat me = view.seat, seat = view.pub.turn;
    const bool mine = seat == me, draws = action == rules_.draw_action();
    Set hidden = rules_.unseen(view);
    if (seat == kNobody || (mine && draws) != (drawn >= 0) || (drawn >= 0 && !(hidden >> drawn & 1))) return {};
    Set theirs = 0, taken = drawn >= 0 ? Tiles::one(drawn) : 0;
    if (!mine && action >= 0 && action < rules_.draw_action()) {
      theirs = Tiles::one(action / 2);
      if (!(hidden & theirs)) return {};
      if (D::first(view.pub) && rules_.best_starts(view.pub)) taken |= kTiles.above[index(action / 2)];
      if (view.own.hand & taken) return {};  // this seat would have begun
    } else if (!mine && !D::first(view.pub)) {
      taken |= D::fitting(view.pub.ends);
    }
    const int missing = view.pub.count[index(other(me))] - std::popcount(theirs);
    Set free = hidden & ~(theirs | taken);
    if (std::popcount(free) < missing) return {};
    for (int i = 0; i < missing; ++i) {
      theirs |= free & (~free + 1);
      free &= free - 1;
    }
    State<Dominoes> state = filled(view, theirs, drawn);
    if (!is_legal(rules_, state, action)) return {};
    rules_.apply(state, action);
    if (state.pub.turn == kNobody && state.pub.boneyard) {
      if (state.pub.count[0] && state.pub.count[1]) {
        state.pub.turn = other(seat);
        state.pub.winner = kNobody;
        state.pub.revealed = {};
      } else {
        state.pub.revealed[index(other(me))] = 0;
      }
    }
    return view_of(state, me);
  }

  // The opponent shows its tiles: because the round is blocked, or after the end.
  std::optional<View<Dominoes>> reveal(const View<Dominoes>& view, Set theirs) const {
    const auto they = index(other(view.seat));
    if ((theirs & ~rules_.unseen(view)) || std::popcount(theirs) != view.pub.count[they]) return {};
    State<Dominoes> state = filled(view, theirs, -1);
    if (state.pub.turn != kNobody) {
      if (!rules_.blocked(state)) return {};
      D::finish(state, rules_.blocked_counts ? D::lighter(state) : kNobody);
    }
    state.pub.revealed[they] = theirs;
    return view_of(state, view.seat);
  }

  // Whether some deal shows this view.
  bool possible(const View<Dominoes>& view) const { return DominoesWorlds(rules_, view).deals_within(~Set{0}, false) > 0; }

  // The probability that the opponent holds one of these tiles, over all deals that show this view. If this seat is
  // stuck in a round without drawing, the round may be blocked.
  double chance(const View<Dominoes>& view, Set tiles) const {
    const DominoesWorlds worlds(rules_, view);
    const bool goes_on = worlds.deals_within(~Set{0}, true) > 0;
    return 1 - worlds.deals_within(~tiles, goes_on) / worlds.deals_within(~Set{0}, goes_on);
  }

 private:
  const Dominoes& rules_;

  // A state with these tiles in the opponent's hand; `next` is drawn next, if it is a tile.
  State<Dominoes> filled(const View<Dominoes>& view, Set theirs, int next) const {
    State<Dominoes> state{};
    state.pub = view.pub;
    state.own[index(view.seat)] = view.own;
    state.own[index(other(view.seat))].hand = theirs;
    int count = 0;
    const Set last = next >= 0 ? Tiles::one(next) : 0;
    const auto put = [&](int tile) { state.hidden.boneyard[index(count++)] = static_cast<std::uint8_t>(tile); };
    Tiles::each(rules_.unseen(view) & ~(theirs | last), put);
    Tiles::each(last, put);
    return state;
  }
};

}  // namespace ludoteca
