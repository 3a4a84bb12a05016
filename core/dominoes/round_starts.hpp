// All that may have been dealt in a round of Dominoes, as far as everybody knows, for sets that are small enough.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/information.hpp"

namespace ludoteca {

class DominoesRoundStarts {
 public:
  using Roots = std::vector<InformationTree<Dominoes>::Root>;

  explicit DominoesRoundStarts(const Dominoes& game) : game_(game) {}

  // Every deal. Empty if there are more than `most`.
  Roots deals(std::size_t most) const {
    Dominoes::Public pub;
    pub.count.fill(static_cast<std::uint8_t>(game_.hand));
    pub.boneyard = static_cast<std::uint8_t>(game_.num_tiles() - 2 * game_.hand);
    return filled(pub, most, [](const State<Dominoes>&) { return true; });
  }

  // Every deal, or every way to fill the hands of a start, as one knows it before anybody has chosen: where the best tile
  // has to start, only those in which it is that of this round. Empty if there are more than `most`.
  Roots of(const Dominoes::Public& now, std::size_t most) const {
    Dominoes::Public pub;
    pub.arranged = now.arranged;
    pub.opening = now.opening;
    for (const std::size_t seat : {0u, 1u}) {
      pub.count[seat] = static_cast<std::uint8_t>(now.count[seat] + std::popcount(now.played[seat]));
    }
    pub.boneyard = now.boneyard;
    pub.turn = now.turn;
    bool begun = false;
    Action first = -1;
    game_.retell(now, [&](Seat seat, Action action, const Dominoes::Ends&) {
      if (seat == kNobody) {
        Dominoes::extend(pub.ends, action / 2, static_cast<std::size_t>(action % 2));
        pub.log[pub.length++] = static_cast<std::uint8_t>(action);
        return;
      }
      if (action == game_.draw_action()) {
        --pub.count[static_cast<std::size_t>(seat)];
        ++pub.boneyard;
      }
      if (!begun) {
        pub.turn = seat;
        first = action;
      }
      begun = true;
    });
    const bool forced = begun && game_.double_starts && !pub.arranged;
    return filled(pub, most, [&](const State<Dominoes>& state) {
      return state.pub.turn == pub.turn && (!forced || is_legal(game_, state, first));
    });
  }

 private:
  using Set = Dominoes::Set;
  const Dominoes& game_;

  // Does not even begin where the best tile starts and all too many deals would have to be looked through for those
  // that it starts.
  template <class F>
  Roots filled(const Dominoes::Public& pub, std::size_t most, F wanted) const {
    Roots out;
    const Set free = game_.all() & ~pub.opening;
    const int tiles = std::popcount(free);
    bool few = ways(tiles, pub.count[0]) * ways(tiles - pub.count[0], pub.count[1]) <= 4.0 * static_cast<double>(most);
    if (!few) return out;
    each_subset(free, pub.count[0], 0, [&](Set zero) {
      if (!few) return;
      each_subset(free & ~zero, pub.count[1], 0, [&](Set one) {
        if (!few) return;
        State<Dominoes> state{};
        state.pub = pub;
        state.own[0].hand = zero;
        state.own[1].hand = one;
        if (game_.double_starts && !pub.arranged) {
          state.pub.turn = static_cast<Seat>(one >> kTiles.best(zero | one) & 1);
        }
        if (!wanted(state)) return;
        int count = 0;
        auto& boneyard = state.hidden.boneyard;
        Tiles::each(free & ~(zero | one), [&](int tile) {
          boneyard[static_cast<std::size_t>(count++)] = static_cast<std::uint8_t>(tile);
        });
        do {
          few = few && out.size() < most;
          if (few) out.push_back({state, 1.0});
        } while (few && game_.drawing && std::next_permutation(boneyard.begin(), boneyard.begin() + count));
      });
    });
    if (!few) out.clear();
    return out;
  }

  static double ways(int n, int k) {
    double out = 1;
    for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
    return out;
  }

  template <class F>
  static void each_subset(Set from, int count, Set taken, const F& f) {
    if (!count) return f(taken);
    for (; std::popcount(from) >= count; from &= from - 1) {
      each_subset(from & (from - 1), count - 1, taken | (from & (~from + 1)), f);
    }
  }
};

}  // namespace ludoteca
