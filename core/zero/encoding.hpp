// How a game is encoded for a network: small integers on a square board in, a logit for each cell and a value out.
//
// A game needs only this to be learned; search and training know no game. A specialisation of Encoding has
//
//     kPlanes                      what each input plane means to the network, an array of Plane
//     kSymmetries                  the rotations and mirrors of the board that leave the game the same
//     supports(g)                  whether these rules can be encoded
//     side(g)                      cells in a row, and rows
//     encode(g, pub, out)          the position for the seat on turn, always in the same direction: [planes, side²]
//     policy_index(g, pub, action) the index of this action of the seat on turn in the policy
//
// An action without a policy index (-1) must be the only one. `encodable_rules(g)` gives rules that can be encoded where
// the given ones differ from them only at the start of a match.
#pragma once

#include "game.hpp"

namespace ludoteca {

// How the network reads one input plane.
struct Plane {
  float scale = 1;  // the network gets number · scale
  // The padding outside the board: above and below, left and right.
  std::int8_t above = 0, beside = 0;
};

enum class Symmetries { half_turn, square };  // the half turn alone, or all eight of the square

template <class G>
struct Encoding;

template <class G>
concept Encodable = Game<G> && requires(const G g, const typename G::Public pub, Action action, std::int8_t* out) {
  { Encoding<G>::kPlanes.size() } -> std::convertible_to<std::size_t>;
  { Encoding<G>::kSymmetries } -> std::convertible_to<Symmetries>;
  { Encoding<G>::supports(g) } -> std::same_as<bool>;
  { Encoding<G>::side(g) } -> std::same_as<int>;
  { Encoding<G>::encode(g, pub, out) } -> std::same_as<void>;
  { Encoding<G>::policy_index(g, pub, action) } -> std::same_as<int>;
};

template <Encodable G>
std::size_t cells_of(const G& g) {
  const auto side = static_cast<std::size_t>(Encoding<G>::side(g));
  return side * side;
}
template <Encodable G>
std::size_t bytes_of(const G& g) {
  return Encoding<G>::kPlanes.size() * cells_of(g);
}

}  // namespace ludoteca
