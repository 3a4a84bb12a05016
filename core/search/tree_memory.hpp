// Memory for a tree that only grows: taken in pieces, given back all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace ludoteca {

// Where a piece lies, in units of eight bytes: half the size of a pointer. 0 is nowhere.
using Place = std::uint32_t;

// It asks the system for memory block by block, as the pieces need it, and keeps the blocks when it is cleared.
class Arena {
 public:
  explicit Arena(std::size_t bytes) : most_(bytes / kBlock > 0 ? bytes / kBlock : 1) { blocks_.reserve(most_); }

  // Room for so many bytes, at most kBlock less 8, not initialised; 0 when there is no more.
  Place take(std::size_t bytes) {
    const auto units = static_cast<Place>((bytes + kUnit - 1) / kUnit);
    const Place left = kUnits - next_ % kUnits;  // in the present block
    if (units > left) next_ += left;
    if (next_ / kUnits >= blocks_.size() && !grow()) return 0;
    const Place place = next_;
    next_ += units;
    return place;
  }

  template <class T>
  T* at(Place place) {
    return reinterpret_cast<T*>(blocks_[place / kUnits].get() + std::size_t{place % kUnits} * kUnit);
  }

  void clear() {
    next_ = 1;
    full_ = false;
  }
  bool full() const { return full_; }  // whether something was refused
  // How much of what it may have is in use, from 0 to 1.
  double used() const { return static_cast<double>(next_) / (static_cast<double>(most_) * kUnits); }

 private:
  static constexpr Place kUnits = 1u << 15;  // in a block
  static constexpr std::size_t kUnit = 8, kBlock = kUnit * kUnits;

  const std::size_t most_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  Place next_ = 1;
  bool full_ = false;

  bool grow() {
    if (!full_ && blocks_.size() < most_) {
      if (auto* block = new (std::nothrow) std::byte[kBlock]) {
        blocks_.emplace_back(block);
        return true;
      }
    }
    full_ = true;
    return false;
  }
};

}  // namespace ludoteca
