// Equilibria of small games as Python sees them: one interface for every game.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "bind/values.hpp"
#include "search/cfr.hpp"

namespace ludoteca {

using StrategyBySet = std::vector<std::vector<double>>;  // by information set: the probability of each legal action

inline StrategyBySet by_set(const InformationSets& tree, const CfrPlus::Strategy& strategy) {
  StrategyBySet out;
  for (const auto& set : tree.sets) {
    const auto first = strategy.begin() + set.first_action;
    out.emplace_back(first, first + set.actions);
  }
  return out;
}

// Throws std::invalid_argument where the shape is not that of the sets.
inline CfrPlus::Strategy flat(const InformationSets& tree, const StrategyBySet& strategy) {
  CfrPlus::Strategy out;
  bool fits = strategy.size() == tree.sets.size();
  for (std::size_t i = 0; fits && i < strategy.size(); ++i) {
    fits = strategy[i].size() == static_cast<std::size_t>(tree.sets[i].actions);
    out.insert(out.end(), strategy[i].begin(), strategy[i].end());
  }
  if (!fits) throw std::invalid_argument("there must be one number for each legal action of each view");
  return out;
}

// An equilibrium of type E for game G. Python must not use it while a search does.
template <class G, class E>
struct BoundEquilibrium {
  nb::object game;  // the Python object, which owns the rules
  std::shared_ptr<E> equilibrium;

  E& ready() const {
    if constexpr (requires { equilibrium->ready(); }) {
      if (!equilibrium->ready()) throw nb::value_error("there is no round yet: prepare one first");
    }
    return *equilibrium;
  }
  std::size_t find(const BoundView<G>& v) const {
    const auto found = ready().find(v.view);
    if (!found) throw nb::value_error("this view cannot occur here, or its seat has no choice");
    return *found;
  }
  // An empty strategy stands for the average strategy.
  CfrPlus::Strategy strategy(const StrategyBySet& given) const {
    return given.empty() ? ready().cfr().average_strategy() : flat(ready().tree(), given);
  }
  std::array<double, 2> best_responses(const StrategyBySet& given) const {
    const CfrPlus::Strategy mixture = strategy(given);
    const nb::gil_scoped_release unlocked;
    return {equilibrium->cfr().best_response(0, mixture), equilibrium->cfr().best_response(1, mixture)};
  }
};

template <class G, class E>
void bind_equilibrium(nb::class_<BoundEquilibrium<G, E>>& bound) {
  using S = BoundEquilibrium<G, E>;
  using V = BoundView<G>;
  static constexpr auto always = [] { return true; };
  bound
      .def("iterate",
           [](S& s, int count) {
             CfrPlus& cfr = s.ready().cfr();
             const nb::gil_scoped_release unlocked;
             while (count-- > 0) cfr.iterate(always);
           },
           "count"_a = 1, "Runs iterations of CFR+.")
      .def_prop_ro("iterations", [](const S& s) { return s.ready().cfr().iterations(); })
      .def_prop_ro("nodes", [](const S& s) { return s.ready().tree().nodes(); }, "Worlds with a choice.")
      .def_prop_ro("views",
                   [](const S& s) {
                     const auto& tree = s.ready().tree();
                     std::vector<V> out(tree.sets.size(), V{s.game, nb::cast<const G*>(s.game), {}});
                     tree.each_set([&](std::size_t set, const State<G>& state) {
                       out[set].view = view_of(state, state.pub.turn);
                     });
                     return out;
                   },
                   "The view of each information set.")
      .def("__contains__", [](const S& s, const V& v) { return s.ready().find(v.view).has_value(); }, "view"_a,
           "Whether the view can occur and its seat has a choice.")
      .def("action_probabilities",
           [](const S& s, const V& v) {
             const std::size_t set = s.find(v);
             std::vector<double> out(static_cast<std::size_t>(s.ready().tree().sets[set].actions));
             s.ready().cfr().average_strategy(set, out.data());
             return out;
           },
           "view"_a, "The probability of each legal action in the average strategy.")
      .def("average_strategy", [](const S& s) { return by_set(s.ready().tree(), s.ready().cfr().average_strategy()); },
           "For each of `views` the probability of each legal action.")
      .def("scores",
           [](const S& s, const V& v) {
             CfrPlus& cfr = s.ready().cfr();
             return cfr.scores(s.find(v), cfr.average_strategy(), always);
           },
           "view"_a, "The expected return of each legal action if both seats play the average strategy.")
      .def("value", [](const S& s, const StrategyBySet& strategy) { return s.ready().cfr().value(s.strategy(strategy)); },
           "strategy"_a = StrategyBySet{}, "What seat 0 gets if both play the strategy; by default the average strategy.")
      .def("best_responses",
           [](const S& s, const StrategyBySet& strategy) {
             const auto [zero, one] = s.best_responses(strategy);
             return std::tuple{zero, one};
           },
           "strategy"_a = StrategyBySet{},
           "What each seat gets by a best response to the strategy; by default the average strategy.")
      .def("exploitability",
           [](const S& s, const StrategyBySet& strategy) {
             const auto [zero, one] = s.best_responses(strategy);
             return (zero + one) / 2;
           },
           "strategy"_a = StrategyBySet{},
           "The mean of what best responses gain; by default against the average strategy.");
}

}  // namespace ludoteca
