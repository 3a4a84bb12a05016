// Horses as alpha-beta sees it (an AlphaBetaGame): small positions, static evaluation, proven bounds.
//
// Boards of every size use the squares of an 8×8 board; those outside the board count as destroyed, so that sets of
// squares move like knights by shifting bits. Everything is relative to the seat on turn: its knight and the other's,
// its lead in points. Values put the result first:
//
//     kWin, 0, -kWin              a proven win, draw, loss                          (search for the result)
//     kWin + kPoint * points …    the same plus the final lead                      (search for the margin)
//     kPoint * (lead + …)         an evaluation, between a loss and a win
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "horses/knights.hpp"
#include "horses/rules.hpp"
#include "horses/walks.hpp"

namespace ludoteca {

class HorsesPositions {
 public:
  using Squares = Horses::Squares;
  static constexpr int kMaxMoves = Horses::kMaxActions, kPass = 64;
  static constexpr int kPoint = 16, kWin = 8192, kInfinity = 30000;
  static constexpr int kHistorySize = 64 * 65;
  static constexpr int kFutilityMargin = 3 * kPoint, kFutilityDepth = 5;

  struct Node {
    Squares destroyed;
    std::uint64_t key;  // of the destroyed squares
    std::int16_t lead;   // the points of the seat on turn less the other's
    std::int16_t stake;  // the points on squares that are left, all taken as gains
    std::int8_t own, others;
    bool charged;  // a seat has paid for being stuck
    bool ahead;    // it has paid for a pass that is still to come
  };

  struct Bounds {
    int lower, upper;
    Squares own_moves, others_moves;
  };

  // margin: the final lead counts; otherwise only the result.
  HorsesPositions(const Horses& game, const Horses::Public& pub, bool margin)
      : size_(game.size), every_(game.every), at_once_(game.at_once), margin_(margin) {
    for (int square = 0; square < game.squares(); ++square) {
      const int value = pub.value[index(square)];
      value_[index(to_8x8(square))] = static_cast<std::int8_t>(value);
      if (value) valued_ |= bit(to_8x8(square));
    }
    Rng rng{margin ? 2u : 1u};
    for (auto& key : keys_) {
      for (auto& each : key) each = rng.next();
    }
  }

  Node node(const Horses::Public& pub) const {
    const auto mine = index(pub.turn), theirs = 1 - mine;
    Node out{};
    out.destroyed = ~Squares{0};
    for (int square = 0; square < size_ * size_; ++square) {
      if (!(pub.destroyed & bit(square))) out.destroyed &= ~bit(to_8x8(square));
    }
    for (int square = 0; square < 64; ++square) {
      if (!(out.destroyed & bit(square))) out.stake = static_cast<std::int16_t>(out.stake + std::abs(value_[index(square)]));
    }
    for (Squares left = out.destroyed; left; left &= left - 1) out.key ^= keys_[kGone][index(std::countr_zero(left))];
    out.lead = static_cast<std::int16_t>(pub.score[mine] - pub.score[theirs]);
    out.own = static_cast<std::int8_t>(to_8x8(pub.square[mine]));
    out.others = static_cast<std::int8_t>(to_8x8(pub.square[theirs]));
    out.charged = pub.penalised[0] || pub.penalised[1];
    out.ahead = pub.penalised[0] == Horses::kAhead || pub.penalised[1] == Horses::kAhead;
    return out;
  }

  // A move of the search as the game's action.
  Action action(int move) const { return move == kPass ? size_ * size_ : (move >> 3) * size_ + (move & 7); }

  void moves(const Node& node, ActionList<kMaxMoves>& out) const {
    Squares left = jumps(node.own) & ~node.destroyed;
    if (!left) out.add(kPass);
    for (; left; left &= left - 1) out.add(std::countr_zero(left));
  }

  Node play(const Node& node, int move) const {
    Node next = node;
    int lead = node.lead;
    next.own = node.others;
    if (move == kPass) {
      if (!node.ahead && (every_ || !node.charged)) lead -= Horses::kPenalty;
      next.others = node.own;
      next.charged = true;
      next.ahead = false;
    } else {
      lead += value_[index(move)];
      next.stake = static_cast<std::int16_t>(node.stake - std::abs(value_[index(move)]));
      next.others = static_cast<std::int8_t>(move);
      next.destroyed |= bit(move);
      next.key ^= keys_[kGone][index(move)];
      if (at_once_ && !node.charged) lead += charge(next);
    }
    next.lead = static_cast<std::int16_t>(-lead);
    return next;
  }

