// What every game's binding shares: the Python classes of a game are the same four, made by one template: NameRules
// (which the Python class of the game extends), NameState, NameView, NameBatch. A State keeps its Python game
// object alive and hands it out as `.game`, so that whoever holds a state or a view can name actions and draw
// it. Only the files bind*.cpp include this, and only they see nanobind.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "batch.hpp"
#include "bind/given_action.hpp"
#include "bind/in_use.hpp"

namespace nb = nanobind;

namespace ludoteca {

using namespace nb::literals;

template <class G>
struct BoundState {
  nb::object game;  // the Python object, which owns `rules`
  const G* rules;
  State<G> state;
};

template <class G>
struct BoundView {
  nb::object game;
  const G* rules;
  View<G> view;
};

template <class G>
struct BoundBatch {
  nb::object game;
  const G* rules;
  std::unique_ptr<Batch<G>> batch;
  Rng rng;  // for random_actions
  InUse use;
};

// What these give has a type that the stub can tell, which a plain nb::list or nb::object has not.
using IntList = nb::typed<nb::list, int>;

inline std::optional<int> seat_or_none(Seat seat) {
  if (seat == kNobody) return std::nullopt;
  return seat;
}

template <int Capacity>
IntList list_of(const ActionList<Capacity>& actions) {
  IntList out;
  for (Action action : actions) out.append(static_cast<int>(action));
  return out;
}

inline Seat checked_seat(int seat) {
  if (seat == 0 || seat == 1) return static_cast<Seat>(seat);
  throw nb::value_error(("seat " + std::to_string(seat) + " does not exist: seats are 0 and 1").c_str());
}

template <class T>
std::size_t product(const T& shape) {
  std::size_t size = 1;
  for (auto n : shape) size *= static_cast<std::size_t>(n);
  return size;
}

// A new NumPy array of this shape, filled by `fill(pointer)`.
template <class T, class Fill>
nb::ndarray<nb::numpy, T> array_of(const std::vector<std::size_t>& shape, Fill fill) {
  auto data = std::make_unique<T[]>(product(shape));
  fill(data.get());
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data.release(), shape.size(), shape.data(), owner);
}

template <class G>
std::vector<std::size_t> shape_of(const G& rules, std::optional<std::size_t> rows = {}) {
  std::vector<std::size_t> shape;
  if (rows) shape.push_back(*rows);
  for (int n : rules.tensor_shape()) shape.push_back(static_cast<std::size_t>(n));
  return shape;
}

