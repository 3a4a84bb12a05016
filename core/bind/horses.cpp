// Horses as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "bind/tree.hpp"
#include "bind/zero.hpp"
#include "horses/encoding.hpp"
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
                       return static_cast<bool>(v.view.pub.destroyed & Horses::bit(square));
                     });
                   })
      .def_prop_ro("moves",
                   [](const V& v) {
                     std::array<std::vector<int>, 2> out;
                     for (Seat seat : {Seat{0}, Seat{1}}) {
                       for_each(v.rules->moves(v.view.pub, seat),
                                [&](int square) { out[index(seat)].push_back(square); });
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

}  // namespace ludoteca
