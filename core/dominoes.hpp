// Dominoes: two seats lay matching tiles at the ends of one line; whoever lays the last tile of a hand wins.
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
// An action is tile·2 + side, then come `draw` and `pass`. A seat draws or passes only when nothing fits, so
// each such action shows which numbers it lacked; the log of all actions is public and the sampler reads it.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

#include "game.hpp"

namespace ludoteca {

// The tiles of the largest set, the same for all games.
struct Tiles {
  static constexpr int kMaxPips = 9;
  static constexpr int kCount = (kMaxPips + 1) * (kMaxPips + 2) / 2;
  using Set = std::uint64_t;

  std::array<std::uint8_t, kCount> hi{}, lo{};
  std::array<std::uint8_t, kCount> rank{};  // who starts: the best double, or else the heaviest tile
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

  // Calls f(tile) for each tile of a set, in ascending order.
  template <class F>
  static constexpr void each(Set set, F f) {
    for (; set; set &= set - 1) f(std::countr_zero(set));
  }

  constexpr int pips(Set set) const {
    int sum = 0;
    each(set, [&](int tile) {
      const auto i = static_cast<std::size_t>(tile);
      sum += hi[i] + lo[i];
    });
    return sum;
  }
  // The tile of a set that starts a round: none ranks above it.
  constexpr int best(Set set) const {
    int found = std::countr_zero(set);
    each(set, [&](int tile) {
      if (rank[static_cast<std::size_t>(tile)] > rank[static_cast<std::size_t>(found)]) found = tile;
    });
    return found;
  }
};
inline constexpr Tiles kTiles;

struct Dominoes {
  using Set = Tiles::Set;
  using Ends = std::array<std::int8_t, 2>;  // the numbers at the left and right end; -1 before the first tile
  static constexpr int kMaxTiles = Tiles::kCount;
  static constexpr int kMaxHand = kMaxTiles / 2;
  // The first tile may be any of a hand; later at most two rows of ten tiles fit, one of them on both sides.
  static constexpr int kMaxActions = std::max(kMaxHand, 2 * (Tiles::kMaxPips + 1));
  // All tiles but one played, all but two drawn, and each pass answered by a tile.
  static constexpr int kMaxLog = 3 * kMaxTiles - 1;

  struct Public {
    std::array<Set, 2> played{};    // the tiles that each seat has laid
    std::array<Set, 2> revealed{};  // both hands, turned up when the round is over; before, nothing
    Ends ends{-1, -1};
    std::array<std::uint8_t, 2> count{};  // tiles in each hand
    std::uint8_t boneyard = 0;
    std::uint8_t length = 0;  // of the log
    Seat turn = 0;
    Seat winner = kNobody;
    // The numbers, one bit each, that a seat has shown to lack; a tile that it has just drawn may have them.
    std::array<std::uint16_t, 2> lacks{};
    std::array<std::uint8_t, kMaxLog> log{};  // the action, and the seat in the highest bit
  };
  struct Private {
    Set hand = 0;
  };
  struct Hidden {
    std::array<std::uint8_t, kMaxTiles> boneyard{};  // in [0, Public::boneyard), drawn from the back
  };

  const int pips;
  const int hand;
  const bool drawing;         // false: the boneyard stays where it is
  const bool double_starts;   // false: seat 0 starts with any tile
  const bool blocked_counts;  // the fewer pips win a blocked round; false: nobody does
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
  // What `points` divides by: the heaviest hand that a seat can come to hold.
  int points_scale() const { return scale; }
  Action draw_action() const { return 2 * tiles; }
  Action pass_action() const { return 2 * tiles + 1; }
  static Seat seat_of(std::uint8_t entry) { return static_cast<Seat>(entry >> 7); }
  static Action action_of(std::uint8_t entry) { return entry & 127; }

  Set all() const { return (Set{1} << tiles) - 1; }
  // What neither lies on the table nor in the viewer's hand.
  Set unseen(ViewRef<Dominoes> v) const { return all() & ~(v.own.hand | v.pub.played[0] | v.pub.played[1]); }

