// Fill-in for Hex: dead and captured cells, which can be filled without changing the winner, and inferior moves, which
// need not be tried.
//
// Everything follows from one question about the six places around a cell, its ring:
//
//       b . w
//        \ /          A stone in the middle joins what lies around it. If the black places of the ring form one run,
//     w - c - b       they are joined already, and neither colour gains by the middle.
//        / \          If the ring is not full yet, this must hold for every way of filling it: then the cell is dead.
//       b . .
//
//     dead       its colour never matters: it may be given to either seat
//     captured   two neighbours x and y such that a stone of the seat on either makes the other dead. If the other seat
//                enters, the seat answers, and the intruder is dead: so both belong to the seat
//     vulnerable for a seat: one stone of the other seat next to it would make it dead. A move there is answered by that
//                stone and gains nothing: if such a move wins, some move elsewhere wins too
//     dominated  for a seat: some other move makes this cell dead or captured by the seat, so that move is as good
//
// The table of dead rings is computed by filling each ring in every way.
#pragma once

#include "hex/cells.hpp"

namespace ludoteca {

// Whether the middle of a ring is dead. The places held by each seat are six bits; the others are empty.
class DeadRings {
 public:
  DeadRings() {
    for (unsigned mine = 0; mine < 64; ++mine) {
      for (unsigned theirs = 0; theirs < 64; ++theirs) {
        dead_[mine | theirs << 6] = !(mine & theirs) && dead(mine, theirs);
      }
    }
  }
  bool operator()(unsigned mine, unsigned theirs) const { return dead_[mine | theirs << 6]; }

 private:
  std::array<bool, 64 * 64> dead_{};

  static bool dead(unsigned mine, unsigned theirs) {
    const unsigned open = 63 & ~(mine | theirs);
    for (unsigned more = open;; more = (more - 1) & open) {  // all subsets of the open places
      const unsigned full = mine | more;
      const unsigned begins = full & ~(full << 1 | full >> 5);  // the places where a run starts
      if (std::popcount(begins) > 1) return false;
      if (!more) return true;
    }
  }
};

// Finds dead, captured, vulnerable and dominated cells.
template <int W>
class HexFillIn {
 public:
  using Set = Cells<W>;
  using Stones = HexStones<W>;

  explicit HexFillIn(const HexMap<W>& map) : map_(map) {}

  // Fills every dead cell (for seat 0) and captured cell, until nothing changes. The winner stays the same, whichever
  // seat is on turn. changed: the cells that have changed since the position was last filled in, or the whole board.
  void fill(Stones& stones, const Set& changed) const {
    Set open = map_.empty(stones);
    Set todo = (map_.touching(changed) | changed) & open;
    while (todo.any()) {
      const int cell = todo.first();
      todo.remove(cell);
      if (!open.has(cell)) continue;
      Set filled;
      const Ring near = around(stones, cell);
      if (dead(near, cell)) {
        stones[0].add(cell);
        filled.add(cell);
      } else if (!captures(stones, open, near, cell, 0, filled)) {
        captures(stones, open, near, cell, 1, filled);
      }
      if (!filled.any()) continue;
      open -= filled;
      // A captured pair depends on the rings of both cells, so cells two steps away are checked again too.
      const Set near_filled = map_.touching(filled);
      todo |= (near_filled | map_.touching(near_filled)) & open;
    }
  }
  void fill(Stones& stones) const { fill(stones, map_.board); }

  // Moves of a filled position that the seat on turn need not try: if any move wins, one that is not among these does.
  Set inferior(const Stones& stones, Seat seat) const {
    const Set weak = vulnerable(stones, seat);
    return weak | dominated(stones, seat, map_.empty(stones) - weak);
  }

  Set vulnerable(const Stones& stones, Seat seat) const {
    Set out;
    map_.empty(stones).each([&](int cell) {
      const Ring near = around(stones, cell);
      for (unsigned left = near.open; left; left &= left - 1) {
        Ring after = near;
        after.give(other(seat), left & -left);
        if (dead(after, cell)) {
          out.add(cell);
          return;
        }
      }
    });
    return out;
  }

  // The dominated ones of these moves. For each there is a move outside the result that is as good.
  Set dominated(const Stones& stones, Seat seat, const Set& moves) const {
    const Set open = map_.empty(stones);
    Set out;
    moves.each([&](int cell) {
      if (out.has(cell)) return;
      Stones after = stones;
      after[seat].add(cell);
      const Set left = open - Set::of(cell);
      Set gained;
      (map_.neighbours[index(cell)] & left).each([&](int near) {
        if (gained.has(near)) return;
        const Ring ring = around(after, near);
        if (dead(ring, near)) {
          gained.add(near);
        } else {
          Stones tried = after;
          Set pair;
          if (captures(tried, left, ring, near, seat, pair)) gained |= pair;
        }
      });
      out |= gained & moves;
    });
    return out;
  }

 private:
  // The ring of a cell: bits of the places held by each seat, and of the empty ones.
  struct Ring {
    std::array<unsigned, 2> held;
    unsigned open;
    void give(Seat seat, unsigned bits) {
      held[index(seat)] |= bits;
      open &= ~bits;
    }
  };

  const HexMap<W>& map_;
  inline static const DeadRings kDead{};

  Ring around(const Stones& stones, int cell) const {
    const auto& ring = map_.ring[index(cell)];
    Ring out{{ring.rim[0], ring.rim[1]}, 0};
    for (unsigned k = 0; k < 6; ++k) {
      const int c = ring.cell[k];
      if (c < 0) continue;
      const unsigned first = stones.of[0].has(c), second = stones.of[1].has(c);
      out.held[0] |= first << k;
      out.held[1] |= second << k;
      out.open |= (1 ^ (first | second)) << k;
    }
    return out;
  }

  // A corner of the rim touches both rims, so it may count as either seat's.
  bool dead(const Ring& ring, int cell) const {
    const unsigned corner = map_.ring[index(cell)].corner;
    return kDead(ring.held[0] | corner, ring.held[1]) || (corner && kDead(ring.held[0], ring.held[1] | corner));
  }

  // Looks for a neighbour with which the cell is captured by the seat; fills both and adds them to `filled`.
  bool captures(Stones& stones, const Set& open, const Ring& near, int cell, Seat seat, Set& filled) const {
    for (unsigned left = near.open; left; left &= left - 1) {
      Ring answered = near;
      answered.give(seat, left & -left);
      if (!dead(answered, cell)) continue;
      const int partner = map_.ring[index(cell)].cell[index(std::countr_zero(left))];
      if (!open.has(partner)) continue;
      Stones entered = stones;
      entered[seat].add(cell);
      if (!dead(around(entered, partner), partner)) continue;
      filled.add(cell);
      filled.add(partner);
      stones[seat] |= filled;
      return true;
    }
    return false;
  }
};

}  // namespace ludoteca
