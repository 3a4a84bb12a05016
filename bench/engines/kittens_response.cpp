// Trains the response network of the Kittens engine: by proximal policy optimisation against the weaker players of its
// opponent model, v1, v1:variant=program, v2 and random. bench/engines/kittens_response.py compiles and runs it.
//
//     kittens_response TABLES MINUTES WEIGHTS [BEGIN]
//
// TABLES has the moves and places of the three documented players, as core/kittens/tabular_policy.hpp lays them out.
// WEIGHTS gets the layers first, hidden, policy and value: each its rows and columns, weights and bias. BEGIN, in the
// same form, is where the training starts; without it, from random weights. The weights are saved every minute, at the
// end, and after an interrupt (SIGINT), which ends the training.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "kittens/playout.hpp"
#include "kittens/tabular_policy.hpp"
#include "kittens/worlds.hpp"
#include "mmd/input.hpp"

using namespace ludoteca;

namespace {

constexpr std::size_t kActions = 9, kWidth = 64;
constexpr std::size_t kInputs = Kittens::kTensor + NetworkInput<Kittens>::kEvents * NetworkInput<Kittens>::kEvent;
constexpr std::size_t kTypes = 4, kRandom = 3;
constexpr int kMatches = 4096, kEpochs = 2;  // per round of the training
constexpr int kEvaluation = 40000;           // matches against each player at the end
constexpr std::size_t kBatch = 2048;
constexpr double kSaveEvery = 60;  // seconds
constexpr double kAgainstV2 = 0.8;  // share of the matches; half of the others are against random
constexpr float kClip = 0.2f, kTrace = 0.95f;

using Units = std::array<float, kWidth>;
using Logits = std::array<float, kActions>;

struct Weights {
  std::array<Units, kInputs> first;
  Units first_bias;
  std::array<Units, kWidth> hidden;
  Units hidden_bias;
  std::array<Logits, kWidth> policy;
  Logits policy_bias;
  Units value;
  float value_bias;
  float* numbers() { return reinterpret_cast<float*>(this); }
};
constexpr std::size_t kNumbers = sizeof(Weights) / sizeof(float);

// The inputs that are not zero.
struct Seen {
  std::vector<std::pair<std::uint16_t, float>> inputs;
};
struct Found {
  Units first, sum, hidden;
  Logits logits;
  float value;
};
struct Choice {
  Seen seen;
  std::array<bool, kActions> legal{};
  std::size_t action;
  float log_probability, value, advantage, target;
};

const Kittens kGame({4, 2, 2, 2, 1, 1, 1, 17}, false, false, false, 200);
Weights weights{}, gradient{}, mean{}, square{};
Rng rng{12345};
volatile std::sig_atomic_t interrupted = 0;

void run(const Seen& seen, Found& out) {
  Units sum = weights.first_bias;
  for (const auto& [input, x] : seen.inputs) {
    for (std::size_t k = 0; k < kWidth; ++k) sum[k] += x * weights.first[input][k];
  }
  for (std::size_t k = 0; k < kWidth; ++k) out.first[k] = std::max(sum[k], 0.0f);
  out.sum = weights.hidden_bias;
  for (std::size_t j = 0; j < kWidth; ++j) {
    for (std::size_t k = 0; k < kWidth; ++k) out.sum[k] += out.first[j] * weights.hidden[j][k];
  }
  for (std::size_t k = 0; k < kWidth; ++k) out.hidden[k] = out.first[k] + std::max(out.sum[k], 0.0f);
  out.logits = weights.policy_bias;
  float value = weights.value_bias;
  for (std::size_t j = 0; j < kWidth; ++j) {
    for (std::size_t i = 0; i < kActions; ++i) out.logits[i] += out.hidden[j] * weights.policy[j][i];
    value += out.hidden[j] * weights.value[j];
  }
  out.value = std::tanh(value);
}

Logits softmax(const Logits& logits, const std::array<bool, kActions>& legal) {
  Logits out{};
  float highest = -1e9f, sum = 0;
  for (std::size_t i = 0; i < kActions; ++i) highest = legal[i] ? std::max(highest, logits[i]) : highest;
  for (std::size_t i = 0; i < kActions; ++i) sum += out[i] = legal[i] ? std::exp(logits[i] - highest) : 0;
  for (float& each : out) each /= sum;
  return out;
}

Choice choose(ViewRef<Kittens> v, const Actions<Kittens>& legal, bool best) {
  std::array<float, kInputs> numbers;
  NetworkInput<Kittens>::write(kGame, v, numbers.data());
  Choice choice;
  for (std::size_t i = 0; i < kInputs; ++i) {
    if (numbers[i] != 0) choice.seen.inputs.emplace_back(static_cast<std::uint16_t>(i), numbers[i]);
  }
  for (const Action action : legal) choice.legal[index(action)] = true;
  Found found;
  run(choice.seen, found);
  const Logits probabilities = softmax(found.logits, choice.legal);
  float left = static_cast<float>(rng.unit());
  for (const Action action : legal) {
    choice.action = index(action);
    left -= probabilities[choice.action];
    if (left < 0) break;
  }
  if (best) {
    const auto highest = std::max_element(probabilities.begin(), probabilities.end());
    choice.action = static_cast<std::size_t>(highest - probabilities.begin());
  }
  choice.log_probability = std::log(std::max(probabilities[choice.action], 1e-8f));
  choice.value = found.value;
  return choice;
}

// One match of the learner in a seat. Its choices with their generalised advantages are added; without a place for them
// it plays its most likely actions. Returns whether it won.
bool play(const std::vector<KittensTabularPolicy>& players, std::size_t type, Seat seat, std::vector<Choice>* kept) {
  std::vector<Choice> none;
  std::vector<Choice>& choices = kept ? *kept : none;
  State<Kittens> state;
  kGame.deal(state, Rng{rng.next()});
  const std::size_t begin = choices.size();
  while (state.pub.turn != kNobody) {
    const ViewRef<Kittens> v(state, state.pub.turn);
    Actions<Kittens> legal;
    kGame.legal(v, legal);
    Action action = legal[0];
    if (v.seat != seat && type == kRandom) {
      action = legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size)))];
    } else if (v.seat != seat) {
      action = players[type].sample(v, rng);
    } else if (legal.size > 1) {
      choices.push_back(choose(v, legal, !kept));
      action = static_cast<Action>(choices.back().action);
    }
    kGame.apply(state, action);
  }
  const auto result = static_cast<float>(kGame.returns(state.pub)[index(seat)]);
  float next = result, trace = 0;
  for (std::size_t i = choices.size(); i-- > begin;) {
    Choice& choice = choices[i];
    trace = next - choice.value + kTrace * trace;
    choice.advantage = trace;
    choice.target = choice.value + trace;
    next = choice.value;
  }
  return result > 0;
}

