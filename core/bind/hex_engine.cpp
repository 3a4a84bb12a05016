// The engine of Hex as Python sees it.
#include <mutex>

#include "bind/search.hpp"
#include "bind/values.hpp"
#include "hex/classical.hpp"

namespace ludoteca {
namespace {

// The searches of one agent and the tree that they share. It copies the rules, so that it needs no Python object.
struct BoundClassical {
  RaveSettings settings;
  std::uint64_t seed;
  struct Kept {
    std::mutex busy;
    std::unique_ptr<const Hex> rules;
    std::unique_ptr<HexClassical> engine;

    HexClassical& engine_for(const Hex& wanted, const RaveSettings& settings) {
      const auto facts = [](const Hex& g) { return std::tuple{g.size, g.standard, g.layout, g.swap}; };
      if (!engine || facts(*rules) != facts(wanted)) {
        engine.reset();
        rules = std::make_unique<const Hex>(wanted);
        engine = std::make_unique<HexClassical>(*rules, settings);
      }
      return *engine;
    }
  };
  std::shared_ptr<Kept> kept = std::make_shared<Kept>();
};

// What is chosen without any search: the empty cell nearest to the centre.
Action central(const Hex& rules, const Hex::Public& pub) {
  Action best = -1;
  for (Action cell = 0; cell < rules.size * rules.size; ++cell) {
    if (rules.owner(pub, cell) != kNobody) continue;
    if (best < 0 || rules.off_centre(cell) < rules.off_centre(best)) best = cell;
  }
  return best;
}

BoundSearch* new_classical_search(const BoundClassical& bound, const BoundView<Hex>& v,
                                  std::optional<std::uint64_t> simulations, std::optional<std::uint64_t> nodes,
                                  std::optional<double> seconds) {
  if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
  const auto most = simulations.value_or(std::numeric_limits<std::uint64_t>::max());
  const Action first = v.rules->size == 1 && v.rules->can_swap(v.view.pub) ? v.rules->swap_action()
                                                                           : central(*v.rules, v.view.pub);
  const auto work = [kept = bound.kept, settings = bound.settings, seed = bound.seed, most, rules = v.rules,
                     pub = v.view.pub](Limits& limits, SharedChoice& shared) {
    const std::unique_lock alone(kept->busy, std::try_to_lock);
    if (!alone) {  // another search of the same agent is still running in the tree
      return HexClassical(*rules, settings).choose(pub, seed, most, limits, shared);
    }
    kept->engine_for(*rules, settings).choose(pub, seed, most, limits, shared);
  };
  return new_search(v.game, work, first, nodes, seconds);
}

}  // namespace

void bind_hex_engine(nb::module_& m) {
  m.def("hex_playout",
        [](const BoundView<Hex>& v, std::uint64_t seed) {
          if (v.view.pub.turn == kNobody) throw nb::value_error("the match is over");
          const HexPlayouts playouts(*v.rules);
          HexBoard board;
          playouts.set_up(v.view.pub, board);
          const bool stone = v.view.pub.last >= 0 && v.view.pub.last != v.rules->swap_action();
          Rng rng{seed};
          const Seat winner = playouts.fill(board, v.view.pub.turn, stone ? v.rules->at(v.view.pub.last) : -1, rng);
          std::vector<int> owners;
          for (Action cell = 0; cell < v.rules->size * v.rules->size; ++cell) {
            owners.push_back(board.cell[static_cast<std::size_t>(v.rules->at(cell))] - 1);
          }
          return std::pair{int{winner}, owners};
        },
        "view"_a, "seed"_a,
        "A playout of the engine without a network: the winner, and the owner of each cell of the full board.");
  m.def("hex_pattern_classes",
        [] { return std::array{HexPatterns::kRings, HexPatterns::kBridges, HexPatterns::kNearness, HexPatterns::kSaves}; },
        "The number of classes of each feature that `hex_patterns` gives.");
  m.def("hex_patterns",
        [](const BoundView<Hex>& v) {
          const HexPlayouts playouts(*v.rules);
          const HexPatterns patterns(*v.rules, playouts);
          const HexPatterns::Position position(patterns, v.view.pub);
          std::vector<std::array<int, 4>> out;
          for (Action cell = 0; cell < v.rules->size * v.rules->size; ++cell) {
            if (v.rules->owner(v.view.pub, cell) != kNobody) continue;
            const auto classes = position.classes(v.rules->at(cell));
            out.push_back({classes.ring, classes.bridges, classes.nearness, classes.saves});
          }
          return out;
        },
        "view"_a, "The pattern classes of each empty cell for the seat on turn: see core/hex/patterns.hpp.");
  using T = BoundClassical;
  nb::class_<T>(m, "HexClassical", "Searches of one agent by core/hex/classical.hpp, with a shared tree.")
      .def("__init__",
           [](T* self, int threads, int memory, std::uint64_t seed) {
             RaveSettings settings;
             settings.resources = Resources(memory, threads);
             new (self) T{settings, seed};
           },
           "threads"_a = 1, "memory"_a = Resources::kMegabytes, "seed"_a = 0, "memory: in megabytes.")
      .def("search", &new_classical_search, "view"_a, "simulations"_a = nb::none(), "nodes"_a = nb::none(),
           "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
           "Values are expected returns of the seat; each simulation is a node.");
}

}  // namespace ludoteca
