// The walks of a knight on squares that the other one cannot reach.
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

// All walks from a square: two examples, and bounds that none exceeds.
struct Walks {
  std::array<Walk, 2> some;  // a long one and one with many points
  int longest = 0, most = 0;
};

// Finds walks on free squares, trying a limited number of steps.
template <class B>
class Walker {
  using Squares = typename B::Squares;
  using Values = std::array<std::int8_t, static_cast<std::size_t>(Knights<B>::kSquares)>;

 public:
  Walker(const Values& values, Squares free) : values_(values), free_(free) {}

  // The walks from a square. moves: the next squares; region: the reachable ones; valued: those of the region with
  // points.
  Walks walks(Squares moves, Squares region, Squares valued) {
    Walks out;
    if (!moves) return out;
    out.longest = Knights<B>::max_moves(moves, region);
    for_each(valued, [&](int square) { out.most += std::max<int>(values_[static_cast<std::size_t>(square)], 0); });
    if (find(moves, kFirst, 1, kFirst * out.longest + out.most)) out.longest = best_.length;
    out.some = {best_, best_};
    if (!valued) return out;
    if (find(moves, 1, kFirst, kFirst * out.most + out.longest)) out.most = best_.sum;
    out.some[1] = best_;
    return out;
  }

 private:
  static constexpr int kSteps = 20;      // few: longer walks are better left to the search, which has a table
  static constexpr int kFirst = 1 << 12;  // weight of the first criterion, above any length or sum
  static constexpr int kNone = -(1 << 20);
  static constexpr int kMoveBits = 7;

  const Values& values_;
  Squares free_;
  int per_length_ = 0, per_point_ = 0, goal_ = 0, steps_ = 0, record_ = 0;
  Walk best_;

  // Finds the walk with the highest score. Returns whether it is proven that none is higher. goal: an upper bound of
  // the score.
  bool find(Squares moves, int per_length, int per_point, int goal) {
    per_length_ = per_length;
    per_point_ = per_point;
    goal_ = goal;
    steps_ = kSteps;
    record_ = kNone;
    go(moves, free_, {});
    return steps_ > 0 || record_ == goal_;
  }

  // Continues to one of `moves`, those with the fewest exits first. Returns whether to stop.
  bool go(Squares moves, Squares free, Walk walk) {
    if (!moves) {
      const int score = walk.length * per_length_ + walk.sum * per_point_;
      if (score > record_) {
        record_ = score;
        best_ = walk;
      }
      return record_ >= goal_;
    }
    std::array<std::uint16_t, 8> next;  // moves, below the order in which they are tried
    std::size_t choices = 0;
    for_each(moves, [&](int move) {
      const auto square = static_cast<std::size_t>(move);
      const int exits = count(Knights<B>::kJumps[square] & free);
      const int order = exits ? 8 - exits : 0;  // a dead end last
      const int points = per_point_ == kFirst ? (20 + values_[square]) * 16 : 0;
      next[choices++] = static_cast<std::uint16_t>((order + points) << kMoveBits | move);
    });
    std::sort(next.begin(), next.begin() + choices, std::greater<>());
    for (std::size_t i = 0; i < choices; ++i) {
      if (--steps_ <= 0 && record_ > kNone) return true;
      const int move = next[i] & ((1 << kMoveBits) - 1);
      const auto square = static_cast<std::size_t>(move);
      const Squares rest = free & ~Knights<B>::bit(move);
      if (go(Knights<B>::kJumps[square] & rest, rest, {walk.length + 1, walk.sum + values_[square]})) return true;
    }
    return false;
  }
};

}  // namespace ludoteca::knights
