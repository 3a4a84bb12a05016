// Searches as Python sees them: see search.hpp.
#include "bind/bind.hpp"
#include "bind/search.hpp"

namespace ludoteca {

void bind_search(nb::module_& m) {
  nb::class_<Choice>(m, "Choice", "The result of a search: a snapshot that no longer changes.")
      .def_ro("action", &Choice::action)
      .def_ro("value", &Choice::value, "In the search's own unit.")
      .def_ro("scores", &Choice::scores, "The searched actions with their values, in the order of the search.")
      .def_prop_ro("line", [](const Choice& c) { return list_of(c.line); }, "The principal variation, the chosen action first.")
      .def_ro("nodes", &Choice::nodes)
      .def_ro("worlds", &Choice::worlds,
              "Determinizations searched; 0 for a search without them.")
      .def_ro("depth", &Choice::depth,
              "Plies; 0 while nothing has been searched, and then there are neither value nor scores.")
      .def_ro("complete", &Choice::complete, "Whether the search has done all that was asked: no limit ended it early.")
      .def_ro("exhaustive", &Choice::exhaustive, "Whether the value rests on no estimate: a deeper search finds the same.");

  using B = BoundSearch;
  nb::class_<B>(m, "Search",
                "A search that runs once. It can be watched and stopped from any thread; deleting it stops it.")
      .def("run",
           [](B& b) {
             const nb::gil_scoped_release unlocked;
             return b.search->run();
           },
           "Searches on the calling thread, to the end or a limit; other Python threads run on. Raises RuntimeError if it was "
           "started before.")
      .def("start",
           [](B& b) {
             const nb::gil_scoped_release unlocked;
             b.search->start();
           },
           "Starts the search on a new thread. Raises RuntimeError if it was started before.")
      .def("wait",
           [](B& b, double seconds) {
             const nb::gil_scoped_release unlocked;
             return b.search->wait(seconds);
           },
           "seconds"_a,
           "Waits for the end, at most so many seconds, or for a better choice than at the last wait. Returns whether the search "
           "has ended. Raises RuntimeError if it was never started, and the exception that ended it early.")
      .def("choice", [](const B& b) { return b.search->choice(); }, "The best so far.")
      .def("stop", [](B& b) { b.search->stop(); },
           "Ends the search at once with the best so far; a search that was not started ends as soon as it starts.");
}

}  // namespace ludoteca
