// Playouts of Hex, which reply to stones as they have learned to.
//
// The most important reply saves a bridge. Two stones with two common empty neighbours are as good as connected: if the
// other seat plays one of the two cells, the seat answers with the other. Uniformly random play loses half of these.
//
//          A   b                A   #         A, A: stones of one seat, or its rim; #: the other has just played here;
//            b   A                b   A       then b is played at once. Around #, A b A are neighbours in a row.
//
// playout_habits.hpp has all replies. Where there is none, an empty cell is drawn at random, and where playing there is
// rarely of use, drawn again, at most twice. The winner is determined on the full board, where the owner of each cell
// also feeds RAVE.
#pragma once

#include <algorithm>

#include "hex/playout_habits.hpp"
#include "hex/rules.hpp"

namespace ludoteca {

// A board for playouts: the owner of each place, indexed as Hex::Public::cell.
struct HexBoard {
  static constexpr std::uint8_t kCorner = 3;  // of the rim: neither empty nor a stone
  std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide> cell;
};

// What a playout does at a cell, for those who learn from it: a reply on a place of the ring, or one of these.
enum HexStep { kNoReply = 6, kAccepted, kRejected };

class HexPlayouts {
 public:
  explicit HexPlayouts(const Hex& game, const HexHabits& habits = HexHabits::learned()) : game_(game), habits_(habits) {
    for (Action action = 0; action < game.size * game.size; ++action) {
      const auto& beside = game.neighbours(game.at(action));
      // The rules list left, right, two above, two below; here they are in circular order.
      around_[index(game.at(action))] = {beside[0], beside[2], beside[3], beside[1], beside[5], beside[4]};
      set_kind(action / game.size, action % game.size);
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

  // The places around a cell in circular order; near a side they begin with the two towards it.
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

  // Fills the board, `turn` first; last: the cell that the other has just played, or -1. Returns the winner. note: is
  // called with each habit that was asked and what came of it, a place of the ring or a HexStep.
  template <class Note>
  Seat fill(HexBoard& board, Seat turn, int last, Rng& rng, Note note) const {
    std::array<std::int16_t, Hex::kMaxSize * Hex::kMaxSize + 1> left;  // the empty cells,
    std::array<std::int16_t, Hex::kMaxSide * Hex::kMaxSide> where;     // and where they are in `left`
    std::uint64_t count = 0;
    for (int row = 0; row < game_.size; ++row) {
      const int first = game_.at(row, 0);
      for (int cell = first; cell < first + game_.size; ++cell) {
        left[count] = static_cast<std::int16_t>(cell);
        where[index(cell)] = static_cast<std::int16_t>(count);
        count += board.cell[index(cell)] == 0;
      }
    }
    const HexHabit none;
    const HexHabit* habit = last >= 0 ? &habit_at(board, last, other(turn)) : &none;
    while (count) {
      const std::uint64_t bits = rng.next();
      const unsigned draw = bits % HexHabit::kCertain;
      int cell;
      if (draw < habit->reply_up_to[5]) {
        std::size_t k = 0;
        for (std::size_t i = 0; i < 5; ++i) k += draw >= habit->reply_up_to[i];  // without branches
        note(*habit, static_cast<int>(k));
        cell = around_[index(last)][k];
        habit = &habit_at(board, cell, turn);
      } else {
        note(*habit, kNoReply);
        cell = left[(bits >> 32) * count >> 32];
        habit = &habit_at(board, cell, turn);
        if ((bits >> 8) % HexHabit::kCertain >= habit->accept) {
          note(*habit, kRejected);
          const std::uint64_t more = rng.next();
          cell = left[(more >> 32) * count >> 32];
          habit = &habit_at(board, cell, turn);
          if (more % HexHabit::kCertain >= habit->accept) {
            note(*habit, kRejected);
            cell = left[(more >> 8 & 0xffffff) * count >> 24];
            habit = &habit_at(board, cell, turn);
          } else {
            note(*habit, kAccepted);
          }
        } else {
          note(*habit, kAccepted);
        }
      }
      const std::int16_t moved = left[--count], to = where[index(cell)];
      left[index(to)] = moved;
      where[index(moved)] = to;
      board.cell[index(cell)] = Hex::stone(turn);
      last = cell;
      turn = other(turn);
    }
    return game_.winner_of_full(board.cell.data());
  }
  Seat fill(HexBoard& board, Seat turn, int last, Rng& rng) const {
    return fill(board, turn, last, rng, [](const HexHabit&, int) {});
  }

 private:
  const Hex& game_;
  const HexHabits& habits_;
  std::array<std::array<std::int16_t, 6>, Hex::kMaxSide * Hex::kMaxSide> around_{};
  std::array<std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide>, 2> kind_{};  // of HexHabits, by seat and cell
  std::array<std::array<std::uint8_t, 4096>, 2> saves_{};  // by the owners of the six neighbours, two bits each

  unsigned code(const HexBoard& board, int cell) const {
    const auto& near = around_[index(cell)];
    unsigned out = 0;
    for (int k = 0; k < 6; ++k) out |= unsigned{board.cell[index(near[index(k)])]} << 2 * k;
    return out;
  }

  const HexHabit& habit_at(const HexBoard& board, int cell, Seat seat) const {
    const unsigned ring = code(board, cell);
    return habits_.of(kind_[index(seat)][index(cell)], seat == 0 ? ring : HexHabits::exchanged(ring));
  }

  // Cells near two sides are of no such kind. Nor are those near a side with teeth, left and right of shifted rows.
  void set_kind(int row, int column) {
    const int last = game_.size - 1, line = std::min({row, last - row, column, last - column});
    if (line != 1 && line != 2) return;
    const std::array<bool, 4> near{row == line, row == last - line, column == line, column == last - line};
    if (std::count(near.begin(), near.end(), true) != 1) return;
    const bool across = near[2] || near[3];
    if (across && game_.layout != Hex::Layout::axial) return;
    const int cell = game_.at(row, column);
    const Seat owner = across ? game_.horizontal() : other(game_.horizontal());
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      kind_[index(seat)][index(cell)] = static_cast<std::uint8_t>(HexHabits::kOwn + 2 * (line - 1) + (owner != seat));
    }
    auto& ring = around_[index(cell)];
    std::rotate(ring.begin(), ring.begin() + (near[0] ? 1 : near[1] ? 4 : near[2] ? 5 : 2), ring.end());
  }
};

}  // namespace ludoteca
