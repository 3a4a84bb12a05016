// Dominoes: two seats lay matching tiles at the ends of one line; the first seat without a tile wins.
//
// Tiles are numbered so that a smaller set is a prefix of a larger one: (hi, lo) is hi·(hi+1)/2 + lo.
//
//      0-0   1-0   1-1   2-0   2-1   2-2   3-0 …           a hand is a set of tiles: one bit for each
//       0     1     2     3     4     5     6
//
//                     ends[0]  ┌───┬───┐┌───┬───┐┌───┬───┐  ends[1]
//      side 0, "left"    2 <-- │ 2 │ 6 ││ 6 │ 4 ││ 4 │ 4 │ --> 4    side 1, "right"
//                              └───┴───┘└───┴───┘└───┴───┘
//
// An action is tile·2 + side; after these come `draw` and `pass`. A seat draws or passes only when nothing fits, so
// each such action shows which numbers it lacked. The log of all actions is public, and sampling reads it.
//
// A round begins with a deal, or with a Start: a position set up by hand. The tiles of a Start's line belong to no seat
// and lead the log. Of the hands only the sizes are known, as after a deal.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>
#include <vector>

#include "game.hpp"

namespace ludoteca {

// The tiles of the largest set, the same for all games.
struct Tiles {
  static constexpr int kMaxPips = 9;
  static constexpr int kCount = (kMaxPips + 1) * (kMaxPips + 2) / 2;
  using Set = std::uint64_t;

  std::array<std::uint8_t, kCount> hi{}, lo{};
  std::array<std::uint8_t, kCount> rank{};  // which tile starts: the best double, or else the heaviest tile
  std::array<Set, kCount> above{};          // the tiles that rank above one
  std::array<Set, kMaxPips + 1> with{};     // the tiles that show a number

  constexpr Tiles() {
    std::size_t tile = 0;
    for (int high = 0; high <= kMaxPips; ++high) {
      for (int low = 0; low <= high; ++low, ++tile) {
        hi[tile] = static_cast<std::uint8_t>(high);
        lo[tile] = static_cast<std::uint8_t>(low);
        rank[tile] = static_cast<std::uint8_t>(high == low ? 200 + high : 10 * (high + low) + high);
        with[static_cast<std::size_t>(high)] |= one(static_cast<int>(tile));
        with[static_cast<std::size_t>(low)] |= one(static_cast<int>(tile));
      }
    }
    for (tile = 0; tile < kCount; ++tile) {
      for (std::size_t better = 0; better < kCount; ++better) {
        if (rank[better] > rank[tile]) above[tile] |= one(static_cast<int>(better));
      }
    }
  }

  static constexpr Set one(int tile) { return Set{1} << tile; }
  static constexpr int of_set(int pips) { return (pips + 1) * (pips + 2) / 2; }

  static constexpr double choose(int n, int k) {  // the binomial coefficient
    if (k > n) return 0;
    double ways = 1;
    for (int i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
    return ways;
  }

  // Calls f(subset) for each subset of `count` tiles.
  template <class F>
  static void each_subset(Set from, int count, const F& f, Set taken = 0) {
    if (!count) return f(taken);
    for (; std::popcount(from) >= count; from &= from - 1) {
      each_subset(from & (from - 1), count - 1, f, taken | (from & (~from + 1)));
    }
  }
  // Calls f(tile) for each tile of a set, in ascending order.
  template <class F>
  static constexpr void each(Set set, F f) {
    for (; set; set &= set - 1) f(std::countr_zero(set));
  }

  constexpr int pips(Set set) const {
    int sum = 0;
    each(set, [&](int tile) {
      const auto i = index(tile);
      sum += hi[i] + lo[i];
    });
    return sum;
  }
  // The tile of a set that starts a round: the one that ranks highest.
  constexpr int best(Set set) const {
    int found = std::countr_zero(set);
    each(set, [&](int tile) {
      if (rank[index(tile)] > rank[static_cast<std::size_t>(found)]) found = tile;
    });
    return found;
  }
};
inline constexpr Tiles kTiles;

struct Dominoes {
  using Set = Tiles::Set;
  using Ends = std::array<std::int8_t, 2>;  // the numbers at the left and right end; -1 before the first tile
  static constexpr int kMaxTiles = Tiles::kCount;
  // The first tile may be any of the hand, and a Start can give one seat all tiles but one. Later at most two rows of
  // ten tiles fit, one tile on both sides.
  static constexpr int kMaxActions = kMaxTiles - 1;
  // All tiles but one are laid, all but two drawn, and a tile answers each pass: 3 * kMaxTiles - 4. The tiles of a
  // Start's line are among those laid. Two more fill the struct, which must have no padding.
  static constexpr int kMaxLog = 3 * kMaxTiles - 2;

