// What the searches of Hex share: their answer, and a number for each position.
#pragma once

#include <utility>
#include <vector>

#include "hex.hpp"

namespace ludoteca {

// What a search chose and what it weighed.
struct HexChoice {
  Action action = 0;
  double value = 0;  // in the search's own unit
  std::vector<std::pair<Action, double>> scores;  // of the actions that were searched, in that order
  std::vector<Action> line;  // the continuation that it expects, its own action first
  std::uint64_t nodes = 0;
  bool complete = true;  // false when the limit came first
};

// The actions of an expected continuation, built from its end; as long as the deepest search.
struct HexLine : ActionList<16> {
  void put_first(Action action, const HexLine& rest) {
    size = 0;
    add(action);
    for (int i = 0; i < rest.size && size < 16; ++i) add(rest[i]);
  }
  std::vector<Action> list() const { return {begin(), end()}; }
};

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
