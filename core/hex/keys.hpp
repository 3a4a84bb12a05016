// What the searches of Hex share: their answer, and a number for each position.
#pragma once

#include <utility>
#include <vector>

#include "hex/rules.hpp"

namespace ludoteca {

// What a search chose and what it weighed.
struct HexChoice {
  Action action = 0;
  double value = 0;  // in the search's own unit
  std::vector<std::pair<Action, double>> scores;  // of the actions that were searched, in that order
  std::vector<Action> line;  // the continuation that it expects, its own action first
  std::uint64_t nodes = 0;
  bool complete = true;  // false when the limit came first
};

// The actions of an expected continuation, built from its end; as long as the deepest search.
struct HexLine : ActionList<16> {
  void put_first(Action action, const HexLine& rest) {
    size = 0;
    add(action);
    for (int i = 0; i < rest.size && size < 16; ++i) add(rest[i]);
  }
  std::vector<Action> list() const { return {begin(), end()}; }
};

// Random numbers for the empty board, then cell by cell for a stone of each seat: a position is known by the exclusive
// or of the first and of those of its stones.
class HexKeys {
 public:
  explicit HexKeys(std::uint64_t seed) {
    Rng rng{seed};
    empty_ = rng.next();
    for (auto& cell : number_) {
      for (std::uint64_t& seat : cell) seat = rng.next();
    }
  }

  std::uint64_t operator()(Action cell, Seat seat) const {
    return number_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(seat)];
  }

  std::uint64_t position(const Hex& game, const Hex::Public& pub) const {
    std::uint64_t key = empty_;
    for (Action cell = 0; cell < game.size * game.size; ++cell) {
      if (const Seat seat = game.owner(pub, cell); seat != kNobody) key ^= (*this)(cell, seat);
    }
    return key;
  }

 private:
  std::uint64_t empty_;
  std::array<std::array<std::uint64_t, 2>, Hex::kMaxSize * Hex::kMaxSize> number_;
};

// Values by key, in one piece of memory that grows: freed at once, so that a search which is out of time ends in time.
class HexMemo {
 public:
  const double* find(std::uint64_t key) const {
    const Entry& found = slots_[slot(key)];
    return found.key == named(key) ? &found.value : nullptr;
  }

  // Keeps a value under a new key; when there are very many already it forgets this one.
  void add(std::uint64_t key, double value) {
    if (count_ >= kMost) return;
    if (2 * ++count_ > slots_.size()) grow();
    slots_[slot(key)] = {named(key), value};
  }

 private:
  struct Entry {
    std::uint64_t key = 0;  // 0: free
    double value = 0;
  };
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  std::size_t count_ = 0;
  std::vector<Entry> slots_ = std::vector<Entry>(1024);  // always a power of two, at most half full

  static std::uint64_t named(std::uint64_t key) { return key ? key : 1; }

  // Where the key is, or would go.
  std::size_t slot(std::uint64_t key) const {
    std::size_t i = key & (slots_.size() - 1);
    while (slots_[i].key && slots_[i].key != named(key)) i = (i + 1) & (slots_.size() - 1);
    return i;
  }

  void grow() {
    std::vector<Entry> old(2 * slots_.size());
    old.swap(slots_);
    for (const Entry& entry : old) {
      if (entry.key) slots_[slot(entry.key)] = entry;
    }
  }
};

}  // namespace ludoteca
