// What the depth-limited minimax searches share: their answer, and how they use a limit.
#pragma once

#include <utility>
#include <vector>

#include "search/limits.hpp"
#include "game.hpp"

namespace ludoteca {

// What a look so many plies ahead has found.
struct Look {
  Action action = 0;           // the first of the best; the first legal one if no look was finished
  std::vector<double> values;  // for each legal action, ascending: what it leads to, in the search's own unit
  std::vector<Action> line;    // the play that gives this value, `action` first
  int depth = 0;               // plies; 0 if no look was finished, and then there are no values
  bool exhaustive = false;     // nothing that counts was cut by the depth: deeper finds the same
  std::uint64_t nodes = 0;     // looked at, the root not counted
};

// Without a limit it looks `depth` plies ahead at once. With one it looks 1, 2, 3… plies ahead, and when the budget
// is spent the deepest finished look stands. `look` takes the plies and uses the same budget.
template <class F>
Look deepen(const Budget& budget, int depth, Action first, F look) {
  Look best;
  best.action = first;
  for (int plies = budget.limited() ? 1 : depth; plies <= depth && !best.exhaustive; ++plies) {
    Look found = look(plies);
    if (budget.spent()) break;
    best = std::move(found);
  }
  best.nodes = budget.nodes();
  return best;
}

}  // namespace ludoteca
