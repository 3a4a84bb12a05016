// Rollouts for Kittens: the mean return of each action over worlds from the seat's posterior.
#pragma once

#include <cmath>
#include <numeric>
#include <unordered_map>

#include "kittens/response_tree.hpp"
#include "kittens/belief/opponent_model.hpp"
#include "search/choice.hpp"
#include "search/workers.hpp"
#include "search/limits.hpp"
#include "search/resources.hpp"

namespace ludoteca {

// View.sample draws a determinization as if the opponent chose uniformly. This chain corrects that by independent
// Metropolis-Hastings: a new world replaces the last one with a probability that grows with the likelihood of the
// opponent's actions in it. In the long run each world occurs in proportion to its posterior.
class KittensPosteriorWorlds {
 public:
  struct Sample {
    const State<Kittens>& world;
    std::size_t opponent;  // its type in KittensOpponentModel, sampled too
  };

  KittensPosteriorWorlds(const Kittens& rules, const KittensOpponentModel& model, const View<Kittens>& view, Rng rng)
      : worlds_(rules, view), model_(model), rng_(rng) {
    for (int i = 0; i < kBurnIn; ++i) step();
  }

  Sample next() {
    step();
    double left = rng_.unit() * likelihood_;
    std::size_t type = 0;
    while (type + 1 < model_.types() && (left -= by_type_[type]) >= 0) ++type;
    return {world_, type};
  }

  // The posterior of each opponent type in the last world.
  KittensOpponentModel::Weights opponent_posterior() const {
    KittensOpponentModel::Weights out = by_type_;
    for (double& each : out) each /= likelihood_;
    return out;
  }

 private:
  static constexpr int kBurnIn = 24;

  const KittensWorlds worlds_;
  const KittensOpponentModel& model_;
  Rng rng_;
  State<Kittens> world_, proposal_;
  std::unordered_map<std::uint64_t, double> probabilities_;  // of the network, by what the opponent saw
  KittensOpponentModel::Weights by_type_{};  // prior times likelihood, by type
  double likelihood_ = 0;                    // their sum

  void step() {
    KittensOpponentModel::Weights by_type = model_.prior();
    worlds_.sample(rng_, proposal_, [&](const State<Kittens>& then, Action action) {
      for (std::size_t type = 0; type < model_.types(); ++type) {
        const ViewRef<Kittens> v(then, then.pub.turn);
        if (!model_.is_network(type)) {
          by_type[type] *= model_.probability(type, v, action);
          continue;
        }
        const std::uint64_t key = Hasher(static_cast<std::uint64_t>(action)).add(v.pub).add(v.own).value();
        auto [at, fresh] = probabilities_.try_emplace(key, 0.0);
        if (fresh) at->second = model_.probability(type, v, action);
        by_type[type] *= at->second;
      }
    });
    double likelihood = 0;
    for (std::size_t type = 0; type < model_.types(); ++type) likelihood += by_type[type];
    if (rng_.unit() * likelihood_ >= likelihood) return;
    world_ = proposal_;
    by_type_ = by_type;
    likelihood_ = likelihood;
  }
};

// With a network the choice is its policy, changed by what the simulations find against opponents that err: see `mixed`.
// Without one it is the action with the highest mean.
//
// Every world is simulated once for each action that is still in the race, with the same random numbers, so that luck
// is the same for all. An action that is significantly worse than the leader is eliminated. Worlds go to the threads in
// turn and each thread has a tree of its own, so the result depends on the seed and the number of threads but not on
// which thread is faster.
class KittensRollouts {
 public:
  struct Options {
    std::uint64_t worlds;  // at most
    Resources resources;   // memory: of all trees together
  };

  // network: the sensible opponent's, and this seat's policy against it. response: learnt against the other types. Null
  // for none; a response needs a network.
  KittensRollouts(const Kittens& rules, std::span<const KittensTabularPolicy> policies, const ViewNetwork* network,
                  const ViewNetwork* response, Limits& limits)
      : rules_(rules), opponent_(rules, policies, network), limits_(limits) {
    if (network && response) response_.emplace(rules, *response);
  }

