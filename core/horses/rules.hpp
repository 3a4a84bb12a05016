// Horses: two knights move on an n×n board. A square gives its value to the knight that enters it, and is destroyed. A
// seat that is stuck while the other is not pays a penalty (on its turn, or at once) and passes. More points win.
//
//      8   .  .  .  .  .  .  .  .         W B   the knights of seat 0, which begins, and of seat 1
//      7   . +3  .  *  .  *  .  .         *     where B may go: a knight's move away, neither destroyed
//      6   .  .  *  .  .  .  *  .               nor occupied
//      5   .  .  .  .  B  . -5  .         #     destroyed; so is a knight's own square, so "occupied"
//      4   .  .  *  .  .  .  *  .               needs no test
//      3   . +1  .  *  .  #  .  .         +3    gives its value, once
//      2   .  .  .  W  .  .  .  .
//      1   .  .  .  .  . +10 .  .         square = row * n + column, row 0 on top: a8 = 0, b8 = 1, h1 = 63
//          a  b  c  d  e  f  g  h
//
// A set of squares is one 64-bit mask, so a knight's moves are `jumps[its square] & ~destroyed`. Squares are
// never repaired: a stuck knight stays stuck, and only who has paid has to be remembered.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "game.hpp"

namespace ludoteca {

struct Horses {
  static constexpr int kMinSize = 5, kMaxSize = 8, kMaxSquares = kMaxSize * kMaxSize;
  static constexpr int kMaxActions = 8;  // a knight's moves, or the pass alone
  static constexpr int kPenalty = 4, kMaxValue = 10;
  static constexpr std::uint8_t kPaid = 1, kAhead = 2;
  static constexpr int kPlanes = 10;
  static constexpr std::array<std::int8_t, 10> kValues{-10, -5, -4, -3, -1, 1, 3, 4, 5, 10};

  using Squares = std::uint64_t;  // a set of squares
  static constexpr Squares bit(int square) { return Squares{1} << square; }

  // Copied at every node of a search, hence small: 88 bytes.
  struct Public {
    Squares destroyed = 0;
    std::array<std::int8_t, kMaxSquares> value{};  // what entering a square gives, 0 once it is destroyed
    std::array<std::int16_t, 2> score{};
    std::array<std::int8_t, 2> square{};      // where each seat's knight stands
    std::array<std::uint8_t, 2> penalised{};  // not 0: this seat has paid; kAhead: for a pass that is yet to come
    std::int8_t last = -1;                    // the last action, -1 before the first
    Seat turn = 0;
    std::array<std::uint8_t, 6> zero{};
  };
  using Private = Nothing;
  using Hidden = Nothing;

  const int size;
  const bool every;    // true: a stuck seat pays at each of its turns; false: at the first one only
  const bool at_once;  // true: for the first one it pays as soon as it is stuck and the other is not

  // Every deal is a random layout of its own.
  Horses(int size_, bool every_, bool at_once_) : size(size_), every(every_), at_once(at_once_) {
    if (size < kMinSize || size > kMaxSize) throw std::invalid_argument("Horses: size must be 5 to 8");
    for (int square = 0; square < squares(); ++square) jumps[index(square)] = jumps_from(square);
  }

  // Every deal is this layout: the squares of the knights, and a value (0: none) for each square.
  Horses(int size_, bool every_, bool at_once_, std::array<int, 2> knights, const std::vector<int>& values)
      : Horses(size_, every_, at_once_) {
    if (knights[0] == knights[1]) throw std::invalid_argument("Horses: two knights on one square");
    if (values.size() != index(squares())) throw std::invalid_argument("Horses: a value for each square");
    for (Seat seat : {Seat{0}, Seat{1}}) {
      const int square = knights[index(seat)];
      if (square < 0 || square >= squares()) throw std::invalid_argument("Horses: a knight off the board");
      if (values[index(square)]) throw std::invalid_argument("Horses: a value under a knight");
      place(layout, seat, square);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < -kMaxValue || values[i] > kMaxValue) {
        throw std::invalid_argument("Horses: a value beyond 10");
      }
      layout.value[i] = static_cast<std::int8_t>(values[i]);
    }
    fixed = true;
  }

  int squares() const { return size * size; }
  int num_actions() const { return squares() + 1; }
  Action pass() const { return squares(); }

  // Where the knight of `seat` may go now, on turn or not.
  Squares moves(const Public& pub, Seat seat) const {
    return jumps[index(pub.square[index(seat)])] & ~pub.destroyed;
  }
  // Whether being stuck costs this seat points, now or later.
  bool pays(const Public& pub, Seat seat) const { return every || !pub.penalised[index(seat)]; }

  void deal(State<Horses>& state, Rng rng) const {
    state = State<Horses>{};
    state.pub = layout;
    if (!fixed) scatter(state.pub, rng);
    hand_turn_to(state.pub, 0);
  }

  void legal(ViewRef<Horses> v, Actions<Horses>& out) const {
    Squares left = moves(v.pub, v.seat);
    if (!left) out.add(pass());
    for (; left; left &= left - 1) out.add(std::countr_zero(left));
  }

