// Positions of the proof-number search with their hash keys.
#pragma once

#include "hex/cells.hpp"
#include "hex/zobrist.hpp"

namespace ludoteca {

// Stones and the seat on turn, with the keys of the stones as they are and after half a turn of the board.
template <int W>
struct ProofPosition {
  HexStones<W> stones;
  Seat turn = 0;
  std::uint64_t straight = 0, rotated = 0;
};

// Builds positions and computes their keys.
template <int W>
class ProofPositions {
 public:
  using Position = ProofPosition<W>;

  explicit ProofPositions(const HexMap<W>& map) : map_(map), zobrist_(0x4e8) {}

  Position position(const HexStones<W>& stones, Seat turn) const {
    Position out{{}, turn};
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      stones[seat].each([&](int cell) { put(out, cell, seat); });
    }
    return out;
  }
  // After a move of the seat on turn.
  Position after(Position from, int cell) const {
    put(from, cell, from.turn);
    from.turn = other(from.turn);
    return from;
  }
  // With filled-in stones added.
  Position with(Position from, const HexStones<W>& filled) const {
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      (filled[seat] - from.stones[seat]).each([&](int cell) { put(from, cell, seat); });
    }
    return from;
  }

  // The same for a position and for its rotation by half a turn, if that keeps neighbours.
  std::uint64_t key(const Position& p) const { return (is_rotated(p) ? p.rotated : p.straight) ^ turn_key(p); }
  // Whether the key is that of the rotated position.
  bool is_rotated(const Position& p) const { return map_.rotates && p.rotated < p.straight; }
  // Of this position alone, not of its rotation.
  std::uint64_t own_key(const Position& p) const { return p.straight ^ turn_key(p); }

 private:
  const HexMap<W>& map_;
  const HexZobrist zobrist_;

  static std::uint64_t turn_key(const Position& p) { return p.turn ? 0x9e3779b97f4a7c15ULL : 0x2545f4914f6cdd1dULL; }

  void put(Position& position, int cell, Seat seat) const {
    position.stones[seat].add(cell);
    position.straight ^= zobrist_(cell, seat);
    position.rotated ^= zobrist_(map_.cells - 1 - cell, seat);
  }
};

}  // namespace ludoteca
