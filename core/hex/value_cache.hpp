// What a search of Hex has found already, by the key of the position.
#pragma once

#include <vector>

#include "game.hpp"

namespace ludoteca {

// Grows from little to at most kMost entries; then a new one takes the place of another. That is few enough that the
// last growing, and freeing it all, take less than a millisecond: a search which is out of time ends in time.
template <class Value>
class HexMemo {
 public:
  const Value* find(std::uint64_t key) const {
    const Entry& found = slots_[slot(key)];
    return found.key == named(key) ? &found.value : nullptr;
  }

  // Keeps a value under a key that has none.
  void add(std::uint64_t key, const Value& value) {
    if (count_ < kMost) {
      if (2 * ++count_ > slots_.size()) grow();
      slots_[slot(key)] = {named(key), value};
    } else if (Entry& taken = slots_[home(key)]; taken.key) {
      taken = {named(key), value};
    }
  }

 private:
  struct Entry {
    std::uint64_t key = 0;  // 0: free
    Value value{};
  };
  static constexpr std::size_t kMost = std::size_t{1} << 15;
  std::size_t count_ = 0;
  std::vector<Entry> slots_ = std::vector<Entry>(64);  // always a power of two, at most half full

  static std::uint64_t named(std::uint64_t key) { return key ? key : 1; }
  std::size_t home(std::uint64_t key) const { return key & (slots_.size() - 1); }

  // Where the key is, or would go.
  std::size_t slot(std::uint64_t key) const {
    std::size_t i = home(key);
    while (slots_[i].key && slots_[i].key != named(key)) i = (i + 1) & (slots_.size() - 1);
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
