// Sets of squares of an 8×8 board, and how knights move over them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ludoteca::knights {

using Squares = std::uint64_t;  // square = row * 8 + column

// How many squares. Where the processor's own instruction may not be assumed, std::popcount is a slow call.
constexpr int count(Squares set) {
  set -= set >> 1 & 0x5555555555555555ULL;
  set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
  return static_cast<int>(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
}

// All squares that are a knight's move away from one of these.
constexpr Squares spread(Squares from) {
  const Squares left1 = from >> 1 & 0x7f7f7f7f7f7f7f7fULL, left2 = from >> 2 & 0x3f3f3f3f3f3f3f3fULL;
  const Squares right1 = from << 1 & 0xfefefefefefefefeULL, right2 = from << 2 & 0xfcfcfcfcfcfcfcfcULL;
  const Squares near = left1 | right1, far = left2 | right2;
  return near << 16 | near >> 16 | far << 8 | far >> 8;
}

inline constexpr std::array<Squares, 64> kJumps = [] {
  std::array<Squares, 64> out{};
  for (std::size_t square = 0; square < 64; ++square) out[square] = spread(Squares{1} << square);
  return out;
}();

// All squares that a knight can come to, by any way over free squares, from these.
inline Squares reach(Squares from, Squares free) {
  Squares all = from;
  while (from) {
    from = spread(from) & free & ~all;
    all |= from;
  }
  return all;
}

// So many moves at most has a knight that can go to `moves`, and by any way to `region`: the colour of its square
// changes with each.
inline int longest(Squares moves, Squares region) {
  constexpr Squares dark = 0xaa55aa55aa55aa55ULL;
  const bool into_dark = (moves & dark) != 0;
  const int entered = count(region & (into_dark ? dark : ~dark));
  const int rest = count(region & (into_dark ? ~dark : dark));
  return std::min(2 * entered, 2 * rest + 1);
}

}  // namespace ludoteca::knights
