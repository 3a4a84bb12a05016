// Evaluations of Dominoes for a tree search, in place of playouts.
#pragma once

#include <cmath>

#include "dominoes/rules.hpp"

namespace ludoteca {

// The fewer tiles a seat holds compared with the other, the better.
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
