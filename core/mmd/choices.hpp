// Many matches stepped together for a learner. The seat on turn always has a choice: an action that is the only legal
// one is played at once.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "mmd/input.hpp"

namespace ludoteca {

// The seed determines every deal, so the same actions give the same matches.
template <Game G>
class Choices {
 public:
  Choices(const G& game, int count, std::uint64_t seed)
      : game_(game), seeds_{seed}, states_(static_cast<std::size_t>(count)) {
    for (State<G>& state : states_) deal(state);
  }

  std::size_t size() const { return states_.size(); }
  const State<G>& state(std::size_t i) const { return states_[i]; }

  // inputs: [N, input size] · legal: [N, num_actions] · turns: [N] · hands: [N, hand size] of the seat not on turn.
  void read(float* inputs, bool* legal_mask, std::int8_t* turns, float* hands) const {
    const auto width = static_cast<std::size_t>(game_.num_actions());
    std::fill_n(legal_mask, size() * width, false);
    Actions<G> actions;
    for (const State<G>& state : states_) {
      NetworkInput<G>::write(game_, ViewRef<G>(state, state.pub.turn), inputs);
      NetworkInput<G>::hand(game_, state.own[index(other(state.pub.turn))], hands);
      legal(game_, state, actions);
      for (const Action action : actions) legal_mask[action] = true;
      *turns++ = state.pub.turn;
      inputs += NetworkInput<G>::size(game_);
      hands += NetworkInput<G>::hand_size(game_);
      legal_mask += width;
    }
  }

  // The first state in which the action is illegal, or -1.
  std::ptrdiff_t first_illegal(std::span<const Action> actions) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_legal(game_, states_[i], actions[i])) return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
  }

  // Applies one legal action to each state. results: [N] what seat 0 gets where a match ended, else 0 · done: [N].
  void step(std::span<const Action> actions, float* results, bool* done) {
    for (std::size_t i = 0; i < size(); ++i) {
      State<G>& state = states_[i];
      game_.apply(state, actions[i]);
      play_forced(state);
      done[i] = state.pub.turn == kNobody;
      results[i] = done[i] ? static_cast<float>(game_.returns(state.pub)[0]) : 0.0f;
      if (done[i]) deal(state);
    }
  }

  // All of it as bytes, for a checkpoint.
  static constexpr std::size_t kHead = sizeof(Rng);
  std::size_t bytes() const { return kHead + size() * sizeof(State<G>); }
  void save(char* out) const {
    std::memcpy(out, &seeds_, kHead);
    std::memcpy(out + kHead, states_.data(), size() * sizeof(State<G>));
  }
  void load(const char* in) {
    std::memcpy(&seeds_, in, kHead);
    std::memcpy(static_cast<void*>(states_.data()), in + kHead, size() * sizeof(State<G>));
  }

 private:
  const G& game_;
  Rng seeds_;
  std::vector<State<G>> states_;

  void play_forced(State<G>& state) const {
    Actions<G> actions;
    for (legal(game_, state, actions); actions.size == 1; legal(game_, state, actions)) game_.apply(state, actions[0]);
  }

  // A deal that ends without a choice is skipped.
  void deal(State<G>& state) {
    do {
      game_.deal(state, Rng{seeds_.next()});
      play_forced(state);
    } while (state.pub.turn == kNobody);
  }
};

}  // namespace ludoteca
