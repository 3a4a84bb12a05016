// Hashes of states and views.
#pragma once

#include "game.hpp"

namespace ludoteca {

// A 64-bit hash of plain values, eight bytes at a time, in two lanes that the processor computes in parallel.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed) : even_(seed), odd_(~seed) {}

  template <class T>
  Hasher& add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>);
    const char* bytes = reinterpret_cast<const char*>(&value);
    std::size_t i = 0;
    for (; i + 16 <= sizeof value; i += 16) {
      even_ = mix(even_ ^ word(bytes + i, 8));
      odd_ = mix(odd_ ^ word(bytes + i + 8, 8));
    }
    if (i < sizeof value) even_ = mix(even_ ^ word(bytes + i, std::min<std::size_t>(8, sizeof value - i)));
    if (i + 8 < sizeof value) odd_ = mix(odd_ ^ word(bytes + i + 8, sizeof value - i - 8));
    return *this;
  }

  std::uint64_t value() const { return Rng{even_ + 3 * odd_}.next(); }

 private:
  std::uint64_t even_, odd_;

  static std::uint64_t word(const char* bytes, std::size_t count) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes, count);
    return out;
  }
  static std::uint64_t mix(std::uint64_t z) {
    z *= 0x9e3779b97f4a7c15ULL;
    return z ^ (z >> 29);
  }
};

// A hash of what `seat` sees of a state: the key of its information set.
template <Game G>
std::uint64_t view_hash(const State<G>& state, Seat seat) {
  return Hasher(static_cast<std::uint64_t>(seat)).add(state.pub).add(state.own[index(seat)]).value();
}

}  // namespace ludoteca
