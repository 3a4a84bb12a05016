// What a knight can do where the other one cannot come: its walk is a matter of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "horses/knights.hpp"

namespace ludoteca::knights {

// A knight's moves until it is stuck: how many, and the points on its squares.
struct Walk {
  int length = 0, sum = 0;
};

// What is known of all walks from a square: two that exist, and what none exceeds.
struct Walks {
  std::array<Walk, 2> some;  // a long one and one with many points
  int longest = 0, most = 0;
};

// Finds walks on free squares, trying a limited number of steps.
class Walker {
 public:
  Walker(const std::array<std::int8_t, 64>& values, Squares free) : values_(values), free_(free) {}

  // From a square from which `moves` can be entered and `region` be reached; `valued` of it carry points.
  Walks walks(Squares moves, Squares region, Squares valued) {
    Walks out;
    if (!moves) return out;
    out.longest = longest(moves, region);
    for (Squares s = valued; s; s &= s - 1) {
      out.most += std::max<int>(values_[static_cast<std::size_t>(std::countr_zero(s))], 0);
    }
    if (find(moves, kFirst, 1, kFirst * out.longest + out.most)) out.longest = best_.length;
    out.some = {best_, best_};
    if (!valued) return out;
    if (find(moves, 1, kFirst, kFirst * out.most + out.longest)) out.most = best_.sum;
    out.some[1] = best_;
    return out;
  }

 private:
  static constexpr int kSteps = 20;      // few: what takes longer is better found by the search itself, which remembers
  static constexpr int kFirst = 1 << 12;  // what counts first, beside what decides between equals: above any length or sum
  static constexpr int kNone = -(1 << 20);

  const std::array<std::int8_t, 64>& values_;
  Squares free_;
  int per_length_ = 0, per_point_ = 0, goal_ = 0, steps_ = 0, record_ = 0;
  Walk best_;

  // The walk that is worth most; whether it is certain that none is worth more. goal: nothing can exceed it.
  bool find(Squares moves, int per_length, int per_point, int goal) {
    per_length_ = per_length;
    per_point_ = per_point;
    goal_ = goal;
    steps_ = kSteps;
    record_ = kNone;
    go(moves, free_, {});
    return steps_ > 0 || record_ == goal_;
  }

  // Goes on from where `moves` can be entered, the hardest to come back to first. Whether to stop looking.
  bool go(Squares moves, Squares free, Walk walk) {
    if (!moves) {
      const int worth = walk.length * per_length_ + walk.sum * per_point_;
      if (worth > record_) {
        record_ = worth;
        best_ = walk;
      }
      return record_ >= goal_;
    }
    std::array<std::uint16_t, 8> order;
    std::size_t choices = 0;
    for (Squares s = moves; s; s &= s - 1) {
      const auto square = static_cast<std::size_t>(std::countr_zero(s));
      const int exits = count(kJumps[square] & free);
      const int merit = exits ? 8 - exits : 0;  // a dead end last
      const int points = per_point_ == kFirst ? (20 + values_[square]) * 16 : 0;
      order[choices++] = static_cast<std::uint16_t>((merit + points) << 6 | static_cast<int>(square));
    }
    std::sort(order.begin(), order.begin() + choices, std::greater<>());
    for (std::size_t i = 0; i < choices; ++i) {
      if (--steps_ <= 0 && record_ > kNone) return true;
      const auto square = static_cast<std::size_t>(order[i] & 63);
      const Squares rest = free & ~(Squares{1} << square);
      if (go(kJumps[square] & rest, rest, {walk.length + 1, walk.sum + values_[square]})) return true;
    }
    return false;
  }
};

}  // namespace ludoteca::knights