  // The line by itself, for the rules and for a search that follows only what a seat knows.
  static Set fitting(const Ends& ends, int side) { return kTiles.with[index(ends[index(side)])]; }
  static Set fitting(const Ends& ends) { return fitting(ends, 0) | fitting(ends, 1); }

  // Lists each way to lay a tile of a set. Where the ends are equal, both sides are the same: only the left is listed.
  static void lays(Set set, const Ends& ends, Actions<Dominoes>& out) {
    const Set left = set & fitting(ends, 0);
    const Set right = ends[0] == ends[1] ? 0 : set & fitting(ends, 1);
    Tiles::each(left | right, [&](int tile) {
      if (left >> tile & 1) out.add(2 * tile);
      if (right >> tile & 1) out.add(2 * tile + 1);
    });
  }

  // The first tile lies with its high number to the left; any other puts its far number where it matched.
  static void extend(Ends& ends, int tile, std::size_t side) {
    const int hi = kTiles.hi[index(tile)], lo = kTiles.lo[index(tile)];
    if (ends[0] < 0) {
      ends = {static_cast<std::int8_t>(hi), static_cast<std::int8_t>(lo)};
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

  void legal(ViewRef<Dominoes> v, Actions<Dominoes>& out) const {
    const Set tiles_in_hand = v.own.hand;
    if (first(v.pub)) {
      if (double_starts) return out.add(2 * kTiles.best(tiles_in_hand));
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
    if (first(v.pub)) return side == 0 && (!double_starts || tile == kTiles.best(v.own.hand));
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
    if (can_draw(pub) || ((state.own[0].hand | state.own[1].hand) & fitting(pub))) return;
    finish(state, blocked_counts ? lighter(state) : kNobody);
  }

  Returns returns(const Public& pub) const {
    if (pub.winner == kNobody) return {0, 0};
    const double lost = kTiles.pips(pub.revealed[index(other(pub.winner))]);
    const double won = points ? lost / scale : 1;
    return pub.winner == 0 ? Returns{won, -won} : Returns{-won, won};
  }

  // Calls tell(seat, action, ends) for each action of the log, with the ends before it.
  template <class F>
  void retell(const Public& pub, F tell) const {
    Ends ends{-1, -1};
    for (std::size_t i = 0; i < pub.length; ++i) {
      const Action action = action_of(pub.log[i]);
      tell(seat_of(pub.log[i]), action, ends);
      if (action < draw_action()) extend(ends, action / 2, index(action % 2));
    }
  }

  // All deals that show this view are equally likely: see `Sources`, where that is not plain.
  void sample(const View<Dominoes>& view, Rng rng, State<Dominoes>& state) const {
    state = State<Dominoes>{};
    state.pub = view.pub;
    state.own[index(view.seat)] = view.own;
    const Set hidden = unseen(view), theirs = sample_hand(view, hidden, rng);
    state.own[index(other(view.seat))].hand = theirs;
    int count = 0;
    Tiles::each(hidden & ~theirs, [&](int tile) {
      state.hidden.boneyard[index(count++)] = static_cast<std::uint8_t>(tile);
    });
    rng.shuffle(state.hidden.boneyard.data(), count);
  }

  // T tiles and n = pips + 1 numbers:
  //   [T] own hand · [T] laid by this seat · [T] laid by the other · [n] left end · [n] right end
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
    bits(v.pub.played[they], tiles);
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
  const int tiles;
  int scale = 1;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  static bool first(const Public& pub) { return pub.ends[0] < 0; }
  bool can_draw(const Public& pub) const { return drawing && pub.boneyard > 0; }
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

  // Who draws or passes lacks both ends, of all its tiles. What it lacked before is still so unless it has
  // kept a tile since: only the last tile of a run of draws is laid, and that one at once.
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

  Set sample_hand(const View<Dominoes>& view, Set hidden, Rng& rng) const {
    const Public& pub = view.pub;
    if (pub.turn == kNobody) return pub.revealed[index(other(view.seat))];
    if (!pub.boneyard) return hidden;
    if (first(pub)) return dealt_hand(view, hidden, rng);
    return drawing ? drawn_hand(view, hidden, rng) : kept_hand(view, hidden, rng);
  }

  // Before the first tile, all that is known is whose hand holds the best one.
  Set dealt_hand(const View<Dominoes>& view, Set hidden, Rng& rng) const {
    if (!double_starts) return pick(hidden, hand, rng);
    const Set better = hidden & kTiles.above[index(kTiles.best(view.own.hand))];
    if (view.pub.turn == view.seat) return pick(hidden & ~better, hand, rng);
    std::array<double, kMaxTiles> weights{};
    Tiles::each(better, [&](int tile) {
      weights[index(tile)] = choose(std::popcount(hidden & below(tile)), hand - 1);
    });
    const int best = static_cast<int>(choice(weights.data(), tiles, rng));
    return Tiles::one(best) | pick(hidden & below(best), hand - 1, rng);
  }

  // Without drawing, the other has only tiles of the deal: none above the first tile where that was the best
  // one, and none that fitted when it passed. Where we are stuck and the round goes on, one fits now.
  Set kept_hand(const View<Dominoes>& view, Set hidden, Rng& rng) const {
    const Public& pub = view.pub;
    const Seat they = other(view.seat);
    const int count = pub.count[index(they)];
    Set able = hidden & ~barred_from_deal(pub);
    for (std::size_t number = 0; number < kTiles.with.size(); ++number) {
      if (pub.lacks[index(they)] >> number & 1) able &= ~kTiles.with[number];
    }
    if (view.own.hand & fitting(pub)) return pick(able, count, rng);
    const Set fits = able & fitting(pub), rest = able & ~fits;
    std::array<double, kMaxHand + 1> weights{};
    for (int n = 1; n <= count; ++n) {
      weights[index(n)] = choose(std::popcount(fits), n) * choose(std::popcount(rest), count - n);
    }
    const int n = static_cast<int>(choice(weights.data(), count + 1, rng));
    return pick(fits, n, rng) | pick(rest, count - n, rng);
  }

  // With drawing, a tile that would have fitted when the other drew may have come into its hand since, so what
  // counts is when each of its tiles came. Each has a place: one of those dealt, or one in a run of draws,
  //
  //     log    6-6  d d d 6-4  4-1  d 5-1  ...         source 0: the deal         `hand` places
  //                 └───┬───┘       └─┬─┘              source 1: the first run    2 places, and 6-4
  //                 source 1        source 2           source 2: the second run   0 places, and 5-1
  //
  // and a tile in a place of source k fitted at no run from k on while it was held (source 0: at none, and it
  // did not rank above the first tile). The tile that ends a run is the only one that fits, so where it came
  // from is plain. Any other tile that was laid may have come from several sources: `cases` counts, for each
  // way to have places left over, the ways in which the tiles laid so far can have taken the rest.
  //
  // A hidden tile can be in any place of source `lowest(tile)` or a later one. So the tiles that a source may
  // hold include those of all sources before it, and filling the places in order, each with any tile that may
  // be there and is still free, gives every arrangement once, the number of choices never depending on which
  // were made: this is uniform, and its product is how many deals a case stands for.
  struct Sources {
    struct Case {
      std::uint64_t left;  // the places left in each source, one bit field for each
      double ways;
    };
    std::vector<Case> cases{{0, 1}}, next;
    int count = 0, bits = 0;
    std::array<std::uint8_t, kMaxTiles + 1> shift{};  // where the field of a source begins
    std::array<std::uint64_t, kMaxTiles + 1> mask{};
    Set barred = 0;                                // tiles that were not dealt to either seat
    std::array<int, Tiles::kMaxPips + 1> since{};  // by number: no source before this has a tile with it

    int lowest(int tile) const {
      const int after_deal = static_cast<int>(barred >> tile & 1);
      return std::max({after_deal, since[kTiles.hi[index(tile)]], since[kTiles.lo[index(tile)]]});
    }
    int left(const Case& in, int source) const {
      return static_cast<int>(in.left >> shift[index(source)] & mask[index(source)]);
    }

    // No field is wider than the places that it counts, so all together have at most one bit for each tile.
    void add(int places) {
      const int width = std::bit_width(static_cast<unsigned>(places));
      shift[index(count)] = static_cast<std::uint8_t>(bits);
      mask[index(count)] = (std::uint64_t{1} << width) - 1;
      for (Case& each : cases) each.left |= static_cast<std::uint64_t>(places) << bits;
      bits += width;
      ++count;
    }

    // The other laid a tile that it had held before.
    void lay(int tile) {
      next.clear();
      for (const Case& each : cases) {
        for (int source = lowest(tile); source < count; ++source) {
          const std::uint64_t one = std::uint64_t{1} << shift[index(source)];
          if (const int free = left(each, source)) next.push_back({each.left - one, each.ways * free});
        }
      }
      std::sort(next.begin(), next.end(), [](const Case& a, const Case& b) { return a.left < b.left; });
      cases.clear();
      for (const Case& each : next) {
        if (cases.empty() || cases.back().left != each.left) cases.push_back(each);
        else cases.back().ways += each.ways;
      }
    }
  };

  Sources sources_of(const Public& pub, Seat seat) const {
    Sources sources;
    sources.barred = barred_from_deal(pub);
    sources.add(hand);
    int drawn = 0;  // in the present run
    retell(pub, [&](Seat actor, Action action, const Ends& ends) {
      if (actor != seat) return;
      if (action == draw_action()) {
        ++drawn;
        for (const std::int8_t end : ends) sources.since[index(end)] = sources.count + 1;
      } else if (drawn) {
        sources.add(drawn - 1);
        drawn = 0;
      } else {
        sources.lay(action / 2);
      }
    });
    if (drawn) {
      sources.add(drawn - 1);
      sources.add(1);  // whether the newest tile fits is not known yet
    }
    return sources;
  }

  Set drawn_hand(const View<Dominoes>& view, Set hidden, Rng& rng) const {
    const Sources sources = sources_of(view.pub, other(view.seat));
    std::array<Set, kMaxTiles + 2> from{};  // by source: the hidden tiles that may be there but not before
    Tiles::each(hidden, [&](int tile) { from[index(sources.lowest(tile))] |= Tiles::one(tile); });
    std::vector<double> weights;
    for (const Sources::Case& each : sources.cases) {
      double deals = each.ways;
      int free = 0;
      for (int source = 0; source < sources.count; ++source) {
        free += std::popcount(from[index(source)]);
        for (int left = sources.left(each, source); left > 0; --left) deals *= free--;
      }
      weights.push_back(deals);
    }
    const std::size_t at = choice(weights.data(), static_cast<int>(weights.size()), rng);
    const Sources::Case& chosen = sources.cases[at];
    Set free = 0, theirs = 0;
    for (int source = 0; source < sources.count; ++source) {
      free |= from[index(source)];
      const Set taken = pick(free, sources.left(chosen, source), rng);
      free ^= taken;
      theirs |= taken;
    }
    return theirs;
  }

  // Tiles that were in nobody's hand at the deal, because one of them would have started.
  Set barred_from_deal(const Public& pub) const {
    return double_starts ? kTiles.above[index(action_of(pub.log[0]) / 2)] : 0;
  }
  static Set below(int tile) { return ~(kTiles.above[index(tile)] | Tiles::one(tile)); }

  static double choose(int n, int k) {
    if (k > n) return 0;
    double ways = 1;
    for (int i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
    return ways;
  }

  // An index, each as likely as its weight says.
  static std::size_t choice(const double* weights, int count, Rng& rng) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += weights[i];
    double left = rng.unit() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < index(count); ++i) {
      if (!(weights[i] > 0)) continue;
      last = i;
      if ((left -= weights[i]) < 0) break;
    }
    return last;
  }

  // A uniformly random subset of `count` tiles.
  static Set pick(Set from, int count, Rng& rng) {
    std::array<std::uint8_t, kMaxTiles> pool;
    int size = 0;
    Tiles::each(from, [&](int tile) { pool[index(size++)] = static_cast<std::uint8_t>(tile); });
    assert(count <= size);
    Set picked = 0;
    for (; count > 0; --count) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(size));
      picked |= Tiles::one(pool[at]);
      pool[at] = pool[index(--size)];
    }
    return picked;
  }
};

}  // namespace ludoteca
