// Searches as Python sees them: one class for all, created by a function of each game.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <memory>

#include "search/search.hpp"

namespace ludoteca {

// Keeps the game alive for as long as its search may run.
struct BoundSearch {
  nanobind::object game;  // the Python object, which owns the rules that the search uses
  std::unique_ptr<Search> search;
  const pid_t process = getpid();

  ~BoundSearch() {
    if (getpid() != process) {
      search.release();  // a fork copied the search but not its thread: nothing can be joined, and locks may be held
      return;
    }
    const nanobind::gil_scoped_release unlocked;
    search.reset();
  }
};

// A search that calls `work(limits, shared)`, which owns a copy of everything it uses. first: the choice before there
// is a result.
template <class Work>
BoundSearch* new_search(const nanobind::object& game, Work work, Action first, std::optional<std::uint64_t> nodes,
                        std::optional<double> seconds) {
  return new BoundSearch{game, std::make_unique<Search>(std::move(work), first, nodes, seconds)};
}

}  // namespace ludoteca
