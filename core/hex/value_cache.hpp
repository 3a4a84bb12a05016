// A cache of values by the key of the position.
#pragma once

#include <vector>

#include "game.hpp"

namespace ludoteca {

// Grows to at most kMaxEntries entries; then a new entry replaces another. That is so few that the last growth, and
// freeing everything, take less than a millisecond: a search that runs out of time ends in time.
template <class Value>
class HexValueCache {
 public:
  const Value* find(std::uint64_t key) const {
    const Entry& found = slots_[slot(key)];
    return found.key == nonzero(key) ? &found.value : nullptr;
  }

  // Stores a value under a key that has none.
  void add(std::uint64_t key, const Value& value) {
    if (count_ < kMaxEntries) {
      if (2 * ++count_ > slots_.size()) grow();
      slots_[slot(key)] = {nonzero(key), value};
    } else if (Entry& replaced = slots_[home(key)]; replaced.key) {
      replaced = {nonzero(key), value};
    }
  }

 private:
  struct Entry {
    std::uint64_t key = 0;  // 0: empty
    Value value{};
  };
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 15;
  std::size_t count_ = 0;
  std::vector<Entry> slots_ = std::vector<Entry>(64);  // a power of two, at most half full

  static std::uint64_t nonzero(std::uint64_t key) { return key ? key : 1; }
  std::size_t home(std::uint64_t key) const { return key & (slots_.size() - 1); }

  // The slot of the key, or the one where it would go.
  std::size_t slot(std::uint64_t key) const {
    std::size_t i = home(key);
    while (slots_[i].key && slots_[i].key != nonzero(key)) i = (i + 1) & (slots_.size() - 1);
    return i;
  }

  void grow() {
    std::vector<Entry> old(2 * slots_.size());
    old.swap(slots_);
    for (const Entry& entry : old) {
      if (entry.key) slots_[slot(entry.key)] = entry;
    }
  }
};

}  // namespace ludoteca
