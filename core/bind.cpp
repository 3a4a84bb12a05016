// The Python face of the core, and the only file that sees nanobind.
//
// Every game gets the same four classes by one template: NameRules (which the Python class of the game
// extends), NameState, NameView, NameBatch. A State keeps its Python game object alive and hands it out as
// `.game`, so that whoever holds a state or a view can name actions and draw it.
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
#include "dominoes.hpp"
#include "hex.hpp"
#include "horses.hpp"
#include "horses_minimax.hpp"
#include "kittens.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludoteca;

namespace {

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
};

nb::object seat_or_none(Seat seat) {
  if (seat == kNobody) return nb::none();
  return nb::int_(static_cast<int>(seat));
}

template <int Capacity>
nb::list list_of(const ActionList<Capacity>& actions) {
  nb::list out;
  for (Action action : actions) out.append(static_cast<int>(action));
  return out;
}

Seat checked_seat(int seat) {
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
[[noreturn]] void raise_illegal(nb::handle state, Action action) {
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

// For __reduce__: the game's method `maker`, called with these bytes.
nb::tuple pickled(nb::handle self, const char* maker) {
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
                   [](const G& g) { return nb::tuple(nb::cast(g.tensor_shape())); })
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
             return new B{self, rules, std::make_unique<Batch<G>>(*rules, count, seed), Rng{~seed}};
           },
           "count"_a, "seed"_a = 0, nb::rv_policy::take_ownership)
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
      .def_ro("game", &S::game)
      .def_prop_ro("turn", [](const S& s) { return seat_or_none(s.state.pub.turn); })
      .def("legal",
           [](const S& s) {
             Actions<G> actions;
             legal(*s.rules, s.state, actions);
             return list_of(actions);
           })
      .def("is_legal", [](const S& s, Action action) { return is_legal(*s.rules, s.state, action); }, "action"_a)
      .def("apply",
           [](nb::handle_t<S> self, Action action) {
             S& s = nb::cast<S&>(self);
             if (!is_legal(*s.rules, s.state, action)) raise_illegal(self, action);
             s.rules->apply(s.state, action);
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
           [](const S& s, int count, std::uint64_t seed, bool stepwise) {
             nb::gil_scoped_release unlocked;
             Returns sum{0, 0};
             Rng rng{seed};
             for (int i = 0; i < count; ++i) {
               State<G> state = s.state;
               Returns r;
               if (stepwise) {
                 playout_stepwise(*s.rules, state, rng);
                 r = s.rules->returns(state.pub);
               } else {
                 r = playout(*s.rules, state, rng);
               }
               sum[0] += r[0];
               sum[1] += r[1];
             }
             return std::tuple{sum[0] / count, sum[1] / count};
           },
           "count"_a, "seed"_a = 0, "stepwise"_a = false)
      .def("perft",
           [](const S& s, int depth) {
             nb::gil_scoped_release unlocked;
             return perft(*s.rules, s.state, depth);
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
      .def_ro("game", &V::game)
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
      .def("_repr_svg_", [](nb::handle self) { return self.attr("game").attr("svg")(self); })
      .def("__eq__",
           [](const V& v, nb::handle rhs) {
             return nb::isinstance<V>(rhs) && v.game.equal(nb::cast<const V&>(rhs).game) &&
                    v.view == nb::cast<const V&>(rhs).view;
           },
           nb::arg().none())
      .def("__hash__", [](const V& v) { return std::hash<std::string_view>{}(v.view.bytes()); })
      .def("__bytes__", [](const V& v) { return nb::bytes(v.view.bytes().data(), v.view.bytes().size()); })
      .def("__reduce__", [](nb::handle self) {
        return pickled(self, "view_from");
      });
}

template <class G>
void bind_batch(nb::module_& m, const std::string& name) {
  using B = BoundBatch<G>;
  using ActionArray = nb::ndarray<const Action, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<B>(m, (name + "Batch").c_str())
      .def_ro("game", &B::game)
      .def("__len__", [](const B& b) { return b.batch->size(); })
      .def("__getitem__",
           [](const B& b, std::size_t i) {
             if (i >= b.batch->size()) throw nb::index_error();
             return BoundState<G>{b.game, b.rules, b.batch->state(i)};
           },
           "index"_a)
      .def_prop_ro("seeds",
                   [](const B& b) {
                     const std::size_t n = b.batch->size();
                     return array_of<std::uint64_t>({n}, [&](std::uint64_t* out) {
                       for (std::size_t i = 0; i < n; ++i) out[i] = b.batch->seed(i);
                     });
                   },
                   nb::rv_policy::move)
      .def_prop_ro("turns",
                   [](const B& b) {
                     const std::size_t n = b.batch->size();
                     return array_of<std::int8_t>({n}, [&](std::int8_t* out) {
                       for (std::size_t i = 0; i < n; ++i) out[i] = b.batch->state(i).pub.turn;
                     });
                   },
                   nb::rv_policy::move)
      .def("legal",
           [](const B& b) {
             const std::size_t width = static_cast<std::size_t>(b.rules->num_actions());
             return array_of<bool>({b.batch->size(), width}, [&](bool* out) {
               nb::gil_scoped_release unlocked;
               b.batch->legal_mask(out);
             });
           })
      .def("tensor",
           [](const B& b) {
             return array_of<float>(shape_of(*b.rules, b.batch->size()), [&](float* out) {
               nb::gil_scoped_release unlocked;
               b.batch->tensor(out, product(b.rules->tensor_shape()));
             });
           })
      .def("random_actions",
           [](B& b) {
             return array_of<Action>({b.batch->size()}, [&](Action* out) {
               nb::gil_scoped_release unlocked;
               b.batch->random_actions(out, b.rng);
             });
           })
      .def("step",
           [](B& b, ActionArray actions) {
             const std::size_t n = b.batch->size();
             if (actions.shape(0) != n) {
               throw nb::value_error((std::to_string(actions.shape(0)) + " actions for a batch of " +
                                      std::to_string(n) + " states").c_str());
             }
             const std::span<const Action> span(actions.data(), n);
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
               raise_illegal(nb::cast(BoundState<G>{b.game, b.rules, b.batch->state(i)}), span[i]);
             }
             auto ended = array_of<bool>({n}, [&](bool* out) { std::copy_n(done.get(), n, out); });
             return nb::make_tuple(returns, ended);
           },
           "actions"_a);
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

void bind_hex(nb::module_& m) {
  nb::enum_<Hex::Layout>(m, "HexLayout")
      .value("axial", Hex::Layout::axial)
      .value("even_r", Hex::Layout::even_r)
      .value("odd_r", Hex::Layout::odd_r);
  auto [rules, view] = bind_game<Hex>(m, "Hex");
  rules.def(nb::init<int, bool, Hex::Layout, bool>(), "size"_a, "standard"_a, "layout"_a, "swap"_a);
  using V = BoundView<Hex>;
  view.def_prop_ro("stones",
                   [](const V& v) {
                     nb::list out;
                     for (Action cell = 0; cell < v.rules->size * v.rules->size; ++cell) {
                       out.append(seat_or_none(v.rules->owner(v.view.pub, cell)));
                     }
                     return out;
                   })
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        if (v.view.pub.last < 0) return std::nullopt;
        return v.view.pub.last;
      });
}

