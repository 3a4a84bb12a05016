// Static analysis, virtual connections and the solver of Hex as Python sees them.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "hex/analyser.hpp"
#include "hex/proofs.hpp"
#include "hex/solver.hpp"

#include <nanobind/stl/shared_ptr.h>

namespace ludoteca {

namespace {

using V = BoundView<Hex>;

template <int W>
std::vector<Action> listed(const Cells<W>& set) {
  std::vector<Action> out;
  set.each([&](int cell) { out.push_back(cell); });
  return out;
}

// A virtual connection: the cells of its two ends, its carrier, and for a semi connection the cell to take first.
using BoundConnection = std::tuple<std::vector<Action>, std::vector<Action>, std::vector<Action>, std::optional<int>>;

std::vector<BoundConnection> connections_of(const V& v, Seat seat) {
  constexpr int W = 6;  // enough for every board; a smaller one would be faster, and is not worth its compilation here
  const HexMap<W> map(*v.rules);
  HexVirtualConnections<W> connections(map, ConnectionLimits{});
  connections.find(map.stones(*v.rules, v.view.pub), seat, HexVirtualConnections<W>::Enough::all);
  // A side is given as the cells along it that are the seat's or empty: all of them are joined to it.
  const auto end = [&](int number) {
    Cells<W> cells = connections.cells(number);
    const auto which = index(seat);
    if (number == HexVirtualConnections<W>::kLow) cells |= map.low[which];
    if (number == HexVirtualConnections<W>::kHigh) cells |= map.high[which];
    return listed(cells - map.stones(*v.rules, v.view.pub)[other(seat)]);
  };
  std::vector<BoundConnection> out;
  connections.each([&](const HexVirtualConnections<W>::Connection& connection) {
    const auto key = connection.semi ? std::optional<int>(connection.key) : std::nullopt;
    out.emplace_back(end(connection.one), end(connection.two), listed(connection.carrier & connections.empty()), key);
  });
  return out;
}

// Of a proven position: whether the seat on turn wins, and the cells that the winner needs.
std::optional<std::pair<bool, std::vector<Action>>> proof_of(const HexProofs& proofs, const V& v) {
  if (!proofs.fit(*v.rules)) throw nb::value_error("proofs of another board");
  return with_words(v.rules->size, [&](auto words) -> std::optional<std::pair<bool, std::vector<Action>>> {
    constexpr int W = words.value;
    const HexMap<W> map(*v.rules);
    const ProofPositions<W> positions(map);
    const auto entry = lookup(map, positions, proofs.table<W>(),
                              positions.position(map.stones(*v.rules, v.view.pub), v.view.pub.turn));
    if (!entry.numbers.solved()) return std::nullopt;
    return std::pair{entry.numbers.wins(), listed(entry.carrier)};
  });
}

}  // namespace

void bind_hex_proof(nb::module_& m) {
  nb::class_<HexAnalysis>(m, "HexAnalysis", "The static analysis of a position: see core/hex/analyser.hpp.")
      .def_prop_ro("filled",
                   [](const HexAnalysis& found) { return std::tuple{listed(found.filled[0]), listed(found.filled[1])}; })
      .def_prop_ro("winner", [](const HexAnalysis& found) { return seat_or_none(found.winner); })
      .def_prop_ro("move", [](const HexAnalysis& found) -> std::optional<int> {
        return found.move < 0 ? std::nullopt : std::optional<int>(found.move);
      })
      .def_prop_ro("must_play", [](const HexAnalysis& found) { return listed(found.must_play); })
      .def_prop_ro("moves", [](const HexAnalysis& found) { return listed(found.moves); });
  m.def("hex_analysis",
        [](const V& v, int seat) {
          if (v.view.pub.winner != kNobody) throw nb::value_error("the match is over");
          return HexAnalyser(*v.rules).analyse(v.view.pub, checked_seat(seat));
        },
        "view"_a, "seat"_a, "The analysis with that seat on turn.");
  m.def("hex_virtual_connections", [](const V& v, int seat) { return connections_of(v, checked_seat(seat)); },
        "view"_a, "seat"_a,
        "The virtual connections of the seat: cells of both ends, the carrier, and the cell to take first if it is semi.");
  nb::class_<HexProofs>(m, "HexProofs", "A table of proofs that searches of one board share: see core/hex/proofs.hpp.")
      .def("__init__",
           [](HexProofs* self, const Hex& game, int memory) { new (self) HexProofs(game, Resources(memory, 1).bytes); },
           "game"_a, "memory"_a = Resources::kMegabytes)
      .def_prop_ro("half_turn", &HexProofs::half_turn, "Whether half a turn keeps the board.")
      .def("save", &HexProofs::save, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Write the table to a file. Returns whether that succeeded.")
      .def("load", &HexProofs::load, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Add what a file holds. Returns False, and adds nothing, if it is damaged or of another board.")
      .def("find", &proof_of, "view"_a,
           "Of a proven position: whether the seat on turn wins, and the cells, empty or its own, that the winner needs.");
  m.def("hex_solver",
        [](const V& v, bool all_moves, int memory, int threads, std::optional<std::uint64_t> nodes,
           std::optional<double> seconds, std::optional<std::int64_t> connection_work,
           std::shared_ptr<HexProofs> proofs) {
          if (proofs && !proofs->fit(*v.rules)) throw nb::value_error("proofs of another board");
          if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
          const State<Hex> root{v.view.pub, {}, {}};
          Actions<Hex> actions;
          v.rules->legal(v.view, actions);
          const HexSolver::Options options{Resources(memory, threads), all_moves, connection_work, std::move(proofs)};
          const auto solver = std::make_shared<HexSolver>(*v.rules, root, options);
          const auto work = [solver](Limits& limits, SharedChoice& shared) { solver->choose(limits, shared); };
          return new_search(v.game, work, actions[0], nodes, seconds);
        },
        "view"_a, "all_moves"_a = false, "memory"_a = Resources::kMegabytes, "threads"_a = 1, "nodes"_a = nb::none(),
        "seconds"_a = nb::none(), "connection_work"_a = nb::none(), "proofs"_a = nb::none(), nb::rv_policy::take_ownership,
        "Values are 1 and -1, and 0 while nothing is proven: see core/hex/solver.hpp.");
}

}  // namespace ludoteca
