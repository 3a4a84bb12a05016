// Connections that a seat of Hex cannot be robbed of, found by two rules (H-search).
//
// The ends of a link are an empty cell, a group of stones, or a side of the board with the stones joined to it. A link
// has a carrier: the empty cells that it needs, its ends not among them, and the groups of stones that it passes.
//
//     full    the seat joins the ends even if the other moves first, by answering within the carrier
//     half    the seat joins the ends if it moves first
//
//     AND   full x–m and full m–z, carriers apart:     over a group m    full x–z
//                                                      over a cell m     half x–z: the seat takes m first
//     OR    several half links x–z whose carriers have no cell in common:  full x–z, for whatever the other takes, one
//           of them is untouched
//
//     x . .       A bridge: two half links over one cell each (AND of neighbours), of which OR makes a full link.
//      . . z
//
// Neighbours are full links with an empty carrier; all others are made from those, small carriers first. There are far
// more links than anybody needs, so their number is limited, by pair of ends and altogether: what is found is right,
// but not all is found.
#pragma once

#include "hex/cells.hpp"

namespace ludoteca {

struct LinkLimits {
  int fulls = 8;             // of a pair of ends
  int halves = 12;           // of a pair of ends
  int winning = 64;          // from side to side
  int between_cells = 8;     // the largest carrier of a full link between two empty cells
  int alternatives = 4;      // half links that OR combines
  std::int64_t work = 200'000;  // pairs of links that AND compares, altogether

