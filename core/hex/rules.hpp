// Hex: two seats put stones on an n×n board of hexagons; the seat that connects its two sides wins.
//
// The board lies inside a rim of one cell, so that no neighbour is ever out of range (n = 3, s = n + 2):
//
//      #   1   1   1   #            #  a corner of the rim, which belongs to no seat
//        0   .   .   .   0          0  rim of the seat that connects left and right
//          0   .   .   .   0        1  rim of the seat that connects top and bottom
//            0   .   .   .   0
//              #   1   1   1   #
//
// Each cell is one byte: whose stone it is, and whether its group reaches that seat's low side (left, or
// top) and high side (right, or bottom). These marks depend only on the position, not on the order of moves. A
// new stone gets the marks of its neighbours and passes on those they lack; a stone with both marks wins.
// A cell gets each mark at most once, so a whole game costs O(cells).
#pragma once

#include <bit>
#include <cstdlib>
#include <span>
#include <stdexcept>

#include "game.hpp"

namespace ludoteca {

struct Hex {
  static constexpr int kMaxSize = 19;
  static constexpr int kMaxSide = kMaxSize + 2;
  static constexpr int kMaxActions = kMaxSize * kMaxSize + 1;
  static constexpr int kPlanes = 5;

  enum class Layout { axial, even_r, odd_r };

  // A cell: 0 when empty, otherwise the owner's bit, the marks of its group, and the marks it does not accept:
  // for a stone those that it has, for the rim all, so that `spread` never walks along the rim.
  static constexpr std::uint8_t kLow = 4, kHigh = 8, kBoth = kLow | kHigh, kSated = kBoth << 2;
  static constexpr std::uint8_t stone(Seat seat) { return seat == 0 ? 1 : 2; }

  struct Public {
    std::int16_t last = -1;   // the last action, -1 before the first
    std::int16_t moves = 0;   // actions so far
    Seat turn = 0;
    Seat winner = kNobody;
    std::array<std::uint8_t, kMaxSide * kMaxSide> cell{};
    std::uint8_t zero = 0;
  };
  using Private = Nothing;
  using Hidden = Nothing;

  const int size;
  const bool standard;  // true: seat 0 connects top and bottom; false: left and right
  const Layout layout;
  const bool swap;

