// A static evaluation of Horses, for a tree search without playouts.
#pragma once

#include <cmath>

#include "horses/rules.hpp"

namespace ludoteca {

// Points, plus half a point for each move, as in the seed document.
struct HorsesPoints {
  static constexpr const char* kName = "points";

  explicit HorsesPoints(const Horses&) {}

  Returns operator()(const Horses& game, const State<Horses>& state, Rng&) const {
    const auto& pub = state.pub;
    const int moves = game.on_sets([&]<class S>(S) { return count(game.moves<S>(pub, 0)) - count(game.moves<S>(pub, 1)); });
    const double value = std::tanh((pub.score[0] - pub.score[1] + 0.5 * moves) / kScale);
    return {value, -value};
  }

 private:
  static constexpr double kScale = 10;  // points
};

}  // namespace ludoteca
