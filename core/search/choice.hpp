// The result of a search with its principal variation, which other threads can read while it runs.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "game.hpp"

namespace ludoteca {

// The principal variation: actions in the order in which they are played. A search builds it from its end, with
// `put_first` on the way back. Actions beyond the capacity are dropped.
template <int Capacity>
struct Line : ActionList<Capacity> {
  Line() {}
  template <int Other>
  explicit Line(const Line<Other>& other) {
    append(other);
  }

  template <int Other>
  void append(const Line<Other>& more) {
    const int room = std::min(more.size, Capacity - this->size);
    std::copy_n(more.begin(), room, this->items.begin() + this->size);
    this->size += room;
  }

  template <int Other>
  void put_first(Action action, const Line<Other>& rest) {
    this->size = 0;
    this->add(action);
    append(rest);
  }
};

// What a search has found so far: the action, how good it is, and why.
struct Choice {
  static constexpr int kLongestLine = 128;

  Action action = 0;
  double value = 0;  // in the search's own unit
  std::vector<std::pair<Action, double>> scores;  // of the searched actions, in the order of the search; same unit
  Line<kLongestLine> line;  // the principal variation, `action` first
  std::uint64_t nodes = 0;
  int worlds = 0;           // determinizations searched; 0 for a search without them
  int depth = 0;            // plies; 0 while nothing has been searched, and then there are neither value nor scores
  bool complete = false;    // the search has done all that was asked: no limit ended it early
  bool exhaustive = false;  // the value rests on no estimate: a deeper search finds the same
};

// A choice with a lock. The search updates it; other threads read it or wait for an update.
class SharedChoice {
 public:
  explicit SharedChoice(Action first) {
    choice_.action = first;
    choice_.line.add(first);
  }

  // Calls `change(Choice&)` under the lock, so it must be quick.
  template <class F>
  void update(F change) {
    {
      const std::lock_guard lock(mutex_);
      const auto before = std::tuple{choice_.action, choice_.value, choice_.depth};
      change(choice_);
      if (before == std::tuple{choice_.action, choice_.value, choice_.depth}) return;
      news_ = true;
    }
    changed_.notify_all();
  }

  // After this the choice no longer changes.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  Choice read() const {
    const std::lock_guard lock(mutex_);
    return choice_;
  }

  // Waits until the end, for at most `time`, or until action, value or depth differ from the last wait. Returns whether
  // the search has ended.
  template <class Duration>
  bool wait(Duration time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [&] { return ended_ || news_; });
    news_ = false;
    return ended_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Choice choice_;
  bool news_ = false, ended_ = false;
};

}  // namespace ludoteca
