// Hidden-information games as inputs of a network, and what its belief head predicts.
//
// NetworkInput<G> says how a view becomes numbers: the game's tensor, then what the tensor leaves out of the history.
// It takes a ViewRef, so nothing in the input can depend on what the seat may not know. `hand` writes the targets of the
// belief head, from the truth: what the other seat holds, as bits.
#pragma once

#include <algorithm>

#include "dominoes/rules.hpp"
#include "kittens/rules.hpp"
#include "kittens/tensor.hpp"

namespace ludoteca {

template <class G>
struct NetworkInput;

template <>
struct NetworkInput<Dominoes> {
  // T tiles and n numbers, after the tensor:
  //   [T] how late a tile was laid, 1 for the last
  //   then for the other and for this seat: [n] tiles drawn since it last showed that it lacks the number, / 4
  //                                         [n] how often it left this number open when it laid a tile, / 4
  //   [4] the rules: drawing, the highest double starts, fewer pips win a blocked round, points
  static int size(const Dominoes& g) { return g.tensor_shape()[0] + g.num_tiles() + 4 * (g.pips + 1) + 4; }

  static void write(const Dominoes& g, ViewRef<Dominoes> v, float* out) {
    g.tensor(v, out);
    out += g.tensor_shape()[0];
    const int tiles = g.num_tiles(), numbers = g.pips + 1;
    std::fill_n(out, tiles + 4 * numbers, 0.0f);
    float* const late = out;
    const auto of = [&](Seat seat, int which) { return out + tiles + (2 * (seat == v.seat) + which) * numbers; };
    int laid = 0;
    std::array<std::uint32_t, 2> lacked{};
    g.replay_log(v.pub, [&](Seat seat, Action action, const Dominoes::Ends& ends) {
      if (action < g.draw_action()) late[action / 2] = static_cast<float>(++laid);
      if (seat == kNobody || ends[0] < 0) return;
      if (action < g.draw_action()) {
        Dominoes::Ends after = ends;
        Dominoes::extend(after, action / 2, index(action % 2));
        of(seat, 1)[after[index(1 - action % 2)]] += 0.25f;
        return;
      }
      for (const std::int8_t end : ends) {
        lacked[index(seat)] |= 1u << end;
        of(seat, 0)[end] = 0;
      }
      if (action != g.draw_action()) return;
      for (int i = 0; i < numbers; ++i) {
        if (lacked[index(seat)] >> i & 1) of(seat, 0)[i] += 0.25f;
      }
    });
    for (int i = 0; laid && i < tiles; ++i) late[i] /= static_cast<float>(laid);
    out += tiles + 4 * numbers;
    for (const bool rule : {g.drawing, g.double_starts, g.blocked_counts, g.points}) *out++ = rule;
  }

  // [T] the tile is in the hand.
  static int hand_size(const Dominoes& g) { return g.num_tiles(); }
  static void hand(const Dominoes& g, const Dominoes::Private& own, float* out) {
    for (int i = 0; i < g.num_tiles(); ++i) out[i] = own.hand >> i & 1 ? 1.0f : 0.0f;
  }
};

template <>
struct NetworkInput<Kittens> {
  static constexpr int kEvents = 6, kKinds = 10;
  // After the tensor, for each of the last events, the latest first: [10] its kind · this seat's · the card drawn, if
  // this seat saw it, is none, Defuse, Skip, Attack, See, Bottom, Shuffle, Safe.
  static constexpr int kEvent = kKinds + 1 + Kittens::kCards;
  static int size(const Kittens&) { return Kittens::kTensor + kEvents * kEvent; }

  static void write(const Kittens& g, ViewRef<Kittens> v, float* out) {
    g.tensor(v, out);
    out += Kittens::kTensor;
    std::fill_n(out, kEvents * kEvent, 0.0f);
    for (int i = v.pub.events - 1; i >= 0 && i >= v.pub.events - kEvents; --i, out += kEvent) {
      const int entry = v.pub.log[index(i)] & ~Kittens::kUncounted;
      const bool mine = (entry & 1) == v.seat;
      out[entry / 2] = 1;
      out[kKinds] = mine;
      const bool drew = entry / 2 == Kittens::kDrew || entry / 2 == Kittens::kBottomDrew;
      out[kKinds + 1 + (mine && drew ? (v.own.seen[index(i)] & 15) - 1 : 0)] = 1;
    }
  }

  // For each kind of card but bombs, for k = 1, 2, …: [all cards of the kind] the hand has at least k.
  static int all(const Kittens& g, std::size_t card) { return g.counts[card] + 2 * Kittens::kStart[card]; }
  static int hand_size(const Kittens& g) {
    int sum = 0;
    for (std::size_t card = 1; card < Kittens::kCards; ++card) sum += all(g, card);
    return sum;
  }
  static void hand(const Kittens& g, const Kittens::Private& own, float* out) {
    for (std::size_t card = 1; card < Kittens::kCards; ++card) {
      for (int k = 1; k <= all(g, card); ++k) *out++ = own.hand[card] >= k ? 1.0f : 0.0f;
    }
  }
};

}  // namespace ludoteca
