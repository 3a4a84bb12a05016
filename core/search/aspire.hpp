// Looks that see ply by ply further, each through a window around what the look before has found.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "search/alphabeta.hpp"

namespace ludoteca {

// Looks first, first + 1, … most plies ahead, until a value is whole or the limits are spent; what the last finished
// look found, and nothing whole if there was none. width: half of the first window; 0: windows stay open.
// `show(depth, found, finished)`: there is a better choice, which is the search's ranking and line; it answers whether
// to go on after a finished look.
template <Positions P, class Show>
typename AlphaBeta<P>::Found aspire(AlphaBeta<P>& search, const Limits& limits, const typename P::Node& root, int first,
                                    int most, int width, int tolerance, Show show) {
  constexpr int infinity = P::kInfinity;
  typename AlphaBeta<P>::Found known{0, false};
  for (int depth = first; depth <= most; ++depth) {
    const bool guided = width && depth > first + 1;
    int below = guided ? width : 2 * infinity, above = below;
    while (true) {
      const int alpha = std::max(known.value - below, -infinity), beta = std::min(known.value + above, infinity);
      const auto found = search.look(root, depth, alpha, beta, tolerance,
                                     [&](const auto& better) { show(depth, better, false); });
      if (limits.spent()) return known;
      if (found.value <= alpha && alpha > -infinity) {
        below *= 4;
      } else if (found.value >= beta && beta < infinity) {
        above *= 4;
      } else {
        known = found;
        break;
      }
    }
    if (!show(depth, known, true) || known.whole) break;
  }
  return known;
}

// Runs `work(number, limits, begun)` on this thread as number 0, and on helpers of its own once this one has said by
// `begun()` that there was time for something. The helpers are stopped when it is done; they help by what they leave in a
// table that all share. If nodes are counted there are no helpers.
template <class F>
void together(int threads, Limits& limits, F work) {
  std::atomic<bool> started{false};
  const auto begin = [&started] {
    started = true;
    started.notify_all();
  };
  std::vector<std::unique_ptr<Limits>> theirs;
  std::vector<std::jthread> helpers;
  struct Stop {
    std::vector<std::unique_ptr<Limits>>& all;
    const decltype(begin)& wake;
    ~Stop() {
      for (auto& each : all) each->stop();
      wake();
    }
  } stop{theirs, begin};  // goes first, then the threads are joined
  for (int i = 1; i < threads && !limits.counts_nodes(); ++i) {
    Limits& own = *theirs.emplace_back(std::make_unique<Limits>(limits));
    helpers.emplace_back([&started, work, begin, i, &own] {
      started.wait(false);
      work(i, own, begin);
      own.show_nodes();
    });
  }
  work(0, limits, begin);
}

}  // namespace ludoteca
