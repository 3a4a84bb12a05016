// Every deal from which a round of Dominoes may have started, for sets that are small enough.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/information_sets.hpp"

namespace ludoteca {

// Enumerates deals as roots of a game tree. A deal says the hands and, with drawing, the order of the boneyard.
class DominoesDeals {
 public:
  using Roots = std::vector<InformationTree<Dominoes>::Root>;

  // max_deals: the list stays empty if there are more.
  DominoesDeals(const Dominoes& game, std::size_t max_deals) : game_(game), max_deals_(max_deals) {}

  // Every deal. `spend()` is asked for each, here and below; none if it says no.
  template <class Spend>
  std::optional<Roots> all(Spend spend) const {
    Dominoes::Public pub;
    pub.count.fill(static_cast<std::uint8_t>(game_.hand));
    pub.boneyard = static_cast<std::uint8_t>(game_.num_tiles() - 2 * game_.hand);
    return enumerate(pub, spend, [](const State<Dominoes>&) { return true; });
  }

  // Every deal, or every way to fill the hands of a Start, that fits what was public before the first choice. Where the
  // best tile must start, only deals in which that tile is the first one of this round.
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
    game_.replay_log(now, [&](Seat seat, Action action, const Dominoes::Ends&) {
      if (seat == kNobody) {
        Dominoes::extend(pub.ends, action / 2, index(action % 2));
        pub.log[pub.length++] = static_cast<std::uint8_t>(action);
        return;
      }
      if (action == game_.draw_action()) {
        --pub.count[index(seat)];
        ++pub.boneyard;
      }
      if (!begun) {
        pub.turn = seat;
        first = action;
      }
      begun = true;
    });
    const bool forced = begun && game_.best_starts(pub);
    return enumerate(pub, spend, [&](const State<Dominoes>& state) {
      return state.pub.turn == pub.turn && (!forced || is_legal(game_, state, first));
    });
  }

 private:
  using Set = Dominoes::Set;
  const Dominoes& game_;
  const std::size_t max_deals_;

  // Gives up at once where too many deals would have to be searched for those that start with the right tile.
  template <class Spend, class F>
  std::optional<Roots> enumerate(const Dominoes::Public& pub, Spend spend, F wanted) const {
    Roots out;
    const Set free = game_.all() & ~pub.opening;
    const int tiles = std::popcount(free);
    double count = Tiles::choose(tiles, pub.count[0]) * Tiles::choose(tiles - pub.count[0], pub.count[1]);
    for (int i = 2; game_.drawing && i <= pub.boneyard; ++i) count *= i;
    if (count > 8.0 * static_cast<double>(max_deals_)) return out;
    bool few = true, going = true;
    Tiles::each_subset(free, pub.count[0], [&](Set zero) {
      if (!few || !going) return;
      Tiles::each_subset(free & ~zero, pub.count[1], [&](Set one) {
        if (!few || !(going = going && spend())) return;
        State<Dominoes> state{};
        state.pub = pub;
        state.own[0].hand = zero;
        state.own[1].hand = one;
        if (game_.best_starts(pub)) {
          state.pub.turn = static_cast<Seat>(one >> kTiles.best(zero | one) & 1);
        }
        if (!wanted(state)) return;
        int size = 0;
        auto& boneyard = state.hidden.boneyard;
        Tiles::each(free & ~(zero | one), [&](int tile) {
          boneyard[static_cast<std::size_t>(size++)] = static_cast<std::uint8_t>(tile);
        });
        do {
          few = few && out.size() < max_deals_;
          if (few) out.push_back({state, 1.0});
        } while (few && game_.drawing && std::next_permutation(boneyard.begin(), boneyard.begin() + size));
      });
    });
    if (!going) return std::nullopt;
    if (!few) out.clear();
    return out;
  }
};

}  // namespace ludoteca
