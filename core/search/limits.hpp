// How much a search may do: so many nodes, so many seconds, either, both or neither.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace ludoteca {

// A search asks `spend()` before each node and gives up, for good, when the answer is no. Nodes are counted
// exactly; the clock, which is slow to read, is looked at before the first node and then every 1024.
class Budget {
 public:
  Budget(std::optional<std::uint64_t> nodes, std::optional<double> seconds)
      : limit_(nodes.value_or(std::numeric_limits<std::uint64_t>::max())),
        seconds_(seconds.value_or(std::numeric_limits<double>::infinity())),
        limited_(nodes || seconds) {}

  bool spend() {
    if (spent_) return false;
    if (nodes_ >= limit_ || (nodes_ % kLook == 0 && late())) {
      spent_ = true;
      return false;
    }
    ++nodes_;
    return true;
  }

  bool limited() const { return limited_; }
  bool spent() const { return spent_; }  // whether a node was refused
  std::uint64_t nodes() const { return nodes_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kLook = 1024;

  std::uint64_t limit_;
  double seconds_;
  bool limited_;
  bool spent_ = false;
  std::uint64_t nodes_ = 0;
  Clock::time_point start_ = Clock::now();

  bool late() const { return std::chrono::duration<double>(Clock::now() - start_).count() >= seconds_; }
};

}  // namespace ludoteca
