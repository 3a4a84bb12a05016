// Matches for the learner of hidden-information games as Python sees them: DominoesChoices, KittensChoices.
#include "bind/in_use.hpp"
#include "bind/values.hpp"
#include "mmd/choices.hpp"
#include "mmd/network.hpp"

namespace ludoteca {
namespace {

template <class G>
struct BoundChoices {
  nb::object game;
  const G* rules;
  std::unique_ptr<Choices<G>> choices;
  InUse use;
};

template <class T, int Dimensions>
using Array = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

template <class A>
void expect_shape(const char* what, const A& array, std::size_t rows, std::size_t width) {
  if (array.size() == rows * width && array.shape(0) == rows) return;
  throw nb::value_error((std::string(what) + " must have the shape [" + std::to_string(rows) + ", " +
                         std::to_string(width) + "]").c_str());
}

template <class G>
void bind_choices(nb::module_& m, const std::string& name) {
  using B = BoundChoices<G>;
  using Input = NetworkInput<G>;
  nb::class_<B>(m, (name + "Choices").c_str())
      .def("__init__",
           [](B* b, nb::object game, int count, std::uint64_t seed) {
             if (count < 1) throw nb::value_error("there must be at least one match");
             const G* rules = nb::cast<const G*>(game);
             new (b) B{game, rules, std::make_unique<Choices<G>>(*rules, count, seed), {}};
           },
           "game"_a, "count"_a, "seed"_a)
      .def("__len__", [](const B& b) { return b.choices->size(); })
      .def_prop_ro("input_size", [](const B& b) { return Input::size(*b.rules); })
      .def_prop_ro("hand_size", [](const B& b) { return Input::hand_size(*b.rules); })
      .def("view",
           [](const B& b, std::size_t i) {
             const InUse::Reading reading(b.use);
             if (i >= b.choices->size()) throw nb::index_error();
             const State<G>& state = b.choices->state(i);
             return BoundView<G>{b.game, b.rules, view_of(state, state.pub.turn)};
           },
           "index"_a, "What the seat on turn sees.")
      .def("read",
           [](const B& b, Array<float, 2> inputs, Array<bool, 2> legal, Array<std::int8_t, 1> turns,
              Array<float, 2> hands) {
             const InUse::Reading reading(b.use);
             const std::size_t rows = b.choices->size();
             expect_shape("inputs", inputs, rows, index(Input::size(*b.rules)));
             expect_shape("legal", legal, rows, index(b.rules->num_actions()));
             expect_shape("turns", turns, rows, 1);
             expect_shape("hands", hands, rows, index(Input::hand_size(*b.rules)));
             const nb::gil_scoped_release unlocked;
             b.choices->read(inputs.data(), legal.data(), turns.data(), hands.data());
           },
           "inputs"_a, "legal"_a, "turns"_a, "hands"_a,
           "Fills the arrays: [N, input_size] what the seat on turn sees, [N, num_actions], [N], and [N, hand_size] what "
           "the other seat holds.")
      .def("step",
           [](B& b, Array<const Action, 1> actions, Array<float, 1> results, Array<bool, 1> done) {
             const InUse::Changing changing(b.use);
             const std::size_t rows = b.choices->size();
             expect_shape("actions", actions, rows, 1);
             expect_shape("results", results, rows, 1);
             expect_shape("done", done, rows, 1);
             const std::span<const Action> chosen(actions.data(), rows);
             std::ptrdiff_t illegal;
             {
               const nb::gil_scoped_release unlocked;
               illegal = b.choices->first_illegal(chosen);
               if (illegal < 0) b.choices->step(chosen, results.data(), done.data());
             }
             if (illegal < 0) return;
             const auto i = static_cast<std::size_t>(illegal);
             raise_illegal(nb::cast(BoundState<G>{b.game, b.rules, b.choices->state(i)}), nb::int_(chosen[i]));
           },
           "actions"_a, "results"_a, "done"_a,
           "Plays one action in each match, and fills what seat 0 gets where a match ended, and whether it did. A match "
           "that ended is dealt again. Raises IllegalAction, with all matches unchanged.")
      .def("__bytes__",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             std::string out(b.choices->bytes(), '\0');
             b.choices->save(out.data());
             return nb::bytes(out.data(), out.size());
           })
      .def("load",
           [](B& b, nb::bytes data) {
             const InUse::Changing changing(b.use);
             if (data.size() != b.choices->bytes()) throw nb::value_error("not the bytes of as many matches of this game");
             b.choices->load(data.c_str());
           },
           "data"_a, "Continues from the bytes of another one, of the same game and size.");
  m.def("view_input",
        [](const BoundView<G>& v) {
          return array_of<float>({1, index(Input::size(*v.rules))},
                                 [&](float* out) { Input::write(*v.rules, v.view, out); });
        },
        "view"_a, nb::rv_policy::move, "[1, input_size] what a network sees of this view.");
}

}  // namespace

void bind_mmd(nb::module_& m) {
  using Weights = std::pair<Array<const float, 2>, Array<const float, 1>>;
  const auto dense = [](const Weights& from) {
    return DenseLayer({from.first.data(), from.first.size()}, {from.second.data(), from.second.size()});
  };
  nb::class_<ViewNetwork>(m, "ViewNetwork", "A network of `ludoteca train mmd`: see core/mmd/network.hpp.")
      .def("__init__",
           [dense](ViewNetwork* self, const Weights& first, const std::vector<Weights>& hidden, const Weights& policy,
                   const Weights& value, const Weights& belief) {
             std::vector<DenseLayer> layers;
             for (const Weights& each : hidden) layers.push_back(dense(each));
             new (self) ViewNetwork(dense(first), std::move(layers), dense(policy), dense(value), dense(belief));
           },
           "first"_a, "hidden"_a, "policy"_a, "value"_a, "belief"_a,
           "Each layer is a pair of weights [outputs, inputs] and bias [outputs]. Raises ValueError for layers that do not fit.")
      .def_prop_ro("inputs", &ViewNetwork::inputs)
      .def_prop_ro("actions", &ViewNetwork::actions)
      .def_prop_ro("hand", &ViewNetwork::belief_size)
      .def("run",
           [](const ViewNetwork& self, Array<const float, 2> seen) {
             expect_shape("seen", seen, 1, self.inputs());
             ViewNetwork::Numbers found, policy, belief;
             self.run(seen.data(), found);
             self.policy(found, policy);
             self.belief(found, belief);
             return std::tuple(std::vector<float>(policy.begin(), policy.begin() + static_cast<std::ptrdiff_t>(self.actions())),
                               self.value(found),
                               std::vector<float>(belief.begin(), belief.begin() + static_cast<std::ptrdiff_t>(self.belief_size())));
           },
           "seen"_a, "Policy logits [actions], the value, and the belief [hand] for [1, inputs].");
  bind_choices<Dominoes>(m, "Dominoes");
  bind_choices<Kittens>(m, "Kittens");
}

}  // namespace ludoteca