// Adds the gradient of one choice's loss.
void learn(const Choice& choice, float advantage, float entropy) {
  Found found;
  run(choice.seen, found);
  const Logits p = softmax(found.logits, choice.legal);
  const float ratio = std::exp(std::log(std::max(p[choice.action], 1e-8f)) - choice.log_probability);
  const bool clipped = (advantage > 0 && ratio > 1 + kClip) || (advantage < 0 && ratio < 1 - kClip);
  float disorder = 0;
  for (const float each : p) disorder -= each > 0 ? each * std::log(each) : 0;
  Logits logits{};
  for (std::size_t i = 0; i < kActions; ++i) {
    if (!choice.legal[i]) continue;
    if (!clipped) logits[i] -= advantage * ratio * (static_cast<float>(i == choice.action) - p[i]);
    if (p[i] > 0) logits[i] += entropy * p[i] * (std::log(p[i]) + disorder);
  }
  const float value = (found.value - choice.target) * (1 - found.value * found.value);
  Units hidden, sum, first;
  gradient.value_bias += value;
  for (std::size_t i = 0; i < kActions; ++i) gradient.policy_bias[i] += logits[i];
  for (std::size_t j = 0; j < kWidth; ++j) {
    hidden[j] = value * weights.value[j];
    gradient.value[j] += value * found.hidden[j];
    for (std::size_t i = 0; i < kActions; ++i) {
      hidden[j] += logits[i] * weights.policy[j][i];
      gradient.policy[j][i] += logits[i] * found.hidden[j];
    }
    gradient.hidden_bias[j] += sum[j] = found.sum[j] > 0 ? hidden[j] : 0;
  }
  for (std::size_t j = 0; j < kWidth; ++j) {
    first[j] = 0;
    if (found.first[j] <= 0) continue;
    first[j] = hidden[j];
    for (std::size_t k = 0; k < kWidth; ++k) {
      first[j] += sum[k] * weights.hidden[j][k];
      gradient.hidden[j][k] += sum[k] * found.first[j];
    }
    gradient.first_bias[j] += first[j];
  }
  for (const auto& [input, x] : choice.seen.inputs) {
    for (std::size_t k = 0; k < kWidth; ++k) gradient.first[input][k] += x * first[k];
  }
}

