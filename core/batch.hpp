// Many states of one game stepped together, for learning: loops over arrays, without allocation.
#pragma once

#include <algorithm>
#include <span>

#include "game.hpp"

namespace ludoteca {

// N states that restart themselves: a state whose game ends is dealt again, from the next seed, in the same
// step. The batch's seed determines the seed of every deal, so a batch replays bit for bit.
template <Game G>
class Batch {
 public:
  Batch(const G& game, int count, std::uint64_t seed)
      : game_(game), seeds_{seed}, states_(static_cast<std::size_t>(count)), dealt_(states_.size()) {
    for (std::size_t i = 0; i < states_.size(); ++i) deal(i);
  }

  std::size_t size() const { return states_.size(); }
  const State<G>& state(std::size_t i) const { return states_[i]; }
  // The seed that state i was dealt from.
  std::uint64_t seed(std::size_t i) const { return dealt_[i]; }

  // The complete batch as bytes, including future deals; `load` needs those of a batch of this size.
  std::size_t bytes() const { return sizeof seeds_ + size() * kBytesPerState; }
  void save(char* out) const {
    std::memcpy(out, &seeds_, sizeof seeds_);
    std::memcpy(out += sizeof seeds_, dealt_.data(), size() * sizeof dealt_[0]);
    std::memcpy(out + size() * sizeof dealt_[0], states_.data(), size() * sizeof states_[0]);
  }
  void load(const char* in) {
    std::memcpy(&seeds_, in, sizeof seeds_);
    std::memcpy(dealt_.data(), in += sizeof seeds_, size() * sizeof dealt_[0]);
    std::memcpy(static_cast<void*>(states_.data()), in + size() * sizeof dealt_[0], size() * sizeof states_[0]);
  }
  static constexpr std::size_t kBytesPerState = sizeof(std::uint64_t) + sizeof(State<G>);

  // The first state whose action is illegal, or -1.
  std::ptrdiff_t first_illegal(std::span<const Action> actions) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (!is_legal(game_, states_[i], actions[i])) return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
  }

  // Applies one legal action to each state. returns: [N, 2], zeros unless the game ended here; done: [N].
  void step(std::span<const Action> actions, float* returns, bool* done) {
    for (std::size_t i = 0; i < size(); ++i) {
      game_.apply(states_[i], actions[i]);
      done[i] = states_[i].pub.turn == kNobody;
      returns[2 * i] = returns[2 * i + 1] = 0;
      if (!done[i]) continue;
      const Returns result = game_.returns(states_[i].pub);
      returns[2 * i] = static_cast<float>(result[0]);
      returns[2 * i + 1] = static_cast<float>(result[1]);
      deal(i);
    }
  }

  // mask: [N, num_actions].
  void legal_mask(bool* mask) const {
    const auto width = static_cast<std::size_t>(game_.num_actions());
    std::fill_n(mask, size() * width, false);
    Actions<G> actions;
    for (std::size_t i = 0; i < size(); ++i, mask += width) {
      legal(game_, states_[i], actions);
      for (Action action : actions) mask[action] = true;
    }
  }

  // One uniformly random legal action for each state.
  void random_actions(Action* out, Rng& rng) const {
    Actions<G> actions;
    for (std::size_t i = 0; i < size(); ++i) {
      legal(game_, states_[i], actions);
      out[i] = actions[static_cast<int>(rng.below(static_cast<std::uint32_t>(actions.size)))];
    }
  }

  // The tensors of the seats on turn: [N, ...tensor_shape].
  void tensor(float* out, std::size_t stride) const {
    for (const State<G>& state : states_) {
      game_.tensor(ViewRef<G>(state, state.pub.turn), out);
      out += stride;
    }
  }

 private:
  const G& game_;
  Rng seeds_;
  std::vector<State<G>> states_;
  std::vector<std::uint64_t> dealt_;

  // A deal without a legal action is over before it starts; it is skipped.
  void deal(std::size_t i) {
    do {
      dealt_[i] = seeds_.next();
      game_.deal(states_[i], Rng{dealt_[i]});
    } while (states_[i].pub.turn == kNobody);
  }
};

}  // namespace ludoteca
