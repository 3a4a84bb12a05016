// The engine of Dominoes as Python sees it.
#include "bind/bind.hpp"
#include "bind/strategies.hpp"
#include "bind/search.hpp"
#include "dominoes/engine.hpp"
#include "search/resources.hpp"

namespace ludoteca {

namespace {

using V = BoundView<Dominoes>;
using S = BoundEquilibrium<Dominoes, DominoesEquilibrium>;

const V& checked(const V& v) {
  Actions<Dominoes> actions;
  if (v.view.pub.turn == v.view.seat) v.rules->legal(v.view, actions);
  if (actions.size < 2) throw nb::value_error("the seat of the view has no choice");
  return v;
}

constexpr auto always = [] { return true; };

// network: what owns that of the options, or None.
BoundSearch* new_engine(const V& v, const S& bound, DominoesEngine::Options options, const nb::object& network,
                        std::uint64_t seed, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
  if (options.pimc.worlds < 1) throw nb::value_error("worlds must be at least 1");
  Actions<Dominoes> actions;
  v.rules->legal(checked(v).view, actions);
  const auto pips = [](Action action) { return kTiles.pips(Tiles::one(action / 2)); };
  const Action heaviest = *std::max_element(actions.begin(), actions.end(),
                                            [&](Action one, Action two) { return pips(one) < pips(two); });
  const auto work = [rules = v.rules, view = v.view, equilibrium = bound.equilibrium, options, seed](Limits& limits,
                                                                                                 SharedChoice& shared) {
    DominoesEngine(*rules, view, options, Rng{seed}, limits).choose(*equilibrium, shared);
  };
  return new_search(nb::make_tuple(v.game, network), work, heaviest, nodes, seconds);
}

}  // namespace

void bind_dominoes_engine(nb::module_& m) {
  nb::class_<S> equilibrium(m, "DominoesEquilibrium", "Strategies in small rounds: see core/dominoes/equilibrium.hpp.");
  equilibrium
      .def(
          "__init__",
          [](S* self, nb::object game, int memory, double tremble) {
            const std::size_t bytes = Resources(memory, 1).bytes;
            new (self) S{game, std::make_shared<DominoesEquilibrium>(*nb::cast<const Dominoes*>(game), bytes, tremble)};
          },
          "game"_a.sig("DominoesRules"), "memory"_a, "tremble"_a,
          "memory: megabytes for the tree. tremble: the share of each strategy that is spread evenly over all actions.")
      .def("prepare",
           [](S& s, const V& v) {
             checked(v);
             const nb::gil_scoped_release unlocked;
             return s.equilibrium->prepare(v.view, DominoesEquilibrium::kMaxDeals, always).has_value();
           },
           "view"_a, "Builds the tree of the view's round, in which its seat has a choice. False if it is too large.")
      .def("prepare_deals", [](S& s) { return s.equilibrium->prepare_deals(always); },
           "Builds the tree of all deals. False if it is too large.")
      .def("prepare_open", [](S& s, const V& v) { return s.equilibrium->prepare_open(checked(v).view, always); },
           "view"_a, "Builds the tree in which the other seat sees all tiles from here on; variant=block only.");
  bind_equilibrium(equilibrium);
  m.def(
      "dominoes_engine",
      [](const V& v, const S& bound, const nb::object& network, int worlds, int rollouts, double mistakes, int plies,
         std::uint64_t simulations, int iterations, int memory, int threads, std::uint64_t seed,
         std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        const Resources resources(memory, threads);
        const DominoesPimc::Options pimc{worlds, mistakes, plies, threads};
        const auto* const given = network.is_none() ? nullptr : nb::cast<const ViewNetwork*>(network);
        if (given && !NetworkPolicy<Dominoes>::fits(*v.rules, *given)) throw nb::value_error("a network of another game");
        return new_engine(v, bound, {pimc, simulations, resources, iterations, given, rollouts}, network, seed, nodes, seconds);
      },
      "view"_a, "equilibrium"_a, "network"_a.none().sig("ViewNetwork | None"), "worlds"_a, "rollouts"_a, "mistakes"_a,
      "plies"_a, "simulations"_a, "iterations"_a, "memory"_a, "threads"_a, "seed"_a, "nodes"_a = nb::none(),
      "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are expected returns: see core/dominoes/engine.hpp.");
  m.def(
      "dominoes_hands",
      [](const V& v, int max_hands) -> std::optional<std::vector<std::tuple<std::vector<int>, double>>> {
        Actions<Dominoes> actions;
        if (v.view.pub.turn == v.view.seat) v.rules->legal(v.view, actions);
        const bool chosen = v.view.pub.ends[0] >= 0 || !v.rules->best_starts(v.view.pub);
        if (!actions.size || actions[0] >= v.rules->draw_action() || !chosen) {
          throw nb::value_error("the seat of the view has no choice of tiles");
        }
        std::vector<std::tuple<std::vector<int>, double>> out;
        const auto add = [&](Tiles::Set hand, double deals) {
          std::vector<int> tiles;
          Tiles::each(hand, [&](int tile) { tiles.push_back(tile); });
          out.emplace_back(tiles, deals);
        };
        if (!DominoesWorlds(*v.rules, v.view).each_hand(max_hands, add)) return std::nullopt;
        return out;
      },
      "view"_a, "max_hands"_a,
      "Each hand that the opponent can have, with its number of deals up to a common factor; None if there may be more.");
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
      "state"_a, "What the seat on turn gets, after the first tile, when both see all tiles and play perfectly.");
}

}  // namespace ludoteca
