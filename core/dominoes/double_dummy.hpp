// Double dummy: what a round of Dominoes comes to when both seats see all tiles and play perfectly.
//
// A World is a round without its log: both hands, the ends, and the boneyard in the order in which it will be drawn.
// Alpha-beta goes to the end of the round; who is stuck draws or passes on the way, so that every node is a choice. Of
// the two ends it does not matter which is left, and the table knows a position either way.
//
//     value = what the seat on turn gets: 1, 0, -1, or where points count, the loser's pips
//
// The table is small so that it stays near the processor. What it knows of a round with drawing holds only for one
// order of the boneyard: `begin` forgets it.
//
// With drawing a round may go on for long. Then it can be told to look at every choice only until so many tiles are laid;
// from there on both take what leaves the other the fewest answers, which is quick and mostly right.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/limits.hpp"

namespace ludoteca {

class DominoesDoubleDummy {
 public:
  using Set = Dominoes::Set;

  struct World {
    std::array<Set, 2> hands{};
    Dominoes::Ends ends{-1, -1};
    Seat turn = 0;
    std::uint8_t boneyard = 0;            // tiles that can still be drawn: none where there is no drawing
    const std::uint8_t* order = nullptr;  // of the boneyard, drawn from the back

    World(const Dominoes& game, const State<Dominoes>& state)
        : hands{state.own[0].hand, state.own[1].hand},
          ends(state.pub.ends),
          turn(state.pub.turn),
          boneyard(game.drawing ? state.pub.boneyard : std::uint8_t{0}),
          order(state.hidden.boneyard.data()) {}
  };

  DominoesDoubleDummy(const Dominoes& game, Limits& limits)
      : game_(game), limits_(limits), most_(game.points ? kTiles.pips(game.all()) : 1), table_(kSlots) {}

  // Before each world: what is in the table does not hold for another order of the boneyard. `plies`: so many tiles are
  // laid before it no longer looks at every choice; for all of one round the same.
  void begin(const World& world, int plies = kToTheEnd) {
    generation_ += game_.drawing;
    horizon_ = tiles(world) - plies;
  }

  // The value, for the seat on turn, of laying a tile, where the other's next choice is its best, or any with this
  // share. Means nothing once the limits are spent.
  double after(const World& world, Action action, double any) {
    World next = laid(world, action);
    const std::size_t me = at(world.turn);
    if (!next.hands[me]) return won(next.hands[1 - me]);
    if (!advance(next)) return -blocked(next);
    if (next.turn == world.turn) return choose(next, -most_, most_);
    Actions<Dominoes> replies;
    Dominoes::lays(next.hands[1 - me], next.ends, replies);
    int sum = 0, least = most_;
    for (const Action reply : replies) {
      const int found = -after(next, reply, -most_, most_);
      if (limits_.spent()) return 0;
      sum += found;
      least = std::min(least, found);
    }
    return (1 - any) * least + any * sum / replies.size;
  }

  // The value for the seat on turn, the first tile having been laid.
  int value(const World& world) { return value(world, -most_, most_); }

  static constexpr int kToTheEnd = Dominoes::kMaxTiles;

 private:
  static constexpr std::uint64_t kNodesPerCheck = 512;
  static constexpr std::size_t kSlots = std::size_t{1} << 14;

  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Slot {
    std::uint64_t first = 0, second = 0;  // all that the position is made of
    std::uint32_t generation = 0;
    std::int16_t value = 0;
    Bound bound = kNone;
  };

  const Dominoes& game_;
  Limits& limits_;
  const int most_;
  std::uint32_t generation_ = 1;
  int horizon_ = 0;  // so many tiles are left, in hands and to be drawn, where not every choice is looked at any more
  std::vector<Slot> table_;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static World laid(const World& world, Action action) {
    World next = world;
    Dominoes::extend(next.ends, action / 2, at(action % 2));
    next.hands[at(world.turn)] ^= Tiles::one(action / 2);
    next.turn = other(world.turn);
    return next;
  }

  int after(const World& world, Action action, int alpha, int beta) {
    const World next = laid(world, action);
    const std::size_t me = at(world.turn);
    return next.hands[me] ? -value(next, -beta, -alpha) : won(next.hands[1 - me]);
  }

  int won(Set lost) const { return game_.points ? kTiles.pips(lost) : 1; }

  // For the seat that would be on turn.
  int blocked(const World& world) const {
    if (!game_.blocked_counts) return 0;
    const std::size_t me = at(world.turn);
    const int mine = kTiles.pips(world.hands[me]), theirs = kTiles.pips(world.hands[1 - me]);
    if (mine == theirs) return 0;
    if (game_.points) return mine < theirs ? theirs : -mine;
    return mine < theirs ? 1 : -1;
  }

  // Lets the seat on turn draw or pass where it is stuck; whether the round goes on.
  static bool advance(World& world) {
    const Set fits = Dominoes::fitting(world.ends);
    const std::size_t me = at(world.turn);
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

  // For the seat on turn, which has a tile that fits: both take the first of what is ordered until the end.
  int follow(World world) {
    const Seat seat = world.turn;
    while (limits_.spend(kNodesPerCheck)) {
      Actions<Dominoes> actions;
      ordered(world, actions);
      const std::size_t me = at(world.turn);
      const int sign = world.turn == seat ? 1 : -1;
      world = laid(world, actions[0]);
      if (!world.hands[me]) return sign * won(world.hands[1 - me]);
      if (!advance(world)) return (world.turn == seat ? 1 : -1) * blocked(world);
    }
    return 0;
  }

  // The seat on turn has a tile that fits. Exact within (alpha, beta), else a bound on the same side.
  int choose(const World& world, int alpha, int beta) {
    if (tiles(world) <= horizon_) return follow(world);
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
    int best = -most_ - 1;
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

  // First what leaves the other the fewest answers, and of equal ones the heaviest.
  void ordered(const World& world, Actions<Dominoes>& actions) const {
    const std::size_t me = at(world.turn);
    Actions<Dominoes> all;
    Dominoes::lays(world.hands[me], world.ends, all);
    std::array<int, Dominoes::kMaxActions> worth;
    for (const Action action : all) {
      Dominoes::Ends ends = world.ends;
      Dominoes::extend(ends, action / 2, at(action % 2));
      const int answers = std::popcount(world.hands[1 - me] & Dominoes::fitting(ends));
      const int score = 64 * answers - kTiles.pips(Tiles::one(action / 2));
      int place = actions.size++;
      for (; place > 0 && worth[at(place - 1)] > score; --place) {
        worth[at(place)] = worth[at(place - 1)];
        actions.items[at(place)] = actions.items[at(place - 1)];
      }
      worth[at(place)] = score;
      actions.items[at(place)] = action;
    }
  }
};

}  // namespace ludoteca
