// The engine of Horses: alpha-beta first for the result, then for the points.
//
// The first search asks only who wins. It may leave out whatever cannot change that, and so it often sees the end when
// half of the board is still free. Once the result is certain a second search looks for the most points with that
// result: to win clearly, or to lose by so little that one mistake of the other turns it.
#pragma once

#include "horses/positions.hpp"
#include "search/aspire.hpp"

namespace ludoteca {

class HorsesEngine {
 public:
  using Positions = HorsesPositions;
  // A choice's value is in points. Beyond this the result is certain, and the rest is the margin, if that is known.
  static constexpr double kCertain = double{Positions::kWin} / Positions::kPoint;
  static constexpr int kMaxDepth = AlphaBeta<Positions>::kMaxDepth;

  struct Options {
    int depth = kMaxDepth;    // looks at most so many plies ahead
    double tolerance = 0;     // moves that are worse by less than so many points get exact scores
    bool whole_margin = false;  // goes on after a win is certain until the margin is exact
    std::size_t memory = std::size_t{256} << 20;  // bytes of the table
    int threads = 1;
  };

  HorsesEngine(const Horses& game, const State<Horses>& root, const Options& options)
      : game_(game), root_(root.pub), options_(options), table_(options.memory, options.whole_margin) {}

  // Chooses for the seat on turn.
  void choose(Limits& limits, SharedChoice& shared) {
    const Positions by_result(game_, root_, false), by_margin(game_, root_, true);
    Found result;
    int seen = 0;  // plies: by then the result was certain
    together(options_.threads, limits, [&](int number, Limits& own, const auto& begun) {
      Searcher search(by_result, own, table_);
      const auto show = [&](int depth, const Found& found, bool finished) {
        begun();
        if (!number) seen = depth;
        const bool last = finished && (depth == options_.depth || (found.whole && found.value == 0));
        const bool hopeful = finished || found.value > -Positions::kWin;  // if this one loses, others may not
        if (!number && hopeful) publish(shared, by_result, search, depth, found.value, finished && found.whole, last);
        return true;
      };
      const Found found = deepen(by_result, search, own, 1 + number, show);
      if (!number) result = found;
    });
    if (!result.whole || result.value == 0 || limits.spent()) return;

    const std::uint64_t patience = 2 * limits.nodes_seen() + kLeastPatience;
    together(options_.threads, limits, [&](int number, Limits& own, const auto& begun) {
      Searcher search(by_margin, own, table_);
      const auto show = [&](int depth, const Found& found, bool finished) {
        begun();
        if (number || (result.value > 0 && found.value < result.value)) return true;  // not deep enough to see the win
        const int value = result.value > 0 ? found.value : std::min(found.value, result.value);
        const bool exact = finished && found.whole;
        publish(shared, by_margin, search, std::max(depth, seen), value, exact, exact || (finished && depth == options_.depth));
        return options_.whole_margin || result.value < 0 || limits.nodes_seen() < patience;
      };
      deepen(by_margin, search, own, 1 + number, show);
    });
  }

 private:
  using Searcher = AlphaBeta<Positions>;
  using Found = Searcher::Found;
  static constexpr int kWidth = 2 * Positions::kPoint;
  static constexpr std::uint64_t kLeastPatience = 100000;

  const Horses& game_;
  const Horses::Public root_;
  const Options options_;
  Table table_;

  template <class Show>
  Found deepen(const Positions& positions, Searcher& search, Limits& limits, int first, Show show) const {
    const int tolerance = static_cast<int>(options_.tolerance * Positions::kPoint);
    return aspire(search, limits, positions.node(root_), first, options_.depth, tolerance ? 0 : kWidth, tolerance, show);
  }

  void publish(SharedChoice& shared, const Positions& positions, const Searcher& search, int depth, int value,
               bool exhaustive, bool complete) const {
    Choice found;
    const auto points = [](int of) { return static_cast<double>(of) / Positions::kPoint; };
    found.value = points(value);
    found.depth = depth;
    found.exhaustive = exhaustive;
    found.complete = complete;
    for (const auto& each : search.ranking()) {
      if (each.value == -Searcher::kInfinity) continue;  // not looked at yet
      found.scores.emplace_back(positions.action(each.move), points(std::min(each.value, value)));
    }
    found.action = positions.action(search.ranking()[0].move);
    for (const int move : search.line(positions.node(root_))) found.line.add(positions.action(move));
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