// Adam, with the gradient of a batch cut to the length 1.
void step(double rate) {
  static int steps = 0;
  ++steps;
  double length = 0;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    gradient.numbers()[i] /= static_cast<float>(kBatch);
    length += static_cast<double>(gradient.numbers()[i]) * static_cast<double>(gradient.numbers()[i]);
  }
  const double scale = length > 1 ? 1 / std::sqrt(length) : 1;
  const double one = 1 - std::pow(0.9, steps), two = 1 - std::pow(0.999, steps);
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const double g = scale * static_cast<double>(gradient.numbers()[i]);
    float &m = mean.numbers()[i], &s = square.numbers()[i];
    m = static_cast<float>(0.9 * static_cast<double>(m) + 0.1 * g);
    s = static_cast<float>(0.999 * static_cast<double>(s) + 0.001 * g * g);
    const double move = static_cast<double>(m) / one / (std::sqrt(static_cast<double>(s) / two) + 1e-7);
    weights.numbers()[i] -= static_cast<float>(rate * move);
  }
  gradient = {};
}

// The layers as files have them: for each f(weights by column, bias, rows).
template <class F>
void each_layer(F f) {
  f(weights.first, weights.first_bias.data(), kWidth);
  f(weights.hidden, weights.hidden_bias.data(), kWidth);
  f(weights.policy, weights.policy_bias.data(), kActions);
  f(weights.value, &weights.value_bias, std::size_t{1});
}

// A file that is already there stays whole until the new one is.
bool save(const std::string& path) {
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished, std::ios::binary);
  each_layer([&](auto& layer, const float* bias, std::size_t rows) {
    const auto columns = static_cast<std::int32_t>(layer.size()), count = static_cast<std::int32_t>(rows);
    file.write(reinterpret_cast<const char*>(&count), 4).write(reinterpret_cast<const char*>(&columns), 4);
    for (std::size_t row = 0; row < rows; ++row) {
      for (const auto& column : layer) file.write(reinterpret_cast<const char*>(&column) + 4 * row, 4);
    }
    file.write(reinterpret_cast<const char*>(bias), static_cast<std::streamsize>(4 * rows));
  });
  file.close();
  return file && !std::rename(unfinished.c_str(), path.c_str());
}

bool load(const char* path) {
  std::ifstream file(path, std::ios::binary);
  bool fits = true;
  each_layer([&](auto& layer, float* bias, std::size_t rows) {
    std::int32_t columns = 0, count = 0;
    file.read(reinterpret_cast<char*>(&count), 4).read(reinterpret_cast<char*>(&columns), 4);
    fits = fits && count == static_cast<std::int32_t>(rows) && columns == static_cast<std::int32_t>(layer.size());
    for (std::size_t row = 0; row < rows && fits; ++row) {
      for (auto& column : layer) file.read(reinterpret_cast<char*>(&column) + 4 * row, 4);
    }
    file.read(reinterpret_cast<char*>(bias), static_cast<std::streamsize>(4 * rows));
  });
  return fits && file;
}

}  // namespace

