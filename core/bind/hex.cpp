// Hex as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "bind/tree.hpp"
#include "hex/astar.hpp"
#include "hex/astar_program.hpp"
#include "hex/beam.hpp"
#include "hex/beam_program.hpp"
#include "hex/evaluation.hpp"
#include "hex/rules.hpp"

namespace ludoteca {

void bind_hex(nb::module_& m) {
  nb::enum_<Hex::Layout>(m, "HexLayout")
      .value("axial", Hex::Layout::axial)
      .value("even_r", Hex::Layout::even_r)
      .value("odd_r", Hex::Layout::odd_r);
  auto [rules, view] = bind_game<Hex>(m, "Hex");
  rules.def(nb::init<int, bool, Hex::Layout, bool>(), "size"_a, "standard"_a, "layout"_a, "swap"_a)
      .def("position",
           [](nb::object self, const std::vector<std::optional<int>>& stones, int turn) {
             BoundState<Hex> out{self, nb::cast<const Hex*>(self), {}};
             const auto cells = static_cast<std::size_t>(out.rules->size * out.rules->size);
             if (stones.size() != cells) {
               throw nb::value_error(("a position of " + std::to_string(cells) + " cells, not of " +
                                      std::to_string(stones.size())).c_str());
             }
             std::vector<Seat> owner;
             for (const auto& seat : stones) owner.push_back(seat ? checked_seat(*seat) : kNobody);
             out.rules->set_up(out.state, owner, checked_seat(turn));
             return out;
           },
           "stones"_a, "turn"_a)
      .def("neighbours",
           [](const Hex& g, Action cell) {
             if (cell < 0 || cell >= g.size * g.size) {
               throw nb::value_error(("cell " + std::to_string(cell) + " does not exist").c_str());
             }
             std::vector<Action> out;
             for (const int n : g.neighbours(g.at(cell))) {
               if (g.on_board(n)) out.push_back(g.action_at(n));
             }
             return out;
           },
           "cell"_a);
  using V = BoundView<Hex>;
  using IntOrNoneList = nb::typed<nb::list, std::optional<int>>;
  view.def_prop_ro("stones",
                   [](const V& v) {
                     IntOrNoneList out;
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

namespace {

// The position of a view whose seat is on turn.
State<Hex> on_turn(const BoundView<Hex>& v) {
  if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
  return {v.view.pub, {}, {}};
}

// The choice before any search: the empty cell nearest to the centre.
Action central(const BoundView<Hex>& v) {
  Action best = -1;
  for (Action cell = 0; cell < v.rules->size * v.rules->size; ++cell) {
    if (v.rules->owner(v.view.pub, cell) != kNobody) continue;
    if (best < 0 || v.rules->off_centre(cell) < v.rules->off_centre(best)) best = cell;
  }
  return best;
}

template <class Beam>
BoundSearch* beam_search(const BoundView<Hex>& v, int width, std::uint64_t seed, std::optional<double> seconds,
                         std::optional<std::uint64_t> nodes) {
  const State<Hex> root = on_turn(v);
  if (width < 0 || width > Beam::kMaxWidth || width % 4 != 0) {
    throw nb::value_error("width must be a multiple of 4, 0 to 28");
  }
  const auto work = [rules = v.rules, seed, width, root](Limits& limits, SharedChoice& shared) {
    Beam(*rules, seed, width, limits).choose(root, shared);
  };
  return new_search(v.game, work, central(v), nodes, seconds);
}

}  // namespace

void bind_hex_searches(nb::module_& m) {
  bind_tree<Hex, HexDistances>(m, "Hex");
  using V = BoundView<Hex>;
  m.def("hex_distance",
        [](const V& v, int seat) -> std::optional<int> {
          if (v.view.pub.winner != kNobody) {
            return checked_seat(seat) == v.view.pub.winner ? std::optional<int>(0) : std::nullopt;
          }
          HexPaths paths(*v.rules);
          return paths.distance(paths.board_of(paths.stones(v.view.pub), checked_seat(seat)));
        },
        "view"_a, "seat"_a,
        "How many more stones the seat needs to connect if the other passes; None if it no longer can.");
  m.def("hex_astar",
        [](const V& v, int depth, const HexAstar::Recent& recent, std::optional<double> seconds,
                  std::optional<std::uint64_t> nodes, bool prune, bool cache) {
          const State<Hex> root = on_turn(v);
          if (depth < 1 || depth > HexAstar::kMaxDepth) throw nb::value_error("depth must be 1 to 9");
          for (const auto& played : recent) {
            for (const Action cell : played) {
              if (cell < 0 || cell >= v.rules->size * v.rules->size) throw nb::value_error("a recent move is no cell");
            }
          }
          const HexAstar::Settings settings{depth, prune, cache};
          const auto work = [rules = v.rules, settings, recent, root](Limits& limits, SharedChoice& shared) {
            HexAstar(*rules, settings, recent, limits).choose(root, shared);
          };
          return new_search(v.game, work, central(v), nodes, seconds);
        },
        "view"_a, "depth"_a, "recent"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(), "prune"_a = true,
        "cache"_a = true, nb::rv_policy::take_ownership,
        "Values are ratios of distances: see core/hex/astar.hpp. recent: the last moves of each seat, the latest last.");
  m.def("hex_beam", beam_search<HexBeam>, "view"_a, "width"_a, "seed"_a, "seconds"_a = nb::none(),
        "nodes"_a = nb::none(), nb::rv_policy::take_ownership,
        "Values are shares from 0 to 1: see core/hex/beam.hpp.");
  m.def("hex_four_paths",
        [](const V& v, int seat, std::uint64_t seed) {
          Limits limits({}, {});
          HexBeam beam(*v.rules, seed, 0, limits);
          const auto found = beam.lengths(v.view.pub, beam.key_of(v.view.pub), checked_seat(seat));
          return std::vector<int>(found.begin(), found.end());
        },
        "view"_a, "seat"_a, "seed"_a,
        "The empty cells of the four paths that `beam` evaluates; all cells for a missing path.");
  m.def("hex_added_estimate",
        [](const V& v, int seat) -> std::optional<int> {
          HexAddedEstimate estimate(*v.rules);
          const int found = estimate(estimate.cells_of(v.view.pub), checked_seat(seat));
          return found == HexAddedEstimate::kBlocked ? std::nullopt : std::optional<int>(found);
        },
        "view"_a, "seat"_a,
        "What `astar:variant=program` takes for the seat's distance: see core/hex/astar_program.hpp. None without a path.");
  m.def("hex_astar_program",
        [](const V& v, int depth, const std::vector<Action>& stones, std::optional<double> seconds,
                  std::optional<std::uint64_t> nodes) {
          const State<Hex> root = on_turn(v);
          if (depth < 1 || depth > HexAstarProgram::kMaxDepth) throw nb::value_error("depth must be 1 to 9");
          for (const Action cell : stones) {
            if (cell < 0 || cell >= v.rules->size * v.rules->size) throw nb::value_error("a stone lies on no cell");
          }
          const auto work = [rules = v.rules, depth, stones, root](Limits& limits, SharedChoice& shared) {
            HexAstarProgram(*rules, depth, stones, limits).choose(root, shared);
          };
          return new_search(v.game, work, central(v), nodes, seconds);
        },
        "view"_a, "depth"_a, "stones"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(),
        nb::rv_policy::take_ownership,
        "Values are ratios of estimates: see core/hex/astar_program.hpp. stones: those of seat 0 in the order in which "
        "they were seen.");
  m.def("hex_beam_program", beam_search<HexBeamProgram>, "view"_a, "width"_a, "seed"_a, "seconds"_a = nb::none(),
        "nodes"_a = nb::none(), nb::rv_policy::take_ownership,
        "Values are shares from 0 to 1: see core/hex/beam_program.hpp.");
  m.def("hex_paths_through",
        [](const V& v, Action action, int seat, std::uint64_t seed) {
          if (action < 0 || action >= v.rules->size * v.rules->size || v.rules->owner(v.view.pub, action) != kNobody) {
            throw nb::value_error("no empty cell");
          }
          Limits limits({}, {});
          return HexBeamProgram(*v.rules, seed, 0, limits).lengths(v.view.pub, action, checked_seat(seat));
        },
        "view"_a, "action"_a, "seat"_a, "seed"_a,
        "The empty cells of the paths of a seat through a new stone of its own that `beam:variant=program` evaluates: up "
        "to four, the last one 0 for a connection or all cells for a missing path.");
}

}  // namespace ludoteca
