// Finds the node of an information set by the hash of the view there.
#pragma once

#include "search/hash_table.hpp"
#include "search/tree_memory.hpp"

namespace ludoteca {

// A hash table from view hashes to nodes, of fixed size.
class NodeTable {
 public:
  explicit NodeTable(std::size_t bytes) : table_(HashTable<Slot>::slots_in(bytes)) {}

  void clear() {
    if (count_) table_.clear();
    count_ = 0;
  }

  // The node of this key, 0 for none.
  Offset find(std::uint64_t key) const { return static_cast<Offset>(table_.slot(key).node); }

  // Adds a new key. Returns whether there was room.
  bool add(std::uint64_t key, Offset node) {
    if (count_ + count_ / 4 >= table_.slots()) return false;
    table_.slot(key) = Slot{key, node};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key, node;
    bool empty() const { return !node; }
    bool has(std::uint64_t sought) const { return key == sought; }
  };
  HashTable<Slot> table_;
  std::size_t count_ = 0;
};

}  // namespace ludoteca
