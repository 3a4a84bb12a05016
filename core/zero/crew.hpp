// Threads that stay, for short pieces of work that come again and again.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ludoteca {

class Crew {
 public:
  // threads: how many work, the caller of `each` included.
  explicit Crew(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this](std::stop_token stop) { serve(stop); });
  }
  ~Crew() {
    for (std::jthread& thread : threads_) thread.request_stop();
    wake_.notify_all();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Calls work(i) for all i below `count`, in any order, some at the same time; returns when all is done.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      next_.store(0);
      busy_ = threads_.size();
      error_ = nullptr;
      ++turn_;
    }
    wake_.notify_all();
    take(work, count);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::size_t kPiece = 16;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0, busy_ = 0;
  std::uint64_t turn_ = 0;
  std::atomic<std::size_t> next_{0};
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;

  void take(const std::function<void(std::size_t)>& work, std::size_t count) {
    try {
      for (std::size_t from; (from = next_.fetch_add(kPiece)) < count;) {
        for (std::size_t i = from; i < std::min(count, from + kPiece); ++i) work(i);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
  }

  void serve(const std::stop_token& stop) {
    for (std::uint64_t seen = 0;;) {
      const std::function<void(std::size_t)>* work;
      std::size_t count;
      {
        std::unique_lock lock(mutex_);
        if (!wake_.wait(lock, stop, [&] { return turn_ != seen; })) return;
        seen = turn_;
        work = work_;
        count = count_;
      }
      take(*work, count);
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
};

}  // namespace ludoteca
