// Shortest paths in Hex: how many stones a seat still needs, and where it would put them.
//
// A path joins a seat's low side (left, or top) to its high side. Own stones cost nothing, an empty cell costs one
// stone, and the other's stones are walls. As costs are 0 or 1 the search is a flood, level by level from the high
// side: the cells of a level are those with the same number of stones to go. Best-first search with an admissible
// estimate (A*) finds the same numbers.
//
// The board floods as a whole: a set of cells is a string of bits, one per action. The rules already know which stones
// are joined to a side (see the marks in hex.hpp), so the first level is what touches the high side, the path is found
// when a level touches the low side, and only stones joined to neither are waded through.
#pragma once

#include <algorithm>

#include "hex/rules.hpp"

namespace ludoteca {

class HexPaths {
 public:
  static constexpr int kBlocked = -1;  // the distance where no path is left
  static constexpr std::size_t kWords = 6;
  using Set = std::array<std::uint64_t, kWords>;  // of cells; only the words that the board's size needs are used
  using Path = ActionList<Hex::kMaxSize * Hex::kMaxSize>;

  // Whose stones lie where, and which of them are joined to a side of their seat.
  struct Stones {
    std::array<Set, 2> of{};
    Set low{}, high{};
  };

  // What matters to one seat in a position that nobody has won.
  struct Terrain {
    Set empty{}, stones{};  // its stones that are joined to neither of its sides
    Set from_high{}, to_low{};  // empty cells that touch its high side, or its low side, or stones joined to it

    // Puts a stone of the other seat there.
    void block(Action cell) {
      for (Set* set : {&empty, &from_high, &to_low}) (*set)[word_of(cell)] &= ~bit_of(cell);
    }
  };

  explicit HexPaths(const Hex& game) : game_(game), words_(index(game.size * game.size + 63) / 64) {
    const int last = game.size - 1;
    const Seat across = game.horizontal(), down = other(across);
    for (Action cell = 0; cell < game.size * game.size; ++cell) {
      add_if(true, board_, cell);
      add_if(cell % game.size == 0, low_[index(across)], cell);
      add_if(cell % game.size == last, high_[index(across)], cell);
      add_if(cell / game.size == 0, low_[index(down)], cell);
      add_if(cell / game.size == last, high_[index(down)], cell);
      for (const int place : game.neighbours(game.at(cell))) {
        if (!game.on_board(place)) continue;
        const Action near = game.action_at(place);
        add_if(true, neighbours_[index(cell)], near);
        add_if(true, near < cell ? up_.of(cell - near) : down_.of(near - cell), cell);
      }
    }
  }

  // The position as sets: four bits of each cell, eight cells at a time.
  Stones stones(const Hex::Public& pub) const {
    Stones out;
    const std::uint64_t whole_row = (std::uint64_t{1} << game_.size) - 1;
    for (int row = 0; row < game_.size; ++row) {
      const std::uint8_t* cells = &pub.cell[index(game_.at(row, 0))];
      std::array<std::uint64_t, 4> bits{};  // seat 0, seat 1, low, high
      for (int column = 0; column < game_.size; column += 8) {
        std::uint64_t eight = 0;  // beyond the row's end they are other cells, which are masked out
        for (int i = 0; i < 8; ++i) eight |= std::uint64_t{cells[column + i]} << 8 * i;
        for (std::size_t k = 0; k < bits.size(); ++k) bits[k] |= gathered(eight >> k) << column;
      }
      const std::array<Set*, 4> sets{&out.of[0], &out.of[1], &out.low, &out.high};
      for (std::size_t k = 0; k < bits.size(); ++k) put(*sets[k], row * game_.size, bits[k] & whole_row);
    }
    return out;
  }

  Terrain terrain(const Stones& stones, Seat seat) const {
    return dispatch([&](auto words) { return terrain<words.value>(stones, seat); });
  }

  // How many more stones the seat needs to connect if the other passes; kBlocked when it no longer can.
  int distance(const Terrain& land) {
    return dispatch([&](auto words) { return distance<words.value>(land); });
  }

  // The empty cells of a shortest path, in order from the low side, and true; false when there is none. Of several
  // shortest paths it is the first in the dictionary of their actions.
  bool shortest(const Terrain& land, Path& path) {
    return dispatch([&](auto words) { return shortest<words.value>(land, path); });
  }

 private:
  const Hex& game_;
  const std::size_t words_;
  // The ways from a cell to a neighbour: by so many actions up, or down, and to which cells that leads.
  struct Ways {
    int count = 0;
    std::array<int, 4> cells{};
    std::array<Set, 4> to{};

    Set& of(int difference) {
      const auto known = std::find(cells.begin(), cells.begin() + count, difference) - cells.begin();
      if (known == count) cells[index(count++)] = difference;
      return to[static_cast<std::size_t>(known)];
    }
  };
  Ways up_, down_;
  Set board_{};  // all cells
  std::array<Set, 2> low_{}, high_{};  // by seat, the cells along its sides
  std::array<Set, Hex::kMaxSize * Hex::kMaxSize> neighbours_{};
  // [k]: the empty cells from which k stones, one of them there, reach the high side.
  std::array<Set, Hex::kMaxSize * Hex::kMaxSize + 2> levels_;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::size_t word_of(Action cell) { return index(cell) / 64; }
  static constexpr std::uint64_t bit_of(Action cell) { return std::uint64_t{1} << cell % 64; }
  static void add_if(bool condition, Set& set, Action cell) {
    set[word_of(cell)] |= condition ? bit_of(cell) : 0;
  }