  static LinkLimits quick() { return {4, 8, 32, 6, 3, 50'000}; }
};

template <int W>
class HexLinks {
 public:
  using Set = Cells<W>;
  using Stones = HexStones<W>;

  struct Link {
    Set carrier;             // empty cells, and stones that it passes
    std::int16_t one, two;   // the ends
    std::int16_t key;        // of a half link the cell to take first, else -1
    bool half, dropped = false;
    std::int32_t next = -1;  // of the same pair
  };
  static constexpr int kFull = -1;
  static constexpr int kLow = 0, kHigh = 1;  // the ends that are the seat's two sides

  HexLinks(const HexMap<W>& map, LinkLimits limits) : map_(map), limits_(limits) {}

  // Finds the links of the seat. With `enough` half it stops at the first half link from side to side, with full at the
  // first full one. Afterwards the answers below are about this position.
  enum class Enough { half, full, all };
  void find(const Stones& stones, Seat seat, Enough enough) {
    enough_ = enough;
    lay_out(stones, seat);
    if (joined_) return;
    join_neighbours();
    work_ = limits_.work;
    while (!done()) {
      while (lowest_ < waiting_.size() && waiting_[lowest_].empty()) ++lowest_;
      if (lowest_ == waiting_.size()) return;
      const std::int32_t next = waiting_[lowest_].back();
      waiting_[lowest_].pop_back();
      if (!links_[index(next)].dropped) grow(next);
    }
  }

  bool joined() const { return joined_; }  // the stones connect already
  // The smallest full or half link found from side to side; nullptr for none.
  const Link* whole(bool half) const {
    const Link* best = nullptr;
    for (std::int32_t i = list(kLow, kHigh, half); i >= 0; i = links_[index(i)].next) {
      const Link& link = links_[index(i)];
      if (!best || count(link.carrier) < count(best->carrier)) best = &link;
    }
    return best;
  }
  // Calls f with each link that is kept.
  template <class F>
  void each(F f) const {
    for (const Link& link : links_) {
      if (!link.dropped) f(link);
    }
  }
  // The half links from side to side.
  template <class F>
  void each_winning_half(F f) const {
    for (std::int32_t i = list(kLow, kHigh, true); i >= 0; i = links_[index(i)].next) f(links_[index(i)].carrier);
  }
  // The cells of an end; of a side the stones that are joined to it.
  const Set& cells(int end) const { return ends_[index(end)]; }
  // Stones that links from side to side may rest on, beside those in their carriers.
  Set stones_at_sides() const { return ends_[kLow] | ends_[kHigh]; }
  std::size_t count_ends() const { return ends_.size(); }
  bool is_empty_cell(int end) const { return end >= groups_; }
  const Set& empty() const { return empty_; }

 private:
  const HexMap<W>& map_;
  const LinkLimits limits_;
  Enough enough_ = Enough::all;
  Set empty_;
  std::vector<Set> ends_;       // by end, its cells; first the sides, then the groups, then the empty cells
  std::vector<Set> touches_;    // of sides and groups, the empty cells beside them
  std::vector<std::int16_t> end_of_;  // by empty cell
  int groups_ = 0;              // the sides included
  bool joined_ = false;
  std::vector<Link> links_;
  std::vector<std::int32_t> first_[2];  // by kind and pair of ends, the first link
  std::vector<std::uint8_t> kept_[2];   // by kind and pair, how many
  std::vector<std::vector<std::int32_t>> grown_;  // by end, the full links that AND has seen
  std::vector<std::vector<std::int32_t>> waiting_;  // by size of the carrier, the full links that it has not
  std::size_t lowest_ = 0;
  std::int64_t work_ = 0;

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int ends() const { return static_cast<int>(ends_.size()); }
  std::size_t pair(int a, int b) const { return index(a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b); }
  std::int32_t list(int a, int b, bool half) const { return joined_ ? -1 : first_[half][pair(a, b)]; }
  int count(const Set& carrier) const { return (carrier & empty_).count(); }

  bool done() const {
    if (work_ <= 0) return true;
    if (enough_ == Enough::all) return false;
    return first_[0][pair(kLow, kHigh)] >= 0 || (enough_ == Enough::half && first_[1][pair(kLow, kHigh)] >= 0);
  }

  void lay_out(const Stones& stones, Seat seat) {
    empty_ = map_.empty(stones);
    ends_.clear();
    touches_.clear();
    links_.clear();
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
    for (const std::size_t half : {0, 1}) {
      first_[half].assign(pairs, -1);
      kept_[half].assign(pairs, 0);
    }
    if (grown_.size() < ends_.size()) grown_.resize(ends_.size());
    for (auto& list : grown_) list.clear();
    waiting_.resize(index(map_.cells) + 1);
    for (auto& list : waiting_) list.clear();
    lowest_ = 0;
  }

  void join_neighbours() {
    for (int group = 0; group < groups_; ++group) {
      touches_[index(group)].each([&](int cell) { add(group, end_of_[index(cell)], Set{}, kFull); });
    }
    empty_.each([&](int cell) {
      (map_.beside[index(cell)] & empty_).each([&](int near) {
        if (near > cell) add(end_of_[index(cell)], end_of_[index(near)], Set{}, kFull);
      });
    });
  }

  // Applies AND to a full link and all that were grown before it.
  void grow(std::int32_t grown) {
    const int one = links_[index(grown)].one, two = links_[index(grown)].two;
    for (const auto& [far, middle] : {std::pair{one, two}, std::pair{two, one}}) {
      if (middle <= kHigh) continue;  // over a side everything would be linked with everything along it
      const auto& others = grown_[index(middle)];
      for (std::size_t i = 0; i < others.size() && !done(); ++i) {
        const Link& link = links_[index(others[i])];
        if (link.dropped) continue;
        --work_;
        const Link& self = links_[index(grown)];
        if (self.dropped) return;
        const int end = link.one == middle ? link.two : link.one;
        if (end == far || (self.carrier & link.carrier).meets(empty_)) continue;
        if (far >= groups_ && ends_[index(far)].meets(link.carrier)) continue;
        if (end >= groups_ && ends_[index(end)].meets(self.carrier)) continue;
        add(far, end, self.carrier | link.carrier | ends_[index(middle)],
            middle >= groups_ ? ends_[index(middle)].first() : kFull);
      }
    }
    grown_[index(one)].push_back(grown);
    grown_[index(two)].push_back(grown);
  }

  // Keeps a link, unless one that is as good is known. A new half link may make full ones by OR.
  void add(int one, int two, const Set& carrier, int key) {
    const bool half = key != kFull;
    const std::size_t where = pair(one, two);
    const Set needed = carrier & empty_;
    const bool sides = one <= kHigh && two <= kHigh;
    const int size = needed.count();
    if (one >= groups_ && two >= groups_ && size > limits_.between_cells) return;
    if (better_known(where, needed, half)) return;
    drop_worse(where, needed, half);
    if (kept_[half][where] >= (sides ? limits_.winning : half ? limits_.halves : limits_.fulls)) return;
    const auto fresh = static_cast<std::int32_t>(links_.size());
    links_.push_back({carrier, static_cast<std::int16_t>(one), static_cast<std::int16_t>(two),
                      static_cast<std::int16_t>(key), half, false, first_[half][where]});
    first_[half][where] = fresh;
    ++kept_[half][where];
    if (half) {
      combine(fresh, needed, carrier, links_[index(fresh)].next, 1);
    } else {
      waiting_[index(size)].push_back(fresh);
      lowest_ = std::min(lowest_, index(size));
    }
  }

  bool better_known(std::size_t where, const Set& needed, bool half) const {
    for (std::size_t kind = 0; kind <= std::size_t{half}; ++kind) {
      for (std::int32_t i = first_[kind][where]; i >= 0; i = links_[index(i)].next) {
        if ((links_[index(i)].carrier & empty_).within(needed)) return true;
      }
    }
    return false;
  }

  // Drops the links of this pair that the new one makes superfluous: of its kind, and for a full one the half ones too.
  void drop_worse(std::size_t where, const Set& needed, bool half) {
    for (std::size_t kind = half; kind <= 1; ++kind) {
      for (std::int32_t* at = &first_[kind][where]; *at >= 0;) {
        Link& link = links_[index(*at)];
        if (needed.within(link.carrier)) {
          link.dropped = true;
          --kept_[kind][where];
          *at = link.next;
        } else {
          at = &link.next;
        }
      }
    }
  }

  // OR: adds half links from `rest` on to those whose common cells are `common`, as long as fewer cells remain.
  void combine(std::int32_t fresh, const Set& common, const Set& all, std::int32_t rest, int used) {
    for (std::int32_t i = rest; i >= 0; i = links_[index(i)].next) {
      --work_;
      const Set carrier = links_[index(i)].carrier;
      const Set left = common & carrier;
      if (left == common) continue;
      if (!left.any()) {
        add(links_[index(fresh)].one, links_[index(fresh)].two, all | carrier, kFull);
      } else if (used + 1 < limits_.alternatives && work_ > 0) {
        combine(fresh, left, all | carrier, links_[index(i)].next, used + 1);
      }
    }
  }
};

}  // namespace ludoteca
