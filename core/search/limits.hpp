// How much a search may do: so many nodes, so many seconds, and only until somebody stops it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace ludoteca {

// A search asks `spend` before each node and gives up, for good, when the answer is no. Nodes are counted exactly; at the
// flag and the clock, which are slow to look at, it looks every so many nodes.
//
// One thread searches. `stop` and `nodes_seen` may be called by any other at any time. Where several threads search
// together, each has limits of its own, and the nodes of the helpers are seen at their leader's.
class Limits {
 public:
  Limits(std::optional<std::uint64_t> nodes, std::optional<double> seconds)
      : most_(nodes.value_or(std::numeric_limits<std::uint64_t>::max())),
        seconds_(seconds.value_or(kForever)),
        ends_early_(nodes || seconds) {}
  // For a helper, which goes on until it is stopped, or its leader is, or the leader's time is over; its nodes are free.
  explicit Limits(Limits& leader) : Limits(std::nullopt, std::nullopt) {
    leader_ = &leader;
    deadline_ = leader.deadline_;
  }
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

  // Whether there is one node more. `nodes_per_look`: so many as take some tens of microseconds, at least 1.
  bool spend(std::uint64_t nodes_per_look) {
    if (left_ == 0 && !look(nodes_per_look)) return false;
    --left_;
    return true;
  }

  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }

  bool spent() const { return spent_; }  // whether a node was refused
  // Whether the end may come before the search is done, so that it had better find something soon and improve on it.
  bool may_end_early() const { return ends_early_; }

  // Whether nodes are counted towards an end: then a search that shall be repeatable keeps to one thread.
  bool counts_nodes() const { return most_ < std::numeric_limits<std::uint64_t>::max(); }

  // The nodes at the last look, for other threads. `show_nodes` makes it all nodes until now.
  std::uint64_t nodes_seen() const {
    return seen_.load(std::memory_order_relaxed) + helped_.load(std::memory_order_relaxed);
  }
  void show_nodes() {
    const std::uint64_t now = granted_ - left_;
    if (leader_) leader_->helped_.fetch_add(now - seen_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    seen_.store(now, std::memory_order_relaxed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = 1e9;  // seconds, some thirty years: more would not fit the clock

  const std::uint64_t most_;
  const double seconds_;
  bool ends_early_;
  bool spent_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t granted_ = 0, left_ = 0;  // nodes: all that were allowed, and how many of them are still to be spent
  std::atomic<std::uint64_t> seen_{0}, helped_{0};  // own nodes, the helpers' nodes
  Limits* leader_ = nullptr;
  std::atomic<bool> stopped_{false};

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  bool look(std::uint64_t nodes_per_look) {
    show_nodes();
    spent_ = spent_ || granted_ >= most_ || stopped() || (leader_ && leader_->stopped()) || Clock::now() >= deadline_;
    if (spent_) return false;
    left_ = std::min(nodes_per_look, most_ - granted_);
    granted_ += left_;
    return true;
  }
};

}  // namespace ludoteca
