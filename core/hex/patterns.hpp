// Patterns around a cell of Hex, and how likely a good player moves on each.
//
//        2   1   2        1   the ring: six neighbours, each empty, own, the other's, or a corner of the rim
//          1   x   1      2   six cells a bridge away: is there an own stone (or rim), or the other's, with both cells
//            2   1   2        between still empty?
//
// Rings that are equal up to rotation and mirroring form one class, and so do sets of bridges. Together with the place
// of the last stone there are a few hundred classes. Their weights (pattern_weights.hpp) were learned from play: the
// probability of a move is the product of its weights, divided by the sum of these products over all moves.
#pragma once

#include <cmath>

#include "hex/pattern_weights.hpp"
#include "hex/playout.hpp"

namespace ludoteca {

class HexPatterns {
 public:
  // The classes of a move by four features, each numbered from 0.
  struct Classes {
    int ring, bridges, nearness, saves;
  };
  static constexpr int kRings = 430, kBridges = 92, kNearness = 4, kSaves = 2;

  HexPatterns(const Hex& game, const HexPlayouts& playouts) : game_(game), playouts_(playouts) {
    number_classes(ring_class_, 4);
    number_classes(bridge_class_, 3);
    for (Action action = 0; action < game.size * game.size; ++action) {
      const int cell = game.at(action);
      for (int k = 0; k < 6; ++k) across_[index(cell)][index(k)] = static_cast<std::int16_t>(playouts.across(cell, k));
    }
    for (std::size_t i = 0; i < weight_.ring.size(); ++i) weight_.ring[i] = gamma(kRingWeights, i);
    for (std::size_t i = 0; i < weight_.bridges.size(); ++i) weight_.bridges[i] = gamma(kBridgeWeights, i);
    for (std::size_t i = 0; i < weight_.nearness.size(); ++i) weight_.nearness[i] = gamma(kNearnessWeights, i);
    for (std::size_t i = 0; i < weight_.saves.size(); ++i) weight_.saves[i] = gamma(kSavesWeights, i);
  }

  // The patterns of all moves of one position.
  class Position {
   public:
    Position(const HexPatterns& patterns, const Hex::Public& pub) : all_(patterns), seat_(pub.turn) {
      all_.playouts_.set_up(pub, board_);
      nearness_.fill(0);
      if (pub.last < 0 || pub.last == all_.game_.swap_action()) return;
      const int last = all_.game_.at(pub.last);
      for (const int near : all_.playouts_.around(last)) {
        if (!all_.game_.on_board(near)) continue;
        for (const int far : all_.playouts_.around(near)) nearness_[index(far)] = 1;
      }
      const unsigned saves = all_.playouts_.saves(board_, last, seat_);
      for (int k = 0; k < 6; ++k) {
        if (const int far = all_.across_[index(last)][index(k)]; far >= 0) nearness_[index(far)] = 2;
        const int near = all_.playouts_.around(last)[index(k)];
        nearness_[index(near)] = 3;
        saves_[index(k)] = saves >> k & 1 ? near : -1;
      }
    }

    Classes classes(int cell) const {
      const auto& around = all_.playouts_.around(cell);
      std::array<unsigned, 6> near;
      std::size_t ring = 0, bridges = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        near[k] = relative(board_.cell[index(around[k])]);
        ring |= std::size_t{near[k]} << 2 * k;
      }
      for (std::size_t k = 0; k < 6; ++k) {
        if (near[k] || near[(k + 1) % 6]) continue;
        const int far = all_.across_[index(cell)][k];
        const unsigned owner = far < 0 ? 0 : relative(board_.cell[index(far)]);
        if (owner < 3) bridges |= std::size_t{owner} << 2 * k;
      }
      const bool saves = std::find(saves_.begin(), saves_.end(), cell) != saves_.end();
      return {all_.ring_class_[ring], all_.bridge_class_[bridges], nearness_[index(cell)], saves};
    }

    // The product of the weights.
    float weight(int cell) const {
      const Classes k = classes(cell);
      const auto& w = all_.weight_;
      return w.ring[index(k.ring)] * w.bridges[index(k.bridges)] * w.nearness[index(k.nearness)] * w.saves[index(k.saves)];
    }

   private:
    const HexPatterns& all_;
    const Seat seat_;
    HexBoard board_;
    std::array<std::uint8_t, Hex::kMaxSide * Hex::kMaxSide> nearness_;
    std::array<int, 6> saves_{-1, -1, -1, -1, -1, -1};

    // 0 empty, 1 own, 2 the other's, 3 a corner.
    unsigned relative(unsigned owner) const { return seat_ == 1 && (owner == 1 || owner == 2) ? 3 - owner : owner; }
  };

 private:
  const Hex& game_;
  const HexPlayouts& playouts_;
  std::array<std::int16_t, 4096> ring_class_{}, bridge_class_{};  // by six times two bits
  std::array<std::array<std::int16_t, 6>, Hex::kMaxSide * Hex::kMaxSide> across_{};
  struct {
    std::array<float, kRings> ring;
    std::array<float, kBridges> bridges;
    std::array<float, kNearness> nearness;
    std::array<float, kSaves> saves;
  } weight_{};

  template <class Weights>
  static float gamma(const Weights& logarithms, std::size_t i) {
    return i < std::size(logarithms) ? std::exp(static_cast<float>(logarithms[i]) / 100) : 1.0f;
  }

  // Numbers the classes of six values below `values`: codes equal up to rotation and mirroring share a number.
  static void number_classes(std::array<std::int16_t, 4096>& number_of, unsigned values) {
    std::int16_t count = 0;
    for (unsigned code = 0; code < 4096; ++code) {
      unsigned least = code, rotated = code;
      bool used = true;
      for (int k = 0; k < 6; ++k) used = used && (code >> 2 * k & 3) < values;
      if (!used) continue;
      for (int turn = 0; turn < 6; ++turn) {
        rotated = (rotated << 2 | rotated >> 10) & 4095;
        unsigned mirrored = 0;
        for (int k = 0; k < 6; ++k) mirrored |= (rotated >> 2 * k & 3) << 2 * (5 - k);
        least = std::min({least, rotated, mirrored});
      }
      number_of[code] = least == code ? count++ : number_of[least];
    }
  }
};

}  // namespace ludoteca