  struct Public {
    std::array<Set, 2> played{};    // the tiles that each seat has laid
    Set opening = 0;                // the tiles of a Start's line: the first ones of the log, laid by no seat
    std::array<Set, 2> revealed{};  // both hands once the round is over; empty before
    Ends ends{-1, -1};
    std::array<std::uint8_t, 2> count{};  // tiles in each hand
    std::uint8_t boneyard = 0;
    std::uint8_t length = 0;  // of the log
    Seat turn = 0;
    Seat winner = kNobody;
    // The numbers, one bit each, that a seat has shown not to hold; a tile that it has just drawn may have them.
    std::array<std::uint16_t, 2> lacks{};
    bool arranged = false;  // begun from a Start: then any tile may be the first
    std::array<std::uint8_t, kMaxLog> log{};  // the action, and the seat in the highest bit
  };
  struct Private {
    Set hand = 0;
  };
  struct Hidden {
    std::array<std::uint8_t, kMaxTiles> boneyard{};  // in [0, Public::boneyard), drawn from the back
  };

  // A position set up by hand. The actions lay the line, the first one with side 1 if its high number faces right. Each
  // seat holds the tiles of `hands` and `more` random ones; the rest is the boneyard.
  struct Start {
    std::vector<Action> line;
    std::array<Set, 2> hands{};
    std::array<int, 2> more{};
    Seat turn = 0;
  };

  const int pips;
  const int hand;
  const bool drawing;         // false: the boneyard stays where it is
  const bool double_starts;   // false: seat 0 starts with any tile
  const bool blocked_counts;  // fewer pips win a blocked round; false: it is a draw
  const bool points;          // returns are the loser's pips; false: 1 and -1

  Dominoes(int pips_, int hand_, bool drawing_, bool double_starts_, bool blocked_counts_, bool points_)
      : pips(pips_),
        hand(hand_),
        drawing(drawing_),
        double_starts(double_starts_),
        blocked_counts(blocked_counts_),
        points(points_),
        tiles(Tiles::of_set(pips_)) {
    if (pips < 3 || pips > Tiles::kMaxPips) throw std::invalid_argument("Dominoes: pips must be 3 to 9");
    if (hand < 1 || hand > tiles / 2) throw std::invalid_argument("Dominoes: hand must be 1 to half the set");
    scale = heaviest(drawing ? tiles - hand : hand);
  }

  int num_actions() const { return 2 * tiles + 2; }
  int num_tiles() const { return tiles; }
  // The divisor of `points`: the pips of the heaviest hand that a seat can hold.
  int points_scale() const { return scale; }
  Action draw_action() const { return 2 * tiles; }
  Action pass_action() const { return 2 * tiles + 1; }
  static Seat seat_of(std::uint8_t entry) { return static_cast<Seat>(entry >> 7); }
  static Action action_of(std::uint8_t entry) { return entry & 127; }

  Set all() const { return (Set{1} << tiles) - 1; }
  // Tiles that are neither laid nor in the viewer's hand.
  Set unseen(ViewRef<Dominoes> v) const {
    return all() & ~(v.own.hand | v.pub.played[0] | v.pub.played[1] | v.pub.opening);
  }

  // These need only the line, for the rules and for searches over what a seat knows.
  static Set fitting(const Ends& ends, int side) { return kTiles.with[index(ends[index(side)])]; }
  static Set fitting(const Ends& ends) { return fitting(ends, 0) | fitting(ends, 1); }

