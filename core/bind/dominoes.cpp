// Dominoes as Python sees it.
#include "bind/bind.hpp"
#include "bind/search.hpp"
#include "bind/tree.hpp"
#include "dominoes/evaluation.hpp"
#include "dominoes/expectimax.hpp"
#include "dominoes/minimax.hpp"
#include "dominoes/observation.hpp"
#include "dominoes/rules.hpp"
#include "dominoes/worlds.hpp"

namespace ludoteca {

namespace {
// The tiles of a list. Raises ValueError for one that is not in the set.
Tiles::Set tile_set(const Dominoes& rules, const std::vector<int>& tiles) {
  Tiles::Set set = 0;
  for (const int tile : tiles) {
    if (tile < 0 || tile >= rules.num_tiles()) throw nb::value_error("a tile that is not in the set");
    set |= Tiles::one(tile);
  }
  return set;
}
}  // namespace

void bind_dominoes(nb::module_& m) {
  auto [rules, view] = bind_game<Dominoes>(m, "Dominoes");
  rules.def(nb::init<int, int, bool, bool, bool, bool>(), "pips"_a, "hand"_a, "drawing"_a, "double_starts"_a,
            "blocked_counts"_a, "points"_a)
      .def_prop_ro("num_tiles", &Dominoes::num_tiles)
      .def_prop_ro("points_scale", &Dominoes::points_scale)
      .def("arrange_tiles",
           [](nb::object self, std::vector<Action> line, std::array<std::vector<int>, 2> hands, std::array<int, 2> more,
              int turn, std::uint64_t seed) {
             BoundState<Dominoes> out{self, nb::cast<const Dominoes*>(self), {}};
             Dominoes::Start start{std::move(line), {}, more, checked_seat(turn)};
             for (const std::size_t seat : {0u, 1u}) start.hands[seat] = tile_set(*out.rules, hands[seat]);
             out.rules->arrange(start, Rng{seed}, out.state);
             return out;
           },
           "line"_a, "hands"_a, "more"_a, "turn"_a, "seed"_a,
           "A position set up by hand; over at once if no seat can play. Raises ValueError for an impossible position.\n\n"
           "line: actions that lay it, the first with side 1 if its high number faces right. more: how many tiles the "
           "seed adds to each hand.")
      .def("first_view",
           [](nb::object self, std::vector<int> hand, int seat, int turn) {
             const Dominoes& rules = *nb::cast<const Dominoes*>(self);
             const Tiles::Set tiles = tile_set(rules, hand);
             if (std::popcount(tiles) != rules.hand) throw nb::value_error("not as many tiles as are dealt");
             return BoundView<Dominoes>{
                 self, &rules, DominoesObservation(rules).first_view(tiles, checked_seat(seat), checked_seat(turn))};
           },
           "hand"_a, "seat"_a, "turn"_a, "What a seat sees after a deal that gave it these tiles.");
  using V = BoundView<Dominoes>;
  using Ends = Dominoes::Ends;
  using Pair = std::tuple<int, int>;
  static constexpr auto tiles = [](Tiles::Set set) {
    std::vector<int> out;
    Tiles::each(set, [&](int tile) { out.push_back(tile); });
    return out;
  };
  // The log as a list: item(seat, action, ends before it) for each action, without those where it is empty. The seat of
  // a Start's line is kNobody.
  static constexpr auto log_items = [](const V& v, auto item) {
    std::vector<typename decltype(item(Seat{}, Action{}, Ends{}))::value_type> out;
    v.rules->replay_log(v.view.pub, [&](Seat seat, Action action, const Ends& ends) {
      if (auto made = item(seat, action, ends)) out.push_back(*made);
    });
    return out;
  };
  view.def_prop_ro("hand", [](const V& v) { return tiles(v.view.own.hand); })
      .def_prop_ro("unseen", [](const V& v) { return tiles(v.rules->unseen(v.view)); })
      .def_prop_ro("ends",
                   [](const V& v) -> std::optional<Pair> {
                     const Ends& ends = v.view.pub.ends;
                     if (ends[0] < 0) return std::nullopt;
                     return Pair{ends[0], ends[1]};
                   })
      .def_prop_ro("counts", [](const V& v) { return Pair{v.view.pub.count[0], v.view.pub.count[1]}; },
                   "How many tiles each seat holds.")
      .def_prop_ro("boneyard", [](const V& v) { return static_cast<int>(v.view.pub.boneyard); })
      .def_prop_ro("winner", [](const V& v) { return seat_or_none(v.view.pub.winner); })
      .def_prop_ro(
          "highest_starts", [](const V& v) { return v.rules->best_starts(v.view.pub); },
          "Whether the highest double, or without one the heaviest tile, of both hands must be the first.")
      .def_prop_ro("lacks",
                   [](const V& v) {
                     const auto& lacks = v.view.pub.lacks;
                     return std::tuple{tiles(lacks[0]), tiles(lacks[1])};
                   },
                   "The numbers that each seat has shown not to hold.")
      .def_prop_ro("revealed",
                   [](const V& v) -> std::optional<std::tuple<std::vector<int>, std::vector<int>>> {
                     if (v.view.pub.turn != kNobody) return std::nullopt;
                     return std::tuple{tiles(v.view.pub.revealed[0]), tiles(v.view.pub.revealed[1])};
                   },
                   "The tiles left in each hand, once the match is over.")
      .def_prop_ro("log",
                   [](const V& v) {
                     return log_items(v, [](Seat seat, Action action, const Ends&) -> std::optional<Pair> {
                       if (seat == kNobody) return std::nullopt;
                       return Pair{seat, action};
                     });
                   },
                   "(seat, action) of each action played.")
      .def_prop_ro("line",
                   [](const V& v) {
                     using Laid = std::tuple<int, std::optional<int>, int>;
                     const Action draw = v.rules->draw_action();
                     return log_items(v, [draw](Seat seat, Action action, const Ends&) -> std::optional<Laid> {
                       if (action >= draw) return std::nullopt;
                       return Laid{action / 2, seat_or_none(seat), action % 2};
                     });
                   },
                   "(tile, seat, side) of each tile laid; no seat for the line of a position set up by hand.")
      .def_prop_ro("stuck",
                   [](const V& v) {
                     using Stuck = std::tuple<int, int, int, int>;
                     const Action draw = v.rules->draw_action();
                     return log_items(v, [draw](Seat seat, Action action, const Ends& ends) -> std::optional<Stuck> {
                       if (action < draw) return std::nullopt;
                       return Stuck{seat, action, ends[0], ends[1]};
                     });
                   },
                   "(seat, action, left end, right end) of each draw and pass.")
      .def("after",
           [](const V& v, GivenAction given, std::optional<int> drawn) -> std::optional<V> {
             const auto seen = DominoesObservation(*v.rules).after(v.view, given.action, drawn.value_or(-1));
             if (!seen) return std::nullopt;
             return V{v.game, v.rules, *seen};
           },
           "action"_a, "drawn"_a = nb::none(),
           "What this seat sees after an action of the seat on turn; None if the rules forbid it.\n\n"
           "drawn: the tile that this seat draws. See core/dominoes/observation.hpp.")
      .def("reveal",
           [](const V& v, std::vector<int> theirs) -> std::optional<V> {
             const auto seen = DominoesObservation(*v.rules).reveal(v.view, tile_set(*v.rules, theirs));
             if (!seen) return std::nullopt;
             return V{v.game, v.rules, *seen};
           },
           "tiles"_a, "What this seat sees when the other shows these tiles in a blocked round or after the end; else None.")
      .def_prop_ro("possible", [](const V& v) { return DominoesObservation(*v.rules).possible(v.view); },
                   "Whether some deal shows this view.")
      .def("holding_chance",
           [](const V& v, std::vector<int> tiles) {
             return DominoesObservation(*v.rules).chance(v.view, tile_set(*v.rules, tiles));
           },
           "tiles"_a, "The probability that the other holds one of these tiles, over all deals that show this view.")
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        const Dominoes::Public& pub = v.view.pub;
        if (pub.length == std::popcount(pub.opening)) return std::nullopt;
        return Dominoes::action_of(pub.log[pub.length - 1u]);
      });
}

