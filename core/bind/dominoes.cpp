// Dominoes as Python sees it.
#include "bind/bind.hpp"
#include "dominoes/rules.hpp"
#include "dominoes/minimax.hpp"
#include "dominoes/program.hpp"

namespace ludoteca {

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
             for (const std::size_t seat : {0u, 1u}) {
               for (const int tile : hands[seat]) {
                 if (tile < 0 || tile >= out.rules->num_tiles()) throw nb::value_error("a tile that is not in the set");
                 start.hands[seat] |= Tiles::one(tile);
               }
             }
             out.rules->arrange(start, Rng{seed}, out.state);
             return out;
           },
           "line"_a, "hands"_a, "more"_a, "turn"_a, "seed"_a);
  using V = BoundView<Dominoes>;
  using Ends = Dominoes::Ends;
  static constexpr auto tiles = [](Tiles::Set set) {
    nb::list out;
    Tiles::each(set, [&](int tile) { out.append(tile); });
    return out;
  };
  static constexpr auto pair = [](auto a, auto b) { return nb::make_tuple(a, b); };
  // The log as a list of what `told(seat, action, ends before it)` makes of each action, where it is not None. The seat
  // of a start's line is kNobody.
  static constexpr auto retold = [](const V& v, auto told) {
    nb::list out;
    v.rules->retell(v.view.pub, [&](Seat seat, Action action, const Ends& ends) {
      nb::object item = told(seat, action, ends);
      if (!item.is_none()) out.append(item);
    });
    return out;
  };
  view.def_prop_ro("hand", [](const V& v) { return tiles(v.view.own.hand); })
      .def_prop_ro("unseen", [](const V& v) { return tiles(v.rules->unseen(v.view)); })
      .def_prop_ro("ends",
                   [](const V& v) -> nb::object {
                     const Ends& ends = v.view.pub.ends;
                     if (ends[0] < 0) return nb::none();
                     return pair(static_cast<int>(ends[0]), static_cast<int>(ends[1]));
                   })
      .def_prop_ro("counts",
                   [](const V& v) {
                     return pair(static_cast<int>(v.view.pub.count[0]), static_cast<int>(v.view.pub.count[1]));
                   })
      .def_prop_ro("boneyard", [](const V& v) { return static_cast<int>(v.view.pub.boneyard); })
      .def_prop_ro("winner", [](const V& v) { return seat_or_none(v.view.pub.winner); })
      .def_prop_ro("lacks",
                   [](const V& v) {
                     const auto& lacks = v.view.pub.lacks;
                     return pair(tiles(lacks[0]), tiles(lacks[1]));
                   })
      .def_prop_ro("revealed",
                   [](const V& v) -> nb::object {
                     if (v.view.pub.turn != kNobody) return nb::none();
                     return pair(tiles(v.view.pub.revealed[0]), tiles(v.view.pub.revealed[1]));
                   })
      .def_prop_ro("log",
                   [](const V& v) {
                     return retold(v, [](Seat seat, Action action, const Ends&) -> nb::object {
                       if (seat == kNobody) return nb::none();
                       return pair(static_cast<int>(seat), action);
                     });
                   })
      .def_prop_ro("line",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](Seat seat, Action action, const Ends&) -> nb::object {
                       if (action >= draw) return nb::none();
                       return nb::make_tuple(action / 2, seat_or_none(seat), action % 2);
                     });
                   })
      .def_prop_ro("stuck",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](Seat seat, Action action, const Ends& ends) -> nb::object {
                       if (action < draw) return nb::none();
                       return nb::make_tuple(static_cast<int>(seat), action, static_cast<int>(ends[0]),
                                             static_cast<int>(ends[1]));
                     });
                   })
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        const Dominoes::Public& pub = v.view.pub;
        if (pub.length == std::popcount(pub.opening)) return std::nullopt;
        return Dominoes::action_of(pub.log[pub.length - 1u]);
      });
}

void bind_dominoes_minimax(nb::module_& m) {
  // What both searches ask of a view before they begin.
  static constexpr auto check = [](const BoundView<Dominoes>& v, int depth) {
    if (v.view.pub.turn != v.view.seat) throw nb::value_error("it is not the turn of the seat that looks");
    if (depth < 1 || depth > DominoesMinimax::kMaxDepth) throw nb::value_error("depth must be 1 to 64");
    Actions<Dominoes> actions;
    v.rules->legal(v.view, actions);
    if (actions[0] >= v.rules->draw_action()) throw nb::value_error("the seat that looks has no tile that fits");
  };
  m.def(
      "dominoes_program",
      [](const BoundView<Dominoes>& v, int depth, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        check(v, depth);
        if (!v.rules->drawing) throw nb::value_error("the program knows only games with drawing");
        nb::gil_scoped_release unlocked;
        return DominoesProgram(*v.rules, Budget(nodes, seconds)).search(v.view, depth);
      },
      "view"_a, "depth"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none());
  m.def(
      "dominoes_minimax",
      [](const BoundView<Dominoes>& v, int depth, bool mean, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        check(v, depth);
        nb::gil_scoped_release unlocked;
        const auto reply = mean ? DominoesMinimax::Reply::mean : DominoesMinimax::Reply::worst;
        return DominoesMinimax(*v.rules, reply, Budget(nodes, seconds)).search(v.view, depth);
      },
      "view"_a, "depth"_a, "mean"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none());
}

}  // namespace ludoteca
