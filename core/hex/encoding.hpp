// Hex as a network sees it: the seat on turn always connects top and bottom.
//
//      1 1 1 1 1        the plane of own stones; around the board the sides count as stones
//      0 . x . 0
//      0 . . x 0        The seat that connects left and right sees the board mirrored on its long diagonal, which
//      1 1 1 1 1        leaves neighbours neighbours in the axial layout, and in no other.
#pragma once

#include "hex/rules.hpp"
#include "zero/encoding.hpp"

namespace ludoteca {

template <>
struct Encoding<Hex> {
  static constexpr std::array<Plane, 2> kPlanes{{{1, 1, 0}, {1, 0, 1}}};  // own stones, the other's
  static constexpr Symmetries kSymmetries = Symmetries::half_turn;

  // A swap is no cell: to decide on it, compare the values of both sides instead.
  static bool supports(const Hex& g) { return g.layout == Hex::Layout::axial && !g.swap; }
  static int side(const Hex& g) { return g.size; }

  static void encode(const Hex& g, const Hex::Public& pub, std::int8_t* out) {
    const int size = g.size, cells = size * size;
    const std::uint8_t mine = Hex::stone(pub.turn);
    const bool mirrored = pub.turn == g.horizontal();
    const int down = mirrored ? 1 : size, right = mirrored ? size : 1;
    for (int row = 0; row < size; ++row) {
      const std::uint8_t* from = &pub.cell[static_cast<std::size_t>(g.at(row, 0))];
      std::int8_t* to = out + row * down;
      for (int column = 0; column < size; ++column, to += right) {
        const std::uint8_t stone = from[column] & 3;
        to[0] = stone == mine;
        to[cells] = stone && stone != mine;
      }
    }
  }

  static int policy_index(const Hex& g, const Hex::Public& pub, Action action) {
    return pub.turn == g.horizontal() ? action % g.size * g.size + action / g.size : action;
  }
};

// The rules without swap, which can be encoded: once a swap is decided it changes nothing.
inline Hex encodable_rules(const Hex& g) { return Hex(g.size, g.standard, g.layout, false); }

}  // namespace ludoteca
