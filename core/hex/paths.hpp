// Shortest paths in Hex: how many stones a seat still needs, and where it would put them.
//
// A path joins a seat's low side (left, or top) to its high side. Own stones cost nothing, an empty cell costs one
// stone, and the other's stones are walls. As costs are 0 or 1, the search is a breadth-first flood, level by level
// from the high side: the cells of a level have the same number of stones to go. A* with an admissible estimate finds
// the same numbers.
//
// The flood works on whole sets: a set of cells is a bit string, one bit per action. The rules already mark the stones
// that are joined to a side (see hex/rules.hpp), so the first level is the neighbours of the high side, the path is
// found when a level touches the low side, and only stones joined to neither side have to be crossed.
#pragma once

#include <algorithm>

#include "hex/rules.hpp"

namespace ludoteca {

class HexPaths {
 public:
  static constexpr int kBlocked = -1;  // the distance when no path is left
  static constexpr std::size_t kWords = 6;
  using Set = std::array<std::uint64_t, kWords>;  // of cells; only as many words as the board needs are used
  using Path = ActionList<Hex::kMaxSize * Hex::kMaxSize>;

  // The stones of each seat, and those joined to the low or the high side of their seat.
  struct Stones {
    std::array<Set, 2> of{};
    Set low{}, high{};
  };

