// Threads that work together in rounds: each does its part, and all wait for the last.
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace ludoteca {

// What a round finds must depend on nothing but each thread's number: then it is the same whichever thread is faster.
class Crew {
 public:
  explicit Crew(int threads) : errors_(static_cast<std::size_t>(threads)) {
    if (threads == 1) return;
    gate_ = std::make_unique<std::barrier<>>(threads);
    try {
      for (std::size_t i = 1; i < errors_.size(); ++i) members_.emplace_back([this, i] { work(i); });
    } catch (...) {  // nobody shall wait for a thread that does not exist
      for (std::size_t i = members_.size() + 1; i < errors_.size(); ++i) gate_->arrive_and_drop();
      end();
      throw;
    }
  }
  ~Crew() { end(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::size_t size() const { return errors_.size(); }

  // A round: calls task(i) for each i below `size`, 0 on this thread. Throws what one of them threw.
  void run(const std::function<void(std::size_t)>& task) {
    if (!gate_) return task(0);
    task_ = &task;
    gate_->arrive_and_wait();
    attempt(0);
    gate_->arrive_and_wait();
    for (std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
    }
  }

 private:
  std::vector<std::exception_ptr> errors_;  // by thread
  std::unique_ptr<std::barrier<>> gate_;    // none where there is but one thread
  const std::function<void(std::size_t)>* task_ = nullptr;  // none: it is over
  std::vector<std::thread> members_;

  void attempt(std::size_t i) {
    try {
      (*task_)(i);
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }
  void work(std::size_t i) {
    while (gate_->arrive_and_wait(), task_) {
      attempt(i);
      gate_->arrive_and_wait();
    }
  }
  void end() {
    if (!gate_) return;
    task_ = nullptr;
    gate_->arrive_and_wait();
    for (std::thread& member : members_) member.join();
  }
};

}  // namespace ludoteca
