// What every game consists of: State, View, the concept Game, and algorithms that need nothing else.
//
// A game G splits what exists into three trivially copyable structs:
//
//     G::Public     what both seats see: the board, the scores, whose turn it is, what happened
//     G::Private    what only one seat sees: its hand, what it peeked at          (one per seat)
//     G::Hidden     what no seat sees: the order of a deck, the random generator
//
//     State = Public + Private[0] + Private[1] + Hidden       the truth
//     View  = Public + Private[seat] + seat                   all that a seat may know
//
// A View has no field for a secret, so nothing computed from one can leak a secret. Chance is part of
// Hidden, so there are no chance nodes: the deal's seed and the actions replay a match bit for bit.
// A State is plain bytes; copying it copies them.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ludoteca {

using Action = std::int32_t;
using Seat = std::int8_t;
inline constexpr Seat kNobody = -1;  // no seat: the turn when the game is over, the owner of an empty cell
inline constexpr Seat other(Seat seat) { return static_cast<Seat>(1 - seat); }

// A number that is not negative, as an index of a container.
inline constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

// SplitMix64: eight bytes of state, good enough for shuffles and playouts, equal on every machine.
struct Rng {
  std::uint64_t state = 0;

  constexpr std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Exactly uniform in [0, bound): the few values that would favour small results are rejected.
  constexpr std::uint32_t below(std::uint32_t bound) {
    assert(bound > 0);
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t threshold = (0u - bound) % bound;
      while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform in [0, 1) with 53 bits.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class T>
  constexpr void shuffle(T* items, int count) {
    for (int i = count - 1; i > 0; --i) std::swap(items[i], items[below(static_cast<std::uint32_t>(i) + 1)]);
  }
};

// A list of actions on the stack, with a fixed capacity.
template <int Capacity>
struct ActionList {
  std::array<Action, Capacity> items;
  int size = 0;

  ActionList() {}  // the items stay uninitialised: only [0, size) is read
  void add(Action action) { items[static_cast<std::size_t>(size++)] = action; }
  // Without a branch, for unpredictable conditions; needs room for one more item in any case.
  void add_if(bool condition, Action action) {
    items[static_cast<std::size_t>(size)] = action;
    size += condition;
  }
  const Action* begin() const { return items.data(); }
  const Action* end() const { return items.data() + size; }
  Action operator[](int i) const { return items[static_cast<std::size_t>(i)]; }
};

// The Private or Hidden part of a game without one.
struct Nothing {
  std::uint8_t zero = 0;
};

// The truth: only the match and a search hold one.
template <class G>
struct State {
  typename G::Public pub;
  std::array<typename G::Private, 2> own;
  typename G::Hidden hidden;
};

// All that `seat` may know. It is compared, hashed and sent as plain bytes, so it has no implicit padding.
template <class G>
struct View {
  using Public = typename G::Public;
  using Private = typename G::Private;
  static constexpr std::size_t kUsed = sizeof(Public) + sizeof(Private) + sizeof(Seat);
  static constexpr std::size_t kAlign = std::max(alignof(Public), alignof(Private));

  Public pub;
  Private own;
  Seat seat;
  std::array<std::uint8_t, kAlign - kUsed % kAlign> zero;  // instead of padding

  std::string_view bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
  bool operator==(const View& rhs) const { return bytes() == rhs.bytes(); }
};

// A View without a copy: what the rules need to list actions and to fill a tensor.
template <class G>
struct ViewRef {
  const typename G::Public& pub;
  const typename G::Private& own;
  Seat seat;

  ViewRef(const typename G::Public& pub_, const typename G::Private& own_, Seat seat_)
      : pub(pub_), own(own_), seat(seat_) {}
  ViewRef(const View<G>& view) : pub(view.pub), own(view.own), seat(view.seat) {}
  ViewRef(const State<G>& state, Seat seat_)
      : pub(state.pub), own(state.own[static_cast<std::size_t>(seat_)]), seat(seat_) {}
};

template <class G>
using Actions = ActionList<G::kMaxActions>;
using Returns = std::array<double, 2>;

// The rules with their parameters, immutable. `apply` may assume that the action is legal; `legal` and
// `is_legal` are about the seat on turn and use only its view. `sample` fills every byte of a State in
// which the view's seat sees exactly that view; all consistent worlds are equally likely.
template <class G>
concept Game = requires(const G g, State<G> s, const View<G> v, const typename G::Public pub, Action a,
                        Rng rng, Actions<G> out, float* floats) {
  { pub.turn } -> std::convertible_to<Seat>;
  { g.num_actions() } -> std::same_as<int>;
  { g.deal(s, rng) } -> std::same_as<void>;
  { g.legal(ViewRef<G>(v), out) } -> std::same_as<void>;
  { g.is_legal(ViewRef<G>(v), a) } -> std::same_as<bool>;
  { g.apply(s, a) } -> std::same_as<void>;
  { g.returns(pub) } -> std::same_as<Returns>;
  { g.sample(v, rng, s) } -> std::same_as<void>;
  { g.tensor_shape() } -> std::same_as<std::vector<int>>;
  { g.tensor(ViewRef<G>(v), floats) } -> std::same_as<void>;
  requires std::is_trivially_copyable_v<State<G>>;
  requires std::has_unique_object_representations_v<View<G>>;
};

template <class G>
View<G> view_of(const State<G>& state, Seat seat) {
  return View<G>{state.pub, state.own[static_cast<std::size_t>(seat)], seat, {}};
}

template <Game G>
void legal(const G& g, const State<G>& state, Actions<G>& out) {
  out.size = 0;
  if (state.pub.turn != kNobody) g.legal(ViewRef<G>(state, state.pub.turn), out);
}

template <Game G>
bool is_legal(const G& g, const State<G>& state, Action action) {
  return state.pub.turn != kNobody && g.is_legal(ViewRef<G>(state, state.pub.turn), action);
}

// Plays uniformly random legal actions to the end, one by one.
template <Game G>
void playout_stepwise(const G& g, State<G>& state, Rng& rng) {
  if constexpr (requires { g.playout_stepwise(state, rng); }) {
    g.playout_stepwise(state, rng);  // the same distribution, faster
  } else {
    Actions<G> actions;
    while (state.pub.turn != kNobody) {
      legal(g, state, actions);
      g.apply(state, actions[static_cast<int>(rng.below(static_cast<std::uint32_t>(actions.size)))]);
    }
  }
}

// The returns of a random playout from here.
template <Game G>
Returns playout(const G& g, const State<G>& state, Rng& rng) {
  if constexpr (requires { g.playout(state, rng); }) {
    return g.playout(state, rng);  // the same distribution, faster
  } else {
    State<G> end = state;
    playout_stepwise(g, end, rng);
    return g.returns(end.pub);
  }
}

// The number of sequences of `depth` actions; sequences that end the game earlier do not count.
template <Game G>
std::uint64_t perft(const G& g, const State<G>& state, int depth) {
  if (depth == 0) return 1;
  Actions<G> actions;
  legal(g, state, actions);
  if (depth == 1) return static_cast<std::uint64_t>(actions.size);
  std::uint64_t count = 0;
  for (Action action : actions) {
    State<G> next = state;
    g.apply(next, action);
    count += perft(g, next, depth - 1);
  }
  return count;
}

}  // namespace ludoteca
