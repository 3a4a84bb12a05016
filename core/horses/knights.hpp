// Sets of squares of an 8×8 board, and knight moves on them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ludoteca::knights {

using Squares = std::uint64_t;  // square = row * 8 + column

// The number of squares. Without the processor's own instruction std::popcount is a slow call.
constexpr int count(Squares set) {
  set -= set >> 1 & 0x5555555555555555ULL;
  set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
  return static_cast<int>(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
}

// All squares that a knight on one of these attacks.
constexpr Squares attacks(Squares from) {
  const Squares left1 = from >> 1 & 0x7f7f7f7f7f7f7f7fULL, left2 = from >> 2 & 0x3f3f3f3f3f3f3f3fULL;
  const Squares right1 = from << 1 & 0xfefefefefefefefeULL, right2 = from << 2 & 0xfcfcfcfcfcfcfcfcULL;
  const Squares near = left1 | right1, far = left2 | right2;
  return near << 16 | near >> 16 | far << 8 | far >> 8;
}

inline constexpr std::array<Squares, 64> kJumps = [] {
  std::array<Squares, 64> out{};
  for (std::size_t square = 0; square < 64; ++square) out[square] = attacks(Squares{1} << square);
  return out;
}();

// All squares that a knight on one of these can reach over free squares.
inline Squares reachable(Squares from, Squares free) {
  Squares all = from;
  while (from) {
    from = attacks(from) & free & ~all;
    all |= from;
  }
  return all;
}

// An upper bound of the moves of a knight that can go to `moves` now and to `region` at all: the colour of its square
// changes with each move.
inline int max_moves(Squares moves, Squares region) {
  constexpr Squares dark = 0xaa55aa55aa55aa55ULL;
  const bool to_dark = (moves & dark) != 0;
  const int entered = count(region & (to_dark ? dark : ~dark));
  const int rest = count(region & (to_dark ? ~dark : dark));
  return std::min(2 * entered, 2 * rest + 1);
}

}  // namespace ludoteca::knights
