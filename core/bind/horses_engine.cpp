// The engine of Horses as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "horses/engine.hpp"

namespace ludoteca {

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
