// A number for each position of Hex.
#pragma once

#include "hex/rules.hpp"

namespace ludoteca {

// Random numbers for the empty board, then cell by cell for a stone of each seat: a position is known by the exclusive
// or of the first and of those of its stones.
class HexKeys {
 public:
  explicit HexKeys(std::uint64_t seed) {
    Rng rng{seed};
    empty_ = rng.next();
    for (auto& cell : number_) {
      for (std::uint64_t& seat : cell) seat = rng.next();
    }
  }

  std::uint64_t operator()(Action cell, Seat seat) const {
    return number_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(seat)];
  }

  std::uint64_t position(const Hex& game, const Hex::Public& pub) const {
    std::uint64_t key = empty_;
    for (Action cell = 0; cell < game.size * game.size; ++cell) {
      if (const Seat seat = game.owner(pub, cell); seat != kNobody) key ^= (*this)(cell, seat);
    }
    return key;
  }

 private:
  std::uint64_t empty_;
  std::array<std::array<std::uint64_t, 2>, Hex::kMaxSize * Hex::kMaxSize> number_;
};

}  // namespace ludoteca