  // A position without a winner as one seat sees it.
  struct SeatBoard {
    Set empty{}, stones{};  // stones: its stones that are joined to neither of its sides
    Set from_high{}, to_low{};  // empty cells that touch its high (low) side or stones joined to it

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
        std::uint64_t eight = 0;  // cells beyond the end of the row are masked out below
        for (int i = 0; i < 8; ++i) eight |= std::uint64_t{cells[column + i]} << 8 * i;
        for (std::size_t k = 0; k < bits.size(); ++k) bits[k] |= gathered(eight >> k) << column;
      }
      const std::array<Set*, 4> sets{&out.of[0], &out.of[1], &out.low, &out.high};
      for (std::size_t k = 0; k < bits.size(); ++k) put(*sets[k], row * game_.size, bits[k] & whole_row);
    }
    return out;
  }

  SeatBoard board_of(const Stones& stones, Seat seat) const {
    return dispatch([&](auto words) { return board_of<words.value>(stones, seat); });
  }

  // How many more stones the seat needs to connect if the other passes; kBlocked when it no longer can.
  int distance(const SeatBoard& board) {
    return dispatch([&](auto words) { return distance<words.value>(board); });
  }

  // Finds the empty cells of a shortest path, in order from the low side; returns false if there is no path. Of several
  // shortest paths it is the lexicographically first by actions.
  bool shortest(const SeatBoard& board, Path& path) {
    return dispatch([&](auto words) { return shortest<words.value>(board, path); });
  }

 private:
  const Hex& game_;
  const std::size_t words_;
  // The steps from a cell to a neighbour: the difference of their actions, and the cells that such a step leads to.
  struct Steps {
    int count = 0;
    std::array<int, 4> cells{};
    std::array<Set, 4> to{};

    Set& of(int difference) {
      const auto known = std::find(cells.begin(), cells.begin() + count, difference) - cells.begin();
      if (known == count) cells[index(count++)] = difference;
      return to[static_cast<std::size_t>(known)];
    }
  };
  Steps up_, down_;
  Set board_{};  // all cells
  std::array<Set, 2> low_{}, high_{};  // by seat: the cells along its sides
  std::array<Set, Hex::kMaxSize * Hex::kMaxSize> neighbours_{};
  // [k]: the empty cells from which k stones, including one there, reach the high side.
  std::array<Set, Hex::kMaxSize * Hex::kMaxSize + 2> levels_;

  static constexpr std::size_t word_of(Action cell) { return index(cell) / 64; }
  static constexpr std::uint64_t bit_of(Action cell) { return std::uint64_t{1} << cell % 64; }
  static void add_if(bool condition, Set& set, Action cell) {
    set[word_of(cell)] |= condition ? bit_of(cell) : 0;
  }

  // Calls `f` with the number of words as a constant, so that small boards stay in registers.
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
    for (std::size_t step = 0; step < index(up_.count); ++step) {
      const int cells = up_.cells[step];
      out[0] |= set[0] << cells & up_.to[step][0];
      for (std::size_t i = 1; i < W; ++i) out[i] |= (set[i] << cells | set[i - 1] >> (64 - cells)) & up_.to[step][i];
    }
    for (std::size_t step = 0; step < index(down_.count); ++step) {
      const int cells = down_.cells[step];
      out[W - 1] |= set[W - 1] >> cells & down_.to[step][W - 1];
      for (std::size_t i = 0; i + 1 < W; ++i) {
        out[i] |= (set[i] >> cells | set[i + 1] << (64 - cells)) & down_.to[step][i];
      }
    }
    return out;
  }

  // Adds to `near` the neighbours of all stones connected to it, and removes those stones from `stones`.
  template <std::size_t W>
  void cross_stones(Set& stones, Set& near) const {
    while (meet<W>(near, stones)) {
      Set crossed{};
      for (std::size_t i = 0; i < W; ++i) {
        crossed[i] = near[i] & stones[i];
        stones[i] &= ~crossed[i];
      }
      const Set more = touching<W>(crossed);
      for (std::size_t i = 0; i < W; ++i) near[i] |= more[i];
    }
  }

  // The lowest cell that is in both sets; there is one.
  static Action lowest(const Set& a, const Set& b) {
    std::size_t i = 0;
    while (!(a[i] & b[i])) ++i;
    return static_cast<Action>(i * 64) + std::countr_zero(a[i] & b[i]);
  }

  template <std::size_t W>
  SeatBoard board_of(const Stones& stones, Seat seat) const {
    SeatBoard board;
    const Set &own = stones.of[index(seat)], &others = stones.of[index(other(seat))];
    Set low{}, high{};
    for (std::size_t i = 0; i < W; ++i) {
      low[i] = own[i] & stones.low[i];
      high[i] = own[i] & stones.high[i];
      board.stones[i] = own[i] & ~(low[i] | high[i]);
      board.empty[i] = board_[i] & ~(own[i] | others[i]);
    }
    const Set by_low = touching<W>(low), by_high = touching<W>(high);
    for (std::size_t i = 0; i < W; ++i) {
      board.to_low[i] = (by_low[i] | low_[index(seat)][i]) & board.empty[i];
      board.from_high[i] = (by_high[i] | high_[index(seat)][i]) & board.empty[i];
    }
    return board;
  }

  // Gathers the lowest bits of eight bytes into one byte.
  static constexpr std::uint64_t gathered(std::uint64_t bytes) {
    return (bytes & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56;
  }

  // Adds the bits of a row, starting at cell `first`.
  static void put(Set& set, Action first, std::uint64_t bits) {
    const std::size_t word = word_of(first);
    const int offset = first % 64;
    set[word] |= bits << offset;
    if (offset + Hex::kMaxSize > 64 && word + 1 < kWords) set[word + 1] |= bits >> (64 - offset);
  }

  template <std::size_t W>
  int distance(const SeatBoard& board) {
    Set unseen{}, stones = board.stones, here = board.from_high;
    for (std::size_t i = 0; i < W; ++i) unseen[i] = board.empty[i] & ~here[i];
    for (int level = 1;; ++level) {
      levels_[index(level)] = here;
      if (meet<W>(here, board.to_low)) return level;
      here = touching<W>(here);
      if (meet<W>(here, stones)) cross_stones<W>(stones, here);
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
  bool shortest(const SeatBoard& board, Path& path) {
    path.size = 0;
    const int length = distance<W>(board);
    if (length == kBlocked) return false;
    Action cell = lowest(levels_[index(length)], board.to_low);
    path.add(cell);
    for (int left = length - 1; left > 0; --left) {
      Set near = neighbours_[index(cell)];
      if (meet<W>(near, board.stones)) {
        Set stones = board.stones;
        cross_stones<W>(stones, near);
      }
      cell = lowest(near, levels_[index(left)]);
      path.add(cell);
    }
    return true;
  }
};

}  // namespace ludoteca
