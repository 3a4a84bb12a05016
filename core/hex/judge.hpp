// What can be said of a position of Hex without searching moves: who wins, if links and filled cells show it, and else
// which moves are worth trying.
//
// Whoever wins by it also gets a carrier: a set of cells, empty or the winner's, that are all it needs. The winner still
// wins if every other cell of the board is given to the loser. So a loser's move outside the carrier of the answer to one
// move loses to the same answer, and need not be searched.
#pragma once

#include <algorithm>

#include "hex/fillin.hpp"
#include "hex/links.hpp"

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
    Set carrier;            // if there is a winner: its carrier; else what shows that moves outside `must_play` lose
    Set must_play;          // all other moves lose
    Set vulnerable;         // moves of these that win only if one that is not vulnerable wins too
    Set dominated;          // moves as good as which there is another one, neither dominated nor vulnerable
    // What is worth trying. Not empty unless there is a winner.
    Set moves() const { return must_play - vulnerable - dominated; }
  };

  HexJudge(const HexMap<W>& map, LinkLimits limits) : map_(map), fill_in_(map), mine_(map, limits), theirs_(map, limits) {}

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
      out.carrier = own->carrier | mine_.stones_at_sides();
      out.move = own->half ? own->key : (own->carrier & mine_.empty()).first();
      return out;
    }
    theirs_.find(out.filled, other(seat), Links::Enough::full);
    if (const auto* link = theirs_.whole(false)) {
      out.winner = other(seat);
      out.carrier = link->carrier | theirs_.stones_at_sides();
      return out;
    }
    require(out, theirs_.empty());
    out.vulnerable = fill_in_.vulnerable(out.filled, seat);
    out.dominated = fill_in_.dominated(out.filled, seat, map_.empty(out.filled) - out.vulnerable);
    const Set better = out.must_play - out.vulnerable;
    if (!better.any()) {
      out.winner = other(seat);
      out.carrier = with_killers(out.carrier, out, other(seat));
    }
    // A cell that dominates lies in the must-play region if the dominated one wins; where it does not, both lose.
    return out;
  }

  // The carrier, enlarged by what shows that vulnerable moves in it lose. winner: the seat that is not on turn.
  Set with_killers(Set carrier, const Verdict& verdict, Seat winner) const {
    return enlarged(carrier, verdict.vulnerable & verdict.must_play, verdict.filled[other(winner)]);
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

  // Why a cell is dead or captured can be seen from its ring: so the rings of such cells of the carrier belong to it too,
  // but for the loser's stones.
  Set enlarged(Set carrier, const Set& explained, const Set& losers) const {
    for (Set fresh = carrier & explained; fresh.any();) {
      const Set before = carrier;
      carrier |= map_.touching(fresh) - losers;
      fresh = (carrier - before) & explained;
    }
    return carrier;
  }

  // A move must meet every half link with which the other would win.
  void require(Verdict& out, const Set& empty) {
    out.must_play = empty;
    halves_.clear();
    theirs_.each_winning_half([&](const Set& carrier) { halves_.push_back(carrier | theirs_.stones_at_sides()); });
    std::sort(halves_.begin(), halves_.end(), [&](const Set& a, const Set& b) { return (a & empty).count() < (b & empty).count(); });
    for (const Set& half : halves_) {
      if (out.must_play.within(half)) continue;
      out.must_play &= half;
      out.carrier |= half;
    }
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