void bind_dominoes_searches(nb::module_& m) {
  bind_tree<Dominoes, DominoesTiles>(m, "Dominoes");
  // Checks the arguments of both searches. Returns the first legal action.
  static constexpr auto check = [](const BoundView<Dominoes>& v, int depth) {
    if (v.view.pub.turn != v.view.seat) throw nb::value_error("the seat of the view is not on turn");
    if (depth < 1 || depth > DominoesMinimax::kMaxDepth) throw nb::value_error("depth must be 1 to 64");
    Actions<Dominoes> actions;
    v.rules->legal(v.view, actions);
    if (!actions.size || actions[0] >= v.rules->draw_action()) {
      throw nb::value_error("the seat of the view has no tile that fits");
    }
    return actions[0];
  };
  m.def(
      "dominoes_expectimax",
      [](const BoundView<Dominoes>& v, int depth, std::uint64_t most, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        const Action first = check(v, depth);
        if (!v.rules->drawing) throw nb::value_error("the program plays only games with drawing");
        const auto work = [rules = v.rules, depth, most, view = v.view](Limits& limits, SharedChoice& shared) {
          DominoesExpectimax(*rules, limits).choose(view, depth, most, shared);
        };
        return new_search(v.game, work, first, nodes, seconds);
      },
      "view"_a, "depth"_a, "most"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are points: see core/dominoes/expectimax.hpp. most: nodes of a search that runs without a limit.");
  m.def(
      "dominoes_minimax",
      [](const BoundView<Dominoes>& v, int depth, bool mean, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        const Action first = check(v, depth);
        const auto reply = mean ? DominoesMinimax::Reply::mean : DominoesMinimax::Reply::worst;
        const auto work = [rules = v.rules, reply, depth, view = v.view](Limits& limits, SharedChoice& shared) {
          DominoesMinimax(*rules, reply, limits).choose(view, depth, shared);
        };
        return new_search(v.game, work, first, nodes, seconds);
      },
      "view"_a, "depth"_a, "mean"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(),
      nb::rv_policy::take_ownership, "Values are points: see core/dominoes/minimax.hpp.");
}

}  // namespace ludoteca
