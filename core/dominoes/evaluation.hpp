// What a position of Dominoes looks worth to each seat, for a tree search in place of playouts.
#pragma once

#include <cmath>

#include "dominoes/rules.hpp"

namespace ludoteca {

// By how many tiles each seat holds: fewer are better.
struct DominoesTiles {
  static constexpr const char* kName = "tiles";

  explicit DominoesTiles(const Dominoes&) {}

  Returns operator()(const Dominoes&, const State<Dominoes>& state, Rng&) const {
    const double value = std::tanh((state.pub.count[1] - state.pub.count[0]) / kScale);
    return {value, -value};
  }

 private:
  static constexpr double kScale = 3;  // tiles
};

}  // namespace ludoteca
