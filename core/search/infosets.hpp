// Finds the node of an information set by what the seat that searches sees there.
#pragma once

#include <cstdlib>
#include <memory>

#include "game.hpp"
#include "search/arena.hpp"

namespace ludoteca {

// A digest of bytes, eight at a time, in two lanes that the processor works on at once.
class Digest {
 public:
  explicit Digest(std::uint64_t seed) : even_(seed), odd_(~seed) {}

  template <class T>
  Digest& add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>);
    const char* bytes = reinterpret_cast<const char*>(&value);
    std::size_t i = 0;
    for (; i + 16 <= sizeof value; i += 16) {
      even_ = mix(even_ ^ word(bytes + i, 8));
      odd_ = mix(odd_ ^ word(bytes + i + 8, 8));
    }
    if (i < sizeof value) even_ = mix(even_ ^ word(bytes + i, std::min<std::size_t>(8, sizeof value - i)));
    if (i + 8 < sizeof value) odd_ = mix(odd_ ^ word(bytes + i + 8, sizeof value - i - 8));
    return *this;
  }

  std::uint64_t value() const { return Rng{even_ + 3 * odd_}.next(); }

 private:
  std::uint64_t even_, odd_;

  static std::uint64_t word(const char* bytes, std::size_t count) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes, count);
    return out;
  }
  static std::uint64_t mix(std::uint64_t z) {
    z *= 0x9e3779b97f4a7c15ULL;
    return z ^ (z >> 29);
  }
};

// What `seat` sees of a state, as 64 bits: equal views have equal ones, others practically never.
template <Game G>
std::uint64_t view_key(const State<G>& state, Seat seat) {
  return Digest(static_cast<std::uint64_t>(seat)).add(state.pub).add(state.own[static_cast<std::size_t>(seat)]).value();
}

// A hash table from keys to places that never grows.
class KeyTable {
 public:
  explicit KeyTable(std::size_t bytes) {
    while (2 * slots_ * sizeof(Slot) <= bytes) slots_ *= 2;
    clear();
  }

  void clear() {
    if (table_ && !count_) return;
    table_.reset();  // first: the system need not have both at once
    table_.reset(static_cast<Slot*>(std::calloc(slots_, sizeof(Slot))));  // pages that nobody touches cost nothing
    if (!table_) throw std::bad_alloc();
    count_ = 0;
  }

  // 0 where there is none.
  Place find(std::uint64_t key) const { return static_cast<Place>(slot(key).place); }

  // Whether there was room; the key is new.
  bool add(std::uint64_t key, Place place) {
    if (count_ + count_ / 4 >= slots_) return false;
    slot(key) = Slot{key, place};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint64_t place;  // 0: empty
  };
  struct Free {
    void operator()(Slot* table) const { std::free(table); }
  };
  std::size_t slots_ = 1024, count_ = 0;
  std::unique_ptr<Slot[], Free> table_;

  Slot& slot(std::uint64_t key) const {
    std::size_t i = key & (slots_ - 1);
    while (table_[i].place && table_[i].key != key) i = (i + 1) & (slots_ - 1);
    return table_[i];
  }
};

}  // namespace ludoteca
