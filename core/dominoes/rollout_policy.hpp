// A policy for Dominoes with drawing, without search: how both seats play on in playouts, and how likely a past choice was.
#pragma once

#include <cmath>
#include <span>

#include "dominoes/round.hpp"

namespace ludoteca {

// A softmax over linear scores of what the seat on turn knows. The weights were learned by self-play with policy
// gradients, over double-three to double-nine (bench/engines/dominoes_policy.cpp).
class DominoesRolloutPolicy {
 public:
  using Set = Tiles::Set;
  static constexpr int kFeatures = 14;
  // Three weights for each feature: alone, divided by the tiles that this seat keeps, and by the other's tiles.
  using Weights = std::array<float, 3 * kFeatures>;
  using Features = std::array<float, kFeatures>;
  using Probabilities = std::array<float, Dominoes::kMaxActions>;

  // What a seat knows when it chooses.
  struct Situation {
    Set hand, unseen;
    Dominoes::Ends ends;
    std::uint16_t lacks;  // the numbers that the other has shown to lack
    int theirs;           // the other's tiles
  };

  explicit DominoesRolloutPolicy(const Dominoes& game) : DominoesRolloutPolicy(game, kDraw) {}
  DominoesRolloutPolicy(const Dominoes& game, const Weights& weights)
      : weights_(weights),
        all_(game.all()),
        numbers_(game.pips + 1),
        per_pip_(0.5f / static_cast<float>(game.pips)),
        per_number_(1.0f / static_cast<float>(game.pips + 1)) {}

  Situation situation(const DominoesRound& round) const {
    const std::size_t me = index(round.turn);
    return {round.hands[me], all_ & ~(round.hands[me] | round.laid), round.ends, round.lacks[1 - me],
            std::popcount(round.hands[1 - me])};
  }

  // The probability of each action. sharpness: factor of the scores; 0 makes all actions equally likely.
  void probabilities(const Situation& at, const Actions<Dominoes>& actions, float sharpness, Probabilities& out) const {
    const Scale scale(*this, at);
    Features weights;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      weights[i] = sharpness * (weights_[i] + scale.per_kept * weights_[kFeatures + i] +
                                scale.per_theirs * weights_[2 * kFeatures + i]);
    }
    float highest = -1e9f;
    Features found;
    for (int i = 0; i < actions.size; ++i) {
      features(at, scale, actions[i], found);
      float score = 0;
      for (std::size_t k = 0; k < kFeatures; ++k) score += weights[k] * found[k];
      out[index(i)] = score;
      highest = std::max(highest, score);
    }
    float sum = 0;
    for (int i = 0; i < actions.size; ++i) sum += out[index(i)] = std::exp(out[index(i)] - highest);
    for (int i = 0; i < actions.size; ++i) out[index(i)] /= sum;
  }

  static int sample(const Probabilities& probabilities, int count, Rng& rng) {
    float left = static_cast<float>(rng.unit());
    int i = 0;
    for (; i + 1 < count; ++i) {
      left -= probabilities[index(i)];
      if (left < 0) break;
    }
    return i;
  }

  // The factor of each weight in an action's score, for training.
  void gradient(const Situation& at, Action action, Weights& out) const {
    const Scale scale(*this, at);
    Features found;
    features(at, scale, action, found);
    for (std::size_t i = 0; i < kFeatures; ++i) {
      out[i] = found[i];
      out[kFeatures + i] = found[i] * scale.per_kept;
      out[2 * kFeatures + i] = found[i] * scale.per_theirs;
    }
  }

 private:
  // What all actions of a situation share.
  struct Scale {
    Set theirs;  // the tiles that the other may hold
    int count;   // of them
    float per_kept, per_theirs;
    std::array<std::uint8_t, Tiles::kMaxPips + 1> held{};  // own tiles by number
    int numbers = 0;                                       // that this seat holds

    Scale(const DominoesRolloutPolicy& policy, const Situation& at)
        : theirs(policy.candidates(at)),
          count(std::popcount(theirs)),
          per_kept(1.0f / static_cast<float>(std::max(std::popcount(at.hand) - 1, 1))),
          per_theirs(1.0f / static_cast<float>(std::max(at.theirs, 1))) {
      for (std::size_t i = 0; i < index(policy.numbers_); ++i) {
        held[i] = static_cast<std::uint8_t>(std::popcount(at.hand & kTiles.with[i]));
        numbers += held[i] > 0;
      }
    }
  };

  const Weights weights_;
  const Set all_;
  const int numbers_;
  const float per_pip_, per_number_;

  // What the other lacked may have come into its hand by drawing; then it does not rule tiles out.
  Set candidates(const Situation& at) const {
    Set out = at.unseen;
    for (unsigned left = at.lacks; left; left &= left - 1) out &= ~kTiles.with[index(std::countr_zero(left))];
    return std::popcount(out) >= at.theirs ? out : at.unseen;
  }

  void features(const Situation& at, const Scale& scale, Action action, Features& out) const {
    const int tile = action / 2;
    const std::size_t side = index(action % 2), high = kTiles.hi[index(tile)], low = kTiles.lo[index(tile)];
    Dominoes::Ends ends = at.ends;
    const int covered = ends[side];
    Dominoes::extend(ends, tile, side);
    const Set kept = at.hand & ~Tiles::one(tile), fits = Dominoes::fitting(ends);
    const int mine = std::popcount(kept & fits), answers = std::popcount(scale.theirs & fits);
    const auto share = [](int part, int of) { return static_cast<float>(part) / static_cast<float>(std::max(of, 1)); };
    const float stuck = std::pow(share(scale.count - answers, scale.count), static_cast<float>(at.theirs));
    const bool left = at.lacks >> ends[0] & 1, right = at.lacks >> ends[1] & 1;
    out[0] = static_cast<float>(high + low) * per_pip_;
    out[1] = high == low;
    out[2] = static_cast<float>(mine) * scale.per_kept;  // own tiles that fit then
    out[3] = mine == 0;
    out[4] = stuck;  // how likely the other has no answer
    out[5] = share(answers, scale.count);
    out[6] = static_cast<float>(std::popcount(kept & kTiles.with[index(ends[side])])) * scale.per_kept;
    out[7] = covered < 0 ? 0 : static_cast<float>(std::popcount(kept & kTiles.with[index(covered)])) * scale.per_kept;
    const int lost = (scale.held[high] == 1) + (high != low && scale.held[low] == 1);
    out[8] = static_cast<float>(scale.numbers - lost) * per_number_;
    out[9] = ends[0] == ends[1];
    out[10] = static_cast<float>(left + right);
    out[11] = left && right;
    out[12] = mine > 0 ? stuck : 0;
    out[13] = mine > 1 ? stuck : 0;
  }

  static const Weights kDraw;
};

}  // namespace ludoteca

#include "dominoes/rollout_weights.hpp"
