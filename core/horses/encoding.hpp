// Horses as a network sees it: always from the side of the seat on turn.
#pragma once

#include "horses/rules.hpp"
#include "zero/encoding.hpp"

namespace ludoteca {

template <>
struct Encoding<Horses> {
  // Own knight, the other's; destroyed squares, including those beyond the board; values of squares; own moves, the
  // other's; and three constants: the lead in points; whether being stuck costs this seat; whether it costs the other.
  static constexpr std::array<Plane, 9> kPlanes{
      {{1, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0.1f, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0.1f, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
  static constexpr Symmetries kSymmetries = Symmetries::square;

  static bool supports(const Horses&) { return true; }
  static int side(const Horses& g) { return g.size; }

  static void encode(const Horses& g, const Horses::Public& pub, std::int8_t* out) {
    const Seat mine = pub.turn, theirs = other(mine);
    const auto i = static_cast<std::size_t>(mine), j = static_cast<std::size_t>(theirs);
    const auto set = [&](Horses::Squares squares) {
      for (int square = 0; square < g.squares(); ++square) *out++ = static_cast<bool>(squares & Horses::bit(square));
    };
    const auto all = [&](int number) { out = std::fill_n(out, g.squares(), static_cast<std::int8_t>(number)); };
    set(Horses::bit(pub.square[i]));
    set(Horses::bit(pub.square[j]));
    set(pub.destroyed);
    out = std::copy_n(pub.value.begin(), g.squares(), out);
    set(g.moves(pub, mine));
    set(g.moves(pub, theirs));
    all(std::clamp(pub.score[i] - pub.score[j], -127, 127));
    all(g.pays(pub, mine));
    all(g.pays(pub, theirs));
  }

  static int policy_index(const Horses& g, const Horses::Public&, Action action) {
    return action == g.pass() ? -1 : action;
  }
};

inline const Horses& encodable_rules(const Horses& g) { return g; }

}  // namespace ludoteca
