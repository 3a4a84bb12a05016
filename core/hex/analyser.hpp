// What is certain about a position of Hex, for any engine: one object per thread, one call per position.
//
//     HexConnections connections(game);                    // once; takes a few microseconds
//     const HexInsight seen = connections.look(state.pub); // 11×11: about half a millisecond to two
//     if (seen.winner != kNobody) …                        // proven; seen.move wins if the winner is on turn
//     seen.moves.each([&](int action) { … });              // the only moves worth trying
//     seen.filled[seat].has(action)                        // stones, and cells as good as stones
//
// To search on in the filled position is allowed and quicker: the filled cells may be treated as stones, in playouts
// too. `fill_in` alone takes some ten microseconds on 11×11.
//
// With LinkLimits an engine trades time for sight: `LinkLimits::quick()` takes about half as long as the default.
#pragma once

#include <variant>

#include "hex/static_analysis.hpp"

namespace ludoteca {

using HexSet = Cells<6>;  // of cells, for boards of any size

// Where `winner` is set, `must_play` and `moves` are empty.
struct HexInsight {
  HexStones<6> filled;    // the stones, with every dead cell given to seat 0 and every captured one to its captor
  Seat winner = kNobody;  // who wins, the given seat being on turn; kNobody when it cannot be seen
  Action move = -1;       // a winning move if the seat on turn wins
  HexSet must_play;       // all other moves lose
  HexSet moves;           // the part of them that suffices: if any move wins, one of these does
};

class HexConnections {
 public:
  explicit HexConnections(const Hex& game, LinkLimits limits = {})
      : game_(game), judge_(with_words(game.size, [&](auto words) -> AnyJudge {
          return std::make_unique<Made<words.value>>(game, limits);
        })) {}

  // About the seat on turn, in a match that is not over. While a swap is possible nothing is claimed.
  HexInsight look(const Hex::Public& pub) { return look(pub, pub.turn); }

  // As if that seat were on turn.
  HexInsight look(const Hex::Public& pub, Seat seat) {
    if (may_be_swapped(pub)) return unknown(pub);
    return std::visit([&](auto& made) { return made->look(game_, pub, seat); }, judge_);
  }

  // The position with dead and captured cells given away, which changes neither seat's prospects.
  HexStones<6> fill_in(const Hex::Public& pub) {
    if (may_be_swapped(pub)) return unknown(pub).filled;
    return std::visit([&](auto& made) { return made->fill_in(game_, pub); }, judge_);
  }

 private:
  template <int W>
  static HexSet wide(const Cells<W>& set) {
    HexSet out;
    std::copy(set.word.begin(), set.word.end(), out.word.begin());
    return out;
  }
  template <int W>
  static HexStones<6> wide(const HexStones<W>& stones) {
    return {{wide(stones.of[0]), wide(stones.of[1])}};
  }

  template <int W>
  struct Made {
    const HexMap<W> map;
    HexJudge<W> judge;

    Made(const Hex& game, LinkLimits limits) : map(game), judge(map, limits) {}

    HexInsight look(const Hex& game, const Hex::Public& pub, Seat seat) {
      const auto verdict = judge.judge(map.stones(game, pub), seat, map.board);
      HexInsight out;
      out.filled = wide(verdict.filled);
      out.winner = verdict.winner;
      out.move = verdict.move;
      if (out.winner != kNobody) return out;
      out.must_play = wide(verdict.must_play);
      out.moves = wide(verdict.moves());
      if (!out.moves.any()) out.winner = other(seat);  // whatever would be as good as what is left out loses
      return out;
    }
    HexStones<6> fill_in(const Hex& game, const Hex::Public& pub) const {
      HexStones<W> stones = map.stones(game, pub);
      judge.fill_in().fill(stones);
      return wide(stones);
    }
  };
  using AnyJudge = std::variant<std::unique_ptr<Made<1>>, std::unique_ptr<Made<2>>, std::unique_ptr<Made<3>>,
                                std::unique_ptr<Made<4>>, std::unique_ptr<Made<6>>>;

  const Hex& game_;
  AnyJudge judge_;

  bool may_be_swapped(const Hex::Public& pub) const { return game_.swap && pub.moves < 2 && pub.turn == pub.moves; }

  HexInsight unknown(const Hex::Public& pub) const {
    HexInsight out;
    for (Action cell = 0; cell < game_.size * game_.size; ++cell) {
      if (const Seat seat = game_.owner(pub, cell); seat != kNobody) {
        out.filled[seat].add(cell);
      } else {
        out.must_play.add(cell);
      }
    }
    out.moves = out.must_play;
    return out;
  }
};

}  // namespace ludoteca
