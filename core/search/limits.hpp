// How much a search may do: a number of nodes, a number of seconds, and only until it is stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace ludoteca {

// A search calls `spend` before each node and gives up for good when that returns false. Nodes are counted exactly; the
// stop flag and the clock are slow to read, so they are checked once every so many nodes.
//
// One thread searches with it; `stop` and `nodes_seen` may be called from any thread at any time. Where several threads
// search together each has its own Limits, and the main thread's includes the nodes of the helpers.
class Limits {
 public:
  Limits(std::optional<std::uint64_t> nodes, std::optional<double> seconds)
      : max_nodes_(nodes.value_or(std::numeric_limits<std::uint64_t>::max())),
        seconds_(seconds.value_or(kForever)),
        ends_early_(nodes || seconds) {}
  // For a helper thread: ends when it is stopped, when the main search is stopped, or at the main search's deadline.
  // Its nodes are not limited.
  explicit Limits(Limits& main) : Limits(std::nullopt, std::nullopt) {
    main_ = &main;
    deadline_ = main.deadline_;
  }
  // For a part of the main search with a number of nodes of its own: it also ends as a helper thread does.
  Limits(Limits& main, std::uint64_t nodes, bool ends_early) : max_nodes_(nodes), seconds_(kForever), ends_early_(ends_early) {
    main_ = &main;
    deadline_ = main.deadline_;
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  // Starts the clock; before this there is no deadline. stoppable: another thread may call `stop`.
  void begin(bool stoppable) {
    ends_early_ |= stoppable;
    if (seconds_ < kForever) {
      const std::chrono::duration<double> left(seconds_ > 0 ? seconds_ : 0);
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
    }
  }

  // Whether one more node may be searched. nodes_per_check: at least 1; as many as take some tens of microseconds.
  bool spend(std::uint64_t nodes_per_check) {
    if (left_ == 0 && !check(nodes_per_check)) return false;
    --left_;
    return true;
  }

  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  bool spent() const { return spent_; }  // whether a node was refused
  // Whether the end may come before the search is done, so that it should find a first result quickly and improve it.
  bool may_end_early() const { return ends_early_; }

  // Whether there is a node limit: then the search uses one thread, so that it can be repeated exactly.
  bool counts_nodes() const { return max_nodes_ < std::numeric_limits<std::uint64_t>::max(); }

  // The nodes at the last check, for other threads. `show_nodes` brings it up to date.
  std::uint64_t nodes_seen() const {
    return seen_.load(std::memory_order_relaxed) + helper_nodes_.load(std::memory_order_relaxed);
  }
  void show_nodes() {
    const std::uint64_t now = granted_ - left_;
    if (main_) main_->helper_nodes_.fetch_add(now - seen_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    seen_.store(now, std::memory_order_relaxed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = 1e9;  // seconds, some thirty years: more would not fit the clock

  const std::uint64_t max_nodes_;
  const double seconds_;
  bool ends_early_;
  bool spent_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t granted_ = 0, left_ = 0;  // nodes allowed so far, and how many of them are not yet spent
  std::atomic<std::uint64_t> seen_{0}, helper_nodes_{0};
  Limits* main_ = nullptr;
  std::atomic<bool> stopped_{false};

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  bool check(std::uint64_t nodes_per_check) {
    show_nodes();
    spent_ = spent_ || granted_ >= max_nodes_ || stopped() || (main_ && main_->stopped()) || Clock::now() >= deadline_;
    if (spent_) return false;
    left_ = std::min(nodes_per_check, max_nodes_ - granted_);
    granted_ += left_;
    return true;
  }
};

}  // namespace ludoteca
