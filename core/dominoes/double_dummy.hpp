// The double-dummy solver of Dominoes: the value of a round when both seats see all tiles and play perfectly.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/limits.hpp"

namespace ludoteca {

// Alpha-beta to the end of the round. A seat that is stuck draws or passes on the way, so every node is a choice.
//
//     value = what the seat on turn gets: 1, 0, -1, or with `points` the loser's pips
//
// The transposition table treats both ends alike. It has one slot for each hash, with the whole position, and is small
// so that it stays in the processor's cache: faster here than the buckets of search/transposition_table.hpp, and no
// position is mistaken for another. With drawing, its entries hold only for one order of the boneyard, so `begin`
// invalidates them.
//
// A round with drawing can be long. Then the search can be limited to a number of laid tiles; beyond that both seats
// take the move that leaves the other the fewest replies, which is fast and mostly right.
class DominoesDoubleDummy {
 public:
  using Set = Dominoes::Set;

  // A round without its log.
  struct World {
    std::array<Set, 2> hands{};
    Dominoes::Ends ends{-1, -1};
    Seat turn = 0;
    std::uint8_t boneyard = 0;            // tiles that can still be drawn; 0 without drawing
    const std::uint8_t* order = nullptr;  // of the boneyard, drawn from the back

    World(const Dominoes& game, const State<Dominoes>& state)
        : hands{state.own[0].hand, state.own[1].hand},
          ends(state.pub.ends),
          turn(state.pub.turn),
          boneyard(game.drawing ? state.pub.boneyard : std::uint8_t{0}),
          order(state.hidden.boneyard.data()) {}
  };

  DominoesDoubleDummy(const Dominoes& game, Limits& limits)
      : game_(game), limits_(limits), max_value_(game.points ? kTiles.pips(game.all()) : 1), table_(kSlots) {}

  // Call before each world. `plies`: the number of laid tiles up to which every choice is searched; the same for all
  // worlds of one round.
  void begin(const World& world, int plies = kToTheEnd) {
    generation_ += game_.drawing;
    horizon_ = tiles(world) - plies;
  }

  // The value of an action for the seat on turn, if the other's next choice is random with probability `mistake` and
  // else its best. Meaningless once the limits are spent.
  double after(const World& world, Action action, double mistake) {
    World next = laid(world, action);
    const std::size_t me = index(world.turn);
    if (!next.hands[me]) return won(next.hands[1 - me]);
    if (!advance(next)) return -blocked(next);
    if (next.turn == world.turn) return choose(next, -max_value_, max_value_);
    Actions<Dominoes> replies;
    Dominoes::lays(next.hands[1 - me], next.ends, replies);
    int sum = 0, least = max_value_;
    for (const Action reply : replies) {
      const int found = -after(next, reply, -max_value_, max_value_);
      if (limits_.spent()) return 0;
      sum += found;
      least = std::min(least, found);
    }
    return (1 - mistake) * least + mistake * sum / replies.size;
  }

  // The value for the seat on turn, after the first tile.
  int value(const World& world) { return value(world, -max_value_, max_value_); }

  static constexpr int kToTheEnd = Dominoes::kMaxTiles;

 private:
  static constexpr std::uint64_t kNodesPerCheck = 512;
  static constexpr std::size_t kSlots = std::size_t{1} << 14;

  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Slot {
    std::uint64_t first = 0, second = 0;  // the whole position
    std::uint32_t generation = 0;
    std::int16_t value = 0;
    Bound bound = kNone;
  };

  const Dominoes& game_;
  Limits& limits_;
  const int max_value_;
  std::uint32_t generation_ = 1;
  int horizon_ = 0;  // with so many tiles left, in hands and to be drawn, not every choice is searched any more
  std::vector<Slot> table_;

  static World laid(const World& world, Action action) {
    World next = world;
    Dominoes::extend(next.ends, action / 2, index(action % 2));
    next.hands[index(world.turn)] ^= Tiles::one(action / 2);
    next.turn = other(world.turn);
    return next;
  }

  int after(const World& world, Action action, int alpha, int beta) {
    const World next = laid(world, action);
    const std::size_t me = index(world.turn);
    return next.hands[me] ? -value(next, -beta, -alpha) : won(next.hands[1 - me]);
  }

  int won(Set lost) const { return game_.points ? kTiles.pips(lost) : 1; }

