// Looks that see more and more, so that a search which is stopped has something to show.
#pragma once

#include "search/choice.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// Looks `depth` plies ahead at once where nothing can end the search early. Else it looks 1, 2, 3… plies ahead, and
// when the end comes the deepest finished look stands. `look(plies)` gives a Choice and asks the same limits.
template <class F>
void deepen(const Limits& limits, SharedChoice& shared, int depth, F look) {
  for (int plies = limits.may_end_early() ? 1 : depth; plies <= depth; ++plies) {
    Choice found = look(plies);
    if (limits.spent()) return;
    const bool last = plies == depth || found.exhaustive;
    found.complete = last;
    shared.update([&](Choice& choice) { choice = std::move(found); });
    if (last) return;
  }
}

// One look at the actions of the root, which are searched one after another. What it has found so far counts as soon as
// it has searched what was chosen before: until then the look before knows better.
class Round {
 public:
  Round(SharedChoice& shared, int depth) : shared_(shared) {
    const Choice before = shared.read();
    before_ = before.action;
    counts_ = before.depth == 0;
    found_.depth = depth;
  }

  bool empty() const { return found_.scores.empty(); }
  double best() const { return found_.value; }  // means nothing while it is empty

  // Adds an action that was searched, its value, and the play after it. Only a better one replaces the best.
  template <int Capacity>
  void add(Action action, double value, const Line<Capacity>& rest) {
    const bool better = empty() || value > found_.value;
    if (better) {
      found_.action = action;
      found_.value = value;
      found_.line.put_first(action, rest);
    }
    found_.scores.emplace_back(action, value);
    counts_ |= action == before_;
    if (!counts_) return;
    if (better || !shown_) {
      show();
    } else {  // one more score, and nothing else
      shared_.update([&](Choice& choice) { choice.scores.emplace_back(action, value); });
    }
  }

  // Says that nothing is left to search; `complete`: in no other round either.
  void finish(bool complete) {
    found_.complete = complete;
    show();
  }

 private:
  SharedChoice& shared_;
  Action before_;
  bool counts_, shown_ = false;
  Choice found_;

  void show() {
    shared_.update([&](Choice& choice) { choice = found_; });
    shown_ = true;
  }
};

}  // namespace ludoteca