void bind_horses(nb::module_& m) {
  auto [rules, view] = bind_game<Horses>(m, "Horses");
  rules.def(nb::init<int, bool>(), "size"_a, "every"_a)
      .def(nb::init<int, bool, std::array<int, 2>, const std::vector<int>&>(), "size"_a, "every"_a, "knights"_a,
           "values"_a);
  using V = BoundView<Horses>;
  const auto per_square = [](const V& v, auto get) {
    nb::list out;
    for (int square = 0; square < v.rules->squares(); ++square) out.append(get(square));
    return out;
  };
  view.def_prop_ro("squares",
                   [](const V& v) {
                     const auto& square = v.view.pub.square;
                     return nb::make_tuple(static_cast<int>(square[0]), static_cast<int>(square[1]));
                   })
      .def_prop_ro("scores",
                   [](const V& v) {
                     const auto& score = v.view.pub.score;
                     return nb::make_tuple(static_cast<int>(score[0]), static_cast<int>(score[1]));
                   })
      .def_prop_ro("penalised",
                   [](const V& v) {
                     const auto& paid = v.view.pub.penalised;
                     return nb::make_tuple(paid[0] != 0, paid[1] != 0);
                   })
      .def_prop_ro("values",
                   [per_square](const V& v) {
                     const auto& value = v.view.pub.value;
                     return per_square(
                         v, [&](int square) { return static_cast<int>(value[static_cast<std::size_t>(square)]); });
                   })
      .def_prop_ro("destroyed",
                   [per_square](const V& v) {
                     return per_square(v, [&](int square) {
                       return (v.view.pub.destroyed & Horses::bit(square)) != 0;
                     });
                   })
      .def_prop_ro("moves",
                   [](const V& v) {
                     std::array<nb::list, 2> out;
                     for (Seat seat : {Seat{0}, Seat{1}}) {
                       Horses::Squares left = v.rules->moves(v.view.pub, seat);
                       for (; left; left &= left - 1) {
                         out[static_cast<std::size_t>(seat)].append(std::countr_zero(left));
                       }
                     }
                     return nb::make_tuple(out[0], out[1]);
                   })
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        if (v.view.pub.last < 0) return std::nullopt;
        return v.view.pub.last;
      });
}

