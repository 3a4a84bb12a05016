// Networks as Python sees them: self-play to train one (HexSelfPlay) and the search that one leads (HexNetworkSearch).
#include "bind/in_use.hpp"
#include "bind/values.hpp"
#include "hex/static_proof.hpp"
#include "hex/encoding.hpp"
#include "horses/encoding.hpp"
#include "zero/network_search.hpp"
#include "zero/self_play.hpp"

namespace ludoteca {
namespace {

using Bytes = nb::ndarray<std::int8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

template <class G>
struct BoundSelfPlay {
  nb::object game;
  const G* rules;
  std::unique_ptr<SelfPlay<G>> play;
  InUse use;
};

void expect_size(const char* what, std::size_t size, std::size_t wanted) {
  if (size == wanted) return;
  throw nb::value_error((std::string(what) + " has " + std::to_string(size) + " numbers where " +
                         std::to_string(wanted) + " are needed").c_str());
}

template <class G>
std::vector<std::size_t> seen_shape(const G& g, std::size_t rows) {
  const auto side = static_cast<std::size_t>(Shape<G>::side(g));
  return {rows, Shape<G>::kPlanes.size(), side, side};
}

template <class G>
nb::tuple taken(BoundSelfPlay<G>& b) {
  const InUse::Changing changing(b.use);
  Samples samples;
  {
    const nb::gil_scoped_release unlocked;
    samples = b.play->take();
  }
  const std::size_t rows = samples.value.size();
  const auto copy = [](const auto& from) { return [&](auto* to) { std::copy(from.begin(), from.end(), to); }; };
  return nb::make_tuple(array_of<std::int8_t>(seen_shape(*b.rules, rows), copy(samples.seen)),
                        array_of<float>({rows, cells_of(*b.rules)}, copy(samples.policy)),
                        array_of<float>({rows}, copy(samples.value)));
}

nb::dict dict_of(const SelfPlayCounts& counts) {
  nb::dict out;
  out["matches"] = counts.matches;
  out["decisions"] = counts.decisions;
  out["evaluations"] = counts.evaluations;
  out["first_wins"] = counts.first_wins;
  out["resigned"] = counts.resigned;
  return out;
}

// The planes as (scale, above, beside) and whether all eight turns and mirrors leave the game the same.
using ShapeTuple = std::pair<std::vector<std::tuple<float, int, int>>, bool>;
template <class G>
ShapeTuple shape_tuple(const G& g) {
  if (!Shape<G>::supports(g)) throw nb::value_error("a network cannot be shown these rules");
  ShapeTuple out{{}, Shape<G>::kSymmetries == Symmetries::square};
  for (const Plane& plane : Shape<G>::kPlanes) out.first.emplace_back(plane.scale, plane.above, plane.beside);
  return out;
}

// Rules that a network can be shown, for a match that may have others: once a swap is decided it changes nothing.
Hex shown_rules(const Hex& g) { return Hex(g.size, g.standard, g.layout, false); }
Horses shown_rules(const Horses& g) { return g; }

template <Shaped G>
void bind_self_play(nb::module_& m, const std::string& name) {
  using B = BoundSelfPlay<G>;
  m.def("network_shape", [](const G& g) { return shape_tuple(g); }, "game"_a, "The planes as (scale, above, beside), and whether all eight "
        "symmetries of a square leave the game the same. Raises ValueError.");
  m.def("network_sight",
        [](const BoundView<G>& v) {
          shape_tuple(shown_rules(*v.rules));
          if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn is shown to a network");
          return array_of<std::int8_t>(seen_shape(*v.rules, 1), [&](std::int8_t* out) { Shape<G>::see(*v.rules, v.view.pub, out); });
        },
        "view"_a, "What a network sees of this: [1, planes, side, side].");
  m.def("network_cell",
        [](const BoundView<G>& v, Action action) { return Shape<G>::cell(*v.rules, v.view.pub, action); }, "view"_a,
        "action"_a, "Which number of its policy speaks of an action; -1 for none.");
  nb::class_<B>(m, (name + "SelfPlay").c_str(), "Matches of core/zero/self_play.hpp.")
      .def("__init__",
           [](B* self, nb::object game, int matches, std::uint64_t seed, int threads, SelfPlaySettings settings) {
             const G* rules = nb::cast<const G*>(game);
             shape_tuple(*rules);
             if (matches < 1 || threads < 1) throw nb::value_error("matches and threads must be 1 or more");
             auto play = std::make_unique<SelfPlay<G>>(*rules, settings, matches, seed, threads);
             new (self) B{std::move(game), rules, std::move(play), {}};
           },
           "game"_a, "matches"_a, "seed"_a, "threads"_a, "settings"_a)
      .def("__len__", [](const B& b) { return b.play->size(); })
      .def("see",
           [](B& b, Bytes out) {
             const InUse::Changing changing(b.use);
             expect_size("out", out.size(), b.play->size() * bytes_of(*b.rules));
             const nb::gil_scoped_release unlocked;
             b.play->see(out.data());
           },
           "out"_a, "Writes the positions that are asked about: [matches, planes, side, side].")
      .def("answer",
           [](B& b, Numbers logits, Numbers values, Bytes out) {
             const InUse::Changing changing(b.use);
             expect_size("logits", logits.size(), b.play->size() * cells_of(*b.rules));
             expect_size("values", values.size(), b.play->size());
             expect_size("out", out.size(), b.play->size() * bytes_of(*b.rules));
             const nb::gil_scoped_release unlocked;
             b.play->answer(logits.data(), values.data(), out.data());
           },
           "logits"_a, "values"_a, "out"_a,
           "Takes the network's answers, [matches, side²] and [matches], and writes the next positions.")
      .def("take", &taken<G>,
           nb::sig("def take(self) -> tuple[numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "What was seen, the improved policy and the value, a row for each decision of the finished matches.")
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
             b.play->pass(writer);
             return nb::bytes(writer.bytes.data(), writer.bytes.size());
           },
           "All of it as bytes, for `load` of one with the same arguments.")
      .def("load",
           [](B& b, const nb::bytes& bytes) {
             const InUse::Changing changing(b.use);
             Reader reader({bytes.c_str(), bytes.size()});
             b.play->pass(reader);
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
NetworkSearch<G>& begun(const BoundNetworkSearch<G>& b) {
  if (!b.search->begun()) throw nb::value_error("this search has not begun: say where, with `begin`");
  return *b.search;
}

template <Shaped G>
void bind_network_search(nb::module_& m, const std::string& name) {
  using B = BoundNetworkSearch<G>;
  nb::class_<B>(m, (name + "NetworkSearch").c_str(), "The search of core/zero/network_search.hpp.")
      .def("__init__",
           [](B* self, nb::object game, int memory, bool certain) {
             auto rules = std::make_unique<const G>(shown_rules(*nb::cast<const G*>(game)));
             shape_tuple(*rules);
             if (memory < 1) throw nb::value_error("memory must be 1 or more");
             auto search = std::make_unique<NetworkSearch<G>>(*rules, static_cast<std::size_t>(memory) << 20, certain);
             new (self) B{std::move(rules), std::move(search), {}};
           },
           "game"_a, "memory"_a = 256, "certain"_a = false,
           "memory: in megabytes. certain: whether to look for what is certain before the network is asked.")
      .def("begin",
           [](B& b, const BoundView<G>& v, bool keep) {
             const InUse::Changing changing(b.use);
             if (v.view.pub.turn == kNobody) throw nb::value_error("the game is over");
             if (Shape<G>::side(*v.rules) != Shape<G>::side(*b.rules)) throw nb::value_error("a board of another size");
             State<G> state{};
             state.pub = v.view.pub;
             b.search->begin(state, keep);
           },
           "view"_a, "keep"_a = true, "Puts the root where this is seen; keep: with what is known of it.")
      .def("select",
           [](B& b, int most, int simulations) {
             const InUse::Changing changing(b.use);
             if (most < 1) throw nb::value_error("most must be 1 or more");
             std::vector<std::int8_t> seen(static_cast<std::size_t>(most) * bytes_of(*b.rules));
             std::size_t count;
             {
               const nb::gil_scoped_release unlocked;
               count = static_cast<std::size_t>(begun(b).select(most, simulations, seen.data()));
             }
             return array_of<float>(seen_shape(*b.rules, count), [&](float* out) {
               std::copy_n(seen.begin(), count * bytes_of(*b.rules), out);
             });
           },
           "most"_a, "simulations"_a,
           "Makes at most so many simulations and gives the positions of those that wait for a network, at most `most`: "
           "[count, planes, side, side].")
      .def_prop_ro("ended",
                   [](const B& b) {
                     const InUse::Reading reading(b.use);
                     return begun(b).ended();
                   },
                   "Whether it is known who wins, or the memory is full.")
      .def("expand",
           [](B& b, Numbers logits, Numbers values) {
             const InUse::Changing changing(b.use);
             expect_size("values", values.size(), begun(b).waiting());
             expect_size("logits", logits.size(), values.size() * cells_of(*b.rules));
             b.search->expand(logits.data(), values.data());
           },
           "logits"_a, "values"_a, "Its answers, [count, side²] and [count], in the same order.")
      .def("choice",
           [](const B& b) {
             const InUse::Reading reading(b.use);
             Choice out = begun(b).choice();
             out.nodes = b.search->visits();
             return out;
           },
           "What it would play now; nodes are the visits of the root, kept ones included.")
      .def_prop_ro("visits", [](const B& b) {
        const InUse::Reading reading(b.use);
        return begun(b).visits();
      });
}

}  // namespace

void bind_zero(nb::module_& m) {
  using S = SelfPlaySettings;
  nb::class_<S>(m, "SelfPlaySettings")
      .def(nb::init<>())
      .def_rw("simulations", &S::simulations)
      .def_rw("candidates", &S::candidates)
      .def_rw("kept", &S::kept)
      .def_rw("early", &S::early)
      .def_rw("early_noise", &S::early_noise)
      .def_rw("late_noise", &S::late_noise)
      .def_rw("resign", &S::resign)
      .def_rw("play_on", &S::play_on)
      .def_rw("result_share", &S::result_share)
      .def_rw("trace", &S::trace)
      .def_rw("random_actions", &S::random_actions);
  bind_network_search<Hex>(m, "Hex");
  bind_network_search<Horses>(m, "Horses");
  bind_self_play<Hex>(m, "Hex");
  bind_self_play<Horses>(m, "Horses");
}

}  // namespace ludoteca
