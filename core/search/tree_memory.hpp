// Memory for a search tree, which only grows: allocated piece by piece, freed all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace ludoteca {

// Where a piece lies, in units of eight bytes: half the size of a pointer. 0 is the null value.
using Offset = std::uint32_t;

// Gets memory from the system block by block, as it is needed, and keeps the blocks when it is cleared.
class TreeMemory {
 public:
  explicit TreeMemory(std::size_t bytes) : max_blocks_(bytes / kBlock > 0 ? bytes / kBlock : 1) {
    blocks_.reserve(max_blocks_);
  }

  // Room for so many bytes, at most kBlock - 8, not initialised; 0 when the memory is full.
  Offset allocate(std::size_t bytes) {
    const auto units = static_cast<Offset>((bytes + kUnit - 1) / kUnit);
    const Offset left = kUnits - next_ % kUnits;  // in the current block
    if (units > left) next_ += left;
    if (next_ / kUnits >= blocks_.size() && !grow()) return 0;
    const Offset offset = next_;
    next_ += units;
    return offset;
  }

  template <class T>
  T* at(Offset offset) {
    return reinterpret_cast<T*>(blocks_[offset / kUnits].get() + std::size_t{offset % kUnits} * kUnit);
  }

  void clear() {
    next_ = 1;
    full_ = false;
  }
  // The used share of the memory, from 0 to 1.
  double used() const { return static_cast<double>(next_) / (static_cast<double>(max_blocks_) * kUnits); }

  // How many visits an edge needs before its child is expanded: `visits`, doubled whenever half of the remaining memory
  // has been used, so that a nearly full tree grows where it matters.
  template <class Number>
  Number visits_to_expand(Number visits, Number highest) const {
    for (double left = 1 - used(); left < 0.5 && visits < highest; left *= 2) visits *= 2;
    return visits;
  }

 private:
  static constexpr Offset kUnits = 1u << 15;  // of a block
  static constexpr std::size_t kUnit = 8, kBlock = kUnit * kUnits;

  const std::size_t max_blocks_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  Offset next_ = 1;
  bool full_ = false;

  bool grow() {
    if (!full_ && blocks_.size() < max_blocks_) {
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