  // Calls `f` with the number of words as a constant, so that small boards live in registers.
  template <class F>
  std::invoke_result_t<F, std::integral_constant<std::size_t, 1>> dispatch(F f) const {
    switch (words_) {
      case 1: return f(std::integral_constant<std::size_t, 1>{});
      case 2: return f(std::integral_constant<std::size_t, 2>{});
      case 3: return f(std::integral_constant<std::size_t, 3>{});
      case 4: return f(std::integral_constant<std::size_t, 4>{});
      default: return f(std::integral_constant<std::size_t, kWords>{});
    }
  }

  template <std::size_t W>
  static bool meet(const Set& a, const Set& b) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < W; ++i) bits |= a[i] & b[i];
    return bits != 0;
  }

  // The neighbours of a set.
  template <std::size_t W>
  Set touching(const Set& set) const {
    Set out{};
    for (std::size_t way = 0; way < index(up_.count); ++way) {
      const int cells = up_.cells[way];
      out[0] |= set[0] << cells & up_.to[way][0];
      for (std::size_t i = 1; i < W; ++i) out[i] |= (set[i] << cells | set[i - 1] >> (64 - cells)) & up_.to[way][i];
    }
    for (std::size_t way = 0; way < index(down_.count); ++way) {
      const int cells = down_.cells[way];
      out[W - 1] |= set[W - 1] >> cells & down_.to[way][W - 1];
      for (std::size_t i = 0; i + 1 < W; ++i) {
        out[i] |= (set[i] >> cells | set[i + 1] << (64 - cells)) & down_.to[way][i];
      }
    }
    return out;
  }

  // Adds to `near` whatever touches stones that it contains, and so on; takes the stones used off `stones`.
  template <std::size_t W>
  void wade(Set& stones, Set& near) const {
    while (meet<W>(near, stones)) {
      Set wet{};
      for (std::size_t i = 0; i < W; ++i) {
        wet[i] = near[i] & stones[i];
        stones[i] &= ~wet[i];
      }
      const Set more = touching<W>(wet);
      for (std::size_t i = 0; i < W; ++i) near[i] |= more[i];
    }
  }

  // The lowest cell in both sets, which meet.
  static Action lowest(const Set& a, const Set& b) {
    std::size_t i = 0;
    while (!(a[i] & b[i])) ++i;
    return static_cast<Action>(i * 64) + std::countr_zero(a[i] & b[i]);
  }

  template <std::size_t W>
  Terrain terrain(const Stones& stones, Seat seat) const {
    Terrain land;
    const Set &own = stones.of[index(seat)], &others = stones.of[index(other(seat))];
    Set low{}, high{};
    for (std::size_t i = 0; i < W; ++i) {
      low[i] = own[i] & stones.low[i];
      high[i] = own[i] & stones.high[i];
      land.stones[i] = own[i] & ~(low[i] | high[i]);
      land.empty[i] = board_[i] & ~(own[i] | others[i]);
    }
    const Set by_low = touching<W>(low), by_high = touching<W>(high);
    for (std::size_t i = 0; i < W; ++i) {
      land.to_low[i] = (by_low[i] | low_[index(seat)][i]) & land.empty[i];
      land.from_high[i] = (by_high[i] | high_[index(seat)][i]) & land.empty[i];
    }
    return land;
  }

  // The lowest bit of each of eight bytes, side by side.
  static constexpr std::uint64_t gathered(std::uint64_t bytes) {
    return (bytes & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56;
  }

  // Adds a row's bits, from that cell on.
  static void put(Set& set, Action first, std::uint64_t bits) {
    const std::size_t word = word_of(first);
    const int offset = first % 64;
    set[word] |= bits << offset;
    if (offset + Hex::kMaxSize > 64 && word + 1 < kWords) set[word + 1] |= bits >> (64 - offset);
  }

  template <std::size_t W>
  int distance(const Terrain& land) {
    Set unseen{}, stones = land.stones, here = land.from_high;
    for (std::size_t i = 0; i < W; ++i) unseen[i] = land.empty[i] & ~here[i];
    for (int level = 1;; ++level) {
      levels_[index(level)] = here;
      if (meet<W>(here, land.to_low)) return level;
      here = touching<W>(here);
      if (meet<W>(here, stones)) wade<W>(stones, here);
      std::uint64_t alive = 0;
      for (std::size_t i = 0; i < W; ++i) {
        here[i] &= unseen[i];
        unseen[i] &= ~here[i];
        alive |= here[i];
      }
      if (!alive) return kBlocked;
    }
  }

  template <std::size_t W>
  bool shortest(const Terrain& land, Path& path) {
    path.size = 0;
    const int length = distance<W>(land);
    if (length == kBlocked) return false;
    Action cell = lowest(levels_[index(length)], land.to_low);
    path.add(cell);
    for (int left = length - 1; left > 0; --left) {
      Set near = neighbours_[index(cell)];
      if (meet<W>(near, land.stones)) {
        Set stones = land.stones;
        wade<W>(stones, near);
      }
      cell = lowest(near, levels_[index(left)]);
      path.add(cell);
    }
    return true;
  }
};

}  // namespace ludoteca
