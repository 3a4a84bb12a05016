// Sets of squares: one word of 64 bits, or two where a board has more squares. Both have the same operations.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ludoteca {

// A set of 128 squares. Shifts are by 1 to 63.
struct TwoWords {
  std::uint64_t low = 0, high = 0;

  constexpr explicit operator bool() const { return (low | high) != 0; }
  constexpr bool operator==(const TwoWords&) const = default;
  constexpr TwoWords operator~() const { return {~low, ~high}; }
  constexpr TwoWords operator&(TwoWords rhs) const { return {low & rhs.low, high & rhs.high}; }
  constexpr TwoWords operator|(TwoWords rhs) const { return {low | rhs.low, high | rhs.high}; }
  constexpr TwoWords operator<<(int by) const { return {low << by, high << by | low >> (64 - by)}; }
  constexpr TwoWords operator>>(int by) const { return {low >> by | high << (64 - by), high >> by}; }
  constexpr TwoWords& operator&=(TwoWords rhs) { return *this = *this & rhs; }
  constexpr TwoWords& operator|=(TwoWords rhs) { return *this = *this | rhs; }
};

// The set of one square.
template <class Squares>
constexpr Squares only(int square) {
  return Squares{1} << square;
}
template <>
constexpr TwoWords only<TwoWords>(int square) {
  return square < 64 ? TwoWords{only<std::uint64_t>(square), 0} : TwoWords{0, only<std::uint64_t>(square - 64)};
}

// The lowest square of a set that is not empty, and the set without it.
constexpr int lowest(std::uint64_t set) { return std::countr_zero(set); }
constexpr int lowest(TwoWords set) { return set.low ? lowest(set.low) : 64 + lowest(set.high); }
constexpr std::uint64_t without_lowest(std::uint64_t set) { return set & (set - 1); }
constexpr TwoWords without_lowest(TwoWords set) {
  return set.low ? TwoWords{without_lowest(set.low), set.high} : TwoWords{0, without_lowest(set.high)};
}

// The number of squares. Without the processor's own instruction std::popcount is a slow call.
constexpr int count(std::uint64_t set) {
  set -= set >> 1 & 0x5555555555555555ULL;
  set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
  return static_cast<int>(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
}
constexpr int count(TwoWords set) { return count(set.low) + count(set.high); }

// A set as one of type Squares, which has room for all squares of the board.
template <class Squares>
constexpr Squares as(std::uint64_t set) {
  return set;
}
template <class Squares>
constexpr Squares as(TwoWords set) {
  if constexpr (std::is_same_v<Squares, TwoWords>) {
    return set;
  } else {
    return set.low;
  }
}

// Adds a square to a set; S: a type of set that has room for all squares of the board.
template <class S>
constexpr void insert(std::uint64_t& set, int square) {
  set |= only<std::uint64_t>(square);
}
template <class S>
constexpr void insert(TwoWords& set, int square) {
  if constexpr (std::is_same_v<S, TwoWords>) {
    set |= only<TwoWords>(square);
  } else {
    set.low |= only<S>(square);
  }
}

// Calls `visit(square)` for each square, the lowest first.
template <class Squares, class F>
constexpr void for_each(Squares set, F visit) {
  for (; set; set = without_lowest(set)) visit(lowest(set));
}

}  // namespace ludoteca
