// The maximum of many floats, four at a time: how a tree chooses the best of a node's hundred edges.
#pragma once

#include <cstdint>
#include <cstring>

namespace ludoteca::lanes {

inline constexpr int kLanes = 4;

// Vectors as GCC and Clang know them, for any processor.
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

// The smallest multiple of kLanes that is at least `count`: arrays are padded to it.
constexpr int padded(int count) { return (count + kLanes - 1) / kLanes * kLanes; }

inline Floats load(const float* from) {
  Floats out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

// The index of the highest score, of equal ones the first, without a branch in the loop. `scores(from)` returns the
// scores of the indices from, from + 1, … as Floats; those of the padding and `lowest` are below all others.
template <class Scores>
int argmax(int count, float lowest, Scores scores) {
  Floats highest = Floats{} + lowest;
  Ints where{};
  for (std::int32_t from = 0; from < count; from += kLanes) {
    const Floats score = scores(from);
    const Ints better = score > highest;
    highest = better ? score : highest;
    where = better ? Ints{} + from : where;
  }
  int best = 0;
  for (int lane = 1; lane < kLanes; ++lane) {
    const bool earlier = where[lane] + lane < where[best] + best;
    if (highest[lane] > highest[best] || (highest[lane] == highest[best] && earlier)) best = lane;
  }
  return where[best] + best;
}

}  // namespace ludoteca::lanes
