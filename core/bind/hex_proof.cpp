// What is certain in Hex, as Python sees it: filled cells, links, and the solver.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "hex/analyser.hpp"
#include "hex/solver.hpp"

namespace ludoteca {

namespace {

using V = BoundView<Hex>;

template <int W>
std::vector<Action> listed(const Cells<W>& set) {
  std::vector<Action> out;
  set.each([&](int cell) { out.push_back(cell); });
  return out;
}

// Each link of a seat: the cells of its two ends, its carrier, and the cell to take first or None.
using Told = std::tuple<std::vector<Action>, std::vector<Action>, std::vector<Action>, std::optional<int>>;

std::vector<Told> links_of(const V& v, Seat seat) {
  return with_words(v.rules->size, [&](auto words) {
    constexpr int W = words.value;
    const HexMap<W> map(*v.rules);
    HexLinks<W> links(map, LinkLimits{});
    links.find(map.stones(*v.rules, v.view.pub), seat, HexLinks<W>::Enough::all);
    // A side is told by the cells along it that are the seat's or empty: each of them is joined to it.
    const auto end = [&](int number) {
      Cells<W> cells = links.cells(number);
      const auto which = static_cast<std::size_t>(seat);
      if (number == HexLinks<W>::kLow) cells |= map.low[which];
      if (number == HexLinks<W>::kHigh) cells |= map.high[which];
      return listed(cells - map.stones(*v.rules, v.view.pub)[other(seat)]);
    };
    std::vector<Told> out;
    links.each([&](const typename HexLinks<W>::Link& link) {
      const auto key = link.half ? std::optional<int>(link.key) : std::nullopt;
      out.emplace_back(end(link.one), end(link.two), listed(link.carrier & links.empty()), key);
    });
    return out;
  });
}

}  // namespace

void bind_hex_proof(nb::module_& m) {
  nb::class_<HexInsight>(m, "HexInsight", "What is seen of a position without search: see core/hex/analyser.hpp.")
      .def_prop_ro("filled",
                   [](const HexInsight& seen) { return std::tuple{listed(seen.filled[0]), listed(seen.filled[1])}; })
      .def_prop_ro("winner", [](const HexInsight& seen) { return seat_or_none(seen.winner); })
      .def_prop_ro("move", [](const HexInsight& seen) -> std::optional<int> {
        return seen.move < 0 ? std::nullopt : std::optional<int>(seen.move);
      })
      .def_prop_ro("must_play", [](const HexInsight& seen) { return listed(seen.must_play); })
      .def_prop_ro("moves", [](const HexInsight& seen) { return listed(seen.moves); });
  m.def("hex_insight",
        [](const V& v, int seat) {
          if (v.view.pub.winner != kNobody) throw nb::value_error("the match is over there");
          return HexConnections(*v.rules).look(v.view.pub, checked_seat(seat));
        },
        "view"_a, "seat"_a, "What can be seen with that seat on turn.");
  m.def("hex_links", [](const V& v, int seat) { return links_of(v, checked_seat(seat)); }, "view"_a, "seat"_a,
        "The links found for the seat: cells of both ends, the carrier, and for a half link the cell to take first.");
  m.def("hex_solver",
        [](const V& v, bool every, int memory, int threads, std::optional<std::uint64_t> nodes,
           std::optional<double> seconds, std::optional<std::int64_t> link_work) {
          if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
          const State<Hex> root{v.view.pub, {}, {}};
          Actions<Hex> actions;
          v.rules->legal(v.view, actions);
          const HexSolver::Options options{Resources(memory, threads), every, link_work};
          const auto solver = std::make_shared<HexSolver>(*v.rules, root, options);
          const auto work = [solver](Limits& limits, SharedChoice& shared) { solver->choose(limits, shared); };
          return new_search(v.game, work, actions[0], nodes, seconds);
        },
        "view"_a, "every"_a = false, "memory"_a = Resources::kMegabytes, "threads"_a = 1, "nodes"_a = nb::none(),
        "seconds"_a = nb::none(), "link_work"_a = nb::none(), nb::rv_policy::take_ownership,
        "Values are 1 and -1, and 0 while nothing is proven: see core/hex/solver.hpp.");
}

}  // namespace ludoteca