  bool is_legal(ViewRef<Horses> v, Action action) const {
    const Squares targets = moves(v.pub, v.seat);
    if (action == pass()) return !targets;
    return action >= 0 && action < squares() && targets & bit(action);
  }

  void apply(State<Horses>& state, Action action) const {
    Public& pub = state.pub;
    const Seat seat = pub.turn;
    if (action == pass()) {
      if (pub.penalised[index(seat)] != kAhead && pays(pub, seat)) add(pub, seat, -kPenalty);
      pub.penalised[index(seat)] = kPaid;
    } else {
      add(pub, seat, pub.value[index(action)]);
      pub.value[index(action)] = 0;
      place(pub, seat, action);
      if (at_once) charge(pub);
    }
    pub.last = static_cast<std::int8_t>(action);
    hand_turn_to(pub, other(seat));
  }

  Returns returns(const Public& pub) const {
    if (pub.turn != kNobody || pub.score[0] == pub.score[1]) return {0, 0};
    return pub.score[0] > pub.score[1] ? Returns{1, -1} : Returns{-1, 1};
  }

  // Nothing is hidden: the only world is the one that is seen.
  void sample(const View<Horses>& view, Rng, State<Horses>& state) const {
    state = State<Horses>{};
    state.pub = view.pub;
  }

  // Planes of n×n: own knight; the other's knight; destroyed; values left, in tens; own moves; the other's
  // moves; then four constant planes: own score minus the other's, in tens; 1 when being stuck costs this seat
  // points, now or later; 1 when it costs the other seat; 1 on this seat's turn.
  std::vector<int> tensor_shape() const { return {kPlanes, size, size}; }
  void tensor(ViewRef<Horses> v, float* out) const {
    const Seat mine = v.seat, theirs = other(v.seat);
    out = plane(bit(v.pub.square[index(mine)]), out);
    out = plane(bit(v.pub.square[index(theirs)]), out);
    out = plane(v.pub.destroyed, out);
    for (int square = 0; square < squares(); ++square) *out++ = tens(v.pub.value[index(square)]);
    out = plane(moves(v.pub, mine), out);
    out = plane(moves(v.pub, theirs), out);
    const int difference = v.pub.score[index(mine)] - v.pub.score[index(theirs)];
    const std::array<float, 4> constant{tens(difference), pays(v.pub, mine) ? 1.0f : 0.0f,
                                        pays(v.pub, theirs) ? 1.0f : 0.0f, v.pub.turn == mine ? 1.0f : 0.0f};
    for (const float each : constant) out = std::fill_n(out, squares(), each);
  }

 private:
  std::array<Squares, kMaxSquares> jumps{};  // by square: all that lies a knight's move away
  Public layout{};                           // what each deal starts from; empty unless `fixed`
  bool fixed = false;

  static float tens(int points) { return static_cast<float>(points) / 10.0f; }

  Squares jumps_from(int square) const {
    constexpr std::array<std::array<int, 2>, 8> steps{
        {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}}};
    Squares out = 0;
    for (const auto [down, right] : steps) {
      const int row = square / size + down, column = square % size + right;
      if (row >= 0 && row < size && column >= 0 && column < size) out |= bit(row * size + column);
    }
    return out;
  }

  // Knights and values on distinct squares, every arrangement equally likely.
  void scatter(Public& pub, Rng& rng) const {
    std::array<std::int8_t, kMaxSquares> order;
    std::iota(order.begin(), order.end(), std::int8_t{0});
    rng.shuffle(order.data(), squares());
    place(pub, 0, order[0]);
    place(pub, 1, order[1]);
    for (std::size_t i = 0; i < kValues.size(); ++i) pub.value[index(order[i + 2])] = kValues[i];
  }

  static void place(Public& pub, Seat seat, int square) {
    pub.square[index(seat)] = static_cast<std::int8_t>(square);
    pub.destroyed |= bit(square);
  }

  static void add(Public& pub, Seat seat, int points) {
    std::int16_t& score = pub.score[index(seat)];
    score = static_cast<std::int16_t>(score + points);
  }

  // The seat that is stuck while the other is not pays for its first pass ahead of it.
  void charge(Public& pub) const {
    const std::array<bool, 2> can{moves(pub, 0) != 0, moves(pub, 1) != 0};
    if (can[0] == can[1]) return;
    const Seat stuck = can[0] ? 1 : 0;
    if (pub.penalised[index(stuck)]) return;
    pub.penalised[index(stuck)] = kAhead;
    add(pub, stuck, -kPenalty);
  }

  // Over when neither knight can move; otherwise `next` is on turn, to move or to pass.
  void hand_turn_to(Public& pub, Seat next) const {
    pub.turn = moves(pub, 0) | moves(pub, 1) ? next : kNobody;
  }

  float* plane(Squares set, float* out) const {
    for (int square = 0; square < squares(); ++square) *out++ = set & bit(square) ? 1.0f : 0.0f;
    return out;
  }
};

}  // namespace ludoteca