// Raises ludoteca.errors.IllegalAction, which writes the message from the state and the action.
[[noreturn]] inline void raise_illegal(nb::handle state, nb::handle action) {
  nb::object error = nb::module_::import_("ludoteca.errors").attr("IllegalAction").attr("at")(state, action);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

// Bytes as sent by `bytes(view)`: trusted to come from the same game, but never of another length.
template <class T>
T from_bytes(const nb::bytes& data, const char* what) {
  if (data.size() != sizeof(T)) {
    throw nb::value_error((std::string(what) + " has " + std::to_string(sizeof(T)) + " bytes, not " +
                           std::to_string(data.size()))
                              .c_str());
  }
  T out;
  std::memcpy(static_cast<void*>(&out), data.c_str(), sizeof(T));
  return out;
}

// A batch as bytes, the generator of its random actions first.
template <class G>
nb::bytes saved_batch(const BoundBatch<G>& b) {
  std::string out(sizeof b.rng + b.batch->bytes(), '\0');
  std::memcpy(out.data(), &b.rng, sizeof b.rng);
  b.batch->save(out.data() + sizeof b.rng);
  return nb::bytes(out.data(), out.size());
}

template <class G>
BoundBatch<G>* loaded_batch(nb::object game, const nb::bytes& data) {
  const std::size_t head = 2 * sizeof(Rng), each = Batch<G>::kBytesPerState;
  if (data.size() <= head || (data.size() - head) % each) throw nb::value_error("not the bytes of a batch of this game");
  const G* rules = nb::cast<const G*>(game);
  auto batch = std::make_unique<Batch<G>>(*rules, static_cast<int>((data.size() - head) / each), 0);
  batch->load(data.c_str() + sizeof(Rng));
  Rng rng;
  std::memcpy(&rng, data.c_str(), sizeof rng);
  return new BoundBatch<G>{std::move(game), rules, std::move(batch), rng, {}};
}

// For __reduce__: the game's method `maker`, called with these bytes.
inline nb::typed<nb::tuple, nb::any, nb::ellipsis> pickled(nb::handle self, const char* maker) {
  nb::object call = nb::module_::import_("operator").attr("methodcaller")(maker, self.attr("__bytes__")());
  return nb::make_tuple(call, nb::make_tuple(self.attr("game")));
}

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
             const State<G> start = s.state;  // a copy: other threads may play on meanwhile
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

// One action for each of `count` states: a copy, as other threads may write to the array meanwhile. Whole numbers of any
// type and size are taken for what they are; `too_large` gives the first that is none of an Action's, else it is none.
struct BatchActions {
  std::vector<Action> actions;
  std::ptrdiff_t too_large_at = -1;
  nb::object too_large;
};

inline BatchActions batch_actions(nb::handle given, std::size_t count) {
  using Array = nb::ndarray<const Action, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  BatchActions out;
  const auto check_count = [count](std::size_t size) {
    if (size == count) return;
    throw nb::value_error((std::to_string(size) + " actions for a batch of " + std::to_string(count) + " states").c_str());
  };
  Array array;
  if (nb::try_cast(given, array, false)) {
    check_count(array.shape(0));
    out.actions.assign(array.data(), array.data() + array.shape(0));
    return out;
  }
  const nb::object numpy = nb::module_::import_("numpy"), all = numpy.attr("asarray")(given);
  const auto kind = nb::cast<std::string>(all.attr("dtype").attr("kind"));
  if (nb::cast<int>(all.attr("ndim")) != 1 || (kind != "i" && kind != "u")) {
    throw nb::type_error("the actions of a batch must be an array of whole numbers, one for each state");
  }
  const nb::list items = nb::cast<nb::list>(all.attr("tolist")());
  check_count(items.size());
  for (const nb::handle item : items) {
    const auto each = nb::cast<GivenAction>(item);
    if (each.too_large() && out.too_large_at < 0) {
      out.too_large_at = static_cast<std::ptrdiff_t>(out.actions.size());
      out.too_large = nb::borrow(item);
    }
    out.actions.push_back(each.action);
  }
  return out;
}

template <class G>
void bind_batch(nb::module_& m, const std::string& name) {
  using B = BoundBatch<G>;
  nb::class_<B>(m, (name + "Batch").c_str())
      .def_ro("game", &B::game, nb::for_getter(nb::sig("def game(self) -> typing.Any")))
      .def("__len__", [](const B& b) { return b.batch->size(); })
      .def("__getitem__",
           [](const B& b, std::size_t i) {
             const InUse::Reading reading(b.use);
             if (i >= b.batch->size()) throw nb::index_error();
             return BoundState<G>{b.game, b.rules, b.batch->state(i)};
           },
           "index"_a)
      .def_prop_ro("seeds",
                   [](const B& b) {
                     const InUse::Reading reading(b.use);
                     const std::size_t n = b.batch->size();
                     return array_of<std::uint64_t>({n}, [&](std::uint64_t* out) {
                       for (std::size_t i = 0; i < n; ++i) out[i] = b.batch->seed(i);
                     });
                   },
                   nb::rv_policy::move)
      .def_prop_ro("turns",
                   [](const B& b) {
                     const InUse::Reading reading(b.use);
                     const std::size_t n = b.batch->size();
                     return array_of<std::int8_t>({n}, [&](std::int8_t* out) {
                       for (std::size_t i = 0; i < n; ++i) out[i] = b.batch->state(i).pub.turn;
                     });
                   },
                   nb::rv_policy::move)
      .def("legal",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             const std::size_t width = static_cast<std::size_t>(b.rules->num_actions());
             return array_of<bool>({b.batch->size(), width}, [&](bool* out) {
               nb::gil_scoped_release unlocked;
               b.batch->legal_mask(out);
             });
           })
      .def("tensor",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             return array_of<float>(shape_of(*b.rules, b.batch->size()), [&](float* out) {
               nb::gil_scoped_release unlocked;
               b.batch->tensor(out, product(b.rules->tensor_shape()));
             });
           })
      .def("random_actions",
           [](B& b) {
             const InUse::Changing changing(b.use);
             return array_of<Action>({b.batch->size()}, [&](Action* out) {
               nb::gil_scoped_release unlocked;
               b.batch->random_actions(out, b.rng);
             });
           })
      .def("step",
           [](B& b, nb::handle given) {
             const std::size_t n = b.batch->size();
             const BatchActions chosen = batch_actions(given, n);
             const InUse::Changing changing(b.use);
             const std::span<const Action> span(chosen.actions);
             std::ptrdiff_t illegal;
             std::unique_ptr<bool[]> done;
             auto returns = array_of<float>({n, 2}, [&](float* out) {
               nb::gil_scoped_release unlocked;
               done = std::make_unique<bool[]>(n);
               illegal = b.batch->first_illegal(span);
               if (illegal < 0) b.batch->step(span, out, done.get());
             });
             if (illegal >= 0) {
               const auto i = static_cast<std::size_t>(illegal);
               const nb::object action = illegal == chosen.too_large_at ? chosen.too_large : nb::int_(span[i]);
               raise_illegal(nb::cast(BoundState<G>{b.game, b.rules, b.batch->state(i)}), action);
             }
             auto ended = array_of<bool>({n}, [&](bool* out) { std::copy_n(done.get(), n, out); });
             return nb::make_tuple(returns, ended);
           },
           "actions"_a,
           nb::sig("def step(self, actions: numpy.typing.NDArray[numpy.integer[typing.Any]]) -> "
                   "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]"))
      .def("__bytes__",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             return saved_batch(b);
           })
      .def("__reduce__", [](nb::handle self) { return pickled(self, "batch_from"); });
}

template <Game G>
std::pair<RulesClass<G>, ViewClass<G>> bind_game(nb::module_& m, const std::string& name) {
  auto rules = bind_rules<G>(m, name);
  bind_state<G>(m, name);
  auto view = bind_view<G>(m, name);
  bind_batch<G>(m, name);
  m.attr((name + "State").c_str()).attr("BYTES") = sizeof(State<G>);
  return {rules, view};
}

}  // namespace ludoteca
