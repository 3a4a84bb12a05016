// The principal variation of a search.
#pragma once

#include <algorithm>

#include "game.hpp"

namespace ludoteca {

// Actions in the order in which they are played. A search builds the line from its end, with `put_first` on the way
// back. Actions beyond the capacity are dropped.
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

}  // namespace ludoteca