  // Whether the tile that ranks highest in both hands must be the first.
  bool best_starts(const Public& pub) const { return double_starts && !pub.arranged; }

  // Lists each way to lay a tile of a set. If both ends are equal, only the left side is listed.
  static void lays(Set set, const Ends& ends, Actions<Dominoes>& out) {
    const Set left = set & fitting(ends, 0);
    const Set right = ends[0] == ends[1] ? 0 : set & fitting(ends, 1);
    Tiles::each(left | right, [&](int tile) {
      if (left >> tile & 1) out.add(2 * tile);
      if (right >> tile & 1) out.add(2 * tile + 1);
    });
  }

  // The first tile lies with its high number to the left, or in a Start also to the right (side 1). Any other tile
  // replaces the end that it matched by its other number.
  static void extend(Ends& ends, int tile, std::size_t side) {
    const int hi = kTiles.hi[index(tile)], lo = kTiles.lo[index(tile)];
    if (ends[0] < 0) {
      ends[side] = static_cast<std::int8_t>(hi);
      ends[1 - side] = static_cast<std::int8_t>(lo);
    } else {
      ends[side] = static_cast<std::int8_t>(hi + lo - ends[side]);
    }
  }

  void deal(State<Dominoes>& state, Rng rng) const {
    state = State<Dominoes>{};
    std::array<std::uint8_t, kMaxTiles> order;
    for (int tile = 0; tile < tiles; ++tile) order[index(tile)] = static_cast<std::uint8_t>(tile);
    rng.shuffle(order.data(), tiles);
    for (int i = 0; i < hand; ++i) {
      state.own[0].hand |= Tiles::one(order[index(i)]);
      state.own[1].hand |= Tiles::one(order[index(hand + i)]);
    }
    Public& pub = state.pub;
    pub.boneyard = static_cast<std::uint8_t>(tiles - 2 * hand);
    std::copy_n(&order[index(2 * hand)], pub.boneyard, state.hidden.boneyard.begin());
    pub.count.fill(static_cast<std::uint8_t>(hand));
    const int best = kTiles.best(state.own[0].hand | state.own[1].hand);
    if (double_starts && state.own[1].hand >> best & 1) pub.turn = 1;
  }

  // If no seat can play, the round is over at once. Throws std::invalid_argument for an impossible position.
  void arrange(const Start& start, Rng rng, State<Dominoes>& state) const {
    state = State<Dominoes>{};
    Public& pub = state.pub;
    pub.arranged = true;
    pub.turn = start.turn;
    for (const Action action : start.line) {
      const int tile = action / 2;
      const bool known = action >= 0 && action < draw_action() && !(pub.opening >> tile & 1);
      if (!known || !(first(pub) || fitting(pub.ends, action % 2) >> tile & 1)) {
        throw std::invalid_argument("Dominoes: a tile of the line that does not fit there");
      }
      extend(pub.ends, tile, index(action % 2));
      pub.opening |= Tiles::one(tile);
      pub.log[pub.length++] = static_cast<std::uint8_t>(action);
    }
    const Set given = start.hands[0] | start.hands[1];
    if ((given & ~all()) || (given & pub.opening) || (start.hands[0] & start.hands[1])) {
      throw std::invalid_argument("Dominoes: a tile that is not in the set, or in two places");
    }
    std::array<std::uint8_t, kMaxTiles> order;
    int left = 0;
    Tiles::each(all() & ~(pub.opening | given), [&](int tile) {
      order[index(left++)] = static_cast<std::uint8_t>(tile);
    });
    rng.shuffle(order.data(), left);
    for (const std::size_t seat : {0u, 1u}) {
      state.own[seat].hand = start.hands[seat];
      if (start.more[seat] < 0 || start.more[seat] > left) throw std::invalid_argument("Dominoes: too few tiles");
      for (int more = start.more[seat]; more > 0; --more) state.own[seat].hand |= Tiles::one(order[index(--left)]);
      if (!state.own[seat].hand) throw std::invalid_argument("Dominoes: an empty hand");
      pub.count[seat] = static_cast<std::uint8_t>(std::popcount(state.own[seat].hand));
    }
    pub.boneyard = static_cast<std::uint8_t>(left);
    std::copy_n(order.data(), left, state.hidden.boneyard.begin());
    if (blocked(state)) finish(state, blocked_counts ? lighter(state) : kNobody);
  }

