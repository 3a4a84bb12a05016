// The transposition table of alpha-beta: bounds of values that were searched, by the key of the position.
#pragma once

#include "search/lockless_table.hpp"

namespace ludoteca {

enum class Bound : std::uint8_t { none, lower, upper, exact };

// The value of a position for the seat on turn, as far as it was searched.
struct TableEntry {
  // The depth of a value that rests on no evaluation: searching deeper finds the same.
  static constexpr int kProven = 255;

  int value = 0;  // 16 bits
  int move = 0;   // 8 bits: the search's number for the best move
  int depth = 0;  // plies, 8 bits
  Bound bound = Bound::none;
  std::uint64_t nodes = 0;  // the cost of the search; only its order of magnitude is stored

  bool proven() const { return depth == kProven; }
};

class TranspositionTable {
  static constexpr int kCostShift = 40;
  using Slots = LocklessTable<1, 0, kCostShift>;

 public:
  static constexpr std::size_t kSlotBytes = Slots::kSlotBytes;

  // See LocklessTable for both arguments.
  explicit TranspositionTable(std::size_t bytes, bool large_pages = false) : slots_(bytes, large_pages) {}

  void prefetch(std::uint64_t key) const { slots_.prefetch(key); }

  // The entry of this key; Bound::none if there is none.
  TableEntry probe(std::uint64_t key) const {
    Slots::Words words;
    return slots_.probe(key, words) ? unpack(words[0]) : TableEntry{};
  }

  void store(std::uint64_t key, const TableEntry& entry) { slots_.store(key, {pack(entry)}); }

 private:
  Slots slots_;

  static std::uint64_t pack(const TableEntry& entry) {
    return static_cast<std::uint64_t>(static_cast<std::uint16_t>(entry.value)) |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.move)) << 16 |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth)) << 24 |
           static_cast<std::uint64_t>(entry.bound) << 32 |
           static_cast<std::uint64_t>(std::bit_width(entry.nodes) + 1) << kCostShift;
  }
  static TableEntry unpack(std::uint64_t contents) {
    return {static_cast<std::int16_t>(contents & 0xffff), static_cast<int>(contents >> 16 & 0xff),
            static_cast<int>(contents >> 24 & 0xff), static_cast<Bound>(contents >> 32 & 3),
            std::uint64_t{1} << (contents >> kCostShift) >> 2};
  }
};

}  // namespace ludoteca
