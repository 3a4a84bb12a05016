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
// A set of squares is a mask of 128 bits, so a knight's moves are `jumps[its square] & ~destroyed`; up to 8×8 the rules
// work on its lower word alone, which is faster. Squares are never repaired: a stuck knight stays stuck, and only who
// has paid has to be remembered.
#pragma once

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "game.hpp"
#include "horses/squares.hpp"

namespace ludoteca {

struct Horses {
  static constexpr int kMinSize = 5, kMaxSize = 10, kMaxSquares = kMaxSize * kMaxSize;
  static constexpr int kMaxActions = 8;  // a knight's moves, or the pass alone
  static constexpr int kPenalty = 4, kMaxValue = 10;
  static constexpr std::uint8_t kPaid = 1, kAhead = 2;
  static constexpr int kPlanes = 10;
  static constexpr std::array<std::int8_t, 10> kValues{-10, -5, -4, -3, -1, 1, 3, 4, 5, 10};

  using Squares = TwoWords;
  static constexpr Squares bit(int square) { return only<Squares>(square); }

  struct Public {
    Squares destroyed;
    std::array<std::int8_t, kMaxSquares> value{};  // what entering a square gives, 0 once it is destroyed
    std::array<std::int16_t, 2> score{};
    std::array<std::int8_t, 2> square{};      // where each seat's knight stands
    std::array<std::uint8_t, 2> penalised{};  // not 0: this seat has paid; kAhead: for a pass that is yet to come
    std::int8_t last = -1;                    // the last action, -1 before the first
    Seat turn = 0;
    std::array<std::uint8_t, 2> zero{};
  };
  // What moves change, without the values of squares: small, so searches copy it at every node. S: a type of set that
  // is large enough for the board.
  template <class S>
  struct Position {
    S destroyed;
    std::array<std::int16_t, 2> score;
    std::array<std::int8_t, 2> square;
    std::array<std::uint8_t, 2> penalised;
    Seat turn;
  };

  using Private = Nothing;
  using Hidden = Nothing;

  const int size;
  const bool every;    // true: a stuck seat pays at each of its turns; false: at the first one only
  const bool at_once;  // true: for the first one it pays as soon as it is stuck and the other is not

