// Knight moves on sets of squares. A board's squares are numbered row by row, so that sets move by shifting bits.
//
//     SmallBoard    up to 8×8, in one word; bits that leave a row are masked out
//     LargeBoard    up to 10×10, in two words; two more columns, never free, catch the bits that leave a row
#pragma once

#include <algorithm>
#include <array>

#include "horses/squares.hpp"

namespace ludoteca::knights {

struct SmallBoard {
  using Squares = std::uint64_t;
  static constexpr int kSide = 8, kWidth = 8;

  // All squares that a knight on one of these attacks.
  static constexpr Squares attacks(Squares from) {
    const Squares left1 = from >> 1 & 0x7f7f7f7f7f7f7f7fULL, left2 = from >> 2 & 0x3f3f3f3f3f3f3f3fULL;
    const Squares right1 = from << 1 & 0xfefefefefefefefeULL, right2 = from << 2 & 0xfcfcfcfcfcfcfcfcULL;
    const Squares near = left1 | right1, far = left2 | right2;
    return near << 16 | near >> 16 | far << 8 | far >> 8;
  }
};

struct LargeBoard {
  using Squares = TwoWords;
  static constexpr int kSide = 10, kWidth = 12;

  // All squares that a knight on one of these attacks, and some outside of the board.
  static constexpr Squares attacks(Squares from) {
    const Squares near = from >> 1 | from << 1, far = from >> 2 | from << 2;
    return near << 2 * kWidth | near >> 2 * kWidth | far << kWidth | far >> kWidth;
  }
};

// What follows from the moves of a knight on board B.
template <class B>
struct Knights {
  using Squares = typename B::Squares;
  static constexpr int kSquares = B::kSide * B::kWidth;  // numbers of squares are below this

  static constexpr Squares bit(int square) { return only<Squares>(square); }

  inline static constexpr std::array<Squares, static_cast<std::size_t>(kSquares)> kJumps = [] {
    std::array<Squares, static_cast<std::size_t>(kSquares)> out{};
    for (int square = 0; square < kSquares; ++square) out[static_cast<std::size_t>(square)] = B::attacks(bit(square));
    return out;
  }();

  // All squares that a knight on one of these can reach over free squares.
  static Squares reachable(Squares from, Squares free) {
    Squares all = from;
    while (from) {
      from = B::attacks(from) & free & ~all;
      all |= from;
    }
    return all;
  }

  // An upper bound of the moves of a knight that can go to `moves` now and to `region` at all: the colour of its square
  // changes with each move.
  static int max_moves(Squares moves, Squares region) {
    const bool to_dark = static_cast<bool>(moves & kDark);
    const int entered = count(region & (to_dark ? kDark : ~kDark));
    const int rest = count(region & (to_dark ? ~kDark : kDark));
    return std::min(2 * entered, 2 * rest + 1);
  }

 private:
  inline static constexpr Squares kDark = [] {
    Squares out{};
    for (int square = 0; square < kSquares; ++square) {
      if ((square / B::kWidth + square % B::kWidth) % 2) out |= bit(square);
    }
    return out;
  }();
};

}  // namespace ludoteca::knights
