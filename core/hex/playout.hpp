// Playouts of Hex that save bridges.
//
// Two stones with two common empty neighbours are as good as connected: if the other seat plays one of the two cells,
// the seat answers with the other. Uniformly random play loses half of these bridges. These playouts save them:
//
//          A   b                A   #         A, A: stones of one seat, or its rim; #: the other has just played here;
//            b   A                b   A       then b is played at once. Around #, A b A are neighbours in a row.
//
// Otherwise the empty cells are filled in a random order. The winner is determined on the full board, where the owner
// of each cell also feeds RAVE.
#pragma once

#include <algorithm>

#include "hex/rules.hpp"

namespace ludoteca {

// A board for playouts: the owner of each place, indexed as Hex::Public::cell.
struct HexBoard {
  static constexpr std::uint8_t kCorner = 3;  // of the rim: neither empty nor a stone
  std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide> cell;
};

class HexPlayouts {
 public:
  explicit HexPlayouts(const Hex& game) : game_(game) {
    for (Action action = 0; action < game.size * game.size; ++action) {
      const auto& beside = game.neighbours(game.at(action));
      // The rules list left, right, two above, two below; here they are in circular order.
      around_[index(game.at(action))] = {beside[0], beside[2], beside[3], beside[1], beside[5], beside[4]};
    }
    for (unsigned code = 0; code < saves_[0].size(); ++code) {
      const auto owner = [code](int k) { return code >> 2 * (k % 6) & 3; };
      for (int k = 0; k < 6; ++k) {
        const unsigned a = owner(k + 5), b = owner(k), c = owner(k + 1);
        if (b || a != c || a == 0 || a == HexBoard::kCorner) continue;
        saves_[a - 1][code] |= static_cast<std::uint8_t>(1 << k);
      }
    }
  }

  const std::array<std::int16_t, 6>& around(int cell) const { return around_[index(cell)]; }

  // The cell a bridge away, over the neighbours k and k + 1 of `around`; it may lie on the rim; -1 for none.
  int across(int cell, int k) const {
    const int left = around(cell)[index(k)], right = around(cell)[index((k + 1) % 6)];
    if (!game_.on_board(left) || !game_.on_board(right)) return -1;
    for (const int beyond : around(left)) {  // the two common neighbours of left and right are `cell` and this one
      if (beyond == cell) continue;
      const auto& ring = around(right);
      if (std::find(ring.begin(), ring.end(), beyond) != ring.end()) return beyond;
    }
    return -1;
  }

  // The board of a position, without the marks of groups.
  void set_up(const Hex::Public& pub, HexBoard& board) const {
    const int side = game_.size + 2;
    for (int cell = 0; cell < side * side; ++cell) board.cell[index(cell)] = pub.cell[index(cell)] & 3;
    for (const int corner : {0, side - 1, side * (side - 1), side * side - 1}) {
      board.cell[index(corner)] = HexBoard::kCorner;
    }
  }

  // The neighbours of `cell`, as bits by their number in `around`, that save a bridge of `seat` after a stone on
  // `cell`.
  unsigned saves(const HexBoard& board, int cell, Seat seat) const {
    return saves_[index(seat)][code(board, cell)];
  }

  // Fills the board, `turn` first; last: the cell that the other has just played, or -1. Returns the winner.
  Seat fill(HexBoard& board, Seat turn, int last, Rng& rng) const {
    std::array<std::int16_t, Hex::kMaxSize * Hex::kMaxSize> left;
    int count = 0;
    for (int row = 0; row < game_.size; ++row) {
      const int first = game_.at(row, 0);
      for (int cell = first; cell < first + game_.size; ++cell) {
        left[index(count)] = static_cast<std::int16_t>(cell);
        count += board.cell[index(cell)] == 0;
      }
    }
    std::uint64_t bits = 0;
    for (int played = 0; played < count;) {
      int cell = -1;
      if (last >= 0) {
        if (unsigned mask = saves(board, last, turn)) {
          if (mask & (mask - 1)) {  // several: one at random
            for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(mask))); skip; --skip) mask &= mask - 1;
          }
          cell = around_[index(last)][index(std::countr_zero(mask))];
        }
      }
      if (cell < 0) {
        // Draws one of the remaining cells; those filled meanwhile are skipped when they are drawn.
        bits = bits >> 32 ? bits >> 32 : rng.next();
        const auto pick = index(played) + (((bits & 0xffffffffu) * static_cast<std::uint64_t>(count - played)) >> 32);
        cell = left[pick];
        left[pick] = left[index(played++)];
        if (board.cell[index(cell)]) continue;
      }
      board.cell[index(cell)] = Hex::stone(turn);
      last = cell;
      turn = other(turn);
    }
    return game_.winner_of_full(board.cell.data());
  }

 private:
  const Hex& game_;
  std::array<std::array<std::int16_t, 6>, Hex::kMaxSide * Hex::kMaxSide> around_{};
  std::array<std::array<std::uint8_t, 4096>, 2> saves_{};  // by the owners of the six neighbours, two bits each

  std::size_t code(const HexBoard& board, int cell) const {
    const auto& near = around_[index(cell)];
    std::size_t out = 0;
    for (int k = 0; k < 6; ++k) out |= std::size_t{board.cell[index(near[index(k)])]} << 2 * k;
    return out;
  }
};

}  // namespace ludoteca
