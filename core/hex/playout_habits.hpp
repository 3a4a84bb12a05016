// Where stones go in the playouts of Hex: learned habits.
//
//          1   2         The ring of x: six places, empty, own (of the seat that plays on x) or the other's.
//        0   x   3       Two habits depend on it:
//          5   4
//                        accept   a seat that draws x at random plays there with this probability, or else draws again
//                        reply    to a stone on x the other seat replies on place k with probability reply[k]
//
// On the second and third line a ring does not show the side of the board. These cells are kinds of their own, by line
// and the owner of the side, and their rings begin with the two places towards the side.
//
// Rings that are equal up to rotation and mirroring (near a side: mirroring) are one class. The weights of the classes
// (playout_weights.hpp) were learned by simulation balancing: such that the results of playouts after different moves
// differ as those moves do, not such that each single move is a good one. bench/engines/hex_playouts.py does so.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hex/playout_weights.hpp"

namespace ludoteca {

// What happens at a cell, in steps of 1 / kCertain.
struct alignas(8) HexHabit {
  static constexpr unsigned kCertain = 128;

  std::array<std::uint8_t, 6> reply_up_to{};  // a draw below this, but not below the one before, replies on place k
  std::uint8_t accept = kCertain;
};

class HexHabits {
 public:
  // kOwn: on the second line of an own side; kOwn + 1: of the other's; then the same for the third line.
  static constexpr int kKinds = 5, kInside = 0, kOwn = 1;
  static constexpr int kRings = 4096;  // two bits for each place: 0 empty, 1 own, 2 the other's, 3 a corner of the rim

  // The weight of each class: the logarithm of the odds of accepting, or of a reply against none.
  struct Weights {
    std::vector<float> reply, accept;
  };
  // Which weights belong to a ring; -1 for none.
  struct Numbers {
    std::array<std::int16_t, 6> reply;
    std::int16_t accept;
  };
  using Classes = std::array<std::array<Numbers, kRings>, kKinds>;

  // every: also what hardly ever happens, which costs more time than it is worth.
  explicit HexHabits(const Weights& weights, bool every = false) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      for (unsigned ring = 0; ring < kRings; ++ring) {
        const Numbers& numbers = classes()[kind][ring];
        habits_[kind][ring] = numbers.accept < 0 ? bridges(ring) : habit(numbers, weights, every);
      }
    }
  }

  static const HexHabits& learned() {
    static const HexHabits habits(shipped());
    return habits;
  }
  static Weights shipped() {
    Weights out;
    for (const int each : kReplyWeights) out.reply.push_back(static_cast<float>(each) / kWeightScale);
    for (const int each : kAcceptWeights) out.accept.push_back(static_cast<float>(each) / kWeightScale);
    return out;
  }

  const HexHabit& of(std::size_t kind, std::size_t ring) const { return habits_[kind][ring]; }
  // The position of a habit that `of` gave, as kind · kRings + ring.
  std::size_t number(const HexHabit& habit) const { return static_cast<std::size_t>(&habit - habits_[0].data()); }

  // The ring with the stones of both seats exchanged.
  static constexpr unsigned exchanged(unsigned ring) { return (ring & 0x555) << 1 | (ring & 0xaaa) >> 1; }

  static const Classes& classes() {
    static const Classes all = numbered();
    return all;
  }

 private:
  // Less likely replies, and rejections after which more would be accepted, hardly ever happen.
  static constexpr float kLeastReply = 0.02f, kLeastReplies = 0.1f, kManyReplies = 50, kMostAccept = 0.85f;

  std::array<std::array<HexHabit, kRings>, kKinds> habits_;

  static constexpr unsigned at(unsigned ring, int k) { return ring >> 2 * k & 3; }

  static HexHabit habit(const Numbers& numbers, const Weights& weights, bool every) {
    std::array<float, 6> odds{};
    float all = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      if (numbers.reply[k] < 0) continue;
      odds[k] = std::exp(weights.reply[static_cast<std::size_t>(numbers.reply[k])]);
      if (odds[k] < kLeastReply && !every) odds[k] = 0;
      all += odds[k];
    }
    HexHabit out;
    if (all >= kLeastReplies || every) {
      const float whole = all > kManyReplies && !every ? all : all + 1;
      float sum = 0;
      for (std::size_t k = 0; k < 6; ++k) out.reply_up_to[k] = share((sum += odds[k]) / whole);
    }
    const float accept = 1 / (1 + std::exp(-weights.accept[static_cast<std::size_t>(numbers.accept)]));
    if (accept < kMostAccept || every) out.accept = share(accept);
    return out;
  }
  static std::uint8_t share(float part) {
    return static_cast<std::uint8_t>(std::lround(part * static_cast<float>(HexHabit::kCertain)));
  }

  // Next to a corner of the rim: bridges are saved, nothing else.
  static HexHabit bridges(unsigned ring) {
    const auto saves = [ring](int k) {
      return !at(ring, k) && at(ring, (k + 5) % 6) == 2 && at(ring, (k + 1) % 6) == 2;
    };
    HexHabit out;
    int all = 0, sum = 0;
    for (int k = 0; k < 6; ++k) all += saves(k);
    for (int k = 0; all && k < 6; ++k) {
      sum += saves(k);
      out.reply_up_to[static_cast<std::size_t>(k)] = share(static_cast<float>(sum) / static_cast<float>(all));
    }
    return out;
  }

  static Classes numbered() {
    Classes all;
    std::int16_t replies = 0, accepts = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      for (unsigned ring = 0; ring < kRings; ++ring) {
        Numbers& numbers = all[kind][ring];
        numbers.reply.fill(-1);
        numbers.accept = -1;
        bool corner = false;
        for (int k = 0; k < 6; ++k) corner = corner || at(ring, k) == 3;
        if (corner) continue;
        // Of all symmetric images the lowest is the one that is numbered; it comes first in these loops.
        unsigned least = ring;
        std::array<unsigned, 6> least_of;
        for (unsigned k = 0; k < 6; ++k) least_of[k] = 6 * ring + k;
        for (int turn = 0; turn < 6; ++turn) {
          for (const bool mirrored : {false, true}) {
            if (kind != kInside && turn != (mirrored ? 1 : 0)) continue;
            const auto place = [&](int k) { return static_cast<unsigned>(mirrored ? turn + 6 - k : turn + k) % 6; };
            unsigned image = 0;
            for (int k = 0; k < 6; ++k) image |= at(ring, k) << 2 * place(k);
            least = std::min(least, image);
            for (int k = 0; k < 6; ++k) {
              unsigned& found = least_of[static_cast<std::size_t>(k)];
              found = std::min(found, 6 * image + place(k));
            }
          }
        }
        numbers.accept = least == ring ? accepts++ : all[kind][least].accept;
        for (unsigned k = 0; k < 6; ++k) {
          if (at(ring, static_cast<int>(k))) continue;
          const bool own = least_of[k] == 6 * ring + k;
          numbers.reply[k] = own ? replies++ : all[kind][least_of[k] / 6].reply[least_of[k] % 6];
        }
      }
    }
    return all;
  }
};

}  // namespace ludoteca