  void legal(ViewRef<Dominoes> v, Actions<Dominoes>& out) const {
    const Set tiles_in_hand = v.own.hand;
    if (first(v.pub)) {
      if (best_starts(v.pub)) return out.add(2 * kTiles.best(tiles_in_hand));
      return Tiles::each(tiles_in_hand, [&](int tile) { out.add(2 * tile); });
    }
    if (!(tiles_in_hand & fitting(v.pub))) return out.add(can_draw(v.pub) ? draw_action() : pass_action());
    lays(tiles_in_hand, v.pub.ends, out);
  }

  bool is_legal(ViewRef<Dominoes> v, Action action) const {
    if (action < 0 || action >= num_actions()) return false;
    if (action >= draw_action()) {
      if (first(v.pub) || (v.own.hand & fitting(v.pub))) return false;
      return action == (can_draw(v.pub) ? draw_action() : pass_action());
    }
    const int tile = action / 2, side = action % 2;
    if (!(v.own.hand >> tile & 1)) return false;
    if (first(v.pub)) return side == 0 && (!best_starts(v.pub) || tile == kTiles.best(v.own.hand));
    if (side == 1 && v.pub.ends[0] == v.pub.ends[1]) return false;
    return fitting(v.pub.ends, side) >> tile & 1;
  }

  void apply(State<Dominoes>& state, Action action) const {
    Public& pub = state.pub;
    const Seat seat = pub.turn;
    if (action < draw_action()) {
      lay(state, action / 2, index(action % 2));
    } else {
      note_lack(pub);
      if (action == draw_action()) take(state);
    }
    assert(pub.length < kMaxLog);
    pub.log[pub.length++] = static_cast<std::uint8_t>(action | seat << 7);
    if (action != draw_action()) pub.turn = other(seat);
    if (!pub.count[index(seat)]) return finish(state, seat);
    if (blocked(state)) finish(state, blocked_counts ? lighter(state) : kNobody);
  }

  Returns returns(const Public& pub) const {
    if (pub.winner == kNobody) return {0, 0};
    const double lost = kTiles.pips(pub.revealed[index(other(pub.winner))]);
    const double won = points ? std::min(1.0, lost / scale) : 1;  // a Start may give more than any deal leads to
    return pub.winner == 0 ? Returns{won, -won} : Returns{-won, won};
  }

  // Calls f(seat, action, ends) for each action of the log, with the ends before it. The seat of a Start's line is
  // kNobody.
  template <class F>
  void replay_log(const Public& pub, F f) const {
    Ends ends{-1, -1};
    const std::size_t opened = opening_length(pub);
    for (std::size_t i = 0; i < pub.length; ++i) {
      const Action action = action_of(pub.log[i]);
      f(i < opened ? kNobody : seat_of(pub.log[i]), action, ends);
      if (action < draw_action()) extend(ends, action / 2, index(action % 2));
    }
  }

  // All deals that show this view are equally likely. In worlds.hpp.
  void sample(const View<Dominoes>& view, Rng rng, State<Dominoes>& state) const;

