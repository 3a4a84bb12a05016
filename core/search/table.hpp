// A transposition table: what a search has found out about positions, found again by their keys.
//
// It has a fixed number of places, so it forgets: of the four places that a key may use, the one whose loss costs
// least is overwritten. Several threads may use one table at once without a lock: a place holds its key mixed with its
// contents, so that a place which two threads wrote at the same time no longer fits any key, and is ignored.
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

// What is known of the value of a position for the seat on turn.
enum class Bound : std::uint8_t { none, lower, upper, exact };

struct Known {
  // The depth of a value that no depth has cut: searching deeper finds the same.
  static constexpr int kWhole = 255;

  int value = 0;  // 16 bits
  int move = 0;   // 8 bits: the search's own number for the best move
  int depth = 0;  // plies, 8 bits
  Bound bound = Bound::none;
  std::uint64_t nodes = 0;  // what it has cost to know this; only its order of magnitude is kept

  bool whole() const { return depth == kWhole; }
};

class Table {
 public:
  static constexpr std::size_t kPlaceBytes = 16;

  // As many places as fit into `bytes`, but at least a few, rounded down to a power of two. The memory is taken from the
  // system only as it is used. large_pages: faster, but a search that asks for memory may have to wait until the
  // system has found some in one piece, ten milliseconds and more: not for one that is to stop at once.
  explicit Table(std::size_t bytes, bool large_pages = false)
      : mask_(std::bit_floor(std::max(bytes / sizeof(Row), std::size_t{16})) - 1) {
    std::size_t room = size_in_bytes() + kHugePage;
    memory_ = {take(room), Free{room}};
    void* start = memory_.get();
    if (!start || !std::align(kHugePage, size_in_bytes(), start, room)) throw std::bad_alloc();
    rows_ = static_cast<Row*>(start);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A probe falls anywhere: with large pages the processor finds the address without a second trip to memory.
    if (large_pages && size_in_bytes() >= kHugePage) madvise(rows_, size_in_bytes(), MADV_HUGEPAGE);
#else
    static_cast<void>(large_pages);
#endif
  }

  std::size_t size_in_bytes() const { return (mask_ + 1) * sizeof(Row); }

  // Asks for the memory of this key, which is going to be looked at soon.
  void fetch(std::uint64_t key) const {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(&row(key));
#else
    static_cast<void>(key);
#endif
  }

  // What is known, or `Bound::none`.
  Known find(std::uint64_t key) const {
    for (const Place& place : row(key)) {
      const std::uint64_t contents = place.contents.load(std::memory_order_relaxed);
      if ((place.check.load(std::memory_order_relaxed) ^ contents) == key && contents) return unpack(contents);
    }
    return {};
  }

  // Remembers, where this key is known already or instead of what has cost least.
  void put(std::uint64_t key, const Known& known) {
    Place* worst = nullptr;
    std::uint64_t least = ~std::uint64_t{0};
    for (Place& place : row(key)) {
      const std::uint64_t contents = place.contents.load(std::memory_order_relaxed);
      if ((place.check.load(std::memory_order_relaxed) ^ contents) == key) {
        worst = &place;
        break;
      }
      if (const std::uint64_t cost = contents >> kCostShift; cost < least) {
        least = cost;
        worst = &place;
      }
    }
    const std::uint64_t contents = pack(known);
    worst->contents.store(contents, std::memory_order_relaxed);
    worst->check.store(key ^ contents, std::memory_order_relaxed);
  }

 private:
  struct Place {
    std::atomic<std::uint64_t> check, contents;
  };
  static_assert(sizeof(Place) == kPlaceBytes);
  using Row = std::array<Place, 4>;  // one line of the processor's cache
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  struct Free {
    std::size_t bytes;
    // On a thread of its own: to give 256 MB back takes ten milliseconds and more, and a search that was stopped, or is out
    // of time, has not got them.
    void operator()(void* memory) const {
      try {
        std::thread([memory, room = bytes] { give_back(memory, room); }).detach();
      } catch (const std::system_error&) {  // there is no thread more
        give_back(memory, bytes);
      }
    }
  };
#ifdef __linux__
  // From the system itself: `calloc` clears what was freed before, which takes as long as to give it back.
  static void* take(std::size_t room) {
    void* memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  // Piece by piece: as long as a piece is being taken, the system lets no other thread of this process ask for memory.
  static void give_back(void* memory, std::size_t room) {
    auto* const first = static_cast<std::byte*>(memory);
    for (std::size_t at = 0; at + kHugePage <= room; at += kHugePage) madvise(first + at, kHugePage, MADV_DONTNEED);
    munmap(memory, room);
  }
#else
  static void* take(std::size_t room) { return std::calloc(room, 1); }
  static void give_back(void* memory, std::size_t) { std::free(memory); }
#endif
  static constexpr int kCostShift = 40;

  std::size_t mask_;
  std::unique_ptr<void, Free> memory_;  // all zero at first, which is a place without contents
  Row* rows_;                           // within it, where a page begins

  const Row& row(std::uint64_t key) const { return rows_[key & mask_]; }
  Row& row(std::uint64_t key) { return rows_[key & mask_]; }

  static std::uint64_t pack(const Known& known) {
    return static_cast<std::uint64_t>(static_cast<std::uint16_t>(known.value)) |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(known.move)) << 16 |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(known.depth)) << 24 |
           static_cast<std::uint64_t>(known.bound) << 32 |
           static_cast<std::uint64_t>(std::bit_width(known.nodes) + 1) << kCostShift;
  }
  static Known unpack(std::uint64_t contents) {
    return {static_cast<std::int16_t>(contents & 0xffff), static_cast<int>(contents >> 16 & 0xff),
            static_cast<int>(contents >> 24 & 0xff), static_cast<Bound>(contents >> 32 & 3),
            std::uint64_t{1} << (contents >> kCostShift) >> 2};
  }
};

}  // namespace ludoteca
