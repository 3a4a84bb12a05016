// What a proof-number search has found out about positions of Hex, in a fixed amount of memory, for several threads.
//
// As in search/table.hpp a place holds its key mixed with its contents, so that a place which two threads wrote at once
// fits no key and is ignored; and what has cost least is forgotten first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "hex/cells.hpp"

namespace ludoteca {

// How far the seat on turn is from a proof that it wins (phi), and that it loses (delta): leaves still to be proven.
// One of them is 0 once it is known, and then the other is kInfinite.
struct ProofNumbers {
  static constexpr std::uint32_t kInfinite = 1u << 30;
  std::uint32_t phi = 1, delta = 1;

  static constexpr ProofNumbers win() { return {0, kInfinite}; }
  static constexpr ProofNumbers loss() { return {kInfinite, 0}; }
  bool wins() const { return phi == 0; }
  bool loses() const { return delta == 0; }
  bool solved() const { return wins() || loses(); }
};

template <int W>
class ProofTable {
 public:
  struct Entry {
    ProofNumbers numbers;
    int move = -1;           // if the seat on turn wins: a move that does
    int depth = 0;           // if solved: the length of the proof's longest line, as far as known
    std::uint64_t cost = 0;  // nodes, only the order of magnitude is kept; 0 where nothing is known
    Cells<W> carrier;        // if solved: the winner's
  };

  // As many places as fit into `bytes`, but at least a few, rounded down to a power of two of rows. The memory is taken
  // from the system only as it is used.
  explicit ProofTable(std::size_t bytes)
      : mask_(std::bit_floor(std::max(bytes / sizeof(Row), std::size_t{16})) - 1),
        rows_(static_cast<Row*>(std::calloc(mask_ + 1, sizeof(Row)))) {
    if (!rows_) throw std::bad_alloc();
  }

  std::size_t size_in_bytes() const { return (mask_ + 1) * sizeof(Row); }

  // Whether anything is known; then `out` is it.
  bool find(std::uint64_t key, Entry& out) const {
    for (const Place& place : rows_[key & mask_]) {
      Words words;
      std::uint64_t check = place[0].load(std::memory_order_relaxed);
      for (std::size_t i = 0; i < words.size(); ++i) check ^= words[i] = place[i + 1].load(std::memory_order_relaxed);
      if (check != key || !words[1]) continue;
      unpack(words, out);
      return true;
    }
    return false;
  }

  // Remembers, where this key is known already or instead of what has cost least. What is solved stays solved.
  void put(std::uint64_t key, const Entry& entry) {
    if (Entry old; !entry.numbers.solved() && find(key, old) && old.numbers.solved()) return;
    Place* worst = nullptr;
    std::uint64_t least = ~std::uint64_t{0};
    for (Place& place : rows_[key & mask_]) {
      std::uint64_t check = 0;
      for (const auto& word : place) check ^= word.load(std::memory_order_relaxed);
      if (check == key) {
        worst = &place;
        break;
      }
      if (const std::uint64_t cost = place[2].load(std::memory_order_relaxed) >> kCostShift; cost < least) {
        least = cost;
        worst = &place;
      }
    }
    const Words words = pack(entry);
    std::uint64_t check = key;
    for (std::size_t i = 0; i < words.size(); ++i) {
      (*worst)[i + 1].store(words[i], std::memory_order_relaxed);
      check ^= words[i];
    }
    (*worst)[0].store(check, std::memory_order_relaxed);
  }

 private:
  using Words = std::array<std::uint64_t, 2 + W>;
  using Place = std::array<std::atomic<std::uint64_t>, 3 + W>;
  using Row = std::array<Place, 4>;
  static constexpr int kCostShift = 56;
  struct Free {
    void operator()(Row* rows) const { std::free(rows); }
  };

  std::size_t mask_;
  std::unique_ptr<Row[], Free> rows_;  // all zero at first, which is a place without contents

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

}  // namespace ludoteca