  // Every deal is a random layout of its own.
  Horses(int size_, bool every_, bool at_once_) : size(size_), every(every_), at_once(at_once_) {
    if (size < kMinSize || size > kMaxSize) throw std::invalid_argument("Horses: size must be 5 to 10");
    for (int square = 0; square < squares(); ++square) {
      jumps[index(square)] = computed_jumps(square);
      if (square < 64) low_jumps[index(square)] = jumps[index(square)].low;
    }
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
      place<Squares>(layout, seat, square);
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

  // Calls `f` with an empty set of the smallest type that is large enough for the board.
  template <class F>
  auto on_sets(F f) const {
    return size <= 8 ? f(std::uint64_t{}) : f(TwoWords{});
  }

  template <class S>
  Position<S> position(const Public& pub) const {
    return {as<S>(pub.destroyed), pub.score, pub.square, pub.penalised, pub.turn};
  }

  // Below, P is Public or a Position, and S a type of set that is large enough for the board.

  // Where the knight of `seat` may go now, on turn or not.
  template <class S = Squares, class P>
  S moves(const P& pub, Seat seat) const {
    return jumps_from<S>(pub.square[index(seat)]) & ~as<S>(pub.destroyed);
  }
  // Whether being stuck costs this seat points, now or later.
  template <class P>
  bool pays(const P& pub, Seat seat) const {
    return every || !pub.penalised[index(seat)];
  }

  template <class S, class P>
  void list_actions(const P& pub, Seat seat, Actions<Horses>& out) const {
    const S targets = moves<S>(pub, seat);
    if (!targets) out.add(pass());
    for_each(targets, [&](int square) { out.add(square); });
  }

  // Plays an action that is legal; gain: the value of the square entered.
  template <class S, class P>
  void advance(P& pub, Action action, int gain) const {
    const Seat seat = pub.turn;
    if (action == pass()) {
      if (pub.penalised[index(seat)] != kAhead && pays(pub, seat)) add(pub, seat, -kPenalty);
      pub.penalised[index(seat)] = kPaid;
    } else {
      add(pub, seat, gain);
      place<S>(pub, seat, action);
      if (at_once) charge<S>(pub);
    }
    hand_turn_to<S>(pub, other(seat));
  }

  void deal(State<Horses>& state, Rng rng) const {
    state = State<Horses>{};
    state.pub = layout;
    if (!fixed) scatter(state.pub, rng);
    hand_turn_to<Squares>(state.pub, 0);
  }

  void legal(ViewRef<Horses> v, Actions<Horses>& out) const {
    on_sets([&]<class S>(S) { list_actions<S>(v.pub, v.seat, out); });
  }

  bool is_legal(ViewRef<Horses> v, Action action) const {
    const Squares targets = moves(v.pub, v.seat);
    if (action == pass()) return !targets;
    return action >= 0 && action < squares() && (targets & bit(action));
  }

  void apply(State<Horses>& state, Action action) const {
    Public& pub = state.pub;
    const int gain = action == pass() ? 0 : std::exchange(pub.value[index(action)], std::int8_t{0});
    on_sets([&]<class S>(S) { advance<S>(pub, action, gain); });
    pub.last = static_cast<std::int8_t>(action);
  }

  Returns playout(const State<Horses>& state, Rng& rng) const {
    return on_sets([&]<class S>(S) {
      auto position = this->position<S>(state.pub);
      Actions<Horses> actions;
      while (position.turn != kNobody) {
        actions.size = 0;
        list_actions<S>(position, position.turn, actions);
        const Action action = actions[static_cast<int>(rng.below(static_cast<std::uint32_t>(actions.size)))];
        advance<S>(position, action, action == pass() ? 0 : state.pub.value[index(action)]);
      }
      return returns(position);
    });
  }

  template <class P>
  Returns returns(const P& pub) const {
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
  std::array<Squares, kMaxSquares> jumps{};   // by square: all that lies a knight's move away
  std::array<std::uint64_t, 64> low_jumps{};  // the lower words of these, for boards that need no more
  Public layout{};                            // what each deal starts from; empty unless `fixed`
  bool fixed = false;

  static float tens(int points) { return static_cast<float>(points) / 10.0f; }

  template <class S>
  S jumps_from(int square) const {
    if constexpr (std::is_same_v<S, Squares>) {
      return jumps[index(square)];
    } else {
      return low_jumps[index(square)];
    }
  }

  Squares computed_jumps(int square) const {
    constexpr std::array<std::array<int, 2>, 8> steps{
        {{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}}};
    Squares out;
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
    place<Squares>(pub, 0, order[0]);
    place<Squares>(pub, 1, order[1]);
    for (std::size_t i = 0; i < kValues.size(); ++i) pub.value[index(order[i + 2])] = kValues[i];
  }

  template <class S, class P>
  static void place(P& pub, Seat seat, int square) {
    pub.square[index(seat)] = static_cast<std::int8_t>(square);
    insert<S>(pub.destroyed, square);
  }

  template <class P>
  static void add(P& pub, Seat seat, int points) {
    std::int16_t& score = pub.score[index(seat)];
    score = static_cast<std::int16_t>(score + points);
  }

  // The seat that is stuck while the other is not pays for its first pass ahead of it.
  template <class S, class P>
  void charge(P& pub) const {
    const std::array<bool, 2> can{static_cast<bool>(moves<S>(pub, 0)), static_cast<bool>(moves<S>(pub, 1))};
    if (can[0] == can[1]) return;
    const Seat stuck = can[0] ? 1 : 0;
    if (pub.penalised[index(stuck)]) return;
    pub.penalised[index(stuck)] = kAhead;
    add(pub, stuck, -kPenalty);
  }

  // Over when neither knight can move; otherwise `next` is on turn, to move or to pass.
  template <class S, class P>
  void hand_turn_to(P& pub, Seat next) const {
    pub.turn = moves<S>(pub, 0) | moves<S>(pub, 1) ? next : kNobody;
  }

  float* plane(Squares set, float* out) const {
    for (int square = 0; square < squares(); ++square) *out++ = set & bit(square) ? 1.0f : 0.0f;
    return out;
  }
};

}  // namespace ludoteca
