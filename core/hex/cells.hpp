// Sets of cells of a Hex board, and which cells are neighbours.
//
// A cell is numbered by its action. A set is a bit string of W words; boards up to 8×8 need one, 11×11 two, 13×13
// three, 19×19 six. Code that works on sets is a template of W, and `with_words` calls it with the right one.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <type_traits>

#include "hex/rules.hpp"

namespace ludoteca {

// A set of cells as a bit string.
template <int W>
struct Cells {
  std::array<std::uint64_t, static_cast<std::size_t>(W)> word{};

  static Cells of(int cell) {
    Cells out;
    out.add(cell);
    return out;
  }
  void add(int cell) { word[static_cast<std::size_t>(cell >> 6)] |= std::uint64_t{1} << (cell & 63); }
  void remove(int cell) { word[static_cast<std::size_t>(cell >> 6)] &= ~(std::uint64_t{1} << (cell & 63)); }
  bool has(int cell) const { return word[static_cast<std::size_t>(cell >> 6)] >> (cell & 63) & 1; }

  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t w : word) all |= w;
    return all != 0;
  }
  int count() const {
    int out = 0;
    for (const std::uint64_t w : word) out += std::popcount(w);
    return out;
  }
  bool meets(const Cells& rhs) const { return (*this & rhs).any(); }
  bool within(const Cells& rhs) const { return !(*this - rhs).any(); }
  bool operator==(const Cells&) const = default;

  Cells& operator|=(const Cells& rhs) {
    for (std::size_t i = 0; i < word.size(); ++i) word[i] |= rhs.word[i];
    return *this;
  }
  Cells& operator&=(const Cells& rhs) {
    for (std::size_t i = 0; i < word.size(); ++i) word[i] &= rhs.word[i];
    return *this;
  }
  Cells& operator-=(const Cells& rhs) {
    for (std::size_t i = 0; i < word.size(); ++i) word[i] &= ~rhs.word[i];
    return *this;
  }
  friend Cells operator|(Cells a, const Cells& b) { return a |= b; }
  friend Cells operator&(Cells a, const Cells& b) { return a &= b; }
  friend Cells operator-(Cells a, const Cells& b) { return a -= b; }

  // The lowest cell of a set that is not empty.
  int first() const {
    std::size_t i = 0;
    while (!word[i]) ++i;
    return static_cast<int>(i) * 64 + std::countr_zero(word[i]);
  }
  // Calls f with each cell, the lowest first.
  template <class F>
  void each(F f) const {
    for (std::size_t i = 0; i < word.size(); ++i) {
      for (std::uint64_t left = word[i]; left; left &= left - 1) f(static_cast<int>(i) * 64 + std::countr_zero(left));
    }
  }
};

// The stones of each seat.
template <int W>
struct HexStones {
  std::array<Cells<W>, 2> of;

  Cells<W>& operator[](Seat seat) { return of[index(seat)]; }
  const Cells<W>& operator[](Seat seat) const { return of[index(seat)]; }
  Cells<W> taken() const { return of[0] | of[1]; }
  bool operator==(const HexStones&) const = default;
};

// The neighbours and sides of a board. Built once for a game, then constant.
template <int W>
struct HexMap {
  using Set = Cells<W>;
  // The six places around a cell, in circular order. Places on the rim belong to a seat, its corners to none.
  struct Ring {
    std::array<std::int16_t, 6> cell;     // kRim for a place on the rim
    std::array<std::uint8_t, 2> rim;      // by seat, a bit for each place on its rim
    std::uint8_t corner;                  // a bit for each corner of the rim
  };
  static constexpr std::int16_t kRim = -1;

  const int size, cells;
  Set board;                          // all cells
  std::array<Set, 2> low, high;       // by seat: the cells along its low side (left, or top) and its high side
  std::vector<Set> neighbours;        // of each cell
  std::vector<Ring> ring;             // of each cell
  bool rotates = true;                // half a turn of the board, cell i to cell n²-1-i, keeps neighbours

  explicit HexMap(const Hex& game)
      : size(game.size), cells(game.size * game.size), neighbours(index(cells)), ring(index(cells)) {
    constexpr std::array<int, 6> circle{0, 2, 3, 1, 5, 4};  // left, the two above, right, the two below
    const Seat across = game.horizontal(), down = other(across);
    for (int c = 0; c < cells; ++c) {
      board.add(c);
      if (c % size == 0) low[index(across)].add(c);
      if (c % size == size - 1) high[index(across)].add(c);
      if (c / size == 0) low[index(down)].add(c);
      if (c / size == size - 1) high[index(down)].add(c);
      Ring& around = ring[index(c)];
      around = {};
      for (std::size_t k = 0; k < circle.size(); ++k) {
        const int place = game.neighbours(game.at(c))[index(circle[k])];
        const auto bit = static_cast<std::uint8_t>(1u << k);
        around.cell[k] = kRim;
        if (game.on_board(place)) {
          around.cell[k] = static_cast<std::int16_t>(game.action_at(place));
          neighbours[index(c)].add(around.cell[k]);
          continue;
        }
        const int row = place / (size + 2) - 1, column = place % (size + 2) - 1;
        const bool beyond_row = row < 0 || row >= size, beyond_column = column < 0 || column >= size;
        if (beyond_row && beyond_column) {
          around.corner |= bit;
        } else {
          around.rim[index(beyond_row ? down : across)] |= bit;
        }
      }
    }
    for (int c = 0; c < cells; ++c) {
      rotates = rotates && rotated(neighbours[index(c)]) == neighbours[index(cells - 1 - c)];
    }
  }

  HexStones<W> stones(const Hex& game, const Hex::Public& pub) const {
    HexStones<W> out;
    for (int c = 0; c < cells; ++c) {
      if (const Seat seat = game.owner(pub, c); seat != kNobody) out[seat].add(c);
    }
    return out;
  }
  Set empty(const HexStones<W>& stones) const { return board - stones.taken(); }

  // All neighbours of the set, which may include cells of the set.
  Set touching(const Set& set) const {
    Set out;
    set.each([&](int c) { out |= neighbours[index(c)]; });
    return out;
  }
  // The cells of `ground` that are connected, within it, to cells of `from`.
  Set flood(const Set& from, const Set& ground) const {
    Set all = from & ground;
    for (Set fresh = all; fresh.any();) {
      fresh = (touching(fresh) & ground) - all;
      all |= fresh;
    }
    return all;
  }
  bool connected(const HexStones<W>& stones, Seat seat) const {
    return flood(low[index(seat)], stones[seat]).meets(high[index(seat)]);
  }
  // The seat that has connected its sides, or kNobody.
  Seat winner(const HexStones<W>& stones) const {
    return connected(stones, 0) ? Seat{0} : connected(stones, 1) ? Seat{1} : kNobody;
  }

  // The set after half a turn of the board.
  Set rotated(const Set& set) const {
    Set out;
    set.each([&](int c) { out.add(cells - 1 - c); });
    return out;
  }

 private:
};

// Sorts cells by a value of each cell, the highest first; equal ones keep their order.
inline void highest_first(std::span<Action> cells, const double* value) {
  std::stable_sort(cells.begin(), cells.end(),
                   [value](Action a, Action b) { return value[index(a)] > value[index(b)]; });
}

// Calls f(std::integral_constant<int, W>) with the number of words that this size needs.
template <class F>
decltype(auto) with_words(int size, F f) {
  switch ((size * size + 63) / 64) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    case 4: return f(std::integral_constant<int, 4>{});
    default: return f(std::integral_constant<int, 6>{});
  }
}

}  // namespace ludoteca
