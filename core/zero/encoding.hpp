// How a game looks to a network: small numbers on a square board in, one number for each cell and a value out.
//
// This is all that a game adds to be learnt: no line of the search or of the training knows it. A specialisation has
//
//     kPlanes                      what each plane means to the network, an array of Plane
//     kSymmetries                  which turns and mirrors of the board leave the game the same
//     supports(g)                  whether these rules can be shown at all
//     side(g)                      cells in a row, and rows
//     see(g, pub, out)             the position for the seat on turn, which always plays in the same direction: [planes, side²]
//     cell(g, pub, action)         which number of the network's policy speaks of this action of the seat on turn
//
// An action that `cell` maps nowhere (-1) must be the only one.
#pragma once

#include "game.hpp"

namespace ludoteca {

struct Plane {
  float scale = 1;  // the network sees number · scale
  // What stands outside the board, where the network looks beyond it: above and below, left and right.
  std::int8_t above = 0, beside = 0;
};

enum class Symmetries { half_turn, square };  // the half turn alone, or all eight of the square

template <class G>
struct Shape;

template <class G>
concept Shaped = Game<G> && requires(const G g, const typename G::Public pub, Action action, std::int8_t* out) {
  { Shape<G>::kPlanes.size() } -> std::convertible_to<std::size_t>;
  { Shape<G>::kSymmetries } -> std::convertible_to<Symmetries>;
  { Shape<G>::supports(g) } -> std::same_as<bool>;
  { Shape<G>::side(g) } -> std::same_as<int>;
  { Shape<G>::see(g, pub, out) } -> std::same_as<void>;
  { Shape<G>::cell(g, pub, action) } -> std::same_as<int>;
};

template <Shaped G>
std::size_t cells_of(const G& g) {
  const auto side = static_cast<std::size_t>(Shape<G>::side(g));
  return side * side;
}
template <Shaped G>
std::size_t bytes_of(const G& g) {
  return Shape<G>::kPlanes.size() * cells_of(g);
}

}  // namespace ludoteca
