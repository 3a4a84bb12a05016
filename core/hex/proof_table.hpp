// The table of the proof-number search of Hex: proof numbers, and the proofs of solved positions, by key.
#pragma once

#include "hex/proof_position.hpp"
#include "search/lockless_table.hpp"

namespace ludoteca {

// How far the seat on turn is from a proof that it wins (phi), and that it loses (delta): the leaves still to be
// proven. When the position is solved one of them is 0 and the other kInfinite.
struct ProofNumbers {
  static constexpr std::uint32_t kInfinite = 1u << 30;
  std::uint32_t phi = 1, delta = 1;

  static constexpr ProofNumbers win() { return {0, kInfinite}; }
  static constexpr ProofNumbers loss() { return {kInfinite, 0}; }
  bool wins() const { return phi == 0; }
  bool loses() const { return delta == 0; }
  bool solved() const { return wins() || loses(); }
};

// Proof numbers and proofs by key, shared by all threads of a solver.
template <int W>
class ProofTable {
  static constexpr int kCostShift = 56;
  using Slots = LocklessTable<2 + W, 1, kCostShift>;

 public:
  using Words = typename Slots::Words;
  struct Entry {
    ProofNumbers numbers;
    int move = -1;           // if the seat on turn wins: a winning move
    int depth = 0;           // if solved: the length of the longest known line of the proof
    std::uint64_t cost = 0;  // nodes; only the order of magnitude is stored
    Cells<W> carrier;        // if solved: the winner's
  };

  explicit ProofTable(std::size_t bytes) : slots_(bytes) {}

  // Whether the key is known; then `out` is its entry.
  bool probe(std::uint64_t key, Entry& out) const {
    Words words;
    if (!slots_.probe(key, words)) return false;
    unpack(words, out);
    return true;
  }

  // A solved position is never replaced by an unsolved entry of the same key.
  void store(std::uint64_t key, const Entry& entry) {
    if (Entry old; !entry.numbers.solved() && probe(key, old) && old.numbers.solved()) return;
    slots_.store(key, pack(entry));
  }

  // For files: the entries as they are stored.
  template <class F>
  void each_stored(F f) const {
    slots_.each(f);
  }
  void restore(std::uint64_t key, const Words& words) { slots_.store(key, words); }

 private:
  Slots slots_;

  static Words pack(const Entry& entry) {
    Words out;
    out[0] = entry.numbers.phi | static_cast<std::uint64_t>(entry.numbers.delta) << 32;
    out[1] = static_cast<std::uint64_t>(entry.move + 1) | static_cast<std::uint64_t>(entry.depth) << 16 |
             static_cast<std::uint64_t>(std::bit_width(entry.cost) + 1) << kCostShift;
    for (std::size_t i = 0; i < W; ++i) out[2 + i] = entry.carrier.word[i];
    return out;
  }
  static void unpack(const Words& words, Entry& out) {
    out.numbers = {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[0] >> 32)};
    out.move = static_cast<int>(words[1] & 0xffff) - 1;
    out.depth = static_cast<int>(words[1] >> 16 & 0xffff);
    out.cost = std::uint64_t{1} << (words[1] >> kCostShift) >> 1;
    for (std::size_t i = 0; i < W; ++i) out.carrier.word[i] = words[2 + i];
  }
};

// The table entry of a position; proof numbers 1 and 1 if there is none.
template <int W>
typename ProofTable<W>::Entry lookup(const HexMap<W>& map, const ProofPositions<W>& positions,
                                     const ProofTable<W>& table, const ProofPosition<W>& position) {
  typename ProofTable<W>::Entry out;
  table.probe(positions.key(position), out);
  if (positions.is_rotated(position) && out.numbers.solved()) {
    out.carrier = map.rotated(out.carrier);
    if (out.move >= 0) out.move = map.cells - 1 - out.move;
  }
  return out;
}

}  // namespace ludoteca
