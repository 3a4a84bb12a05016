// What the bindings of all games share. Every game has the same four Python classes, made by one template: NameRules
// (the base class of the game's Python class), NameState, NameView, NameBatch. A state or view keeps its Python game
// object alive and has it as `.game`, which names actions and draws the board. Only the files in this folder include
// nanobind.
#pragma once

#include "bind/batches.hpp"
#include "bind/values.hpp"

namespace ludoteca {

template <class G>
using RulesClass = nb::class_<G>;
template <class G>
using ViewClass = nb::class_<BoundView<G>>;

template <class G>
RulesClass<G> bind_rules(nb::module_& m, const std::string& name) {
  using S = BoundState<G>;
  using B = BoundBatch<G>;
  return nb::class_<G>(m, (name + "Rules").c_str())
      .def_prop_ro("seats", [](const G&) { return 2; })
      .def_prop_ro("num_actions", &G::num_actions)
      .def_prop_ro("tensor_shape",
                   [](const G& g) -> nb::typed<nb::tuple, int, nb::ellipsis> {
                     return nb::tuple(nb::cast(g.tensor_shape()));
                   })
      .def("deal",
           [](nb::object self, std::uint64_t seed) {
             S out{self, nb::cast<const G*>(self), {}};
             out.rules->deal(out.state, Rng{seed});
             return out;
           },
           "seed"_a)
      .def("batch",
           [](nb::object self, int count, std::uint64_t seed) {
             if (count < 1) throw nb::value_error(("a batch of " + std::to_string(count) + " states").c_str());
             const G* rules = nb::cast<const G*>(self);
             return new B{self, rules, std::make_unique<Batch<G>>(*rules, count, seed), Rng{~seed}, {}};
           },
           "count"_a, "seed"_a = 0, nb::rv_policy::take_ownership)
      .def("batch_from", [](nb::object self, nb::bytes data) { return loaded_batch<G>(std::move(self), data); },
           "data"_a, nb::rv_policy::take_ownership)
      .def("state_from",
           [](nb::object self, nb::bytes data) {
             return S{self, nb::cast<const G*>(self), from_bytes<State<G>>(data, "a state of this game")};
           },
           "data"_a)
      .def("view_from",
           [](nb::object self, nb::bytes data) {
             return BoundView<G>{self, nb::cast<const G*>(self), from_bytes<View<G>>(data, "a view of this game")};
           },
           "data"_a);
}

template <class G>
void bind_state(nb::module_& m, const std::string& name) {
  using S = BoundState<G>;
  nb::class_<S>(m, (name + "State").c_str())
      .def_ro("game", &S::game, nb::for_getter(nb::sig("def game(self) -> typing.Any")))
      .def_prop_ro("turn", [](const S& s) { return seat_or_none(s.state.pub.turn); })
      .def("legal",
           [](const S& s) {
             Actions<G> actions;
             legal(*s.rules, s.state, actions);
             return list_of(actions);
           })
      .def("is_legal",
           [](const S& s, GivenAction given) { return is_legal(*s.rules, s.state, given.action); }, "action"_a)
      .def("apply",
           [](nb::handle_t<S> self, GivenAction given) {
             S& s = nb::cast<S&>(self);
             if (!is_legal(*s.rules, s.state, given.action)) raise_illegal(self, given.source);
             s.rules->apply(s.state, given.action);
           },
           "action"_a)
      .def("copy", [](const S& s) { return S(s); })
      .def("__copy__", [](const S& s) { return S(s); })
      .def("__deepcopy__", [](const S& s, nb::handle) { return S(s); }, "memo"_a)
      .def("returns",
           [](const S& s) {
             const Returns r = s.rules->returns(s.state.pub);
             return std::tuple{r[0], r[1]};
           })
      .def("view",
           [](const S& s, int seat) { return BoundView<G>{s.game, s.rules, view_of(s.state, checked_seat(seat))}; },
           "seat"_a)
      .def("playouts",
           [](const S& s, std::int64_t count, std::uint64_t seed, bool stepwise) {
             if (count < 1) {
               throw nb::value_error(("the mean of " + std::to_string(count) + " playouts: at least 1 is needed").c_str());
             }
             const G& rules = *s.rules;
             const State<G> start = s.state;  // a copy: other threads may change the state
             nb::gil_scoped_release unlocked;
             Returns sum{0, 0};
             Rng rng{seed};
             for (std::int64_t i = 0; i < count; ++i) {
               Returns r;
               if (stepwise) {
                 State<G> state = start;
                 playout_stepwise(rules, state, rng);
                 r = rules.returns(state.pub);
               } else {
                 r = playout(rules, start, rng);
               }
               sum[0] += r[0];
               sum[1] += r[1];
             }
             const auto all = static_cast<double>(count);
             return std::tuple{sum[0] / all, sum[1] / all};
           },
           "count"_a, "seed"_a = 0, "stepwise"_a = false)
      .def("perft",
           [](const S& s, int depth) {
             if (depth < 0) throw nb::value_error(("sequences of " + std::to_string(depth) + " actions").c_str());
             const G& rules = *s.rules;
             const State<G> start = s.state;
             nb::gil_scoped_release unlocked;
             return perft(rules, start, depth);
           },
           "depth"_a)
      .def("__bytes__",
           [](const S& s) { return nb::bytes(reinterpret_cast<const char*>(&s.state), sizeof s.state); })
      .def("__reduce__", [](nb::handle self) {
        return pickled(self, "state_from");
      });
}

template <class G>
ViewClass<G> bind_view(nb::module_& m, const std::string& name) {
  using V = BoundView<G>;
  return nb::class_<V>(m, (name + "View").c_str())
      .def_ro("game", &V::game, nb::for_getter(nb::sig("def game(self) -> typing.Any")))
      .def_prop_ro("seat", [](const V& v) { return static_cast<int>(v.view.seat); })
      .def_prop_ro("turn", [](const V& v) { return seat_or_none(v.view.pub.turn); })
      .def("legal",
           [](const V& v) {
             Actions<G> actions;
             if (v.view.pub.turn == v.view.seat) v.rules->legal(v.view, actions);
             return list_of(actions);
           })
      .def("returns",
           [](const V& v) {
             const Returns r = v.rules->returns(v.view.pub);
             return std::tuple{r[0], r[1]};
           })
      .def("sample",
           [](const V& v, std::uint64_t seed) {
             BoundState<G> out{v.game, v.rules, {}};
             v.rules->sample(v.view, Rng{seed}, out.state);
             return out;
           },
           "seed"_a)
      .def("tensor",
           [](const V& v) {
             return array_of<float>(shape_of(*v.rules), [&](float* out) { v.rules->tensor(v.view, out); });
           })
      .def("_repr_svg_", [](nb::handle self) { return nb::str(self.attr("game").attr("svg")(self)); })
      .def("__eq__",
           [](const V& v, nb::handle rhs) {
             return nb::isinstance<V>(rhs) && v.game.equal(nb::cast<const V&>(rhs).game) &&
                    v.view == nb::cast<const V&>(rhs).view;
           },
           nb::arg().none(), nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const V& v) { return std::hash<std::string_view>{}(v.view.bytes()); })
      .def("__bytes__", [](const V& v) { return nb::bytes(v.view.bytes().data(), v.view.bytes().size()); })
      .def("__reduce__", [](nb::handle self) {
        return pickled(self, "view_from");
      });
}

template <Game G>
std::pair<RulesClass<G>, ViewClass<G>> bind_game(nb::module_& m, const std::string& name) {
  auto rules = bind_rules<G>(m, name);
  bind_state<G>(m, name);
  auto view = bind_view<G>(m, name);
  bind_batch<G>(m, name);
  return {rules, view};
}

}  // namespace ludoteca
