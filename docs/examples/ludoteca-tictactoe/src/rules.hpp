// Tic-tac-toe: mark three cells in a row.
//
//     0 1 2      seat 0 marks X and begins, seat 1 marks O; an action is the number of a cell
//     3 4 5      a set of cells is one mask of nine bits
//     6 7 8
#pragma once

#include "game.hpp"

namespace ludoteca {

struct TicTacToe {
  static constexpr int kCells = 9;
  static constexpr int kMaxActions = kCells;
  static constexpr std::array<std::uint16_t, 8> kRows{0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

  struct Public {
    std::array<std::uint16_t, 2> marks{};  // the cells of each seat
    Seat turn = 0;
    std::int8_t last = -1;  // the last action, -1 before the first
  };
  using Private = Nothing;
  using Hidden = Nothing;

  int num_actions() const { return kCells; }

  void deal(State<TicTacToe>& state, Rng) const { state = State<TicTacToe>{}; }

  void legal(ViewRef<TicTacToe> v, Actions<TicTacToe>& out) const {
    for (Action cell = 0; cell < kCells; ++cell) {
      if (is_empty(v.pub, cell)) out.add(cell);
    }
  }

  bool is_legal(ViewRef<TicTacToe> v, Action action) const {
    return action >= 0 && action < kCells && is_empty(v.pub, action);
  }

  void apply(State<TicTacToe>& state, Action action) const {
    Public& pub = state.pub;
    std::uint16_t& mine = pub.marks[static_cast<std::size_t>(pub.turn)];
    mine = static_cast<std::uint16_t>(mine | 1 << action);
    pub.last = static_cast<std::int8_t>(action);
    const bool full = (pub.marks[0] | pub.marks[1]) == (1 << kCells) - 1;
    pub.turn = full || has_row(mine) ? kNobody : other(pub.turn);
  }

  Returns returns(const Public& pub) const {
    if (has_row(pub.marks[0])) return {1, -1};
    if (has_row(pub.marks[1])) return {-1, 1};
    return {0, 0};
  }

  // Nothing is hidden: the only world is the one that is seen.
  void sample(const View<TicTacToe>& view, Rng, State<TicTacToe>& state) const {
    state = State<TicTacToe>{};
    state.pub = view.pub;
  }

  // Planes of 3×3: own marks, the other's marks.
  std::vector<int> tensor_shape() const { return {2, 3, 3}; }
  void tensor(ViewRef<TicTacToe> v, float* out) const {
    for (const Seat seat : {v.seat, other(v.seat)}) {
      for (int cell = 0; cell < kCells; ++cell) *out++ = static_cast<float>(owns(v.pub, seat, cell));
    }
  }

  static bool owns(const Public& pub, Seat seat, int cell) {
    return (pub.marks[static_cast<std::size_t>(seat)] >> cell & 1) != 0;
  }

 private:
  static bool is_empty(const Public& pub, Action cell) { return !owns(pub, 0, cell) && !owns(pub, 1, cell); }
  static bool has_row(std::uint16_t marks) {
    for (const std::uint16_t row : kRows) {
      if ((marks & row) == row) return true;
    }
    return false;
  }
};

}  // namespace ludoteca
