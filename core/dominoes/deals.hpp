// All that may have been dealt in a round of Dominoes, as far as everybody knows, for sets that are small enough.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/information_sets.hpp"

namespace ludoteca {

class DominoesDeals {
 public:
  using Roots = std::vector<InformationTree<Dominoes>::Root>;

  // most: if there are more, there shall be none.
  DominoesDeals(const Dominoes& game, std::size_t most) : game_(game), most_(most) {}

  // Every deal. Like below, `spend()` is asked for each of them, and nothing comes of it where it says no.
  template <class Spend>
  std::optional<Roots> deals(Spend spend) const {
    Dominoes::Public pub;
    pub.count.fill(static_cast<std::uint8_t>(game_.hand));
    pub.boneyard = static_cast<std::uint8_t>(game_.num_tiles() - 2 * game_.hand);
    return filled(pub, spend, [](const State<Dominoes>&) { return true; });
  }

  // Every deal, or every way to fill the hands of a start, as one knows it before anybody has chosen: where the best tile
  // has to start, only those in which it is that of this round.
  template <class Spend>
  std::optional<Roots> of(const Dominoes::Public& now, Spend spend) const {
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
    return filled(pub, spend, [&](const State<Dominoes>& state) {
      return state.pub.turn == pub.turn && (!forced || is_legal(game_, state, first));
    });
  }

 private:
  using Set = Dominoes::Set;
  const Dominoes& game_;
  const std::size_t most_;

  // Does not even begin where the best tile starts and all too many deals would have to be looked through for those
  // that it starts.
  template <class Spend, class F>
  std::optional<Roots> filled(const Dominoes::Public& pub, Spend spend, F wanted) const {
    Roots out;
    const Set free = game_.all() & ~pub.opening;
    const int tiles = std::popcount(free);
    double all = ways(tiles, pub.count[0]) * ways(tiles - pub.count[0], pub.count[1]);
    for (int i = 2; game_.drawing && i <= pub.boneyard; ++i) all *= i;
    if (all > 8.0 * static_cast<double>(most_)) return out;
    bool few = true, going = true;
    each_subset(free, pub.count[0], 0, [&](Set zero) {
      if (!few || !going) return;
      each_subset(free & ~zero, pub.count[1], 0, [&](Set one) {
        if (!few || !(going = going && spend())) return;
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
          few = few && out.size() < most_;
          if (few) out.push_back({state, 1.0});
        } while (few && game_.drawing && std::next_permutation(boneyard.begin(), boneyard.begin() + count));
      });
    });
    if (!going) return std::nullopt;
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
