// What can be said of a position of Hex without searching moves: who wins, if links and filled cells show it, and else
// which moves are worth trying.
//
// Whoever wins by it also gets a carrier: a set of cells, empty or the winner's, that are all it needs. The winner
// still wins if every other cell of the board is given to the loser. So a loser's move outside the carrier of the
// answer to one move loses to the same answer, and need not be searched.
#pragma once

#include <algorithm>

#include "hex/fill_in.hpp"
#include "hex/virtual_connections.hpp"

namespace ludoteca {

template <int W>
class HexJudge {
 public:
  using Set = Cells<W>;
  using Stones = HexStones<W>;
  using Links = HexLinks<W>;

  struct Verdict {
    Stones filled;          // the position with dead and captured cells given away; all below is about this one
    Seat winner = kNobody;  // kNobody: not seen
    int move = -1;          // if the winner is on turn: a winning move, of the position before the filling
    Set carrier;            // if there is a winner: what it needs to win
    std::vector<Set> threats;  // else: carriers of half links of the other; a move that misses one of them loses
    Set must_play;          // what meets all of these: all other moves lose
    Set vulnerable;         // moves of these that win only if one that is not vulnerable wins too
    Set dominated;          // moves as good as which there is another one, neither dominated nor vulnerable
    // What is worth trying. Not empty unless there is a winner.
    Set moves() const { return must_play - vulnerable - dominated; }
  };

  HexJudge(const HexMap<W>& map, LinkLimits limits)
      : map_(map), fill_in_(map), mine_(map, limits), theirs_(map, limits) {}

  // With `seat` on turn. `changed`: as HexFillIn::fill has it.
  Verdict judge(const Stones& stones, Seat seat, const Set& changed) {
    Verdict out;
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
    mine_.find(out.filled, seat, Links::Enough::half);
    const auto* own = mine_.whole(false) ? mine_.whole(false) : mine_.whole(true);
    if (own) {
      out.winner = seat;
      out.carrier = slim(own->carrier | mine_.stones_at_sides(), stones, out.filled, seat);
      out.move = own->half ? own->key : (own->carrier & mine_.empty()).first();
      return out;
    }
    theirs_.find(out.filled, other(seat), Links::Enough::full);
    if (const auto* link = theirs_.whole(false)) {
      out.winner = other(seat);
      out.carrier = slim(link->carrier | theirs_.stones_at_sides(), stones, out.filled, other(seat));
      return out;
    }
    require(out, stones, other(seat));
    out.vulnerable = fill_in_.vulnerable(out.filled, seat);
    out.dominated = fill_in_.dominated(out.filled, seat, map_.empty(out.filled) - out.vulnerable);
    if (!(out.must_play - out.vulnerable).any()) {
      out.winner = other(seat);
      out.carrier = refutation(out, out.threats, other(seat));
    }
    // A cell that dominates lies in the must-play region if the dominated one wins; where it does not, both lose.
    return out;
  }

  // A carrier for the seat that is not on turn, if every move loses: each misses one of these carriers, which are those
  // of answers or threats, or is vulnerable. It is made of as few of them as are needed, for moves outside it need no
  // answer.
  Set refutation(const Verdict& verdict, const std::vector<Set>& answers, Seat winner) const {
    const Set empty = map_.empty(verdict.filled), losers = verdict.filled[other(winner)];
    Set out, open = empty;  // the moves that are not yet answered
    Set asked = empty;      // at first anything needs an answer, then only what lies in the carrier
    while ((open & asked).any()) {
      const int move = (open & asked).first();
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
      const Set ring = map_.beside[index(move)] - losers;
      if (verdict.vulnerable.has(move) && (!best || (ring - out).count() * 4 < least)) {
        out |= ring;
        out.add(move);
        open.remove(move);
      } else {
        if (!best) return map_.board - losers;
        out |= *best;
        open &= *best;
      }
      asked = out;
    }
    return out;
  }

  // A carrier for the winner in a filled position, as one for the position before it was filled.
  Set before_filling(const Set& carrier, const Stones& before, const Stones& filled, Seat winner) const {
    return enlarged(carrier, filled[winner] - before[winner], filled[other(winner)]);
  }

  // The links of both seats after `judge` found no winner, for those who value moves by them.
  const Links& links_of_mover() const { return mine_; }
  const Links& links_of_other() const { return theirs_; }
  const HexFillIn<W>& fill_in() const { return fill_in_; }

 private:
  const HexMap<W>& map_;
  HexFillIn<W> fill_in_;
  Links mine_, theirs_;
  std::vector<Set> halves_;

  // Why a cell is dead or captured can be seen from its ring: so the rings of such cells of the carrier belong to it
  // too, but for the loser's stones.
  Set enlarged(Set carrier, const Set& explained, const Set& losers) const {
    for (Set fresh = carrier & explained; fresh.any();) {
      const Set before = carrier;
      carrier |= map_.touching(fresh) - losers;
      fresh = (carrier - before) & explained;
    }
    return carrier;
  }

  // A move must meet every half link with which the other would win.
  void require(Verdict& out, const Stones& before, Seat threatens) {
    const Set empty = theirs_.empty();
    out.must_play = empty;
    halves_.clear();
    theirs_.each_winning_half([&](const Set& carrier) { halves_.push_back(carrier | theirs_.stones_at_sides()); });
    std::sort(halves_.begin(), halves_.end(),
              [&](const Set& a, const Set& b) { return (a & empty).count() < (b & empty).count(); });
    for (const Set& half : halves_) {
      if (out.must_play.within(half)) continue;
      out.must_play &= half;
      out.threats.push_back(slim(half, before, out.filled, threatens));
    }
  }

  // Takes off stones that the carrier does not need: each group must hold together and touch the same empty cells and
  // sides. Filled cells go first, for they would have to be explained.
  Set slim(Set carrier, const Stones& before, const Stones& filled, Seat seat) const {
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

  // A shortest way from side to side over these cells, which connect.
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
      here = map_.beside[index(cell)];
    }
    return out;
  }

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace ludoteca
