// Values of positions by their keys, in memory of a fixed size.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

namespace ludoteca {

class KittensValues {
 public:
  // As many as fit into so many bytes, at least a few.
  explicit KittensValues(std::size_t bytes) {
    slots_ = 1024;
    while (slots_ * 2 * (sizeof(std::uint64_t) + sizeof(float)) <= bytes) slots_ *= 2;
    keys_.reset(static_cast<std::uint64_t*>(std::calloc(slots_, sizeof(std::uint64_t))));
    values_.reset(static_cast<float*>(std::calloc(slots_, sizeof(float))));
    if (!keys_ || !values_) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  bool full() const { return size_ + size_ / 8 >= slots_; }

  std::optional<float> get(std::uint64_t key) const {
    const std::size_t i = find(key);
    if (!keys_.get()[i]) return std::nullopt;
    return values_.get()[i];
  }
  // There must be room.
  void put(std::uint64_t key, float value) {
    const std::size_t i = find(key);
    size_ += keys_.get()[i] == 0;
    keys_.get()[i] = key;
    values_.get()[i] = value;
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::size_t slots_, size_ = 0;
  std::unique_ptr<std::uint64_t, Free> keys_;  // 0: free
  std::unique_ptr<float, Free> values_;

  std::size_t find(std::uint64_t key) const {
    std::uint64_t mixed = key * 0x9e3779b97f4a7c15ULL;
    mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9ULL;
    std::size_t i = (mixed ^ mixed >> 29) & (slots_ - 1);
    while (keys_.get()[i] && keys_.get()[i] != key) i = (i + 1) & (slots_ - 1);
    return i;
  }
};

}  // namespace ludoteca
