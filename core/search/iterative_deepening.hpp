// Iterative deepening for searches that value every root action, so that a search that is stopped has a result.
#pragma once

#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// Searches `depth` plies at once if nothing can end the search early. Otherwise it searches 1, 2, 3… plies, and the
// deepest finished iteration counts. `search(plies)` returns a Choice and obeys the same limits.
template <class F>
void iterative_deepening(const Limits& limits, SharedChoice& shared, int depth, F search) {
  for (int plies = limits.may_end_early() ? 1 : depth; plies <= depth; ++plies) {
    Choice found = search(plies);
    if (limits.spent()) return;
    const bool last = plies == depth || found.exhaustive;
    found.complete = last;
    shared.update([&](Choice& choice) { choice = std::move(found); });
    if (last) return;
  }
}

// One iteration over the root actions, published action by action. Nothing is published before the choice of the last
// iteration has been searched again: until then that choice is the better founded one.
class Iteration {
 public:
  Iteration(SharedChoice& shared, int depth) : shared_(shared) {
    const Choice last = shared.read();
    last_action_ = last.action;
    counts_ = last.depth == 0;
    found_.depth = depth;
  }

  bool empty() const { return found_.scores.empty(); }
  double best() const { return found_.value; }  // meaningless while empty

  // Adds a searched action, its value, and the line after it. Of equal actions the first stays the best.
  template <int Capacity>
  void add(Action action, double value, const Line<Capacity>& rest) {
    const bool better = empty() || value > found_.value;
    if (better) {
      found_.action = action;
      found_.value = value;
      found_.line.put_first(action, rest);
    }
    found_.scores.emplace_back(action, value);
    counts_ |= action == last_action_;
    if (!counts_) return;
    if (better || !shown_) {
      show();
    } else {  // only one more score
      shared_.update([&](Choice& choice) { choice.scores.emplace_back(action, value); });
    }
  }

  // Publishes the iteration. complete: no other iteration follows.
  void finish(bool complete) {
    found_.complete = complete;
    show();
  }

 private:
  SharedChoice& shared_;
  Action last_action_;
  bool counts_, shown_ = false;
  Choice found_;

  void show() {
    shared_.update([&](Choice& choice) { choice = found_; });
    shown_ = true;
  }
};

}  // namespace ludoteca