  // For the seat that would be on turn.
  int blocked(const World& world) const {
    if (!game_.blocked_counts) return 0;
    const std::size_t me = index(world.turn);
    const int mine = kTiles.pips(world.hands[me]), theirs = kTiles.pips(world.hands[1 - me]);
    if (mine == theirs) return 0;
    if (game_.points) return mine < theirs ? theirs : -mine;
    return mine < theirs ? 1 : -1;
  }

  // Draws or passes for the seat on turn if it is stuck. False if the round is over.
  static bool advance(World& world) {
    const Set fits = Dominoes::fitting(world.ends);
    const std::size_t me = index(world.turn);
    while (!(world.hands[me] & fits) && world.boneyard) world.hands[me] |= Tiles::one(world.order[--world.boneyard]);
    if (world.hands[me] & fits) return true;
    if (!(world.hands[1 - me] & fits)) return false;
    world.turn = other(world.turn);
    return true;
  }

  int value(World world, int alpha, int beta) {
    const Seat seat = world.turn;
    if (!advance(world)) return blocked(world);
    return world.turn == seat ? choose(world, alpha, beta) : -choose(world, -beta, -alpha);
  }

  static int tiles(const World& world) {
    return std::popcount(world.hands[0]) + std::popcount(world.hands[1]) + world.boneyard;
  }

  // The value for the seat on turn, which has a tile that fits, if both play the first action of the move order.
  int playout(World world) {
    const Seat seat = world.turn;
    while (limits_.spend(kNodesPerCheck)) {
      Actions<Dominoes> actions;
      ordered(world, actions);
      const std::size_t me = index(world.turn);
      const int sign = world.turn == seat ? 1 : -1;
      world = laid(world, actions[0]);
      if (!world.hands[me]) return sign * won(world.hands[1 - me]);
      if (!advance(world)) return (world.turn == seat ? 1 : -1) * blocked(world);
    }
    return 0;
  }

  // For a seat on turn that has a tile that fits. Exact inside (alpha, beta), otherwise a bound.
  int choose(const World& world, int alpha, int beta) {
    if (tiles(world) <= horizon_) return playout(world);
    if (!limits_.spend(kNodesPerCheck)) return 0;
    const int low = std::min(world.ends[0], world.ends[1]), high = std::max(world.ends[0], world.ends[1]);
    const std::uint64_t first = world.hands[0] | static_cast<std::uint64_t>(low * 10 + high) << Tiles::kCount;
    const std::uint64_t second =
        world.hands[1] | static_cast<std::uint64_t>(world.boneyard * 2 + world.turn) << Tiles::kCount;
    Slot& slot = table_[(first * 0x9e3779b97f4a7c15ULL ^ second * 0xbf58476d1ce4e5b9ULL) >> 50];
    const bool known =
        slot.bound != kNone && slot.first == first && slot.second == second && slot.generation == generation_;
    if (known && (slot.bound & kAtLeast)) alpha = std::max(alpha, int{slot.value});
    if (known && (slot.bound & kAtMost)) beta = std::min(beta, int{slot.value});
    if (alpha >= beta) return slot.value;
    Actions<Dominoes> actions;
    ordered(world, actions);
    int best = -max_value_ - 1;
    const int floor = alpha;
    for (const Action action : actions) {
      best = std::max(best, after(world, action, alpha, beta));
      if (limits_.spent()) return 0;
      alpha = std::max(alpha, best);
      if (alpha >= beta) break;
    }
    const Bound bound = best >= beta ? kAtLeast : best <= floor ? kAtMost : kExact;
    slot = {first, second, generation_, static_cast<std::int16_t>(best), bound};
    return best;
  }

  // Move ordering: first what leaves the other the fewest replies; of equals, the heaviest tile.
  void ordered(const World& world, Actions<Dominoes>& actions) const {
    const std::size_t me = index(world.turn);
    Actions<Dominoes> all;
    Dominoes::lays(world.hands[me], world.ends, all);
    std::array<int, Dominoes::kMaxActions> scores;
    for (const Action action : all) {
      Dominoes::Ends ends = world.ends;
      Dominoes::extend(ends, action / 2, index(action % 2));
      const int replies = std::popcount(world.hands[1 - me] & Dominoes::fitting(ends));
      const int order_score = 64 * replies - kTiles.pips(Tiles::one(action / 2));
      int place = actions.size++;
      for (; place > 0 && scores[index(place - 1)] > order_score; --place) {
        scores[index(place)] = scores[index(place - 1)];
        actions.items[index(place)] = actions.items[index(place - 1)];
      }
      scores[index(place)] = order_score;
      actions.items[index(place)] = action;
    }
  }
};

}  // namespace ludoteca
