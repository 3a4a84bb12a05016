// The engine of Dominoes as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "dominoes/pimc.hpp"

namespace ludoteca {

void bind_dominoes_engine(nb::module_& m) {
  m.def(
      "dominoes_pimc",
      [](const BoundView<Dominoes>& v, int worlds, double margin, std::uint64_t seed,
         std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("it is not the turn of the seat that looks");
        if (worlds < 1) throw nb::value_error("worlds must be at least 1");
        Actions<Dominoes> actions;
        v.rules->legal(v.view, actions);
        if (actions[0] >= v.rules->draw_action()) throw nb::value_error("the seat that looks has no tile that fits");
        const auto pips = [](Action action) { return kTiles.pips(Tiles::one(action / 2)); };
        const Action heaviest = *std::max_element(actions.begin(), actions.end(),
                                                  [&](Action one, Action two) { return pips(one) < pips(two); });
        const auto work = [rules = v.rules, view = v.view, worlds, margin, seed](Limits& limits, SharedChoice& shared) {
          DominoesPimc(*rules, view, {worlds, margin}, Rng{seed}, limits).choose(shared);
        };
        return new_search(v.game, work, heaviest, nodes, seconds);
      },
      "view"_a, "worlds"_a, "margin"_a, "seed"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(),
      nb::rv_policy::take_ownership, "Values are expected returns: see core/dominoes/pimc.hpp.");
  m.def(
      "dominoes_double_dummy",
      [](const BoundState<Dominoes>& s) {
        if (s.state.pub.turn == kNobody || s.state.pub.ends[0] < 0) {
          throw nb::value_error("the round has not begun, or it is over");
        }
        Limits limits({}, {});
        const int value = DominoesDoubleDummy(*s.rules, limits).value({*s.rules, s.state});
        if (!s.rules->points) return static_cast<double>(value);
        return std::clamp(value / static_cast<double>(s.rules->points_scale()), -1.0, 1.0);
      },
      "state"_a, "What the seat on turn gets when both see all tiles and play perfectly, the first tile having been laid.");
}

}  // namespace ludoteca
