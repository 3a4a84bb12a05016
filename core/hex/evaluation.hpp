// A static evaluation of Hex, for a tree search without playouts.
#pragma once

#include <cmath>

#include "hex/paths.hpp"

namespace ludoteca {

// The difference of the stones that the seats still need; being on turn counts as half a stone.
class HexDistances {
 public:
  static constexpr const char* kName = "distances";

  explicit HexDistances(const Hex& game) : paths_(game) {}

  Returns operator()(const Hex&, const State<Hex>& state, Rng&) {
    const HexPaths::Stones stones = paths_.stones(state.pub);
    const int first = paths_.distance(paths_.board_of(stones, 0)), second = paths_.distance(paths_.board_of(stones, 1));
    const double ahead = second - first + (state.pub.turn == 0 ? 0.5 : -0.5);
    const double value = std::tanh(ahead / 2);
    return {value, -value};
  }

 private:
  HexPaths paths_;
};

}  // namespace ludoteca
