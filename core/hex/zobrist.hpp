// Zobrist keys of Hex positions.
#pragma once

#include "hex/rules.hpp"

namespace ludoteca {

// A random number for the empty board, and one for each cell and seat: the key of a position is the XOR of the first
// and those of its stones.
class HexZobrist {
 public:
  explicit HexZobrist(std::uint64_t seed) {
    Rng rng{seed};
    empty_ = rng.next();
    for (auto& cell : number_) {
      for (std::uint64_t& seat : cell) seat = rng.next();
    }
  }

  std::uint64_t operator()(Action cell, Seat seat) const {
    return number_[index(cell)][index(seat)];
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
