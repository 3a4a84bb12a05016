// Learns the weights of core/dominoes/rollout_policy.hpp by self-play and prints them as core/dominoes/rollout_weights.hpp
// has them. From the root of the repository (ten seconds):
//
//     g++ -std=c++20 -O3 -Icore bench/engines/dominoes_policy.cpp -o dominoes_policy && ./dominoes_policy 300 3000
//
// Policy gradients: each deal is played twice by the same policy, and the difference of the two results is credited to
// the choices that differ. Half of the rounds are double-six, the others double-three to double-nine; the best tile or
// seat 0 starts.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "dominoes/rollout_policy.hpp"

using namespace ludoteca;
using Policy = DominoesRolloutPolicy;

namespace {

using Gradient = std::array<double, std::tuple_size_v<Policy::Weights>>;

// What seat 0 gets; adds the gradient of seat 0's choices, less that of seat 1's.
double play(const Dominoes& game, const State<Dominoes>& dealt, const Policy& zero, const Policy& one, Rng& rng, Gradient* sum) {
  DominoesRound round(game, dealt.pub);
  round.hands = {dealt.own[0].hand, dealt.own[1].hand};
  round.order = dealt.hidden.boneyard.data();
  if (game.double_starts) round.lay(2 * kTiles.best(round.hands[index(round.turn)]));
  Actions<Dominoes> actions;
  Policy::Probabilities probabilities;
  Policy::Weights part;
  while (round.advance()) {
    const Seat seat = round.turn;
    round.actions(actions);
    int chosen = 0;
    if (actions.size > 1) {
      const Policy& policy = seat == 0 ? zero : one;
      const Policy::Situation at = policy.situation(round);
      policy.probabilities(at, actions, 1, probabilities);
      chosen = Policy::sample(probabilities, actions.size, rng);
      for (int i = 0; sum && i < actions.size; ++i) {
        policy.gradient(at, actions[i], part);
        const double factor = (seat == 0 ? 1 : -1) * ((i == chosen) - static_cast<double>(probabilities[index(i)]));
        for (std::size_t k = 0; k < part.size(); ++k) (*sum)[k] += factor * part[k];
      }
    }
    round.lay(actions[chosen]);
    if (!round.hands[index(seat)]) return round.won_by(game, seat);
  }
  return round.blocked(game);
}

}  // namespace

int main(int count, char** given) {
  if (count < 3) return std::fprintf(stderr, "steps, deals a step\n"), 1;
  const int steps = std::atoi(given[1]), deals = std::atoi(given[2]);
  std::vector<std::unique_ptr<Dominoes>> games;
  for (int pips = 3; pips <= Tiles::kMaxPips; ++pips) {
    for (const bool best : {true, false}) {
      const int hand = std::min(7, Tiles::of_set(pips) / 4);
      for (int i = 0; i < (pips == 6 ? 6 : 1); ++i) {
        games.push_back(std::make_unique<Dominoes>(pips, hand, true, best, true, false));
      }
    }
  }
  Rng rng{1};
  Policy::Weights weights{};
  Gradient mean{}, square{};
  for (int step = 1; step <= steps; ++step) {
    std::vector<Policy> policies;
    policies.reserve(games.size());
    for (const auto& game : games) policies.emplace_back(*game, weights);
    Gradient gradient{};
    for (int i = 0; i < deals; ++i) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(games.size()));
      State<Dominoes> dealt;
      games[at]->deal(dealt, Rng{rng.next()});
      Gradient first{}, second{};
      const double difference = play(*games[at], dealt, policies[at], policies[at], rng, &first) -
                                play(*games[at], dealt, policies[at], policies[at], rng, &second);
      for (std::size_t k = 0; k < weights.size(); ++k) gradient[k] += difference * (first[k] - second[k]) / 2;
    }
    const double rate = step < steps / 2 ? 0.1 : 0.03;  // Adam
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double one = gradient[k] / deals;
      mean[k] = 0.9 * mean[k] + 0.1 * one;
      square[k] = 0.99 * square[k] + 0.01 * one * one;
      const double corrected = std::sqrt(square[k] / (1 - std::pow(0.99, step)));
      weights[k] += static_cast<float>(rate * mean[k] / (1 - std::pow(0.9, step)) / (corrected + 1e-4));
    }
    if (step % std::max(1, steps / 4)) continue;
    const Dominoes& six = *games[6];  // double-six, the best tile starts
    const Policy now(six, weights), uniform(six, Policy::Weights{});
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) {
      State<Dominoes> dealt;
      six.deal(dealt, Rng{rng.next()});
      sum += play(six, dealt, now, uniform, rng, nullptr) - play(six, dealt, uniform, now, rng, nullptr);
    }
    std::fprintf(stderr, "step %d: %.1f%% against random actions in double-six\n", step, 50 + 100 * sum / 40'000);
  }
  std::printf("inline constexpr DominoesRolloutPolicy::Weights DominoesRolloutPolicy::kDraw = {");
  for (std::size_t k = 0; k < weights.size(); ++k) std::printf("%s%.2ff,", k % Policy::kFeatures ? " " : "\n    ", weights[k]);
  std::printf("\n};\n");
}
