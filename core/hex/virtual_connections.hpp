// Virtual connections of Hex: connections that the other seat cannot break, found by two rules (H-search).
//
// The two ends of a connection are empty cells, groups of stones, or sides of the board with the stones joined to them.
// Its carrier is the set of empty cells that it needs, without its ends, and the groups of stones that it passes.
//
//     full    the seat joins the ends even if the other moves first, by answering within the carrier
//     semi    the seat joins the ends if it moves first
//
//     AND   full x–m and full m–z, carriers disjoint:  over a group m    full x–z
//                                                      over a cell m     semi x–z: the seat takes m first
//     OR    several semi x–z whose carriers have no cell in common:      full x–z, since the other seat cannot
//                                                                        touch all of them with one stone
//
//     x . .       A bridge: two semi connections over one cell each (AND of neighbours), which OR makes a full one.
//      . . z
//
// Neighbours are full connections with an empty carrier; all others are made from those, small carriers first. There
// are far too many, so their number is limited, by pair of ends and in total: what is found is right, but not all is
// found.
#pragma once

#include "hex/cells.hpp"

namespace ludoteca {

// How many connections are kept, and how much work is spent on finding them.
struct ConnectionLimits {
  int fulls = 8;             // of a pair of ends
  int semis = 12;            // of a pair of ends
  int winning = 64;          // from side to side
  int between_cells = 8;     // the largest carrier of a full connection between two empty cells
  int alternatives = 4;      // semi connections that OR combines
  std::int64_t work = 200'000;  // pairs of connections that AND compares, in total

