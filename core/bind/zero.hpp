// Networks as Python sees them: self-play to train one (HexSelfPlay) and tree search with one (HexNetworkSearch).
// Each is made in its game's file.
#pragma once

#include "bind/in_use.hpp"
#include "bind/values.hpp"
#include "search/resources.hpp"
#include "zero/network_search.hpp"
#include "zero/self_play.hpp"

namespace ludoteca {

using Bytes = nb::ndarray<std::int8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

template <class G>
struct BoundSelfPlay {
  nb::object game;
  const G* rules;
  std::unique_ptr<SelfPlay<G>> play;
  InUse use;
};

inline void expect_size(const char* what, std::size_t size, std::size_t wanted) {
  if (size == wanted) return;
  throw nb::value_error((std::string(what) + " has " + std::to_string(size) + " numbers where " +
                         std::to_string(wanted) + " are needed").c_str());
}

template <class G>
std::vector<std::size_t> input_shape(const G& g, std::size_t rows) {
  const auto side = static_cast<std::size_t>(Encoding<G>::side(g));
  return {rows, Encoding<G>::kPlanes.size(), side, side};
}

template <class G>
nb::tuple take_samples(BoundSelfPlay<G>& b) {
  const InUse::Changing changing(b.use);
  Samples samples;
  {
    const nb::gil_scoped_release unlocked;
    samples = b.play->take();
  }
  const std::size_t rows = samples.value.size();
  const auto copy = [](const auto& from) { return [&](auto* to) { std::copy(from.begin(), from.end(), to); }; };
  return nb::make_tuple(array_of<std::int8_t>(input_shape(*b.rules, rows), copy(samples.input)),
                        array_of<float>({rows, cells_of(*b.rules)}, copy(samples.policy)),
                        array_of<float>({rows}, copy(samples.value)));
}

inline nb::dict dict_of(const SelfPlayCounts& counts) {
  nb::dict out;
  out["matches"] = counts.matches;
  out["decisions"] = counts.decisions;
  out["evaluations"] = counts.evaluations;
  out["first_wins"] = counts.first_wins;
  out["resigned"] = counts.resigned;
  return out;
}

// The planes as (scale, above, beside), and whether all eight symmetries of a square leave the game the same.
using EncodingTuple = std::pair<std::vector<std::tuple<float, int, int>>, bool>;
template <class G>
EncodingTuple encoding_tuple(const G& g) {
  if (!Encoding<G>::supports(g)) throw nb::value_error("a network cannot play by these rules");
  EncodingTuple out{{}, Encoding<G>::kSymmetries == Symmetries::square};
  for (const Plane& plane : Encoding<G>::kPlanes) out.first.emplace_back(plane.scale, plane.above, plane.beside);
  return out;
}

template <Encodable G>
void bind_self_play(nb::module_& m, const std::string& name) {
  using B = BoundSelfPlay<G>;
  m.def("network_planes", [](const G& g) { return encoding_tuple(g); }, "game"_a,
        "The planes as (scale, above, beside), and whether all eight symmetries of a square leave the game the same. Raises ValueError.");
  m.def("network_input",
        [](const BoundView<G>& v) {
          encoding_tuple(encodable_rules(*v.rules));
          if (v.view.pub.turn != v.view.seat) throw nb::value_error("the input of a network is for the seat on turn");
          return array_of<std::int8_t>(input_shape(*v.rules, 1),
                                       [&](std::int8_t* out) { Encoding<G>::encode(*v.rules, v.view.pub, out); });
        },
        "view"_a, "The input of a network: [1, planes, side, side].");
  m.def("policy_index",
        [](const BoundView<G>& v, Action action) { return Encoding<G>::policy_index(*v.rules, v.view.pub, action); }, "view"_a,
        "action"_a, "The index of an action in the policy of a network; -1 for none.");
  nb::class_<B>(m, (name + "SelfPlay").c_str(), "Matches of core/zero/self_play.hpp.")
      .def("__init__",
           [](B* self, nb::object game, int matches, std::uint64_t seed, int threads, SelfPlaySettings settings) {
             const G* rules = nb::cast<const G*>(game);
             encoding_tuple(*rules);
             if (matches < 1 || threads < 1) throw nb::value_error("matches and threads must be 1 or more");
             if (settings.simulations < 1 || settings.quick_simulations < 1) throw nb::value_error("simulations must be 1 or more");
             auto play = std::make_unique<SelfPlay<G>>(*rules, settings, matches, seed, threads);
             new (self) B{std::move(game), rules, std::move(play), {}};
           },
           "game"_a, "matches"_a, "seed"_a, "threads"_a, "settings"_a)
      .def("__len__", [](const B& b) { return b.play->size(); })
      .def("select",
           [](B& b, Bytes out) {
             const InUse::Changing changing(b.use);
             expect_size("out", out.size(), b.play->size() * bytes_of(*b.rules));
             const nb::gil_scoped_release unlocked;
             b.play->select(out.data());
           },
           "out"_a, "Writes the leaves to evaluate: [matches, planes, side, side].")
      .def("expand",
           [](B& b, Numbers logits, Numbers values, Bytes out) {
             const InUse::Changing changing(b.use);
             expect_size("logits", logits.size(), b.play->size() * cells_of(*b.rules));
             expect_size("values", values.size(), b.play->size());
             expect_size("out", out.size(), b.play->size() * bytes_of(*b.rules));
             const nb::gil_scoped_release unlocked;
             b.play->expand(logits.data(), values.data(), out.data());
           },
           "logits"_a, "values"_a, "out"_a,
           "Takes the network's results, [matches, side²] and [matches], and writes the next leaves.")
      .def("take", &take_samples<G>,
           nb::sig("def take(self) -> tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "Inputs, improved policies and value targets, a row for each fully searched decision of the finished matches.")
      .def_prop_ro("counts", [](const B& b) { return dict_of(b.play->counts()); },
                   nb::for_getter(nb::sig("def counts(self) -> dict[str, int]")))
      .def_prop_rw("simulations", [](const B& b) { return b.play->settings().simulations; },
                   [](B& b, int simulations) {
                     const InUse::Changing changing(b.use);
                     if (simulations < 1) throw nb::value_error("simulations must be 1 or more");
                     b.play->settings().simulations = simulations;
                   })
      .def("save",
           [](B& b) {
             const InUse::Changing changing(b.use);
             Writer writer;
             b.play->serialise(writer);
             return nb::bytes(writer.bytes.data(), writer.bytes.size());
           },
           "The complete state as bytes, for `load` of one with the same arguments.")
      .def("load",
           [](B& b, const nb::bytes& bytes) {
             const InUse::Changing changing(b.use);
             Reader reader({bytes.c_str(), bytes.size()});
             b.play->serialise(reader);
             reader.end();
           },
           "bytes"_a);
}

template <class G>
struct BoundNetworkSearch {
  std::unique_ptr<const G> rules;
  std::unique_ptr<NetworkSearch<G>> search;
  InUse use;
};

template <class G>
NetworkSearch<G>& with_root(const BoundNetworkSearch<G>& b) {
  if (!b.search->has_root()) throw nb::value_error("this search has no root: call `set_root` first");
  return *b.search;
}

template <Encodable G>
void bind_network_search(nb::module_& m, const std::string& name) {
  using B = BoundNetworkSearch<G>;
  nb::class_<B>(m, (name + "NetworkSearch").c_str(), "The search of core/zero/network_search.hpp.")
      .def("__init__",
           [](B* self, nb::object game, int memory, Selection selection, bool static_proofs) {
             auto rules = std::make_unique<const G>(encodable_rules(*nb::cast<const G*>(game)));
             encoding_tuple(*rules);
             const Resources resources(memory, 1);
             auto search = std::make_unique<NetworkSearch<G>>(*rules, resources.bytes, selection, static_proofs);
             new (self) B{std::move(rules), std::move(search), {}};
           },
           "game"_a, "memory"_a = Resources::kMegabytes, "selection"_a = Selection::improved_policy, "static_proofs"_a = false,
           "memory: in megabytes. static_proofs: prove positions without the network where the game can.")
      .def("set_root",
           [](B& b, const BoundView<G>& v, bool reuse) {
             const InUse::Changing changing(b.use);
             if (v.view.pub.turn == kNobody) throw nb::value_error("the game is over");
             if (Encoding<G>::side(*v.rules) != Encoding<G>::side(*b.rules)) throw nb::value_error("a board of another size");
             State<G> state{};
             state.pub = v.view.pub;
             b.search->set_root(state, reuse);
           },
           "view"_a, "reuse"_a = true, "Makes this position the root; reuse: keep its subtree.")
      .def("select",
           [](B& b, int max_leaves, int simulations) {
             const InUse::Changing changing(b.use);
             if (max_leaves < 1) throw nb::value_error("max_leaves must be 1 or more");
             std::vector<std::int8_t> input(static_cast<std::size_t>(max_leaves) * bytes_of(*b.rules));
             std::size_t count;
             {
               const nb::gil_scoped_release unlocked;
               count = static_cast<std::size_t>(with_root(b).select(max_leaves, simulations, input.data()));
             }
             return array_of<float>(input_shape(*b.rules, count), [&](float* out) {
               std::copy_n(input.begin(), count * bytes_of(*b.rules), out);
             });
           },
           "max_leaves"_a, "simulations"_a,
           "Runs at most so many simulations, until max_leaves of them wait for the network. Returns the positions of those "
           "leaves: [count, planes, side, side].")
      .def_prop_ro("ended",
                   [](const B& b) {
                     const InUse::Reading reading(b.use);
                     return with_root(b).ended();
                   },
                   "Whether the winner is proven or the memory is full.")
      .def("expand",
           [](B& b, Numbers logits, Numbers values) {
             const InUse::Changing changing(b.use);
             expect_size("values", values.size(), with_root(b).pending());
             expect_size("logits", logits.size(), values.size() * cells_of(*b.rules));
             b.search->expand(logits.data(), values.data());
           },
           "logits"_a, "values"_a, "The network's results, [count, side²] and [count], in the same order.")
      .def("choice",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             Choice out = with_root(b).choice();
             out.nodes = b.search->visits();
             return out;
           },
           "The choice so far; nodes are the visits of the root, including reused ones.")
      .def_prop_ro("visits", [](const B& b) {
        const InUse::Reading reading(b.use);
        return with_root(b).visits();
      });
}

template <Encodable G>
void bind_zero(nb::module_& m, const std::string& name) {
  bind_network_search<G>(m, name);
  bind_self_play<G>(m, name);
}

}  // namespace ludoteca
