// A round of Dominoes in one world, without its log: what playouts and searches step through.
#pragma once

#include "dominoes/rules.hpp"

namespace ludoteca {

struct DominoesRound {
  using Set = Tiles::Set;

  std::array<Set, 2> hands{};
  Set laid = 0;
  Dominoes::Ends ends{-1, -1};
  Seat turn = 0;
  bool drew = false;                      // the seat on turn has drawn a tile in this turn
  std::uint8_t boneyard = 0;              // tiles that can still be drawn; 0 without drawing
  std::array<std::uint16_t, 2> lacks{};   // as Dominoes::Public::lacks
  const std::uint8_t* order = nullptr;    // of the boneyard, drawn from the back

  DominoesRound() = default;
  DominoesRound(const Dominoes& game, const Dominoes::Public& pub)
      : laid(pub.played[0] | pub.played[1] | pub.opening),
        ends(pub.ends),
        turn(pub.turn),
        drew(pub.length && pub.log[pub.length - 1u] == (game.draw_action() | pub.turn << 7)),
        boneyard(game.drawing ? pub.boneyard : std::uint8_t{0}),
        lacks(pub.lacks) {}

  // The tiles that the seat on turn can lay. After a deal in which the best tile must start, that tile is laid already.
  void actions(Actions<Dominoes>& out) const {
    out.size = 0;
    const Set hand = hands[index(turn)];
    if (ends[0] >= 0) return Dominoes::lays(hand, ends, out);
    Tiles::each(hand, [&](int tile) { out.add(2 * tile); });
  }

  void lay(Action action) {
    Dominoes::extend(ends, action / 2, index(action % 2));
    hands[index(turn)] ^= Tiles::one(action / 2);
    laid |= Tiles::one(action / 2);
    turn = other(turn);
    drew = false;
  }

  // Draws and passes until the seat on turn has a tile that fits. False if the round is blocked.
  bool advance() {
    if (ends[0] < 0) return true;
    const Set fits = Dominoes::fitting(ends);
    for (int seats = 0; seats < 2; ++seats) {
      Set& hand = hands[index(turn)];
      while (!(hand & fits) && boneyard) {
        note_lack();
        drew = true;
        hand |= Tiles::one(order[--boneyard]);
      }
      if (hand & fits) return true;
      note_lack();
      turn = other(turn);
      drew = false;
    }
    return false;
  }

  // What seat 0 gets when this seat has laid its last tile.
  double won_by(const Dominoes& game, Seat winner) const {
    const double points = game.points ? share(game, kTiles.pips(hands[index(other(winner))])) : 1;
    return winner == 0 ? points : -points;
  }
  // What seat 0 gets when the round is blocked.
  double blocked(const Dominoes& game) const {
    const int difference = kTiles.pips(hands[0]) - kTiles.pips(hands[1]);
    if (!game.blocked_counts || !difference) return 0;
    return won_by(game, static_cast<Seat>(difference > 0));
  }

 private:
  void note_lack() {
    const auto both = static_cast<std::uint16_t>(1u << ends[0] | 1u << ends[1]);
    std::uint16_t& known = lacks[index(turn)];
    known = drew ? both : static_cast<std::uint16_t>(known | both);
  }
  static double share(const Dominoes& game, int pips) {
    return std::min(1.0, static_cast<double>(pips) / game.points_scale());
  }
};

}  // namespace ludoteca