void bind_horses_minimax(nb::module_& m) {
  using R = HorsesMinimax::Result;
  nb::class_<R>(m, "HorsesMinimaxResult")
      .def_ro("action", &R::action)
      .def_ro("values", &R::values)
      .def_ro("line", &R::line)
      .def_ro("depth", &R::depth)
      .def_ro("exhaustive", &R::exhaustive)
      .def_ro("nodes", &R::nodes);
  m.def(
      "horses_minimax",
      [](const BoundView<Horses>& v, int depth, double mobility, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("it is not the turn of the seat that looks");
        if (depth < 1 || depth > HorsesMinimax::kMaxDepth) throw nb::value_error("depth must be 1 to 64");
        nb::gil_scoped_release unlocked;
        State<Horses> state;
        v.rules->sample(v.view, Rng{}, state);
        return HorsesMinimax(*v.rules, mobility, Budget(nodes, seconds)).search(state, depth);
      },
      "view"_a, "depth"_a, "mobility"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none());
}

void bind_dominoes(nb::module_& m) {
  auto [rules, view] = bind_game<Dominoes>(m, "Dominoes");
  rules.def(nb::init<int, int, bool, bool, bool, bool>(), "pips"_a, "hand"_a, "drawing"_a, "double_starts"_a,
            "blocked_counts"_a, "points"_a)
      .def_prop_ro("num_tiles", &Dominoes::num_tiles)
      .def_prop_ro("points_scale", &Dominoes::points_scale);
  using V = BoundView<Dominoes>;
  using Ends = std::array<std::int8_t, 2>;
  static constexpr auto tiles = [](Tiles::Set set) {
    nb::list out;
    Tiles::each(set, [&](int tile) { out.append(tile); });
    return out;
  };
  static constexpr auto pair = [](auto a, auto b) { return nb::make_tuple(a, b); };
  // The log as a list of what `told(seat, action, ends before it)` makes of each action, where it is not None.
  static constexpr auto retold = [](const V& v, auto told) {
    nb::list out;
    v.rules->retell(v.view.pub, [&](Seat seat, Action action, const Ends& ends) {
      nb::object item = told(static_cast<int>(seat), action, ends);
      if (!item.is_none()) out.append(item);
    });
    return out;
  };
  view.def_prop_ro("hand", [](const V& v) { return tiles(v.view.own.hand); })
      .def_prop_ro("unseen", [](const V& v) { return tiles(v.rules->unseen(v.view)); })
      .def_prop_ro("ends",
                   [](const V& v) -> nb::object {
                     const Ends& ends = v.view.pub.ends;
                     if (ends[0] < 0) return nb::none();
                     return pair(static_cast<int>(ends[0]), static_cast<int>(ends[1]));
                   })
      .def_prop_ro("counts",
                   [](const V& v) {
                     return pair(static_cast<int>(v.view.pub.count[0]), static_cast<int>(v.view.pub.count[1]));
                   })
      .def_prop_ro("boneyard", [](const V& v) { return static_cast<int>(v.view.pub.boneyard); })
      .def_prop_ro("winner", [](const V& v) { return seat_or_none(v.view.pub.winner); })
      .def_prop_ro("lacks",
                   [](const V& v) {
                     const auto& lacks = v.view.pub.lacks;
                     return pair(tiles(lacks[0]), tiles(lacks[1]));
                   })
      .def_prop_ro("revealed",
                   [](const V& v) -> nb::object {
                     if (v.view.pub.turn != kNobody) return nb::none();
                     return pair(tiles(v.view.pub.revealed[0]), tiles(v.view.pub.revealed[1]));
                   })
      .def_prop_ro("log",
                   [](const V& v) {
                     return retold(v, [](int seat, Action action, const Ends&) -> nb::object {
                       return pair(seat, action);
                     });
                   })
      .def_prop_ro("line",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](int seat, Action action, const Ends&) -> nb::object {
                       if (action >= draw) return nb::none();
                       return nb::make_tuple(action / 2, seat, action % 2);
                     });
                   })
      .def_prop_ro("stuck",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](int seat, Action action, const Ends& ends) -> nb::object {
                       if (action < draw) return nb::none();
                       return nb::make_tuple(seat, action, static_cast<int>(ends[0]), static_cast<int>(ends[1]));
                     });
                   })
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        if (!v.view.pub.length) return std::nullopt;
        return Dominoes::action_of(v.view.pub.log[v.view.pub.length - 1u]);
      });
}