  Hex(int size_, bool standard_, Layout layout_, bool swap_)
      : size(size_), standard(standard_), layout(layout_), swap(swap_), side(size_ + 2) {
    if (size < 1 || size > kMaxSize) throw std::invalid_argument("Hex: size must be 1 to 19");
    // In the other layouts mirroring does not keep neighbours, so a swap would change the position.
    if (swap && layout != Layout::axial) throw std::invalid_argument("Hex: swap needs an axial layout");
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        place[index(row * size + column)] = static_cast<std::int16_t>(at(row, column));
        fill_neighbours(row, column);
      }
    }
  }

  int num_actions() const { return size * size + (swap ? 1 : 0); }
  Action swap_action() const { return size * size; }
  // The seat that connects left and right.
  Seat horizontal() const { return standard ? 1 : 0; }

  // Where the cell (row, column), or the cell of an action, lies in Public::cell.
  int at(int row, int column) const { return (row + 1) * side + column + 1; }
  int at(Action action) const { return place[index(action)]; }
  // The action that puts a stone there.
  Action action_at(int cell) const { return (cell / side - 1) * size + cell % side - 1; }
  bool on_board(int cell) const {
    const int row = cell / side, column = cell % side;
    return row > 0 && row <= size && column > 0 && column <= size;
  }
  // Where the six neighbours of a cell of the board lie, the rim included: left, right, two above, two below.
  const std::array<std::int16_t, 6>& neighbours(int cell) const { return neighbour[index(cell)]; }
  // The owner of the stone there, kNobody when empty.
  Seat owner(const Public& pub, Action action) const {
    const std::uint8_t cell = pub.cell[index(at(action))];
    return cell & 1 ? 0 : cell & 2 ? 1 : kNobody;
  }

  // How far a cell is from the centre: the steps along rows and columns, twice.
  int off_centre(Action action) const {
    const int row = action / size, column = action % size;
    return std::abs(2 * row - size + 1) + std::abs(2 * column - size + 1);
  }

  void deal(State<Hex>& state, Rng) const {
    state = State<Hex>{};
    const std::uint8_t across = stone(horizontal()), down = stone(other(horizontal()));
    for (int i = 0; i < size; ++i) {
      state.pub.cell[index(at(i, -1))] = across | kLow | kSated;
      state.pub.cell[index(at(i, size))] = across | kHigh | kSated;
      state.pub.cell[index(at(-1, i))] = down | kLow | kSated;
      state.pub.cell[index(at(size, i))] = down | kHigh | kSated;
    }
    for (int corner : {at(-1, -1), at(-1, size), at(size, -1), at(size, size)}) {
      state.pub.cell[index(corner)] = kSated;  // of no seat, but not empty
    }
  }

  // Sets up a position: owner[action] is the owner of the stone there, kNobody for none; any numbers of stones are
  // allowed. `turn` is on turn unless a seat has connected already.
  void set_up(State<Hex>& state, std::span<const Seat> owner, Seat turn) const {
    deal(state, Rng{});
    Public& pub = state.pub;
    pub.turn = turn;
    for (Action action = 0; action < size * size; ++action) {
      const Seat seat = owner[index(action)];
      if (seat == kNobody) continue;
      if (put(pub, seat, at(action))) pub.winner = seat;
      ++pub.moves;
    }
    if (pub.winner != kNobody) pub.turn = kNobody;
  }

  bool can_swap(const Public& pub) const { return swap && pub.moves == 1 && pub.turn == 1; }

  void legal(ViewRef<Hex> v, Actions<Hex>& out) const {
    Action action = 0;
    for (int row = 0; row < size; ++row) {
      const std::uint8_t* cells = &v.pub.cell[index(at(row, 0))];
      for (int column = 0; column < size; ++column, ++action) {
        out.add_if(!cells[column], action);
      }
    }
    if (can_swap(v.pub)) out.add(swap_action());
  }

  bool is_legal(ViewRef<Hex> v, Action action) const {
    if (action == size * size) return can_swap(v.pub);
    return action >= 0 && action < size * size && !v.pub.cell[index(at(action))];
  }

  void apply(State<Hex>& state, Action action) const {
    Public& pub = state.pub;
    const Seat seat = pub.turn;
    if (action == size * size) {
      const int row = pub.last / size, column = pub.last % size;
      pub.cell[index(at(row, column))] = 0;
      put(pub, seat, at(column, row));
    } else if (put(pub, seat, at(action))) {
      pub.winner = seat;
    }
    pub.last = static_cast<std::int16_t>(action);
    ++pub.moves;
    pub.turn = pub.winner == kNobody ? other(seat) : kNobody;
  }

  Returns returns(const Public& pub) const {
    if (pub.winner == kNobody) return {0, 0};
    return pub.winner == 0 ? Returns{1, -1} : Returns{-1, 1};
  }

  void sample(const View<Hex>& view, Rng, State<Hex>& state) const {
    state = State<Hex>{};
    state.pub = view.pub;
  }

  // Planes of n×n: own stones; the other's stones; then three constant planes: 1 where this seat connects
  // left and right; 1 on this seat's turn; 1 where `swap` is legal now.
  std::vector<int> tensor_shape() const { return {kPlanes, size, size}; }
  void tensor(ViewRef<Hex> v, float* out) const {
    const int cells = size * size;
    const std::uint8_t mine = stone(v.seat), theirs = stone(other(v.seat));
    float *own = out, *others = out + cells;
    for (int row = 0; row < size; ++row) {
      const std::uint8_t* from = &v.pub.cell[index(at(row, 0))];
      for (int column = 0; column < size; ++column) {
        *own++ = from[column] & mine ? 1.0f : 0.0f;
        *others++ = from[column] & theirs ? 1.0f : 0.0f;
      }
    }
    const std::array<bool, 3> constant{v.seat == horizontal(), v.pub.turn == v.seat, can_swap(v.pub)};
    for (std::size_t i = 0; i < constant.size(); ++i) {
      std::fill_n(out + cells * (2 + static_cast<int>(i)), cells, constant[i] ? 1.0f : 0.0f);
    }
  }

  // Puts stones on the empty cells in a random order until a seat wins.
  void playout_stepwise(State<Hex>& state, Rng& rng) const {
    if (chance_swaps(state.pub, rng)) apply(state, swap_action());
    Public& pub = state.pub;
    if (pub.turn == kNobody) return;
    std::array<std::int16_t, kMaxSize * kMaxSize> left;  // the empty cells
    int count = 0;
    for (Action action = 0; action < size * size; ++action) {
      left[index(count)] = static_cast<std::int16_t>(action);
      count += pub.cell[index(at(action))] == 0;
    }
    Seat seat = pub.turn;
    for (bool won = false; !won; seat = other(seat)) {
      std::int16_t& pick = left[rng.below(static_cast<std::uint32_t>(count))];
      won = put(pub, seat, at(pick));
      pub.last = pick;
      pick = left[index(--count)];
      ++pub.moves;
    }
    pub.winner = other(seat);
    pub.turn = kNobody;
  }

  // The full board decides the winner: fills it at random, each seat its share, and tests once whether
  // the seat that connects top and bottom has done so.
  Returns playout(const State<Hex>& state, Rng& rng) const {
    if (!chance_swaps(state.pub, rng)) return fill_and_test(state.pub, rng);
    State<Hex> swapped = state;
    apply(swapped, swap_action());
    return fill_and_test(swapped.pub, rng);
  }

  // Puts a stone on an empty cell, regardless of the turn; returns whether it wins.
  bool put(Public& pub, Seat seat, int cell) const {
    const std::uint64_t near = around(pub, cell);
    const std::uint64_t own = ((near >> seat) & kEach) * 0xff;  // all ones in the bytes of own stones
    // By byte, the marks that an own neighbour has and those that it wants; then what any of them has or wants.
    std::uint64_t any = own & ((near & kEach * kBoth) | (~near & kEach * kSated));
    any |= any >> 32;
    any |= any >> 16;
    any |= any >> 8;
    const unsigned marks = static_cast<unsigned>(any) & kBoth;
    pub.cell[index(cell)] = static_cast<std::uint8_t>((1u << seat) | marks | marks << 2);
    if (static_cast<unsigned>(any) & marks << 2) spread(pub, seat, marks, cell);
    return marks == kBoth;
  }

  // The winner on a full board; of each byte of `cells`, laid out as in Public::cell, only the owner counts.
  Seat winner_of_full(const std::uint8_t* cells) const {
    const Seat seat = other(horizontal());
    Rows stones{};
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; column += 8) {  // what lies beyond the row is cut off below
        stones[index(row)] |= lowest_bits(eight(cells + at(row, column)) >> seat) << column;
      }
      stones[index(row)] &= (1u << size) - 1;
    }
    return connects_down(stones) ? seat : other(seat);
  }

 private:
  using Rows = std::array<std::uint32_t, kMaxSize + 1>;  // one bit per column; rows are taken two by two

  const int side;
  std::array<std::int16_t, kMaxSize * kMaxSize> place{};  // of each action's cell, in Public::cell
  std::array<std::array<std::int16_t, 6>, kMaxSide * kMaxSide> neighbour{};

  // On shifted rows both upper and lower neighbours lie at column and column + 1, on the others one to
  // the left; an axial board leans by one column from each row to the next.
  void fill_neighbours(int row, int column) {
    int up = 0, down = -1;  // axial: the left one of the two neighbours above, and of the two below
    if (layout != Layout::axial) up = down = (row % 2 == 0) == (layout == Layout::even_r) ? 0 : -1;
    const std::array<std::pair<int, int>, 6> steps{
        {{0, -1}, {0, 1}, {-1, up}, {-1, up + 1}, {1, down}, {1, down + 1}}};
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const int cell = at(row + steps[k].first, column + steps[k].second);
      neighbour[index(at(row, column))][k] = static_cast<std::int16_t>(cell);
    }
  }

  // The six neighbours of a cell as one word, a byte each. Their owners are random, and branches on them would be
  // mispredicted half the time: so `put` and `spread` compute with all six at once.
  static constexpr std::uint64_t kEach = 0x010101010101ULL;
  std::uint64_t around(const Public& pub, int cell) const {
    const std::uint8_t* beside = &pub.cell[index(cell)];
    const std::uint8_t* above = &pub.cell[index(neighbour[index(cell)][2])];
    const std::uint8_t* below = &pub.cell[index(neighbour[index(cell)][4])];
    return std::uint64_t{beside[-1]} | std::uint64_t{beside[1]} << 8 | std::uint64_t{above[0]} << 16 |
           std::uint64_t{above[1]} << 24 | std::uint64_t{below[0]} << 32 | std::uint64_t{below[1]} << 40;
  }

  // Gives `marks` to the whole group of a new stone.
  void spread(Public& pub, Seat seat, unsigned marks, int start) const {
    const auto gift = static_cast<std::uint8_t>(marks | marks << 2);
    std::array<std::int16_t, kMaxSize * kMaxSize> stack;
    stack[0] = static_cast<std::int16_t>(start);
    for (int depth = 1; depth > 0;) {
      const int cell = stack[index(--depth)];
      const std::uint64_t near = around(pub, cell);
      const std::uint64_t lacking = ~near & (kEach * (marks << 2));
      std::uint64_t wants = (near >> seat) & (lacking >> 4 | lacking >> 5) & kEach;
      for (; wants; wants &= wants - 1) {
        const std::int16_t n = neighbour[index(cell)][index(std::countr_zero(wants) / 8)];
        pub.cell[index(n)] |= gift;
        stack[index(depth++)] = n;
      }
    }
  }

  // Whether random play swaps now: one of the n²-1 empty cells or swap, all equally likely.
  bool chance_swaps(const Public& pub, Rng& rng) const {
    return can_swap(pub) && rng.below(static_cast<std::uint32_t>(size * size)) == 0;
  }

  Returns fill_and_test(const Public& pub, Rng& rng) const {
    if (pub.turn == kNobody) return returns(pub);
    const Seat seat = other(horizontal());
    Rows empty{}, stones{};
    int free = 0;
    for (int row = 0; row < size; ++row) {
      std::uint32_t taken = 0;
      for (int column = 0; column < size; column += 8) {  // what lies beyond the row is cut off below
        const std::uint64_t cells = eight(&pub.cell[index(at(row, column))]);
        taken |= lowest_bits(cells | cells >> 1) << column;
        stones[index(row)] |= lowest_bits(cells >> seat) << column;
      }
      const std::uint32_t all = (1u << size) - 1;
      empty[index(row)] = ~taken & all;
      stones[index(row)] &= all;
      free += std::popcount(empty[index(row)]);
    }
    give_random_share(empty, stones, pub.turn == seat ? (free + 1) / 2 : free / 2, rng);
    return (seat == 0) == connects_down(stones) ? Returns{1, -1} : Returns{-1, 1};
  }

  static std::uint64_t eight(const std::uint8_t* cells) {
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i) out |= std::uint64_t{cells[i]} << (8 * i);
    return out;
  }
  // The lowest bit of each byte, gathered by one product.
  static std::uint32_t lowest_bits(std::uint64_t bytes) {
    return static_cast<std::uint32_t>((bytes & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56);
  }

  // Adds `share` random cells of `empty` to `stones`. A random subset of any size, corrected by random
  // single cells to the size wanted, is uniform: no step prefers one cell to another.
  void give_random_share(const Rows& empty, Rows& stones, int share, Rng& rng) const {
    Rows given{};
    int count = 0;
    for (int row = 0; row < size; row += 2) {
      const std::uint64_t bits = rng.next();
      given[index(row)] = static_cast<std::uint32_t>(bits) & empty[index(row)];
      given[index(row + 1)] = static_cast<std::uint32_t>(bits >> 32) & empty[index(row + 1)];
      count += std::popcount(given[index(row)] | std::uint64_t{given[index(row + 1)]} << 32);
    }
    while (count != share) {
      const std::size_t row = rng.below(static_cast<std::uint32_t>(size));
      const std::uint32_t bit = 1u << rng.below(static_cast<std::uint32_t>(size));
      if (!(empty[row] & bit) || ((given[row] & bit) != 0) == (count < share)) continue;
      given[row] ^= bit;
      count += count < share ? 1 : -1;
    }
    for (int row = 0; row < size; ++row) stones[index(row)] |= given[index(row)];
  }

  // Whether stones join the top to the bottom: whole rows flood at a time, down as far as they get, up
  // again into bays, and so on until the bottom is reached or nothing is new.
  bool connects_down(const Rows& stones) const {
    Rows reached{};
    reached[0] = stones[0];
    for (;;) {
      int row = 1;
      for (; row < size; ++row) {
        flood(stones, reached, row, row - 1);
        if (!reached[index(row)]) break;
      }
      if (row >= size) return reached[index(size - 1)] != 0;
      bool grew = false;
      for (row -= 2; row >= 0; --row) grew |= flood(stones, reached, row, row + 1);
      if (!grew) return false;
    }
  }

  bool flood(const Rows& stones, Rows& reached, int row, int from) const {
    const std::uint32_t source = reached[index(from)];
    bool right;  // do the two neighbours in `row` of a cell in `from` lie at its column and the next one?
    if (layout == Layout::axial) right = from > row;
    else right = (from % 2 == 0) == (layout == Layout::even_r);
    const std::uint32_t touched = (source | (right ? source << 1 : source >> 1)) & stones[index(row)];
    if (!(touched & ~reached[index(row)])) return false;
    reached[index(row)] = runs(stones[index(row)], reached[index(row)] | touched);
    return true;
  }

  // The runs of adjacent bits of `row` that contain a bit of `seeds`. Adding a seed carries to the upper end
  // of its run; towards the lower end the seeds spread by doubling steps.
  static std::uint32_t runs(std::uint32_t row, std::uint32_t seeds) {
    seeds |= ((row + seeds) ^ row) & row;
    for (int step = 1; step < kMaxSize; step *= 2) {
      seeds |= row & (seeds >> step);
      row &= row >> step;
    }
    return seeds;
  }
};

}  // namespace ludoteca