  static ConnectionLimits quick() { return {4, 8, 32, 6, 3, 50'000}; }
};

template <int W>
class HexVirtualConnections {
 public:
  using Set = Cells<W>;
  using Stones = HexStones<W>;

  struct Connection {
    Set carrier;
    std::int16_t one, two;   // the ends
    std::int16_t key;        // of a semi connection: the cell to take first, otherwise kFull
    bool semi, dropped = false;
    std::int32_t next = -1;  // of the same pair
  };
  static constexpr int kFull = -1;
  static constexpr int kLow = 0, kHigh = 1;  // the ends that are the seat's two sides

  HexVirtualConnections(const HexMap<W>& map, ConnectionLimits limits) : map_(map), limits_(limits) {}

  // Finds the connections of the seat, up to the first winning one: `semi` stops at a semi or full one, `full` at a
  // full one, `all` never. The methods below then answer about this position.
  enum class Enough { semi, full, all };
  void find(const Stones& stones, Seat seat, Enough enough) {
    enough_ = enough;
    list_ends(stones, seat);
    if (joined_) return;
    connect_neighbours();
    work_ = limits_.work;
    while (!done()) {
      while (lowest_ < queue_.size() && queue_[lowest_].empty()) ++lowest_;
      if (lowest_ == queue_.size()) return;
      const std::int32_t next = queue_[lowest_].back();
      queue_[lowest_].pop_back();
      if (!connections_[index(next)].dropped) apply_and(next);
    }
  }

  // The smallest full or semi connection from side to side; nullptr for none.
  const Connection* winning(bool semi) const {
    const Connection* best = nullptr;
    for (std::int32_t i = list(kLow, kHigh, semi); i >= 0; i = connections_[index(i)].next) {
      const Connection& connection = connections_[index(i)];
      if (!best || count(connection.carrier) < count(best->carrier)) best = &connection;
    }
    return best;
  }
  // Calls f with each connection.
  template <class F>
  void each(F f) const {
    for (const Connection& connection : connections_) {
      if (!connection.dropped) f(connection);
    }
  }
  // Calls f with the carrier of each semi connection from side to side.
  template <class F>
  void each_winning_semi(F f) const {
    for (std::int32_t i = list(kLow, kHigh, true); i >= 0; i = connections_[index(i)].next) {
      f(connections_[index(i)].carrier);
    }
  }
  // The cells of an end; for a side, the stones joined to it.
  const Set& cells(int end) const { return ends_[index(end)]; }
  // Stones that winning connections may use besides those in their carriers.
  Set stones_at_sides() const { return ends_[kLow] | ends_[kHigh]; }
  std::size_t count_ends() const { return ends_.size(); }
  bool is_empty_cell(int end) const { return end >= groups_; }
  const Set& empty() const { return empty_; }

 private:
  const HexMap<W>& map_;
  const ConnectionLimits limits_;
  Enough enough_ = Enough::all;
  Set empty_;
  std::vector<Set> ends_;       // by end: its cells; first the sides, then the groups, then the empty cells
  std::vector<Set> touches_;    // of sides and groups: the adjacent empty cells
  std::vector<std::int16_t> end_of_;  // by empty cell
  int groups_ = 0;              // including the sides
  bool joined_ = false;
  std::vector<Connection> connections_;
  std::vector<std::int32_t> first_[2];  // by kind and pair of ends: the first connection
  std::vector<std::uint8_t> kept_[2];   // by kind and pair: how many
  std::vector<std::vector<std::int32_t>> combined_;  // by end: the full connections that AND has processed
  std::vector<std::vector<std::int32_t>> queue_;  // by size of the carrier: the full connections that it has not
  std::size_t lowest_ = 0;
  std::int64_t work_ = 0;

  int ends() const { return static_cast<int>(ends_.size()); }
  std::size_t pair(int a, int b) const { return index(a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b); }
  std::int32_t list(int a, int b, bool semi) const { return joined_ ? -1 : first_[semi][pair(a, b)]; }
  int count(const Set& carrier) const { return (carrier & empty_).count(); }

  bool done() const {
    if (work_ <= 0) return true;
    if (enough_ == Enough::all) return false;
    return first_[0][pair(kLow, kHigh)] >= 0 || (enough_ == Enough::semi && first_[1][pair(kLow, kHigh)] >= 0);
  }

  void list_ends(const Stones& stones, Seat seat) {
    empty_ = map_.empty(stones);
    ends_.clear();
    touches_.clear();
    connections_.clear();
    Set left = stones[seat];
    for (const Set& side : {map_.low[index(seat)], map_.high[index(seat)]}) {
      const Set group = map_.flood(side, left);
      ends_.push_back(group);
      touches_.push_back((side | map_.touching(group)) & empty_);
    }
    joined_ = ends_[0].meets(ends_[1]);
    left -= ends_[0] | ends_[1];
    while (left.any()) {
      const Set group = map_.flood(Set::of(left.first()), left);
      left -= group;
      ends_.push_back(group);
      touches_.push_back(map_.touching(group) & empty_);
    }
    groups_ = ends();
    end_of_.assign(index(map_.cells), -1);
    empty_.each([&](int cell) {
      end_of_[index(cell)] = static_cast<std::int16_t>(ends());
      ends_.push_back(Set::of(cell));
    });
    const std::size_t pairs = ends_.size() * (ends_.size() - 1) / 2;
    for (const std::size_t semi : {0, 1}) {
      first_[semi].assign(pairs, -1);
      kept_[semi].assign(pairs, 0);
    }
    if (combined_.size() < ends_.size()) combined_.resize(ends_.size());
    for (auto& list : combined_) list.clear();
    queue_.resize(index(map_.cells) + 1);
    for (auto& list : queue_) list.clear();
    lowest_ = 0;
  }

  void connect_neighbours() {
    for (int group = 0; group < groups_; ++group) {
      touches_[index(group)].each([&](int cell) { add(group, end_of_[index(cell)], Set{}, kFull); });
    }
    empty_.each([&](int cell) {
      (map_.neighbours[index(cell)] & empty_).each([&](int near) {
        if (near > cell) add(end_of_[index(cell)], end_of_[index(near)], Set{}, kFull);
      });
    });
  }

  // Applies AND to a full connection and all that were processed before it.
  void apply_and(std::int32_t fresh) {
    const int one = connections_[index(fresh)].one, two = connections_[index(fresh)].two;
    for (const auto& [far, middle] : {std::pair{one, two}, std::pair{two, one}}) {
      if (middle <= kHigh) continue;  // over a side everything would be connected with everything along it
      const auto& others = combined_[index(middle)];
      for (std::size_t i = 0; i < others.size() && !done(); ++i) {
        const Connection& connection = connections_[index(others[i])];
        if (connection.dropped) continue;
        --work_;
        const Connection& self = connections_[index(fresh)];
        if (self.dropped) return;
        const int end = connection.one == middle ? connection.two : connection.one;
        if (end == far || (self.carrier & connection.carrier).meets(empty_)) continue;
        if (far >= groups_ && ends_[index(far)].meets(connection.carrier)) continue;
        if (end >= groups_ && ends_[index(end)].meets(self.carrier)) continue;
        add(far, end, self.carrier | connection.carrier | ends_[index(middle)],
            middle >= groups_ ? ends_[index(middle)].first() : kFull);
      }
    }
    combined_[index(one)].push_back(fresh);
    combined_[index(two)].push_back(fresh);
  }

  // Keeps a connection, unless one that is as good is known. A new semi connection may give full ones by OR.
  void add(int one, int two, const Set& carrier, int key) {
    const bool semi = key != kFull;
    const std::size_t where = pair(one, two);
    const Set needed = carrier & empty_;
    const bool sides = one <= kHigh && two <= kHigh;
    const int size = needed.count();
    if (one >= groups_ && two >= groups_ && size > limits_.between_cells) return;
    if (better_known(where, needed, semi)) return;
    drop_worse(where, needed, semi);
    if (kept_[semi][where] >= (sides ? limits_.winning : semi ? limits_.semis : limits_.fulls)) return;
    const auto fresh = static_cast<std::int32_t>(connections_.size());
    connections_.push_back({carrier, static_cast<std::int16_t>(one), static_cast<std::int16_t>(two),
                            static_cast<std::int16_t>(key), semi, false, first_[semi][where]});
    first_[semi][where] = fresh;
    ++kept_[semi][where];
    if (semi) {
      apply_or(fresh, needed, carrier, connections_[index(fresh)].next, 1);
    } else {
      queue_[index(size)].push_back(fresh);
      lowest_ = std::min(lowest_, index(size));
    }
  }

  bool better_known(std::size_t where, const Set& needed, bool semi) const {
    for (std::size_t kind = 0; kind <= std::size_t{semi}; ++kind) {
      for (std::int32_t i = first_[kind][where]; i >= 0; i = connections_[index(i)].next) {
        if ((connections_[index(i)].carrier & empty_).within(needed)) return true;
      }
    }
    return false;
  }

  // Drops the connections of this pair that the new one makes superfluous: of its kind, and semi ones if it is full.
  void drop_worse(std::size_t where, const Set& needed, bool semi) {
    for (std::size_t kind = semi; kind <= 1; ++kind) {
      for (std::int32_t* at = &first_[kind][where]; *at >= 0;) {
        Connection& connection = connections_[index(*at)];
        if (needed.within(connection.carrier)) {
          connection.dropped = true;
          --kept_[kind][where];
          *at = connection.next;
        } else {
          at = &connection.next;
        }
      }
    }
  }

  // OR: adds semi connections, from `rest` on, to a set of them whose common cells are `common`, until none is common.
  void apply_or(std::int32_t fresh, const Set& common, const Set& all, std::int32_t rest, int used) {
    for (std::int32_t i = rest; i >= 0; i = connections_[index(i)].next) {
      --work_;
      const Set carrier = connections_[index(i)].carrier;
      const Set left = common & carrier;
      if (left == common) continue;
      if (!left.any()) {
        add(connections_[index(fresh)].one, connections_[index(fresh)].two, all | carrier, kFull);
      } else if (used + 1 < limits_.alternatives && work_ > 0) {
        apply_or(fresh, left, all | carrier, connections_[index(i)].next, used + 1);
      }
    }
  }
};

}  // namespace ludoteca