  // For the view's seat, which is on turn. Values are mean returns; a node is one simulation.
  void choose(const View<Kittens>& view, Options options, Rng rng, SharedChoice& shared) {
    Actions<Kittens> legal;
    rules_.legal(view, legal);
    std::vector<Arm> arms;
    for (const Action action : legal) arms.push_back({action});
    if (opponent_.network()) {
      NetworkPolicy<Kittens>::Probabilities probabilities;
      opponent_.network()->evaluate(view, legal, probabilities);
      for (std::size_t i = 0; i < arms.size(); ++i) arms[i].prior = static_cast<double>(probabilities[i]);
      if (response_) response_->evaluate(view, legal, probabilities);
      for (std::size_t i = 0; i < arms.size(); ++i) arms[i].response = static_cast<double>(probabilities[i]);
      luck_ = rng.unit();
    }
    Workers workers(options.resources.threads);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      parts.push_back({KittensPosteriorWorlds(rules_, opponent_, view, Rng{rng.next()}),
                       KittensResponseTree(rules_, opponent_, response_ ? &*response_ : nullptr,
                                           options.resources.bytes / workers.size()),
                       Rng{rng.next()}});
    }
    const std::uint64_t per_round = workers.size() == 1 ? 1 : kWorldsPerRound * workers.size();
    for (std::uint64_t done = 0; done < options.worlds;) {
      const std::vector<std::uint64_t> budget = reserve(arms, std::min(per_round, options.worlds - done));
      workers.run([&](std::size_t i) { parts[i].simulate(arms, budget, i, workers.size(), view.seat); });
      for (std::uint64_t world = 0; world < std::min(per_round, options.worlds - done); ++world) {
        const Part& part = parts[world % workers.size()];
        const auto& results = part.results;
        const bool sensible = world / workers.size() < part.sensible.size() && part.sensible[world / workers.size()];
        for (std::size_t i = 0; i < arms.size(); ++i) {
          if (world < budget[i]) arms[i].add(results[world / workers.size() * arms.size() + i], sensible);
        }
        if (limits_.spent()) continue;
        if (done + world + 1 >= kWorldsPerReport) eliminate(arms);
        if ((done + world + 1) % kWorldsPerReport == 0) report(arms, sensible_of(parts), false, shared);
      }
      if (limits_.spent()) return report(arms, sensible_of(parts), false, shared);
      done += std::min(per_round, options.worlds - done);
      if (std::count_if(arms.begin(), arms.end(), [](const Arm& arm) { return !arm.eliminated; }) == 1) break;
    }
    report(arms, sensible_of(parts), true, shared);
  }

 private:
  struct Mean {
    double sum = 0, count = 0;
    double mean() const { return count > 0 ? sum / count : 0; }
    void add(double result) {
      sum += result;
      ++count;
    }
  };
  struct Arm {
    Action action;
    double prior = 0, response = 0;  // of the networks
    bool eliminated = false;
    double sum = 0, last = 0;
    Mean safe{}, exploiting{};  // against sensible opponents, and against the others
    std::uint64_t count = 0;
    double difference = 0, squares = 0;  // to the leader, since it leads

    double mean() const { return count ? sum / static_cast<double>(count) : -2; }
    void add(double result, bool sensible) {
      (sensible ? safe : exploiting).add(result);
      last = result;
      sum += result;
      ++count;
    }
  };
  // What one thread works with.
  struct Part {
    KittensPosteriorWorlds worlds;
    KittensResponseTree tree;
    Rng rng;
    Mean sensible_probability{};  // of the opponent, over the worlds
    std::vector<char> sensible{};  // of a round: by world of this thread
    std::vector<double> results{};  // of a round: by world of this thread, and by arm

    // Simulates arm i in those worlds of this thread that are below budget[i].
    void simulate(const std::vector<Arm>& arms, const std::vector<std::uint64_t>& budget, std::size_t thread,
                  std::size_t threads, Seat seat) {
      results.clear();
      sensible.clear();
      const std::uint64_t end = *std::max_element(budget.begin(), budget.end());
      for (std::uint64_t number = thread; number < end; number += threads) {
        const auto [world, opponent] = worlds.next();
        sensible.push_back(opponent == KittensOpponentModel::kSensible);
        sensible_probability.add(worlds.opponent_posterior()[KittensOpponentModel::kSensible]);
        const Rng luck{rng.next()};
        for (std::size_t i = 0; i < arms.size(); ++i) {
          results.push_back(number < budget[i] ? tree.simulate(world, arms[i].action, seat, opponent, luck) : 0);
        }
      }
    }
  };
  static constexpr std::uint64_t kNodesPerCheck = 8, kWorldsPerReport = 32, kWorldsPerRound = 32;
  static constexpr double kSignificance = 3.5;  // standard deviations
  static constexpr double kExploitation = 1, kCaution = 10, kTrust = 2;  // see `mixed`
  static constexpr double kLowestPrior = 0.001, kRare = 0.05;  // of an action that may be played
  static constexpr double kDecisive = 0.2;  // see `mixed`

  const Kittens& rules_;
  const KittensOpponentModel opponent_;
  std::optional<NetworkPolicy<Kittens>> response_;
  Limits& limits_;
  double luck_ = 0;  // decides between actions of a mixed policy
  std::size_t leader_ = 0;
  std::uint64_t worlds_led_ = 0;  // since the leader leads

  // How many of these worlds the limits leave for each arm.
  std::vector<std::uint64_t> reserve(const std::vector<Arm>& arms, std::uint64_t worlds) {
    std::vector<std::uint64_t> out(arms.size());
    for (std::uint64_t world = 0; world < worlds; ++world) {
      for (std::size_t i = 0; i < arms.size(); ++i) {
        if (arms[i].eliminated) continue;
        if (!limits_.spend(kNodesPerCheck)) return out;
        ++out[i];
      }
    }
    return out;
  }

