// Keeps two threads from using an object at the same time while the GIL is released over it.
#pragma once

#include <atomic>
#include <stdexcept>

namespace ludoteca {

// Any number of threads may read, or one may change; any other use throws. It does not wait: an operation on an object
// that another thread is changing would make no sense afterwards.
class InUse {
 public:
  class Reading {
   public:
    explicit Reading(const InUse& use) : users_(use.users_) {
      int now = users_.load(std::memory_order_relaxed);
      do {
        if (now == kChanging) refuse();
      } while (!users_.compare_exchange_weak(now, now + 1, std::memory_order_acquire));
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { users_.fetch_sub(1, std::memory_order_release); }

   private:
    std::atomic<int>& users_;
  };

  class Changing {
   public:
    explicit Changing(const InUse& use) : users_(use.users_) {
      int unused = 0;
      if (!users_.compare_exchange_strong(unused, kChanging, std::memory_order_acquire)) refuse();
    }
    Changing(const Changing&) = delete;
    Changing& operator=(const Changing&) = delete;
    ~Changing() { users_.store(0, std::memory_order_release); }

   private:
    std::atomic<int>& users_;
  };

 private:
  static constexpr int kChanging = -1;
  mutable std::atomic<int> users_{0};  // number of readers, or kChanging

  [[noreturn]] static void refuse() {
    throw std::runtime_error("another thread is using this batch: give each thread its own, or let them take turns");
  }
};

}  // namespace ludoteca
