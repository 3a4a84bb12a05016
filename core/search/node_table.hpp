// Finds the node of an information set by the hash of the view there.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#include "search/tree_memory.hpp"

namespace ludoteca {

// A hash table from view hashes to nodes, of fixed size.
class NodeTable {
 public:
  explicit NodeTable(std::size_t bytes) {
    while (2 * slots_ * sizeof(Slot) <= bytes) slots_ *= 2;
    clear();
  }

  void clear() {
    if (table_ && !count_) return;
    table_.reset();  // first, so that both never exist at once
    table_.reset(static_cast<Slot*>(std::calloc(slots_, sizeof(Slot))));  // untouched pages cost nothing
    if (!table_) throw std::bad_alloc();
    count_ = 0;
  }

  // The node of this key, 0 for none.
  Offset find(std::uint64_t key) const { return static_cast<Offset>(slot(key).node); }

  // Adds a new key. Returns whether there was room.
  bool add(std::uint64_t key, Offset node) {
    if (count_ + count_ / 4 >= slots_) return false;
    slot(key) = Slot{key, node};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint64_t node;  // 0: empty
  };
  struct Free {
    void operator()(Slot* table) const { std::free(table); }
  };
  std::size_t slots_ = 1024, count_ = 0;
  std::unique_ptr<Slot[], Free> table_;

  Slot& slot(std::uint64_t key) const {
    std::size_t i = key & (slots_ - 1);
    while (table_[i].node && table_[i].key != key) i = (i + 1) & (slots_ - 1);
    return table_[i];
  }
};

}  // namespace ludoteca
