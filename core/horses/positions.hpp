// Horses as alpha-beta sees it (an AlphaBetaGame): small positions, static evaluation, proven bounds.
//
// Boards of every size use the squares of board B, SmallBoard or LargeBoard; those outside count as destroyed, so that
// sets of squares move like knights by shifting bits. Everything is relative to the seat on turn: its knight and the other's,
// its lead in points. Values put the result first:
//
//     kWin, 0, -kWin              a proven win, draw, loss                          (search for the result)
//     kWin + kPoint * points …    the same plus the final lead                      (search for the margin)
//     kPoint * (lead + …)         an evaluation, between a loss and a win
#pragma once

#include <algorithm>
#include <array>

#include "horses/knights.hpp"
#include "horses/rules.hpp"
#include "horses/walks.hpp"

namespace ludoteca {

template <class B>
class HorsesPositions {
  using Knights = knights::Knights<B>;
  static constexpr int kSquares = Knights::kSquares;

 public:
  using Squares = typename B::Squares;
  static constexpr int kMaxMoves = Horses::kMaxActions, kPass = kSquares;
  static constexpr int kPoint = 16, kWin = 8192, kInfinity = 32000;
  static constexpr int kHistorySize = kSquares * (kSquares + 1);
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
      value_[index(to_board(square))] = static_cast<std::int8_t>(value);
      if (value) valued_ |= bit(to_board(square));
    }
    Rng rng{margin ? 2u : 1u};
    for (auto& key : keys_) {
      for (auto& each : key) each = rng.next();
    }
  }

  Node node(const Horses::Public& pub) const {
    const auto mine = index(pub.turn), theirs = 1 - mine;
    Node out{};
    out.destroyed = ~Squares{};
    for (int square = 0; square < size_ * size_; ++square) {
      if (!(pub.destroyed & Horses::bit(square))) out.destroyed &= ~bit(to_board(square));
    }
    for (int square = 0; square < kSquares; ++square) {
      if (out.destroyed & bit(square)) {
        out.key ^= keys_[kGone][index(square)];
      } else {
        out.stake = static_cast<std::int16_t>(out.stake + std::abs(value_[index(square)]));
      }
    }
    out.lead = static_cast<std::int16_t>(pub.score[mine] - pub.score[theirs]);
    out.own = static_cast<std::int8_t>(to_board(pub.square[mine]));
    out.others = static_cast<std::int8_t>(to_board(pub.square[theirs]));
    out.charged = pub.penalised[0] || pub.penalised[1];
    out.ahead = pub.penalised[0] == Horses::kAhead || pub.penalised[1] == Horses::kAhead;
    return out;
  }

  // A move of the search as the game's action.
  Action action(int move) const {
    return move == kPass ? size_ * size_ : move / B::kWidth * size_ + move % B::kWidth;
  }

  void moves(const Node& node, ActionList<kMaxMoves>& out) const {
    const Squares targets = jumps(node.own) & ~node.destroyed;
    if (!targets) out.add(kPass);
    for_each(targets, [&](int square) { out.add(square); });
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
    const Squares own = Knights::reachable(out.own_moves, free), others = Knights::reachable(out.others_moves, free);
    most = least = 0;
    penalties(node, out, own, others, least, most);
    for_each(left & own, [&](int square) {
      const int value = value_[index(square)];
      (value > 0 ? most : least) += value;
    });
    for_each(left & others, [&](int square) {
      const int value = value_[index(square)];
      (value < 0 ? most : least) -= value;
    });
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
    int sum = kPoint * node.lead + kFreedom * (count(bounds.own_moves) - count(bounds.others_moves));
    // Which knight is first on each square: both spread at once, neither through squares that the other reaches first.
    Squares own = bounds.own_moves, others = bounds.others_moves & ~own, own_edge = own, others_edge = others;
    int weight = kNear;
    while (true) {
      for_each(left & own_edge, [&](int square) { sum += gain(square, weight); });
      for_each(left & others_edge, [&](int square) { sum -= gain(square, weight - 1); });
      own_edge = B::attacks(own_edge) & free & ~(own | others);
      own |= own_edge;
      others_edge = B::attacks(others_edge) & free & ~(own | others);
      others |= others_edge;
      if (!(own_edge | others_edge)) break;
      weight = std::max(weight - kFading, kFar);
    }
    sum += kSquare * (count(own) - count(others));
    if (bounds.lower > 0) return std::clamp(kWin + sum, bounds.lower, bounds.upper);
    if (bounds.upper < 0) return std::clamp(-kWin + sum, bounds.lower, bounds.upper);
    return std::clamp(sum, std::max(bounds.lower, 1 - kWin), std::min(bounds.upper, kWin - 1));
  }

  int order_score(const Node& node, int move) const {
    if (move == kPass) return 0;
    const Squares free = ~node.destroyed & ~bit(move);
    const int blocks = jumps(node.others) & bit(move) ? 3000 : 0;
    return value_[index(move)] * 2000 + blocks + 500 * count(jumps(move) & free);
  }
  int history_index(const Node& node, int move) const { return node.own * (kSquares + 1) + move; }

 private:
  enum { kGone, kOwn, kOthers };
  static constexpr int kMostPenalties = B::kSide * B::kSide * Horses::kPenalty;
  // No match ends with such a lead, even if a layout has 10 points on every square.
  static constexpr int kMaxLead = (kInfinity - 1 - kWin) / kPoint;
  // Weights of the evaluation, in sixteenths of a point: a legal move (kFreedom); a square reached before the other
  // (kSquare); a point on such a square, one move away (kNear), less for each move more (kFading), at least kFar.
  static constexpr int kFreedom = 6, kSquare = 2, kNear = 14, kFading = 2, kFar = 6;

  const int size_;
  const bool every_, at_once_, margin_;
  std::array<std::int8_t, index(kSquares)> value_{};
  Squares valued_{};  // the squares that had points at the root
  std::array<std::array<std::uint64_t, index(kSquares)>, 3> keys_{};

  static constexpr Squares bit(int square) { return Knights::bit(square); }
  static Squares jumps(int square) { return Knights::kJumps[index(square)]; }
  int to_board(int square) const { return square / size_ * B::kWidth + square % size_; }

  int value_of_lead(int lead) const {
    const int sign = (lead > 0) - (lead < 0);
    if constexpr (B::kSide > 8) lead = std::clamp(lead, -kMaxLead, kMaxLead);  // a bound may exceed it
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
      least = -penalty * Knights::max_moves(bounds.others_moves, others);
    } else {
      most = penalty * Knights::max_moves(bounds.own_moves, own);
      least = bounds.others_moves ? -penalty * Knights::max_moves(bounds.others_moves, others) : 0;
    }
  }

  // The least and the most points that the seat on turn can still gain when no square can be reached by both knights.
  // Then each can choose a walk and follow it, whatever the other does.
  std::pair<int, int> apart(const Node& node, const Bounds& bounds, Squares own, Squares others, Squares valued) const {
    knights::Walker<B> walker(value_, ~node.destroyed);
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
    const Squares free = ~next.destroyed;
    const bool mover = static_cast<bool>(jumps(next.others) & free), opponent = static_cast<bool>(jumps(next.own) & free);
    if (mover == opponent) return 0;
    next.charged = next.ahead = true;
    return mover ? Horses::kPenalty : -Horses::kPenalty;
  }
};

}  // namespace ludoteca