int main(int count, char** given) {
  if (count < 4) return std::fprintf(stderr, "tables, minutes, weights\n"), 1;
  std::vector<KittensTabularPolicy> players(kRandom);
  std::ifstream tables(given[1], std::ios::binary);
  for (KittensTabularPolicy& each : players) {
    tables.read(reinterpret_cast<char*>(each.moves.data()), static_cast<std::streamsize>(12 * each.moves.size()));
    tables.read(reinterpret_cast<char*>(each.places.data()), static_cast<std::streamsize>(each.places.size()));
  }
  if (!tables) return std::fprintf(stderr, "%s is too short\n", given[1]), 1;
  const auto normal = [](float deviation) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += rng.unit();
    return deviation * static_cast<float>(sum);
  };
  for (Units& row : weights.first) for (float& each : row) each = normal(0.15f);
  for (Units& row : weights.hidden) for (float& each : row) each = normal(0.5f * std::sqrt(2.0f / kWidth));
  for (Logits& row : weights.policy) for (float& each : row) each = normal(0.02f);
  if (count > 4 && !load(given[4])) return std::fprintf(stderr, "%s has other layers\n", given[4]), 1;
  const double rate = count > 4 ? 5e-4 : 1e-3, entropy = count > 4 ? 3e-3 : 0.01;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  const auto begin = std::chrono::steady_clock::now();
  double saved = 0;
  const double minutes = std::atof(given[2]);
  std::array<double, kTypes> wins{}, played{};
  std::vector<Choice> choices;
  for (long matches = 0;;) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    const double left = 1 - passed.count() / 60 / minutes;
    if (left <= 0 || interrupted) break;
    if (passed.count() >= saved + kSaveEvery) {
      saved = passed.count();
      if (!save(given[3])) return std::fprintf(stderr, "%s cannot be written\n", given[3]), 1;
    }
    choices.clear();
    for (int i = 0; i < kMatches; ++i, ++matches) {
      const std::size_t type = rng.unit() < kAgainstV2 ? 2 : rng.unit() < 0.5 ? kRandom : rng.below(2);
      wins[type] = 0.999 * wins[type] + play(players, type, static_cast<Seat>(i % 2), &choices);
      played[type] = 0.999 * played[type] + 1;
    }
    float average = 0, squares = 0;
    const auto number = static_cast<float>(choices.size());
    for (const Choice& each : choices) average += each.advantage / number, squares += each.advantage * each.advantage / number;
    const float deviation = std::sqrt(squares - average * average) + 1e-4f;
    std::vector<std::size_t> order(choices.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      rng.shuffle(order.data(), static_cast<int>(order.size()));
      for (std::size_t at = 0; at + kBatch <= order.size(); at += kBatch) {
        for (std::size_t i = at; i < at + kBatch; ++i) {
          const Choice& each = choices[order[i]];
          learn(each, (each.advantage - average) / deviation, static_cast<float>(entropy * left * left + 1e-4));
        }
        step(rate * left + 2e-5);
      }
    }
    std::printf("%ld matches; won against v1, v1:variant=program, v2, random:", matches);
    for (std::size_t type = 0; type < kTypes; ++type) std::printf(" %.1f%%", 100 * wins[type] / std::max(played[type], 1.0));
    std::printf("\n");
    std::fflush(stdout);
  }
  if (!save(given[3])) return std::fprintf(stderr, "%s cannot be written\n", given[3]), 1;
  if (interrupted) return 0;
  std::printf("by its most likely actions, %d matches each:", kEvaluation);
  for (std::size_t type = 0; type < kTypes; ++type) {
    int won = 0;
    for (int i = 0; i < kEvaluation; ++i) won += play(players, type, static_cast<Seat>(i % 2), nullptr);
    std::printf(" %.2f%%", 100.0 * won / kEvaluation);
  }
  std::printf("\n");
}
