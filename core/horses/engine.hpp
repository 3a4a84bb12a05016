// The engine of Horses: alpha-beta, first for the result, then for the points.
//
// The first search asks only who wins. It can skip everything that does not change that, so it often proves the result
// when half of the board is still free. Then a second search looks for the most points with that result: to win
// clearly, or to lose by so little that one mistake of the other turns it.
#pragma once

#include "horses/positions.hpp"
#include "search/alphabeta.hpp"
#include "search/resources.hpp"
#include "search/workers.hpp"

namespace ludoteca {

class HorsesEngine {
 public:
  using Small = HorsesPositions<knights::SmallBoard>;
  using Large = HorsesPositions<knights::LargeBoard>;
  // A choice's value is in points. From this value on the result is proven, and the rest is the margin, if it is known.
  static constexpr double kProvenWin = double{Small::kWin} / Small::kPoint;
  static constexpr int kMaxDepth = AlphaBeta<Small>::kMaxDepth;

  struct Options {
    int depth = kMaxDepth;      // the most plies
    double tolerance = 0;       // moves that are worse by less than so many points get exact scores
    bool exact_margin = false;  // continue after a proven win until the margin is exact
    Resources resources;        // memory: of the transposition table
  };

  HorsesEngine(const Horses& game, const State<Horses>& root, const Options& options)
      : game_(game), root_(root.pub), options_(options), table_(options.resources.bytes, options.exact_margin) {}

  // Chooses for the seat on turn.
  void choose(Limits& limits, SharedChoice& shared) {
    if (game_.size <= knights::SmallBoard::kSide) {
      choose_on<Small>(limits, shared);
    } else {
      choose_on<Large>(limits, shared);
    }
  }

 private:
  static constexpr std::uint64_t kMinMarginNodes = 100000;

  const Horses& game_;
  const Horses::Public root_;
  const Options options_;
  TranspositionTable table_;

  template <class Positions>
  void choose_on(Limits& limits, SharedChoice& shared) {
    using Searcher = AlphaBeta<Positions>;
    using Result = typename Searcher::Result;
    const Positions by_result(game_, root_, false), by_margin(game_, root_, true);
    Result result;
    int result_depth = 0;
    run_parallel(options_.resources.threads, limits, [&](int number, Limits& own, const StartHelpers& start_helpers) {
      Searcher search(by_result, own, table_, options_.depth == kMaxDepth);
      const auto on_result = [&](int depth, const Result& found, bool finished) {
        start_helpers();
        if (!number) result_depth = depth;
        const bool last = finished && (depth == options_.depth || (found.proven && found.value == 0));
        const bool usable = finished || found.value > -Positions::kWin;  // this move loses, but others may not
        if (!number && usable) publish(shared, by_result, search, depth, found.value, finished && found.proven, last);
        return true;
      };
      const Result found = deepen(by_result, search, own, 1 + number, on_result);
      if (!number) result = found;
    });
    if (!result.proven || result.value == 0 || limits.spent()) return;

    const std::uint64_t max_nodes = 2 * limits.nodes_seen() + kMinMarginNodes;
    run_parallel(options_.resources.threads, limits, [&](int number, Limits& own, const StartHelpers& start_helpers) {
      Searcher search(by_margin, own, table_, options_.depth == kMaxDepth);
      const auto on_result = [&](int depth, const Result& found, bool finished) {
        start_helpers();
        if (number || (result.value > 0 && found.value < result.value)) return true;  // too shallow to see the win
        const int value = result.value > 0 ? found.value : std::min(found.value, result.value);
        const bool exact = finished && found.proven, last = exact || (finished && depth == options_.depth);
        publish(shared, by_margin, search, std::max(depth, result_depth), value, exact, last);
        return options_.exact_margin || result.value < 0 || limits.nodes_seen() < max_nodes;
      };
      deepen(by_margin, search, own, 1 + number, on_result);
    });
  }

  template <class Positions, class OnResult>
  auto deepen(const Positions& positions, AlphaBeta<Positions>& search, Limits& limits, int first_depth,
              OnResult on_result) const {
    constexpr int half_width = 2 * Positions::kPoint;
    const int tolerance = static_cast<int>(options_.tolerance * Positions::kPoint);
    return aspiration_search(search, limits, positions.node(root_), first_depth, options_.depth,
                             tolerance ? 0 : half_width, tolerance, on_result);
  }

  template <class Positions>
  void publish(SharedChoice& shared, const Positions& positions, const AlphaBeta<Positions>& search, int depth,
               int value, bool exhaustive, bool complete) const {
    Choice found;
    const auto points = [](int of) { return static_cast<double>(of) / Positions::kPoint; };
    found.value = points(value);
    found.depth = depth;
    found.exhaustive = exhaustive;
    found.complete = complete;
    for (const auto& each : search.root_moves()) {
      if (each.value == -Positions::kInfinity) continue;  // not searched yet
      found.scores.emplace_back(positions.action(each.move), points(std::min(each.value, value)));
    }
    found.action = positions.action(search.root_moves()[0].move);
    for (const int move : search.line(positions.node(root_))) found.line.add(positions.action(move));
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
