// Helper threads. Two ways to use them:
//
//     Workers          rounds: every thread does its part, then all wait for the last. Deterministic.
//     run_parallel     no rounds: every thread runs until the first one is done. They share a table or a tree.
#pragma once

#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "search/limits.hpp"

namespace ludoteca {

// A fixed number of threads that work in rounds. The task of a round must depend only on the number of the thread: then
// the result is the same whichever thread is faster.
class Workers {
 public:
  explicit Workers(int threads) : errors_(static_cast<std::size_t>(threads)) {
    if (threads == 1) return;
    barrier_ = std::make_unique<std::barrier<>>(threads);
    try {
      for (std::size_t i = 1; i < errors_.size(); ++i) threads_.emplace_back([this, i] { loop(i); });
    } catch (...) {  // the barrier must not wait for threads that could not be started
      for (std::size_t i = threads_.size() + 1; i < errors_.size(); ++i) barrier_->arrive_and_drop();
      end();
      throw;
    }
  }
  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t size() const { return errors_.size(); }

  // One round: calls task(i) for each i below `size`, with 0 on the calling thread. Rethrows an exception of a task.
  void run(const std::function<void(std::size_t)>& task) {
    if (!barrier_) return task(0);
    task_ = &task;
    barrier_->arrive_and_wait();
    run_task(0);
    barrier_->arrive_and_wait();
    for (std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
    }
  }

 private:
  std::vector<std::exception_ptr> errors_;                  // by thread
  std::unique_ptr<std::barrier<>> barrier_;                 // null with a single thread
  const std::function<void(std::size_t)>* task_ = nullptr;  // null: the threads end
  std::vector<std::thread> threads_;

  void run_task(std::size_t i) {
    try {
      (*task_)(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }
  void loop(std::size_t i) {
    while (barrier_->arrive_and_wait(), task_) {
      run_task(i);
      barrier_->arrive_and_wait();
    }
  }
  void end() {
    if (!barrier_) return;
    task_ = nullptr;
    barrier_->arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }
};

// Calls work(number, limits, start_helpers) on the calling thread with number 0, and on helper threads with numbers
// from 1. The helpers wait until number 0 calls `start_helpers()`, which it does once it has a first result: a search
// that is stopped before costs no threads. When number 0 is done the helpers are stopped; what they contribute they
// leave in a shared table. With a node limit there are no helpers, so that the search stays repeatable.
using StartHelpers = std::function<void()>;
inline void run_parallel(int threads, Limits& limits,
                         const std::function<void(int number, Limits& limits, const StartHelpers& start_helpers)>& work) {
  std::atomic<bool> started{false};
  const StartHelpers start_helpers = [&started] {
    started = true;
    started.notify_all();
  };
  std::vector<std::unique_ptr<Limits>> helper_limits;
  std::vector<std::jthread> helpers;
  struct Stop {
    std::vector<std::unique_ptr<Limits>>& all;
    const StartHelpers& wake;
    ~Stop() {
      for (auto& each : all) each->stop();
      wake();
    }
  } stop{helper_limits, start_helpers};  // destroyed first; then the threads are joined
  for (int i = 1; i < threads && !limits.counts_nodes(); ++i) {
    Limits& own = *helper_limits.emplace_back(std::make_unique<Limits>(limits));
    helpers.emplace_back([&started, &work, &start_helpers, i, &own] {
      started.wait(false);
      work(i, own, start_helpers);
      own.show_nodes();
    });
  }
  work(0, limits, start_helpers);
}

}  // namespace ludoteca
