// The hash table of a single thread: open addressing with linear probing. Threads share a LocklessTable instead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace ludoteca {

// Slot: a plain struct whose bytes are all 0 while it is empty, with `bool empty() const` and `bool has(key) const`.
// Keys must be spread evenly: their lower bits select the slot. At least one slot must stay empty.
template <class Slot>
class HashTable {
 public:
  // slots: a power of two.
  explicit HashTable(std::size_t slots) : mask_(slots - 1) { allocate(); }

  // How many slots fit into `bytes`: a power of two, at least 1024.
  static std::size_t slots_in(std::size_t bytes) {
    return std::bit_floor(std::max<std::size_t>(bytes / sizeof(Slot), 1024));
  }

  std::size_t slots() const { return mask_ + 1; }
  Slot* begin() const { return table_.get(); }
  Slot* end() const { return table_.get() + slots(); }

  // The slot where the search for a key begins.
  Slot& home(std::uint64_t key) const { return table_[key & mask_]; }

  // The slot that has the key, or the empty one where it belongs.
  Slot& slot(std::uint64_t key) const {
    std::size_t i = key & mask_;
    while (!table_[i].empty() && !table_[i].has(key)) i = (i + 1) & mask_;
    return table_[i];
  }

  // Empties all slots.
  void clear() {
    table_.reset();  // first, so that both never exist at once
    allocate();
  }

 private:
  struct Free {
    void operator()(Slot* table) const { std::free(table); }
  };
  std::size_t mask_;
  std::unique_ptr<Slot[], Free> table_;

  void allocate() {
    table_.reset(static_cast<Slot*>(std::calloc(slots(), sizeof(Slot))));  // untouched pages cost nothing
    if (!table_) throw std::bad_alloc();
  }
};

}  // namespace ludoteca
