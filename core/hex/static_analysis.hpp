// Static analysis of a Hex position, without searching moves: the winner, if virtual connections and fill-in prove one,
// otherwise the moves that are worth trying.
//
// A proven win comes with a carrier: a set of cells, empty or the winner's, that are enough to win. The winner still
// wins if every other cell of the board is given to the loser. So a move outside the carrier of the answer to another
// move loses to the same answer, and need not be searched.
#pragma once

#include <algorithm>

#include "hex/fill_in.hpp"
#include "hex/virtual_connections.hpp"

namespace ludoteca {

// A set by its number in a list, for sorting: so the sort is compiled once, not for every number of words.
struct SizedSet {
  int size;
  std::size_t number;
};
inline void sort_by_size(std::vector<SizedSet>& sets) {
  std::sort(sets.begin(), sets.end(), [](const SizedSet& a, const SizedSet& b) { return a.size < b.size; });
}

template <int W>
class HexAnalyserOf {
 public:
  using Set = Cells<W>;
  using Stones = HexStones<W>;
  using Connections = HexVirtualConnections<W>;

  struct Analysis {
    Stones filled;          // the position with dead and captured cells filled in; all below refers to it
    Seat winner = kNobody;  // kNobody: not proven
    int move = -1;          // if the winner is on turn: a winning move in the position before the fill-in
    Set carrier;            // if there is a winner: the cells that it needs to win
    std::vector<Set> threats;  // otherwise: carriers of the other's winning semis; a move that misses one loses
    Set must_play;          // the intersection of the threats: all other moves lose
    Set vulnerable;         // moves of it that win only if one that is not vulnerable wins too
    Set dominated;          // moves for which there is one as good that is neither dominated nor vulnerable
    // The moves worth trying. Empty only if there is a winner.
    Set moves() const { return must_play - vulnerable - dominated; }
  };

  HexAnalyserOf(const HexMap<W>& map, ConnectionLimits limits)
      : map_(map), fill_in_(map), mine_(map, limits), theirs_(map, limits) {}

  // With `seat` on turn. changed: see HexFillIn::fill.
  Analysis analyse(const Stones& stones, Seat seat, const Set& changed) {
    Analysis out;
    out.filled = stones;
    fill_in_.fill(out.filled, changed);
    for (const Seat s : {Seat{0}, Seat{1}}) {
      if (!map_.connected(out.filled, s)) continue;
      out.winner = s;
      out.carrier = path(out.filled[s], s);
      const Set open = out.carrier - stones[s];
      if (s == seat) out.move = (open.any() ? open : map_.empty(stones)).first();
      return out;
    }
    mine_.find(out.filled, seat, Connections::Enough::semi);
    const auto* own = mine_.winning(false) ? mine_.winning(false) : mine_.winning(true);
    if (own) {
      out.winner = seat;
      out.carrier = minimised(own->carrier | mine_.stones_at_sides(), stones, out.filled, seat);
      out.move = own->semi ? own->key : (own->carrier & mine_.empty()).first();
      return out;
    }
    theirs_.find(out.filled, other(seat), Connections::Enough::full);
    if (const auto* connection = theirs_.winning(false)) {
      out.winner = other(seat);
      out.carrier = minimised(connection->carrier | theirs_.stones_at_sides(), stones, out.filled, other(seat));
      return out;
    }
    find_must_play(out, stones, other(seat));
    out.vulnerable = fill_in_.vulnerable(out.filled, seat);
    out.dominated = fill_in_.dominated(out.filled, seat, map_.empty(out.filled) - out.vulnerable);
    if (!(out.must_play - out.vulnerable).any()) {
      out.winner = other(seat);
      out.carrier = refutation(out, out.threats, other(seat));
    }
    // If a dominated move wins, the dominating one lies in the must-play region; if that is outside, both lose.
    return out;
  }

  // The carrier of the seat that is not on turn when every move loses: each move is vulnerable or misses one of these
  // carriers, which belong to answers or threats. It is the union of as few of them as possible, since moves outside it
  // need no answer.
  Set refutation(const Analysis& analysis, const std::vector<Set>& answers, Seat winner) const {
    const Set empty = map_.empty(analysis.filled), losers = analysis.filled[other(winner)];
    Set out, open = empty;  // the moves that have no answer yet
    Set unanswered = empty;      // first all moves need an answer, then only those in the carrier
    while ((open & unanswered).any()) {
      const int move = (open & unanswered).first();
      const Set* best = nullptr;
      int least = 0;
      for (const Set& answer : answers) {
        if (answer.has(move)) continue;
        const int size = (answer - out).count() * 4 - (open - answer).count();
        if (!best || size < least) {
          best = &answer;
          least = size;
        }
      }
      const Set ring = map_.neighbours[index(move)] - losers;
      if (analysis.vulnerable.has(move) && (!best || (ring - out).count() * 4 < least)) {
        out |= ring;
        out.add(move);
        open.remove(move);
      } else {
        if (!best) return map_.board - losers;
        out |= *best;
        open &= *best;
      }
      unanswered = out;
    }
    return out;
  }

