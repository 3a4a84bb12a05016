// What both beams share: which moves are searched, and how their values are put together.
#pragma once

#include <algorithm>
#include <vector>

#include "game.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// Keeps the `count` moves with the best scores, the best first; of equal ones the lower cell comes first.
template <class Move>
void keep_best(std::vector<Move>& moves, int count) {
  const auto kept = std::min(moves.size(), index(count));
  std::partial_sort(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(kept), moves.end(),
                    [](const Move& a, const Move& b) {
                      return a.score != b.score ? a.score > b.score : a.action < b.action;
                    });
  moves.resize(kept);
}

// One ply of alpha-beta. ours: the searcher is on turn. best: a value worse than any. search(move, alpha, beta, line):
// the value of a move, and the line after it. Meaningless if the limits are spent afterwards.
template <class Value, class Moves, class Rest, class Search>
Value best_of_moves(const Moves& moves, bool ours, Value best, Value alpha, Value beta, const Limits& limits, Rest& line,
                    const Search& search) {
  for (const auto& move : moves) {
    Rest rest;
    const Value value = search(move, alpha, beta, rest);
    if (limits.spent()) return 0;
    if (ours ? value > best : value < best) {
      best = value;
      line.put_first(move.action, rest);
    }
    (ours ? alpha : beta) = ours ? std::max(alpha, best) : std::min(beta, best);
    if (beta <= alpha) break;
  }
  return best;
}

}  // namespace ludoteca
