// What a search has chosen, readable by others while it runs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "search/line.hpp"

namespace ludoteca {

struct Choice {
  static constexpr int kLongestLine = 128;

  Action action = 0;
  double value = 0;  // in the search's own unit
  std::vector<std::pair<Action, double>> scores;  // of the actions that were searched, in that order; same unit
  Line<kLongestLine> line;  // the play that it expects, `action` first
  std::uint64_t nodes = 0;
  int worlds = 0;           // how many it has searched that agree with what the seat sees, where it searches by worlds
  int depth = 0;            // plies; 0 while nothing has been searched, and then there are neither value nor scores
  bool complete = false;    // the search has done all that it was asked for: no limit came first
  bool exhaustive = false;  // nothing that counts was cut by the depth: deeper finds the same
};

// A choice with a lock. The search improves it; anybody reads it, or waits until it is better.
class SharedChoice {
 public:
  explicit SharedChoice(Action first) {
    choice_.action = first;
    choice_.line.add(first);
  }

  // Changes it by `change(Choice&)`, which must be quick: others are waiting.
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

  // Says that nothing will change any more.
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

  // Waits until the end, or so many seconds, or until action, value or depth are others than at the last wait; whether
  // the end has come.
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
