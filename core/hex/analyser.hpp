// Static analysis of a Hex position for boards of any size: one object per thread, one call per position.
//
//     HexAnalyser analyser(game);                              // once; takes a few microseconds
//     const HexAnalysis found = analyser.analyse(state.pub);   // 11×11: about half a millisecond to two
//     if (found.winner != kNobody) …                           // proven; found.move wins if the winner is on turn
//     found.moves.each([&](int action) { … });                 // the only moves worth trying
//     found.filled[seat].has(action)                           // stones and filled-in cells
//
// A search may continue from the filled position, which is quicker: filled-in cells may be treated as stones, in
// playouts too. `fill_in` alone takes some ten microseconds on 11×11.
//
// ConnectionLimits trade time for strength: `ConnectionLimits::quick()` takes about half as long as the default.
#pragma once

#include <memory>
#include <variant>

#include "hex/static_analysis.hpp"

namespace ludoteca {

using HexSet = Cells<6>;  // of cells, for boards of any size

// If there is a winner, `must_play` and `moves` are empty.
struct HexAnalysis {
  HexStones<6> filled;    // the stones, with dead cells given to seat 0 and captured ones to their captor
  Seat winner = kNobody;  // with the given seat on turn; kNobody: not proven
  Action move = -1;       // a winning move if the seat on turn wins
  HexSet must_play;       // all other moves lose
  HexSet moves;           // the part of it that is enough: if any move wins, one of these does
};

class HexAnalyser {
 public:
  explicit HexAnalyser(const Hex& game, ConnectionLimits limits = {})
      : game_(game), analyser_(with_words(game.size, [&](auto words) -> AnyAnalyser {
          return std::make_unique<Instance<words.value>>(game, limits);
        })) {}

  // For the seat on turn, in a match that is not over. While a swap is possible nothing is proven.
  HexAnalysis analyse(const Hex::Public& pub) { return analyse(pub, pub.turn); }

  // As if that seat were on turn.
  HexAnalysis analyse(const Hex::Public& pub, Seat seat) {
    if (may_be_swapped(pub)) return unknown(pub);
    return std::visit([&](auto& instance) { return instance->analyse(game_, pub, seat); }, analyser_);
  }

  // The position with dead and captured cells filled in, which does not change the winner.
  HexStones<6> fill_in(const Hex::Public& pub) {
    if (may_be_swapped(pub)) return unknown(pub).filled;
    return std::visit([&](auto& instance) { return instance->fill_in(game_, pub); }, analyser_);
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
  struct Instance {
    const HexMap<W> map;
    HexAnalyserOf<W> analyser;

    Instance(const Hex& game, ConnectionLimits limits) : map(game), analyser(map, limits) {}

    HexAnalysis analyse(const Hex& game, const Hex::Public& pub, Seat seat) {
      const auto analysis = analyser.analyse(map.stones(game, pub), seat, map.board);
      HexAnalysis out;
      out.filled = wide(analysis.filled);
      out.winner = analysis.winner;
      out.move = analysis.move;
      if (out.winner != kNobody) return out;
      out.must_play = wide(analysis.must_play);
      out.moves = wide(analysis.moves());
      if (!out.moves.any()) out.winner = other(seat);  // the pruned moves are no better, so all lose
      return out;
    }
    HexStones<6> fill_in(const Hex& game, const Hex::Public& pub) const {
      HexStones<W> stones = map.stones(game, pub);
      analyser.fill_in().fill(stones);
      return wide(stones);
    }
  };
  using AnyAnalyser =
      std::variant<std::unique_ptr<Instance<1>>, std::unique_ptr<Instance<2>>, std::unique_ptr<Instance<3>>,
                   std::unique_ptr<Instance<4>>, std::unique_ptr<Instance<6>>>;

  const Hex& game_;
  AnyAnalyser analyser_;

  bool may_be_swapped(const Hex::Public& pub) const { return game_.swap && pub.moves < 2 && pub.turn == pub.moves; }

  HexAnalysis unknown(const Hex::Public& pub) const {
    HexAnalysis out;
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
