// A hash table from positions of Kittens to their values, of a fixed size.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

namespace ludoteca {

// Holds values from -1 to 1, to seven digits. The lower bits of a mixed key select the slot and the upper forty are
// stored, so two keys are mistaken for one about once in 10^11 lookups.
class KittensValueTable {
 public:
  // As many slots as fit into `bytes`, but at least 1024.
  explicit KittensValueTable(std::size_t bytes)
      : slots_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(std::uint64_t), 1024))) {
    entries_.reset(static_cast<std::uint64_t*>(std::calloc(slots_, sizeof(std::uint64_t))));
    if (!entries_) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  bool full() const { return size_ >= slots_ - slots_ / 16; }

  std::optional<float> find(std::uint64_t key) const {
    const std::uint64_t entry = entries_.get()[slot_of(mixed(key))];
    if (!entry) return std::nullopt;
    return static_cast<float>(static_cast<double>(entry & kValue) / kHalf - 1);
  }
  // The table must not be full, and the key must be new.
  void insert(std::uint64_t key, float value) {
    const std::uint64_t mix = mixed(key);
    const auto number = static_cast<std::uint64_t>(std::lround((static_cast<double>(value) + 1) * kHalf));
    entries_.get()[slot_of(mix)] = (mix & ~kValue) | std::min(number, kValue);
    ++size_;
  }

 private:
  static constexpr std::uint64_t kValue = (1 << 24) - 1;
  static constexpr double kHalf = 1 << 23;

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  const std::size_t slots_;
  std::size_t size_ = 0;
  std::unique_ptr<std::uint64_t, Free> entries_;  // 0: free

  static std::uint64_t mixed(std::uint64_t key) {  // a bijection
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9ULL;
    return key ^ key >> 32;
  }
  std::size_t slot_of(std::uint64_t mix) const {
    std::size_t i = mix & (slots_ - 1);
    while (entries_.get()[i] && (entries_.get()[i] ^ mix) & ~kValue) i = (i + 1) & (slots_ - 1);
    return i;
  }
};

}  // namespace ludoteca
