// Dominoes as Python sees it.
#include "bind.hpp"
#include "dominoes.hpp"
#include "dominoes_minimax.hpp"

namespace ludoteca {

void bind_dominoes(nb::module_& m) {
  auto [rules, view] = bind_game<Dominoes>(m, "Dominoes");
  rules.def(nb::init<int, int, bool, bool, bool, bool>(), "pips"_a, "hand"_a, "drawing"_a, "double_starts"_a,
            "blocked_counts"_a, "points"_a)
      .def_prop_ro("num_tiles", &Dominoes::num_tiles)
      .def_prop_ro("points_scale", &Dominoes::points_scale);
  using V = BoundView<Dominoes>;
  using Ends = Dominoes::Ends;
  static constexpr auto tiles = [](Tiles::Set set) {
    nb::list out;
    Tiles::each(set, [&](int tile) { out.append(tile); });
    return out;
  };
  static constexpr auto pair = [](auto a, auto b) { return nb::make_tuple(a, b); };
  // The log as a list of what `told(seat, action, ends before it)` makes of each action, where it is not None.
  static constexpr auto retold = [](const V& v, auto told) {
    nb::list out;
    v.rules->retell(v.view.pub, [&](Seat seat, Action action, const Ends& ends) {
      nb::object item = told(static_cast<int>(seat), action, ends);
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
                     return retold(v, [](int seat, Action action, const Ends&) -> nb::object {
                       return pair(seat, action);
                     });
                   })
      .def_prop_ro("line",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](int seat, Action action, const Ends&) -> nb::object {
                       if (action >= draw) return nb::none();
                       return nb::make_tuple(action / 2, seat, action % 2);
                     });
                   })
      .def_prop_ro("stuck",
                   [](const V& v) {
                     const Action draw = v.rules->draw_action();
                     return retold(v, [draw](int seat, Action action, const Ends& ends) -> nb::object {
                       if (action < draw) return nb::none();
                       return nb::make_tuple(seat, action, static_cast<int>(ends[0]), static_cast<int>(ends[1]));
                     });
                   })
      .def_prop_ro("last", [](const V& v) -> std::optional<int> {
        if (!v.view.pub.length) return std::nullopt;
        return Dominoes::action_of(v.view.pub.log[v.view.pub.length - 1u]);
      });
}

void bind_dominoes_minimax(nb::module_& m) {
  m.def(
      "dominoes_minimax",
      [](const BoundView<Dominoes>& v, int depth, bool mean, std::optional<std::uint64_t> nodes,
         std::optional<double> seconds) {
        const View<Dominoes>& view = v.view;
        if (view.pub.turn != view.seat) throw nb::value_error("it is not the turn of the seat that looks");
        if (depth < 1 || depth > DominoesMinimax::kMaxDepth) throw nb::value_error("depth must be 1 to 64");
        Actions<Dominoes> actions;
        v.rules->legal(view, actions);
        if (actions[0] >= v.rules->draw_action()) throw nb::value_error("the seat that looks has no tile that fits");
        nb::gil_scoped_release unlocked;
        const auto reply = mean ? DominoesMinimax::Reply::mean : DominoesMinimax::Reply::worst;
        return DominoesMinimax(*v.rules, reply, Budget(nodes, seconds)).search(view, depth);
      },
      "view"_a, "depth"_a, "mean"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none());
}

}  // namespace ludoteca