  std::uint64_t key(const Node& node) const {
    const std::uint64_t rest = static_cast<std::uint64_t>(node.lead + 4096) * 4 + node.charged * 2u + node.ahead;
    return node.key ^ keys_[kOwn][index(node.own)] ^ keys_[kOthers][index(node.others)] ^
           (rest * 0x9e3779b97f4a7c15ULL);
  }

  Bounds bounds(const Node& node, int alpha, int beta) const {
    const Squares free = ~node.destroyed;
    Bounds out{0, 0, jumps(node.own) & free, jumps(node.others) & free};
    if (!(out.own_moves | out.others_moves)) {
      out.lower = out.upper = value_of_lead(node.lead);
      return out;
    }
    // First cheap bounds, as if each knight could reach every square; then with the squares that it can reach.
    int most = node.stake + (every_ ? kMostPenalties : node.charged ? 0 : Horses::kPenalty), least = -most;
    out.upper = value_of_lead(node.lead + most);
    out.lower = value_of_lead(node.lead + least);
    if (out.upper <= alpha || out.lower >= beta) return out;

    const Squares left = valued_ & free;
    const Squares own = knights::reachable(out.own_moves, free), others = knights::reachable(out.others_moves, free);
    most = least = 0;
    penalties(node, out, own, others, least, most);
    for (Squares s = left & own; s; s &= s - 1) {
      const int value = value_[index(std::countr_zero(s))];
      (value > 0 ? most : least) += value;
    }
    for (Squares s = left & others; s; s &= s - 1) {
      const int value = value_[index(std::countr_zero(s))];
      (value < 0 ? most : least) -= value;
    }
    out.upper = value_of_lead(node.lead + most);
    out.lower = value_of_lead(node.lead + least);
    if ((own & others) || out.upper <= alpha || out.lower >= beta) return out;
    const auto [fewest, highest] = apart(node, out, own, others, left);
    out.upper = value_of_lead(node.lead + std::min(most, highest));
    out.lower = value_of_lead(node.lead + std::max(least, fewest));
    return out;
  }

  int evaluate(const Node& node, const Bounds& bounds) const {
    const Squares free = ~node.destroyed, left = valued_ & free;
    int sum = kPoint * node.lead + kFreedom * (knights::count(bounds.own_moves) - knights::count(bounds.others_moves));
    // Which knight is first on each square: both spread at once, neither through squares that the other reaches first.
    Squares own = bounds.own_moves, others = bounds.others_moves & ~own, own_edge = own, others_edge = others;
    int weight = kNear;
    while (true) {
      for (Squares s = left & own_edge; s; s &= s - 1) sum += gain(std::countr_zero(s), weight);
      for (Squares s = left & others_edge; s; s &= s - 1) sum -= gain(std::countr_zero(s), weight - 1);
      own_edge = knights::attacks(own_edge) & free & ~(own | others);
      own |= own_edge;
      others_edge = knights::attacks(others_edge) & free & ~(own | others);
      others |= others_edge;
      if (!(own_edge | others_edge)) break;
      weight = std::max(weight - kFading, kFar);
    }
    sum += kSquare * (knights::count(own) - knights::count(others));
    if (bounds.lower > 0) return std::clamp(kWin + sum, bounds.lower, bounds.upper);
    if (bounds.upper < 0) return std::clamp(-kWin + sum, bounds.lower, bounds.upper);
    return std::clamp(sum, std::max(bounds.lower, 1 - kWin), std::min(bounds.upper, kWin - 1));
  }

  int order_score(const Node& node, int move) const {
    if (move == kPass) return 0;
    const Squares free = ~node.destroyed & ~bit(move);
    const int blocks = jumps(node.others) & bit(move) ? 3000 : 0;
    return value_[index(move)] * 2000 + blocks + 500 * knights::count(jumps(move) & free);
  }
  int history_index(const Node& node, int move) const { return node.own * 65 + move; }

