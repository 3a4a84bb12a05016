// NameBatch: many states of a game as Python sees them.
#pragma once

#include "batch.hpp"
#include "bind/in_use.hpp"
#include "bind/values.hpp"

namespace ludoteca {

template <class G>
struct BoundBatch {
  nb::object game;
  const G* rules;
  std::unique_ptr<Batch<G>> batch;
  Rng rng;  // for random_actions
  InUse use;
};

// A batch as bytes: the generator of its random actions, then the batch.
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

// One action for each of `count` states: a copy, because other threads may write to the array. Integers of any type and
// size are accepted; `too_large` is the first that does not fit an Action, if there is one.
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

}  // namespace ludoteca
