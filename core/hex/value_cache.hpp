// A cache of values by the key of the position.
#pragma once

#include "search/hash_table.hpp"

namespace ludoteca {

// Grows to at most kMaxEntries entries; then a new entry replaces another. That is so few that the last growth, and
// freeing everything, take less than a millisecond: a search that runs out of time ends in time.
template <class Value>
class HexValueCache {
 public:
  const Value* find(std::uint64_t key) const {
    const Entry& found = table_.slot(nonzero(key));
    return found.empty() ? nullptr : &found.value;
  }

  // Stores a value under a key that has none.
  void add(std::uint64_t key, const Value& value) {
    if (count_ < kMaxEntries) {
      if (2 * ++count_ > table_.slots()) grow();
      table_.slot(nonzero(key)) = {nonzero(key), value};
    } else if (Entry& replaced = table_.home(nonzero(key)); !replaced.empty()) {
      replaced = {nonzero(key), value};
    }
  }

 private:
  struct Entry {
    std::uint64_t key;
    Value value;
    bool empty() const { return !key; }
    bool has(std::uint64_t sought) const { return key == sought; }
  };
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 15;
  std::size_t count_ = 0;
  HashTable<Entry> table_{64};  // at most half full

  static std::uint64_t nonzero(std::uint64_t key) { return key ? key : 1; }

  void grow() {
    HashTable<Entry> larger(2 * table_.slots());
    for (const Entry& entry : table_) {
      if (!entry.empty()) larger.slot(entry.key) = entry;
    }
    table_ = std::move(larger);
  }
};

}  // namespace ludoteca
