// The engine of Dominoes as Python sees it.
#include "bind/bind.hpp"
#include "bind/strategies.hpp"
#include "bind/search.hpp"
#include "dominoes/engine.hpp"

namespace ludoteca {

namespace {

using Memory = std::shared_ptr<DominoesMemory>;
using V = BoundView<Dominoes>;

const V& checked(const V& v) {
  Actions<Dominoes> actions;
  if (v.view.pub.turn == v.view.seat) v.rules->legal(v.view, actions);
  if (actions.size < 2) throw nb::value_error("the seat that looks has no choice");
  return v;
}

constexpr auto always = [] { return true; };

// A solution for Python to look into: not for a search at the same time.
struct BoundSolution {
  nb::object game;
  Memory memory;

  DominoesEquilibrium& ready() const {
    if (!memory->solution.ready()) throw nb::value_error("there is no round yet: prepare one first");
    return memory->solution;
  }
  std::size_t find(const V& v) const {
    const auto found = ready().find(v.view);
    if (!found) throw nb::value_error("this solution knows no such view, or there is no choice");
    return *found;
  }
};

BoundSearch* new_engine(const V& v, const BoundSolution& solution, DominoesEngine::Options options, std::uint64_t seed,
                        std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
  if (options.pimc.threads < 1) throw nb::value_error("threads must be at least 1");
  if (options.pimc.worlds < 1) throw nb::value_error("worlds must be at least 1");
  Actions<Dominoes> actions;
  v.rules->legal(checked(v).view, actions);
  const auto pips = [](Action action) { return kTiles.pips(Tiles::one(action / 2)); };
  const Action heaviest = *std::max_element(actions.begin(), actions.end(),
                                            [&](Action one, Action two) { return pips(one) < pips(two); });
  const auto work = [rules = v.rules, view = v.view, memory = solution.memory, options, seed](Limits& limits,
                                                                                              SharedChoice& shared) {
    DominoesEngine(*rules, view, options, Rng{seed}, limits).choose(*memory, shared);
  };
  return new_search(v.game, work, heaviest, nodes, seconds);
}

}  // namespace

void bind_dominoes_engine(nb::module_& m) {
  using S = BoundSolution;
  nb::class_<S>(m, "DominoesEquilibrium", "Perfect play in rounds that are small enough: see core/dominoes/equilibrium.hpp.")
      .def(
          "__init__",
          [](S* self, nb::object game, int memory, double tremble) {
            const auto bytes = static_cast<std::size_t>(std::max(memory, 1)) << 20;
            new (self) S{game, std::make_shared<DominoesMemory>(*nb::cast<const Dominoes*>(game), bytes, tremble)};
          },
          "game"_a.sig("DominoesRules"), "memory"_a, "tremble"_a,
          "memory: megabytes that it may take. tremble: the share of each mixture that is spread over all actions.")
      .def("prepare",
           [](S& s, const V& v) {
             checked(v);
             const nb::gil_scoped_release unlocked;
             return s.memory->solution.prepare(v.view, DominoesEquilibrium::kMostDeals, always).has_value();
           },
           "view"_a,
           "Gets ready for the round of this view, in which its seat has a choice; whether it is small enough.")
      .def("prepare_deals", [](S& s) { return s.memory->solution.prepare_deals(always); },
           "Gets ready for any deal; whether they are few enough.")
      .def("prepare_open", [](S& s, const V& v) { return s.memory->solution.prepare_open(checked(v).view, always); },
           "view"_a, "Gets ready for the game in which the other seat sees all tiles from here on; block only.")
      .def("look",
           [](S& s, int count) {
             CfrPlus& cfr = s.ready().cfr();
             const nb::gil_scoped_release unlocked;
             while (count-- > 0) cfr.iterate(always);
           },
           "count"_a = 1)
      .def_prop_ro("looks", [](const S& s) { return s.ready().cfr().iterations(); })
      .def_prop_ro("nodes", [](const S& s) { return s.ready().tree().nodes(); })
      .def_prop_ro("views",
                   [](const S& s) {
                     const auto& tree = s.ready().tree();
                     std::vector<V> out(tree.sets.size(), V{s.game, nb::cast<const Dominoes*>(s.game), {}});
                     tree.each_set([&](std::size_t number, const State<Dominoes>& state) {
                       out[number].view = view_of(state, state.pub.turn);
                     });
                     return out;
                   },
                   "What a seat with a choice may see: one view for each information set.")
      .def_prop_ro("mixtures",
                   [](const S& s) { return by_set(s.ready().tree(), s.ready().cfr().average_strategy()); },
                   "For each of `views`, how likely each legal action is to be played.")
      .def("mixture",
           [](const S& s, const V& v) {
             const std::size_t number = s.find(v);
             std::vector<double> out(static_cast<std::size_t>(s.ready().tree().sets[number].actions));
             s.ready().cfr().average_strategy(number, out.data());
             return out;
           },
           "view"_a, "How likely each legal action is to be played.")
      .def("scores",
           [](const S& s, const V& v) {
             CfrPlus& cfr = s.ready().cfr();
             return cfr.scores(s.find(v), cfr.average_strategy(), always);
           },
           "view"_a, "What each legal action comes to, if both play by the solution.")
      .def("best_responses",
           [](const S& s, const StrategyBySet& mixtures) {
             CfrPlus& cfr = s.ready().cfr();
             const CfrPlus::Strategy strategy = mixtures.empty() ? cfr.average_strategy() : flat(s.ready().tree(), mixtures);
             const nb::gil_scoped_release unlocked;
             return std::tuple{cfr.best_response(0, strategy), cfr.best_response(1, strategy)};
           },
           "mixtures"_a = StrategyBySet{},
           "What each seat gets if it knows how the other plays and answers it best; by default, the solution.");
  m.def(
      "dominoes_engine",
      [](const V& v, const S& solution, int worlds, double mistakes, int plies, double margin, int looks, int threads,
         std::uint64_t seed, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        return new_engine(v, solution, {{worlds, mistakes, plies, margin, threads}, looks}, seed, nodes, seconds);
      },
      "view"_a, "solution"_a, "worlds"_a, "mistakes"_a, "plies"_a, "margin"_a, "looks"_a, "threads"_a, "seed"_a,
      "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are expected returns: see core/dominoes/engine.hpp.");
  m.def(
      "dominoes_hands",
      [](const V& v, int most) -> std::optional<std::vector<std::tuple<std::vector<int>, double>>> {
        Actions<Dominoes> actions;
        if (v.view.pub.turn == v.view.seat) v.rules->legal(v.view, actions);
        const bool chosen = v.view.pub.ends[0] >= 0 || v.view.pub.arranged || !v.rules->double_starts;
        if (!actions.size || actions[0] >= v.rules->draw_action() || !chosen) {
          throw nb::value_error("only for a seat that can lay a tile of its choice");
        }
        std::vector<std::tuple<std::vector<int>, double>> out;
        const auto add = [&](Tiles::Set hand, double deals) {
          std::vector<int> tiles;
          Tiles::each(hand, [&](int tile) { tiles.push_back(tile); });
          out.emplace_back(tiles, deals);
        };
        if (!DominoesWorlds(*v.rules, v.view).each_hand(most, add)) return std::nullopt;
        return out;
      },
      "view"_a, "most"_a, "The hands that the other can have, and how many deals give it each, up to a common factor.");
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