 private:
  enum { kGone, kOwn, kOthers };
  static constexpr int kMostPenalties = 64 * Horses::kPenalty;
  // Weights of the evaluation, in sixteenths of a point: a legal move (kFreedom); a square reached before the other
  // (kSquare); a point on such a square, one move away (kNear), less for each move more (kFading), at least kFar.
  static constexpr int kFreedom = 6, kSquare = 2, kNear = 14, kFading = 2, kFar = 6;

  const int size_;
  const bool every_, at_once_, margin_;
  std::array<std::int8_t, 64> value_{};
  Squares valued_ = 0;  // the squares that had points at the root
  std::array<std::array<std::uint64_t, 64>, 3> keys_{};

  static constexpr Squares bit(int square) { return Horses::bit(square); }
  static Squares jumps(int square) { return knights::kJumps[index(square)]; }
  int to_8x8(int square) const { return square / size_ * 8 + square % size_; }

  int value_of_lead(int lead) const {
    const int sign = (lead > 0) - (lead < 0);
    return sign * kWin + (margin_ ? kPoint * lead : 0);
  }

  // What a square gives the knight that is first there: it need not enter where it loses points.
  int gain(int square, int weight) const {
    const int value = value_[index(square)];
    return value > 0 ? value * weight : 0;
  }

  // The least and the most points that the seat on turn can still gain by penalties.
  void penalties(const Node& node, const Bounds& bounds, Squares own, Squares others, int& least, int& most) const {
    constexpr int penalty = Horses::kPenalty;
    if (!every_) {
      if (node.charged) return;
      if (!bounds.own_moves) {
        least = most = -penalty;
      } else {
        least = bounds.others_moves ? -penalty : 0;
        most = penalty;
      }
    } else if (!bounds.own_moves) {
      most = node.ahead ? 0 : -penalty;
      least = -penalty * knights::max_moves(bounds.others_moves, others);
    } else {
      most = penalty * knights::max_moves(bounds.own_moves, own);
      least = bounds.others_moves ? -penalty * knights::max_moves(bounds.others_moves, others) : 0;
    }
  }

  // The least and the most points that the seat on turn can still gain when no square can be reached by both knights.
  // Then each can choose a walk and follow it, whatever the other does.
  std::pair<int, int> apart(const Node& node, const Bounds& bounds, Squares own, Squares others, Squares valued) const {
    knights::Walker walker(value_, ~node.destroyed);
    const knights::Walks mine = walker.walks(bounds.own_moves, own, valued & own);
    const knights::Walks theirs = walker.walks(bounds.others_moves, others, valued & others);
    int least = -kInfinity, most = kInfinity;
    for (const knights::Walk& walk : mine.some) {
      least = std::max(least, walk.sum - theirs.most + penalty(node, walk.length, theirs.longest));
    }
    for (const knights::Walk& walk : theirs.some) {
      most = std::min(most, mine.most - walk.sum + penalty(node, mine.longest, walk.length));
    }
    return {least, most};
  }

  // The points that the seat on turn gains by penalties if it still makes `own` moves and the other `others`. It grows
  // with `own` and falls with `others`.
  int penalty(const Node& node, int own, int others) const {
    constexpr int each = Horses::kPenalty;
    int passes = own > others ? std::min(1 - (own - others), 0) : others - own;  // the own ones; negative: the other's
    if (node.charged) {  // one knight is stuck already
      if (!every_) return 0;
      if (node.ahead) passes -= (passes > 0) - (passes < 0);
      return -each * passes;
    }
    if (at_once_ && !passes) passes = own > others ? -1 : 1;  // the knight that was stuck first has paid
    return -each * (every_ ? passes : std::clamp(passes, -1, 1));
  }

  // What the seat that has just moved gains, if exactly one knight is stuck now.
  int charge(Node& next) const {
    const bool mover = jumps(next.others) & ~next.destroyed, opponent = jumps(next.own) & ~next.destroyed;
    if (mover == opponent) return 0;
    next.charged = next.ahead = true;
    return mover ? Horses::kPenalty : -Horses::kPenalty;
  }
};

}  // namespace ludoteca