  // Takes the arms out of the race that are significantly worse than the leader.
  void eliminate(std::vector<Arm>& arms) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < arms.size(); ++i) {
      if (arms[best].eliminated || (!arms[i].eliminated && arms[i].sum > arms[best].sum)) best = i;
    }
    if (best != leader_) {
      leader_ = best;
      for (Arm& arm : arms) arm.difference = arm.squares = 0;
      worlds_led_ = 0;
    }
    ++worlds_led_;
    const auto n = static_cast<double>(worlds_led_);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      Arm& arm = arms[i];
      if (arm.eliminated || i == leader_) continue;
      const double behind = arms[leader_].last - arm.last;
      arm.difference += behind;
      arm.squares += behind * behind;
      const double mean = arm.difference / n, variance = arm.squares / n - mean * mean;
      arm.eliminated = worlds_led_ >= 4 * kWorldsPerReport && mean > kSignificance * std::sqrt((variance + 0.1) / n);
    }
  }

  static double sensible_of(const std::vector<Part>& parts) {
    Mean all;
    for (const Part& part : parts) {
      all.sum += part.sensible_probability.sum;
      all.count += part.sensible_probability.count;
    }
    return all.mean();
  }

  // The mean return. With a network the weaker types have a high prior, so that they are soon exploited; here they count
  // as rarely as they are met: one opponent in ten.
  double value_of(const Arm& arm, double sensible) const {
    if (!opponent_.network() || arm.safe.count <= 0 || arm.exploiting.count <= 0) return arm.mean();
    const double prior = opponent_.prior()[KittensOpponentModel::kSensible];
    const double safe = 9 * (1 - prior) * sensible, exploiting = prior * (1 - sensible);
    return (safe * arm.safe.mean() + exploiting * arm.exploiting.mean()) / (safe + exploiting);
  }

  // An action of the network's policy π, changed where the opponent seems to be no sensible player: in proportion to
  // π^(1-w) ρ^w exp(c q). ρ is the response network's policy and w grows with the probability of the other types; q is the
  // action's mean return against these and c grows with their odds, but not beyond what the number of simulations
  // supports. Against a sensible opponent it is π itself, which cannot be exploited much.
  //
  // As long as the opponent's actions do not speak clearly against a sensible player, only actions that π plays itself
  // are allowed. Near an equilibrium they are all about as good against such a player, so choosing among them costs
  // little; another action, such as a bomb on top in the first turn, would cost much if the opponent is sensible.
  const Arm& mixed(const std::vector<Arm>& arms, double sensible) const {
    double simulations = 0;
    for (const Arm& arm : arms) simulations = std::max(simulations, arm.exploiting.count);
    const double most = response_ ? kTrust * std::sqrt(simulations) : kExploitation * 1e3;
    const double sharpness = std::min(most, kExploitation * (1 - sensible) / std::max(sensible, 1e-3));
    const double share = std::sqrt((1 - sensible) / (1 - sensible + kCaution * sensible));
    std::vector<double> policy;
    double highest = -1e9, sum = 0;
    for (const Arm& arm : arms) {
      policy.push_back((1 - share) * std::log(std::max(arm.prior, kLowestPrior)) +
                       share * std::log(std::max(arm.response, kLowestPrior)) + sharpness * arm.exploiting.mean());
      if (sensible > kDecisive && arm.prior < kRare) policy.back() = -1e8;
      if (!arm.count) policy.back() = -1e9;
      highest = std::max(highest, policy.back());
    }
    for (double& each : policy) sum += each = std::exp(each - highest);
    for (double& each : policy) each = each < kRare * sum ? 0 : each;
    double left = luck_ * std::accumulate(policy.begin(), policy.end(), 0.0);
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < arms.size() && left >= 0; ++i) {
      if (policy[i] > 0) chosen = i;
      left -= policy[i];
    }
    return arms[chosen];
  }

  void report(const std::vector<Arm>& arms, double sensible, bool complete, SharedChoice& shared) {
    Choice found;
    found.complete = complete;
    const Arm* best = nullptr;
    for (const Arm& arm : arms) {
      if (!arm.count) continue;
      found.scores.emplace_back(arm.action, value_of(arm, sensible));
      if (!arm.eliminated && (!best || arm.mean() > best->mean())) best = &arm;
    }
    if (!best) return;
    if (opponent_.network()) best = &mixed(arms, sensible);
    for (auto& [action, score] : found.scores) score = std::min(score, value_of(*best, sensible));  // a higher one is chance
    found.action = best->action;
    found.value = value_of(*best, sensible);
    found.line.add(best->action);
    found.depth = 1;
    shared.update([&](Choice& choice) { choice = std::move(found); });
  }
};

}  // namespace ludoteca