  // T tiles and n = pips + 1 numbers:
  //   [T] own hand · [T] laid by this seat · [T] laid by the other, or of a Start · [n] left end · [n] right end
  //   [n] numbers the other has shown to lack · [n] numbers this seat has shown to lack · [6] own, other's and
  //   boneyard's count, each / T; this seat is on turn; the last action was the other's draw; or its own draw
  std::vector<int> tensor_shape() const { return {3 * tiles + 4 * (pips + 1) + 6}; }
  void tensor(ViewRef<Dominoes> v, float* out) const {
    const std::size_t me = index(v.seat), they = index(other(v.seat));
    const auto bits = [&](std::uint64_t set, int count) {
      for (int i = 0; i < count; ++i) *out++ = set >> i & 1 ? 1.0f : 0.0f;
    };
    bits(v.own.hand, tiles);
    bits(v.pub.played[me], tiles);
    bits(v.pub.played[they] | v.pub.opening, tiles);
    for (const std::int8_t end : v.pub.ends) bits(end < 0 ? 0 : std::uint64_t{1} << end, pips + 1);
    bits(v.pub.lacks[they], pips + 1);
    bits(v.pub.lacks[me], pips + 1);
    const auto share = [&](int count) { *out++ = static_cast<float>(count) / static_cast<float>(tiles); };
    share(v.pub.count[me]);
    share(v.pub.count[they]);
    share(v.pub.boneyard);
    *out++ = v.pub.turn == v.seat ? 1.0f : 0.0f;
    *out++ = just_drew(v.pub, other(v.seat)) ? 1.0f : 0.0f;
    *out++ = just_drew(v.pub, v.seat) ? 1.0f : 0.0f;
  }

 private:
  friend class DominoesWorlds;
  friend class DominoesObservation;

  const int tiles;
  int scale = 1;

  static bool first(const Public& pub) { return pub.ends[0] < 0; }
  static std::size_t opening_length(const Public& pub) { return index(std::popcount(pub.opening)); }
  bool can_draw(const Public& pub) const { return drawing && pub.boneyard > 0; }
  bool blocked(const State<Dominoes>& state) const {
    if (first(state.pub) || can_draw(state.pub)) return false;
    return !((state.own[0].hand | state.own[1].hand) & fitting(state.pub));
  }
  static Set fitting(const Public& pub) { return fitting(pub.ends); }
  bool just_drew(const Public& pub, Seat seat) const {
    return pub.length && pub.log[pub.length - 1u] == (draw_action() | seat << 7);
  }

  // How many pips the heaviest `count` tiles have.
  int heaviest(int count) const {
    std::array<int, kMaxTiles> sums{};
    for (int tile = 0; tile < tiles; ++tile) sums[index(tile)] = kTiles.pips(Tiles::one(tile));
    std::sort(sums.begin(), sums.begin() + tiles, std::greater<>());
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += sums[index(i)];
    return sum;
  }

  static void lay(State<Dominoes>& state, int tile, std::size_t side) {
    const std::size_t seat = index(state.pub.turn);
    extend(state.pub.ends, tile, side);
    state.own[seat].hand ^= Tiles::one(tile);
    state.pub.played[seat] |= Tiles::one(tile);
    --state.pub.count[seat];
  }

  static void take(State<Dominoes>& state) {
    const std::size_t seat = index(state.pub.turn);
    std::uint8_t& tile = state.hidden.boneyard[--state.pub.boneyard];
    state.own[seat].hand |= Tiles::one(tile);
    ++state.pub.count[seat];
    tile = 0;
  }

  // A seat that draws or passes lacks both ends. What it lacked before still holds unless it has kept a tile since:
  // only the last tile of a run of draws is laid, and that one at once.
  void note_lack(Public& pub) const {
    std::uint16_t& lacks = pub.lacks[index(pub.turn)];
    if (just_drew(pub, pub.turn)) lacks = 0;
    lacks = static_cast<std::uint16_t>(lacks | 1u << pub.ends[0] | 1u << pub.ends[1]);
  }

  static Seat lighter(const State<Dominoes>& state) {
    const int difference = kTiles.pips(state.own[0].hand) - kTiles.pips(state.own[1].hand);
    return difference == 0 ? kNobody : static_cast<Seat>(difference > 0);
  }

  static void finish(State<Dominoes>& state, Seat winner) {
    state.pub.turn = kNobody;
    state.pub.winner = winner;
    for (std::size_t seat : {0u, 1u}) state.pub.revealed[seat] = state.own[seat].hand;
  }
};

}  // namespace ludoteca

#include "dominoes/worlds.hpp"
