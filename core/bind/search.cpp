// Searches as Python sees them: see search.hpp.
#include "bind/bind.hpp"
#include "bind/search.hpp"

namespace ludoteca {

void bind_search(nb::module_& m) {
  nb::class_<Choice>(m, "Choice", "What a search has chosen: a snapshot that no longer changes.")
      .def_ro("action", &Choice::action)
      .def_ro("value", &Choice::value, "In the search's own unit.")
      .def_ro("scores", &Choice::scores, "The actions that were searched, in that order, with their values.")
      .def_prop_ro("line", [](const Choice& c) { return list_of(c.line); }, "The play that it expects, its own action first.")
      .def_ro("nodes", &Choice::nodes)
      .def_ro("worlds", &Choice::worlds,
              "How many it has searched that agree with what the seat sees; 0 where it does not search by worlds.")
      .def_ro("depth", &Choice::depth,
              "Plies; 0 while nothing has been searched, and then there are neither value nor scores.")
      .def_ro("complete", &Choice::complete, "Whether all was done that was asked for: no limit came first.")
      .def_ro("exhaustive", &Choice::exhaustive, "Whether a deeper search finds the same.");

  using B = BoundSearch;
  nb::class_<B>(m, "Search",
                "A search that runs once. It can be watched and stopped from any thread, and stops when it is deleted.")
      .def("run",
           [](B& b) {
             const nb::gil_scoped_release unlocked;
             return b.search->run();
           },
           "Searches here, to the end or a limit; other Python threads go on. Raises RuntimeError if it was started before.")
      .def("start",
           [](B& b) {
             const nb::gil_scoped_release unlocked;
             b.search->start();
           },
           "Begins to search on a thread of its own. Raises RuntimeError if it was started before.")
      .def("wait",
           [](B& b, double seconds) {
             const nb::gil_scoped_release unlocked;
             return b.search->wait(seconds);
           },
           "seconds"_a,
           "Whether the search has ended. Waits for that, but at most so long, and not if the choice has become better "
           "since the last wait. Raises RuntimeError if it was never started, and whatever ended it early.")
      .def("choice", [](const B& b) { return b.search->choice(); }, "The best so far.")
      .def("stop", [](B& b) { b.search->stop(); },
           "Lets the search end at once with the best so far; if it was not started yet, as soon as it starts.");
}

}  // namespace ludoteca
