// The networks of `ludoteca train mmd`, evaluated in the core: a view's numbers through dense layers to a policy, a value
// and a belief. core/mmd/input.hpp says what goes in.
#pragma once

#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "mmd/input.hpp"

namespace ludoteca {

// One dense layer. Its weights lie by input, so that an input of zero costs nothing: most inputs are zero.
class DenseLayer {
 public:
  // weights: [outputs, inputs], as PyTorch stores them.
  DenseLayer(std::span<const float> weights, std::span<const float> bias)
      : inputs_(bias.empty() ? 0 : weights.size() / bias.size()),
        outputs_(bias.size()),
        width_((outputs_ + kPad - 1) / kPad * kPad),
        weights_(inputs_ * width_),
        bias_(width_) {
    if (bias.empty() || weights.size() != inputs_ * outputs_) throw std::invalid_argument("weights and bias do not fit");
    std::copy(bias.begin(), bias.end(), bias_.begin());
    for (std::size_t out = 0; out < outputs_; ++out) {
      for (std::size_t in = 0; in < inputs_; ++in) weights_[in * width_ + out] = weights[out * inputs_ + in];
    }
  }

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t width() const { return width_; }  // outputs, with padding

  // in: [inputs], out: [width].
  void apply(const float* __restrict in, float* __restrict out) const {
    std::array<std::uint16_t, kMaxInputs> active;
    std::size_t count = 0;
    for (std::size_t i = 0; i < inputs_; ++i) {
      active[count] = static_cast<std::uint16_t>(i);
      count += in[i] != 0;
    }
    std::copy(bias_.begin(), bias_.end(), out);
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const float *a = row(active[i]), *b = row(active[i + 1]), *c = row(active[i + 2]), *d = row(active[i + 3]);
      const float x = in[active[i]], y = in[active[i + 1]], z = in[active[i + 2]], w = in[active[i + 3]];
      for (std::size_t k = 0; k < width_; ++k) out[k] += x * a[k] + y * b[k] + (z * c[k] + w * d[k]);
    }
    for (; i < count; ++i) {
      const float *a = row(active[i]), x = in[active[i]];
      for (std::size_t k = 0; k < width_; ++k) out[k] += x * a[k];
    }
  }

  static constexpr std::size_t kMaxInputs = 1024, kPad = 4;

 private:
  std::size_t inputs_, outputs_, width_;
  std::vector<float> weights_, bias_;

  const float* row(std::size_t input) const { return weights_.data() + input * width_; }
};

// found = relu(first(seen)), then found = relu(layer(found)) + found for each hidden layer, then the heads.
// Threads may share it.
class ViewNetwork {
 public:
  static constexpr std::size_t kMaxWidth = DenseLayer::kMaxInputs;

  ViewNetwork(DenseLayer first, std::vector<DenseLayer> hidden, DenseLayer policy, DenseLayer value, DenseLayer belief)
      : first_(std::move(first)), hidden_(std::move(hidden)), policy_(std::move(policy)), value_(std::move(value)),
        belief_(std::move(belief)) {
    const std::size_t width = first_.outputs();
    bool fits = value_.outputs() == 1;
    for (const DenseLayer* each : {&policy_, &value_, &belief_}) {
      fits = fits && each->inputs() == width && each->outputs() <= kMaxWidth;
    }
    for (const DenseLayer& each : hidden_) fits = fits && each.inputs() == width && each.outputs() == width;
    if (!fits || width % DenseLayer::kPad || width > kMaxWidth || first_.inputs() > kMaxWidth) {
      throw std::invalid_argument("the layers of the network do not fit together");
    }
  }

  std::size_t inputs() const { return first_.inputs(); }
  std::size_t actions() const { return policy_.outputs(); }
  std::size_t belief_size() const { return belief_.outputs(); }

  using Numbers = std::array<float, kMaxWidth>;

  // What the heads are computed from.
  void run(const float* seen, Numbers& found) const {
    first_.apply(seen, found.data());
    const std::size_t width = first_.outputs();
    for (std::size_t k = 0; k < width; ++k) found[k] = std::max(found[k], 0.0f);
    Numbers more;
    for (const DenseLayer& layer : hidden_) {
      layer.apply(found.data(), more.data());
      for (std::size_t k = 0; k < width; ++k) found[k] += std::max(more[k], 0.0f);
    }
  }
  void policy(const Numbers& found, Numbers& logits) const { policy_.apply(found.data(), logits.data()); }
  float value(const Numbers& found) const {
    Numbers out;
    value_.apply(found.data(), out.data());
    return std::tanh(out[0]);
  }
  // Probabilities: [belief_size].
  void belief(const Numbers& found, Numbers& out) const {
    belief_.apply(found.data(), out.data());
    for (std::size_t k = 0; k < belief_size(); ++k) out[k] = 1 / (1 + std::exp(-out[k]));
  }

 private:
  DenseLayer first_;
  std::vector<DenseLayer> hidden_;
  DenseLayer policy_, value_, belief_;
};

// A network that plays a game. The view's seat is on turn.
template <Game G>
class NetworkPolicy {
 public:
  using Probabilities = std::array<float, static_cast<std::size_t>(G::kMaxActions)>;  // in the order of the legal actions

  // Both must outlive this. Raises std::invalid_argument for a network of another game.
  NetworkPolicy(const G& rules, const ViewNetwork& network) : rules_(rules), network_(network) {
    if (!fits(rules, network)) throw std::invalid_argument("the network was trained on another game");
  }

  static bool fits(const G& rules, const ViewNetwork& network) {
    return network.inputs() == index(NetworkInput<G>::size(rules)) && network.actions() == index(rules.num_actions());
  }

  // Returns the value.
  float evaluate(ViewRef<G> v, const Actions<G>& legal, Probabilities& out) const {
    ViewNetwork::Numbers seen, found, logits;
    NetworkInput<G>::write(rules_, v, seen.data());
    network_.run(seen.data(), found);
    network_.policy(found, logits);
    float highest = -1e30f, sum = 0;
    for (const Action action : legal) highest = std::max(highest, logits[index(action)]);
    for (int i = 0; i < legal.size; ++i) sum += out[index(i)] = std::exp(logits[index(legal[i])] - highest);
    for (int i = 0; i < legal.size; ++i) out[index(i)] /= sum;
    return network_.value(found);
  }

  float value(ViewRef<G> v) const {
    ViewNetwork::Numbers seen, found;
    NetworkInput<G>::write(rules_, v, seen.data());
    network_.run(seen.data(), found);
    return network_.value(found);
  }

  // An action of its policy, without those below `rare`, with its chance of u in [0, 1).
  static int sample(const Probabilities& probabilities, int count, float rare, double u) {
    float sum = 0;
    int best = 0;
    for (int i = 0; i < count; ++i) {
      if (probabilities[index(i)] >= rare) sum += probabilities[index(i)];
      if (probabilities[index(i)] > probabilities[index(best)]) best = i;
    }
    double left = u * static_cast<double>(sum);
    for (int i = 0; i < count; ++i) {
      if (probabilities[index(i)] < rare) continue;
      left -= static_cast<double>(probabilities[index(i)]);
      if (left < 0) return i;
    }
    return best;
  }

 private:
  const G& rules_;
  const ViewNetwork& network_;
};

}  // namespace ludoteca
