// The hash table under the transposition table and the proof table: fixed size, shared by threads without a lock.
//
// A key may use the four slots of one bucket; a new entry replaces the one that was cheapest to compute. A slot holds
// its key XORed with its contents (Hyatt and Mann's lockless hashing), so a slot that two threads wrote at the same
// time matches no key and is ignored.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ludoteca {

// An entry has kWords words of contents. The bits of word kCostWord from kCostShift up are its cost, by which it is
// replaced; they are not 0 in any stored entry.
template <int kWords, int kCostWord, int kCostShift>
class LocklessTable {
 public:
  using Words = std::array<std::uint64_t, kWords>;
  static constexpr std::size_t kSlotBytes = sizeof(std::uint64_t) * (kWords + 1);

  // As many buckets as fit into `bytes`, rounded down to a power of two, at least 16. The system provides the memory
  // only as it is used. large_pages: faster, but a search that touches new memory may wait ten milliseconds and more
  // until the system has found a large page; not for a search that has to stop at once.
  explicit LocklessTable(std::size_t bytes, bool large_pages = false)
      : mask_(std::bit_floor(std::max(bytes / sizeof(Bucket), std::size_t{16})) - 1) {
    std::size_t room = size_in_bytes() + kHugePage;
    memory_ = {allocate(room), Free{room}};
    void* start = memory_.get();
    if (!start || !std::align(kHugePage, size_in_bytes(), start, room)) throw std::bad_alloc();
    buckets_ = static_cast<Bucket*>(start);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Probes are random accesses: large pages save the processor a second memory access for the address.
    if (large_pages && size_in_bytes() >= kHugePage) madvise(buckets_, size_in_bytes(), MADV_HUGEPAGE);
#else
    static_cast<void>(large_pages);
#endif
  }

  std::size_t size_in_bytes() const { return (mask_ + 1) * sizeof(Bucket); }

  void prefetch(std::uint64_t key) const {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(&buckets_[key & mask_]);
#else
    static_cast<void>(key);
#endif
  }

  // Whether the key is known; then `out` holds its entry.
  bool probe(std::uint64_t key, Words& out) const {
    for (const Slot& slot : buckets_[key & mask_]) {
      std::uint64_t check = slot[0].load(std::memory_order_relaxed);
      for (std::size_t i = 0; i < kWords; ++i) check ^= out[i] = slot[i + 1].load(std::memory_order_relaxed);
      if (check == key && out[kCostWord]) return true;
    }
    return false;
  }

  // Replaces the entry of this key, or else the cheapest of its bucket.
  void store(std::uint64_t key, const Words& words) {
    Slot* replaced = nullptr;
    std::uint64_t cheapest = ~std::uint64_t{0};
    for (Slot& slot : buckets_[key & mask_]) {
      std::uint64_t check = 0;
      for (const auto& word : slot) check ^= word.load(std::memory_order_relaxed);
      if (check == key) {
        replaced = &slot;
        break;
      }
      const std::uint64_t cost = slot[kCostWord + 1].load(std::memory_order_relaxed) >> kCostShift;
      if (cost < cheapest) {
        cheapest = cost;
        replaced = &slot;
      }
    }
    std::uint64_t check = key;
    for (std::size_t i = 0; i < kWords; ++i) {
      (*replaced)[i + 1].store(words[i], std::memory_order_relaxed);
      check ^= words[i];
    }
    (*replaced)[0].store(check, std::memory_order_relaxed);
  }

  // Calls f(key, words) for each entry.
  template <class F>
  void each(F f) const {
    for (std::size_t i = 0; i <= mask_; ++i) {
      for (const Slot& slot : buckets_[i]) {
        Words words;
        std::uint64_t key = slot[0].load(std::memory_order_relaxed);
        for (std::size_t k = 0; k < kWords; ++k) key ^= words[k] = slot[k + 1].load(std::memory_order_relaxed);
        if (words[kCostWord]) f(key, words);
      }
    }
  }

 private:
  using Slot = std::array<std::atomic<std::uint64_t>, kWords + 1>;  // the check, then the contents
  using Bucket = std::array<Slot, 4>;
  static_assert(sizeof(Slot) == kSlotBytes);
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  struct Free {
    std::size_t bytes;
    // On a separate thread: releasing 256 MB takes ten milliseconds and more, which a search that was stopped or is out
    // of time does not have.
    void operator()(void* memory) const {
      try {
        std::thread([memory, room = bytes] { release(memory, room); }).detach();
      } catch (const std::system_error&) {  // no thread could be started
        release(memory, bytes);
      }
    }
  };
#ifdef __linux__
  // Directly from the system: `calloc` clears memory that was freed before, which takes as long as releasing it.
  static void* allocate(std::size_t room) {
    void* memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  // In pieces: while the system releases a piece, no other thread of this process can get memory.
  static void release(void* memory, std::size_t room) {
    auto* const first = static_cast<std::byte*>(memory);
    for (std::size_t at = 0; at + kHugePage <= room; at += kHugePage) madvise(first + at, kHugePage, MADV_DONTNEED);
    munmap(memory, room);
  }
#else
  static void* allocate(std::size_t room) { return std::calloc(room, 1); }
  static void release(void* memory, std::size_t) { std::free(memory); }
#endif

  std::size_t mask_;
  std::unique_ptr<void, Free> memory_;  // initially zero, which makes every slot empty
  Bucket* buckets_;                     // within it, aligned to a page
};

}  // namespace ludoteca
