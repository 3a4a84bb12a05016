// Iterative deepening with aspiration windows: each iteration searches a narrow window around the last value.
#pragma once

#include <algorithm>

#include "search/alphabeta.hpp"

namespace ludoteca {

// Searches first_depth, first_depth + 1, … max_depth plies until a value is proven or the limits are spent. Returns the
// result of the last finished iteration; {0, not proven} if none finished. half_width: half of the first window; 0 for
// full windows. `on_result(depth, result, finished)` is called for each better root move and after each iteration, when
// root_moves() and line() of the search begin with the best; after an iteration it returns whether to go on.
template <AlphaBetaGame P, class OnResult>
typename AlphaBeta<P>::Result aspiration_search(AlphaBeta<P>& search, const Limits& limits, const typename P::Node& root,
                                                int first_depth, int max_depth, int half_width, int tolerance,
                                                OnResult on_result) {
  constexpr int infinity = P::kInfinity;
  typename AlphaBeta<P>::Result last{0, false};
  for (int depth = first_depth; depth <= max_depth; ++depth) {
    const bool narrow = half_width && depth > first_depth + 1;
    int below = narrow ? half_width : 2 * infinity, above = below;
    while (true) {
      const int alpha = std::max(last.value - below, -infinity), beta = std::min(last.value + above, infinity);
      const auto result = search.search_root(root, depth, alpha, beta, tolerance,
                                             [&](const auto& better) { on_result(depth, better, false); });
      if (limits.spent()) return last;
      if (result.value <= alpha && alpha > -infinity) {
        below *= 4;
      } else if (result.value >= beta && beta < infinity) {
        above *= 4;
      } else {
        last = result;
        break;
      }
    }
    if (!on_result(depth, last, true) || last.proven) break;
  }
  return last;
}

}  // namespace ludoteca
