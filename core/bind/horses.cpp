// Horses as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "bind/tree.hpp"
#include "bind/zero.hpp"
#include "horses/encoding.hpp"
#include "horses/engine.hpp"
#include "horses/evaluation.hpp"
#include "horses/minimax.hpp"
#include "horses/rules.hpp"

namespace ludoteca {

void bind_horses(nb::module_& m) {
  auto [rules, view] = bind_game<Horses>(m, "Horses");
  rules.def(nb::init<int, bool, bool>(), "size"_a, "every"_a, "at_once"_a)
      .def(nb::init<int, bool, bool, std::array<int, 2>, const std::vector<int>&>(), "size"_a, "every"_a, "at_once"_a,
           "knights"_a, "values"_a);
  using V = BoundView<Horses>;
  const auto per_square = [](const V& v, auto get) {
    std::vector<decltype(get(0))> out;
    for (int square = 0; square < v.rules->squares(); ++square) out.push_back(get(square));
    return out;
  };
  using Pair = std::tuple<int, int>;
  view.def_prop_ro("squares", [](const V& v) { return Pair{v.view.pub.square[0], v.view.pub.square[1]}; })
      .def_prop_ro("scores", [](const V& v) { return Pair{v.view.pub.score[0], v.view.pub.score[1]}; })
      .def_prop_ro("penalised",
                   [](const V& v) {
                     const auto& paid = v.view.pub.penalised;
                     return std::tuple<bool, bool>{paid[0] != 0, paid[1] != 0};
                   })
      .def_prop_ro("paid_ahead",
                   [](const V& v) {
                     const auto& paid = v.view.pub.penalised;
                     return std::tuple<bool, bool>{paid[0] == Horses::kAhead, paid[1] == Horses::kAhead};
                   })
      .def_prop_ro("values",
                   [per_square](const V& v) {
                     const auto& value = v.view.pub.value;
                     return per_square(
                         v, [&](int square) { return static_cast<int>(value[index(square)]); });
                   })
      .def_prop_ro("destroyed",
                   [per_square](const V& v) {
                     return per_square(v, [&](int square) {
                       return (v.view.pub.destroyed & Horses::bit(square)) != 0;
                     });
                   })
      .def_prop_ro("moves",
                   [](const V& v) {
                     std::array<std::vector<int>, 2> out;
                     for (Seat seat : {Seat{0}, Seat{1}}) {
                       Horses::Squares left = v.rules->moves(v.view.pub, seat);
                       for (; left; left &= left - 1) {
                         out[index(seat)].push_back(std::countr_zero(left));
                       }
                     }
                     return std::tuple{out[0], out[1]};
                   },
                   "The squares that each knight can go to, on turn or not.")
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        if (v.view.pub.last < 0) return std::nullopt;
        return v.view.pub.last;
      });
}

void bind_horses_searches(nb::module_& m) {
  bind_tree<Horses, HorsesPoints>(m, "Horses");
  bind_zero<Horses>(m, "Horses");
  m.def(
      "horses_minimax",
      [](const BoundView<Horses>& v, int depth, double mobility, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
        if (depth < 1 || depth > HorsesMinimax::kMaxDepth) throw nb::value_error("depth must be 1 to 64");
        State<Horses> state;
        v.rules->sample(v.view, Rng{}, state);
        Actions<Horses> actions;
        v.rules->legal(v.view, actions);
        const auto work = [rules = v.rules, mobility, depth, state](Limits& limits, SharedChoice& shared) {
          HorsesMinimax(*rules, mobility, limits).choose(state, depth, shared);
        };
        return new_search(v.game, work, actions[0], nodes, seconds);
      },
      "view"_a, "depth"_a, "mobility"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(),
      nb::rv_policy::take_ownership, "Values are utilities: see core/horses/minimax.hpp.");
}

namespace {

// A table larger than the search can fill would only take time to release.
std::size_t useful_bytes(std::size_t most, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
  constexpr double bytes_per_node = 2 * TranspositionTable::kSlotBytes, nodes_per_second = 8e6;
  double needed = static_cast<double>(most);
  if (nodes) needed = std::min(needed, static_cast<double>(*nodes) * bytes_per_node);
  if (seconds) needed = std::min(needed, std::max(*seconds, 0.0) * nodes_per_second * bytes_per_node);
  return static_cast<std::size_t>(needed);
}

}  // namespace

void bind_horses_engine(nb::module_& m) {
  m.attr("HORSES_PROVEN_WIN") = HorsesEngine::kProvenWin;
  m.def(
      "horses_engine",
      [](const BoundView<Horses>& v, int depth, double tolerance, bool exact_margin, int memory, int threads,
         std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
        if (depth < 1 || depth > HorsesEngine::kMaxDepth) throw nb::value_error("depth must be 1 to 128");
        if (!(tolerance >= 0 && tolerance <= HorsesEngine::kProvenWin)) throw nb::value_error("tolerance must be 0 to 512");
        State<Horses> state;
        v.rules->sample(v.view, Rng{}, state);
        Actions<Horses> actions;
        v.rules->legal(v.view, actions);
        HorsesEngine::Options options{depth, tolerance, exact_margin, Resources(memory, threads)};
        options.resources.bytes = useful_bytes(options.resources.bytes, nodes, seconds);
        const auto engine = std::make_shared<HorsesEngine>(*v.rules, state, options);
        const auto work = [engine](Limits& limits, SharedChoice& shared) { engine->choose(limits, shared); };
        return new_search(v.game, work, actions[0], nodes, seconds);
      },
      "view"_a, "depth"_a = HorsesEngine::kMaxDepth, "tolerance"_a = 0.0, "exact_margin"_a = false,
      "memory"_a = Resources::kMegabytes, "threads"_a = 1, "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are points; from HORSES_PROVEN_WIN on the result is proven: see core/horses/engine.hpp. memory: megabytes.");
}

}  // namespace ludoteca