  // Turns the winner's carrier of a filled position into one of the position before the fill-in.
  Set before_filling(const Set& carrier, const Stones& before, const Stones& filled, Seat winner) const {
    return enlarged(carrier, filled[winner] - before[winner], filled[other(winner)]);
  }

  // The connections of both seats, after `analyse` found no winner.
  const Connections& connections_of_mover() const { return mine_; }
  const Connections& connections_of_other() const { return theirs_; }
  const HexFillIn<W>& fill_in() const { return fill_in_; }

 private:
  const HexMap<W>& map_;
  HexFillIn<W> fill_in_;
  Connections mine_, theirs_;
  std::vector<Set> semis_;
  std::vector<SizedSet> smallest_first_;  // of the semis

  // A cell is dead or captured because of its ring. So the carrier also needs the rings of its filled-in cells, without
  // the loser's stones.
  Set enlarged(Set carrier, const Set& explained, const Set& losers) const {
    for (Set fresh = carrier & explained; fresh.any();) {
      const Set before = carrier;
      carrier |= map_.touching(fresh) - losers;
      fresh = (carrier - before) & explained;
    }
    return carrier;
  }

  // A move must lie in every semi connection with which the other would win.
  void find_must_play(Analysis& out, const Stones& before, Seat threatens) {
    const Set empty = theirs_.empty();
    out.must_play = empty;
    semis_.clear();
    smallest_first_.clear();
    theirs_.each_winning_semi([&](const Set& carrier) {
      semis_.push_back(carrier | theirs_.stones_at_sides());
      smallest_first_.push_back({(semis_.back() & empty).count(), semis_.size() - 1});
    });
    sort_by_size(smallest_first_);
    for (const SizedSet& each : smallest_first_) {
      const Set& semi = semis_[each.number];
      if (out.must_play.within(semi)) continue;
      out.must_play &= semi;
      out.threats.push_back(minimised(semi, before, out.filled, threatens));
    }
  }

  // Removes stones that the carrier does not need: each group must stay connected and touch the same empty cells and
  // sides. Filled-in cells go first, because their rings would have to be added.
  Set minimised(Set carrier, const Stones& before, const Stones& filled, Seat seat) const {
    const Set own = carrier & filled[seat], empty = carrier - filled[seat];
    const std::array<Set, 2> sides{map_.low[index(seat)], map_.high[index(seat)]};
    for (Set left = own; left.any();) {
      Set group = map_.flood(Set::of(left.first()), left);
      left -= group;
      const Set touched = map_.touching(group) & empty;
      const std::array<bool, 2> at{group.meets(sides[0]), group.meets(sides[1])};
      for (const Set& part : {group - before[seat], group & before[seat]}) {
        part.each([&](int stone) {
          const Set rest = group - Set::of(stone);
          if (!rest.any() || !touched.within(map_.touching(rest))) return;
          if ((at[0] && !rest.meets(sides[0])) || (at[1] && !rest.meets(sides[1]))) return;
          if (!(map_.flood(Set::of(rest.first()), rest) == rest)) return;
          group = rest;
          carrier.remove(stone);
        });
      }
    }
    return carrier;
  }

  // A shortest path from side to side over these cells, which connect the sides.
  Set path(const Set& stones, Seat seat) const {
    std::vector<Set> levels{map_.low[index(seat)] & stones};
    Set seen = levels[0];
    while (!levels.back().meets(map_.high[index(seat)])) {
      levels.push_back((map_.touching(levels.back()) & stones) - seen);
      seen |= levels.back();
    }
    Set out, here = levels.back() & map_.high[index(seat)];
    for (std::size_t i = levels.size(); i-- > 0;) {
      const int cell = (here & levels[i]).first();
      out.add(cell);
      here = map_.neighbours[index(cell)];
    }
    return out;
  }

};

}  // namespace ludoteca
