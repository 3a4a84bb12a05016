// What a position of Hex looks worth to each seat, for a tree search in place of playouts.
#pragma once

#include <cmath>

#include "hex/paths.hpp"

namespace ludoteca {

// By the stones that each seat still needs; to be on turn counts as half of one.
class HexDistances {
 public:
  static constexpr const char* kName = "distances";

  explicit HexDistances(const Hex& game) : paths_(game) {}

  Returns operator()(const Hex&, const State<Hex>& state, Rng&) {
    const HexPaths::Stones stones = paths_.stones(state.pub);
    const int first = paths_.distance(paths_.terrain(stones, 0)), second = paths_.distance(paths_.terrain(stones, 1));
    const double ahead = second - first + (state.pub.turn == 0 ? 0.5 : -0.5);
    const double value = std::tanh(ahead / 2);
    return {value, -value};
  }

 private:
  HexPaths paths_;
};

}  // namespace ludoteca
