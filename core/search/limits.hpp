// How much a search may do: so many nodes, so many seconds, and only until somebody stops it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace ludoteca {

// A search asks `spend` before each node and gives up, for good, when the answer is no. Nodes are counted exactly and
// the flag is looked at each time; the clock, which is slow to read, every so many nodes.
//
// One thread searches. `stop` and `nodes` may be called by any other at any time.
class Limits {
 public:
  Limits(std::optional<std::uint64_t> nodes, std::optional<double> seconds)
      : most_(nodes.value_or(std::numeric_limits<std::uint64_t>::max())),
        seconds_(seconds.value_or(kForever)),
        ends_early_(nodes || seconds) {}
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  // The seconds count from here; before that there is no deadline. `watched`: somebody may stop the search.
  void begin(bool watched) {
    ends_early_ |= watched;
    if (seconds_ < kForever) {
      const std::chrono::duration<double> left(seconds_ > 0 ? seconds_ : 0);
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
    }
  }

  // Whether there is one node more. `nodes_per_look`: so many nodes take some microseconds, but no more; 1 where a
  // node takes as long as that itself.
  bool spend(std::uint64_t nodes_per_look) {
    if (spent_) return false;
    const std::uint64_t done = nodes();
    if (done >= most_ || stopped_.load(std::memory_order_relaxed) ||
        (done % nodes_per_look == 0 && Clock::now() >= deadline_)) {
      spent_ = true;
      return false;
    }
    nodes_.store(done + 1, std::memory_order_relaxed);
    return true;
  }

  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  bool spent() const { return spent_; }  // whether a node was refused; for the thread that searches
  // Whether the end may come before the search is done, so that it had better find something soon and improve on it.
  bool may_end_early() const { return ends_early_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = 1e9;  // seconds, some thirty years: more would not fit the clock

  const std::uint64_t most_;
  const double seconds_;
  bool ends_early_;
  bool spent_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::atomic<std::uint64_t> nodes_{0};  // written by one thread only, so no node costs more than two plain moves
  std::atomic<bool> stopped_{false};
};

}  // namespace ludoteca