void bind_kittens(nb::module_& m) {
  using K = Kittens;
  using V = BoundView<K>;
  auto [rules, view] = bind_game<K>(m, "Kittens");
  rules.def(nb::init<std::array<int, K::kCards>, bool, bool, bool, int>(), "counts"_a, "original"_a, "stack"_a,
            "anywhere"_a, "max_turns"_a)
      .def("deck_of",
           [](const K&, const BoundState<K>& s) {
             std::vector<int> out;
             for (std::size_t i = s.state.pub.deck; i-- > 0;) out.push_back(s.state.hidden.deck[i]);
             return out;
           },
           "state"_a);
  view.def_prop_ro("hand", [](const V& v) { return std::vector<int>(v.view.own.hand.begin(), v.view.own.hand.end()); })
      .def_prop_ro("holds",
                   [](const V& v) { return std::vector<int>(v.view.own.holds.begin(), v.view.own.holds.end()); })
      .def_prop_ro("deck_size", [](const V& v) { return static_cast<int>(v.view.pub.deck); })
      .def_prop_ro("bombs", [](const V& v) { return static_cast<int>(v.view.pub.bombs); })
      .def_prop_ro("hand_sizes",
                   [](const V& v) {
                     return std::tuple<int, int>{v.view.pub.hand[0], v.view.pub.hand[1]};
                   })
      .def_prop_ro("owed", [](const V& v) { return static_cast<int>(v.view.pub.owed); })
      .def_prop_ro("placing", [](const V& v) { return v.view.pub.placing != 0; })
      .def_prop_ro("turns", [](const V& v) { return static_cast<int>(v.view.pub.turns); })
      .def_prop_ro("loser", [](const V& v) { return seat_or_none(v.view.pub.loser); })
      .def_prop_ro("last",
                   [](const V& v) {
                     const auto last = [&](std::size_t seat) -> std::optional<int> {
                       if (v.view.pub.last[seat] < 0) return std::nullopt;
                       return v.view.pub.last[seat];
                     };
                     return std::tuple{last(0), last(1)};
                   })
      .def_prop_ro("played",
                   [](const V& v) {
                     const auto& p = v.view.pub.played;
                     return std::tuple{std::vector<int>(p[0].begin(), p[0].end()),
                                       std::vector<int>(p[1].begin(), p[1].end())};
                   })
      .def_prop_ro("known",
                   [](const V& v) {
                     std::vector<std::tuple<int, int>> out;
                     for (int i = v.view.pub.deck - 1; i >= 0; --i) {
                       const int code = v.view.own.memory.at(i);
                       if (code) out.emplace_back(v.view.pub.deck - 1 - i, code - 1);
                     }
                     return out;
                   })
      .def_prop_ro("suspects",
                   [](const V& v) {
                     std::vector<int> out;
                     for (int i = v.view.pub.deck - 1; i >= 0; --i) {
                       if (v.view.own.memory.maybe >> i & 1) out.push_back(v.view.pub.deck - 1 - i);
                     }
                     return out;
                   })
      .def_prop_ro("log",
                   [](const V& v) {
                     std::vector<std::tuple<int, int, std::vector<int>, std::optional<int>>> out;
                     for (std::size_t i = 0; i < v.view.pub.events; ++i) {
                       const int entry = v.view.pub.log[i], event = entry / 2;
                       int seen = v.view.own.seen[i];
                       std::optional<int> depth;
                       if (event == K::kDrewBomb || event == K::kBottomDrewBomb) {
                         if (seen / 16) depth = seen / 16 - 1;
                         seen &= 15;
                       }
                       std::vector<int> cards;
                       for (; seen; seen >>= 4) cards.push_back((seen & 15) - 1);
                       out.emplace_back(entry & 1, event, cards, depth);
                     }
                     return out;
                   })
      .def_prop_ro("seed_observation",
                   [](const V& v) {
                     const auto numbers = v.rules->seed_observation(v.view);
                     return std::vector<double>(numbers.begin(), numbers.end());
                   })
      .def("bomb_chance", [](const V& v, int depth) { return v.rules->bomb_chance(v.view, depth); }, "depth"_a = 0);
}

}  // namespace

NB_MODULE(_core, m) {
  bind_dominoes(m);
  bind_hex(m);
  bind_horses(m);
  bind_horses_minimax(m);
  bind_kittens(m);
}
