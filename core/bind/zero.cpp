// The settings of self-play as Python sees them: see zero.hpp.
#include "bind/zero.hpp"

namespace ludoteca {

void bind_self_play_settings(nb::module_& m) {
  nb::enum_<Selection>(m, "Selection", "How a node of a search with a network selects an edge.")
      .value("improved_policy", Selection::improved_policy)
      .value("puct", Selection::puct);
  using S = SelfPlaySettings;
  nb::class_<S>(m, "SelfPlaySettings")
      .def(nb::init<>())
      .def_rw("simulations", &S::simulations)
      .def_rw("selection", &S::selection)
      .def_rw("candidates", &S::candidates)
      .def_rw("early", &S::early)
      .def_rw("late_noise", &S::late_noise)
      .def_rw("resign", &S::resign)
      .def_rw("play_on", &S::play_on)
      .def_rw("result_share", &S::result_share)
      .def_rw("trace", &S::trace)
      .def_rw("random_actions", &S::random_actions)
      .def_rw("full_share", &S::full_share)
      .def_rw("decided_share", &S::decided_share)
      .def_rw("quick_simulations", &S::quick_simulations)
      .def_rw("remember", &S::remember);
}

}  // namespace ludoteca
