// Counterfactual regret minimisation (CFR+) over the information sets of a small game for two seats, and best
// responses.
//
// Each iteration updates seat 0, then seat 1. In every information set of the seat, the regret of an action grows by
// what the action would have gained over the current strategy, weighted by how likely chance and the other seat lead
// there; it never falls below 0. The current strategy is proportional to the regrets. The average strategy, in which
// later iterations weigh more, converges to an equilibrium.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "search/information_sets.hpp"

namespace ludoteca {

class CfrPlus {
 public:
  using Set = InformationSets::Set;
  // Probabilities by information set and action, see Set::first_action; those of a set sum to 1.
  using Strategy = std::vector<double>;

  // tremble: the share of each strategy that is spread evenly over all actions. Without it nothing is learned about
  // play after a mistake that the other seat never makes.
  CfrPlus(const InformationSets& tree, double tremble)
      : tree_(tree),
        tremble_(tremble),
        regrets_(tree.actions.size()),
        strategy_sums_(tree.actions.size()),
        strategy_(uniform(tree)),
        values_(tree.nodes()) {
    for (auto& each : reach_) each.assign(tree.nodes(), 1.0);
  }

  int iterations() const { return iterations_; }

  // One iteration; `spend()` is called for each node. When it returns false the iteration stays unfinished, which loses
  // nothing. Returns whether it was finished.
  template <class Spend>
  bool iterate(Spend spend) {
    ++iterations_;
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      if (!compute_reach(strategy_, spend) || !update(seat, spend)) return --iterations_, false;
    }
    return true;
  }

  // The average strategy, in one information set.
  void average_strategy(std::size_t number, double* out) const {
    const auto& set = tree_.sets[number];
    double total = 0;
    for (int k = 0; k < set.actions; ++k) total += strategy_sums_[index(set.first_action + k)];
    for (int k = 0; k < set.actions; ++k) {
      out[k] = total > 0 ? strategy_sums_[index(set.first_action + k)] / total : 1.0 / set.actions;
    }
  }
  Strategy average_strategy() const {
    Strategy out(tree_.actions.size());
    for (std::size_t i = 0; i < tree_.sets.size(); ++i) average_strategy(i, &out[index(tree_.sets[i].first_action)]);
    return out;
  }

  static Strategy uniform(const InformationSets& tree) {
    Strategy out(tree.actions.size());
    for (const auto& set : tree.sets) {
      std::fill_n(out.begin() + set.first_action, set.actions, 1.0 / set.actions);
    }
    return out;
  }

  // The expected return of seat 0 when both seats play the strategy.
  double value(const Strategy& strategy) {
    const auto always = [] { return true; };
    return *value(Seat{0}, strategy, always, [&](const Set& set, std::array<double, kMaxActions>& gains) {
      std::copy_n(strategy.begin() + set.first_action, set.actions, gains.begin());
    });
  }

  // The expected return of `seat` when it plays a best response to the other's strategy.
  double best_response(Seat seat, const Strategy& strategy) {
    const auto always = [] { return true; };
    compute_reach(strategy, always);
    return *value(seat, strategy, always, [&](const Set& set, std::array<double, kMaxActions>& gains) {
      const double best = *std::max_element(gains.begin(), gains.begin() + set.actions);
      for (int k = 0; k < set.actions; ++k) gains[index(k)] = gains[index(k)] == best;
      const auto first = std::find(gains.begin(), gains.begin() + set.actions, 1.0);
      std::fill(first + 1, gains.begin() + set.actions, 0.0);
    });
  }

  // The expected return of each action of an information set, for its seat, when both play the strategy. `spend()` is
  // called for each node; the result is empty when it returns false. If the other's strategy never leads there, all
  // nodes of the set count the same.
  template <class Spend>
  std::vector<double> scores(std::size_t number, const Strategy& strategy, Spend spend) {
    const Seat seat = tree_.sets[number].seat;
    std::vector<double> out(index(tree_.sets[number].actions));
    if (!compute_reach(strategy, spend)) return {};
    const auto found = value(seat, strategy, spend, [&](const Set& set, std::array<double, kMaxActions>& gains) {
      if (&set == &tree_.sets[number]) {
        double reach = 0;
        for (int i = 0; i < set.nodes; ++i) reach += counterfactual_reach(seat, index(set.first_node + i));
        for (int k = 0; k < set.actions; ++k) {
          out[index(k)] = reach > 0 ? gains[index(k)] / reach : mean_value(set, k, seat);
        }
      }
      std::copy_n(strategy.begin() + set.first_action, set.actions, gains.begin());
    });
    return found ? out : std::vector<double>{};
  }

 private:
  static constexpr int kMaxActions = 64;  // of an information set
  const InformationSets& tree_;
  const double tremble_;
  std::vector<double> regrets_, strategy_sums_;
  Strategy strategy_;  // the current one
  std::vector<double> values_;  // by node, for seat 0
  std::array<std::vector<double>, 2> reach_;  // by seat and node: how likely the seat's own actions lead there
  int iterations_ = 0;

  double counterfactual_reach(Seat seat, std::size_t node) const {
    return tree_.chances[node] * reach_[index(other(seat))][node];
  }
  double value_after(std::int32_t edge) const {
    return edge >= 0 ? values_[index(edge)] : tree_.outcomes[index(~edge)];
  }

  double mean_value(const Set& set, int action, Seat seat) const {
    double sum = 0;
    for (int i = 0; i < set.nodes; ++i) {
      sum += value_after(tree_.edges[index(set.first_edge + i * set.actions + action)]);
    }
    return (seat == 0 ? sum : -sum) / set.nodes;
  }

  template <class Spend>
  bool compute_reach(const Strategy& strategy, Spend spend) {
    for (const auto& set : tree_.sets) {
      const std::size_t mine = index(set.seat), theirs = 1 - mine;
      for (int i = 0; i < set.nodes; ++i) {
        if (!spend()) return false;
        const std::size_t node = index(set.first_node + i);
        for (int k = 0; k < set.actions; ++k) {
          const std::int32_t to = tree_.edges[index(set.first_edge + i * set.actions + k)];
          if (to < 0) continue;
          reach_[mine][index(to)] = reach_[mine][node] * strategy[index(set.first_action + k)];
          reach_[theirs][index(to)] = reach_[theirs][node];
        }
      }
    }
    return true;
  }

  // The counterfactual value of each action of a set, for its seat (sign: 1 for seat 0, -1 for seat 1).
  std::array<double, kMaxActions> action_values(const Set& set, double sign) const {
    std::array<double, kMaxActions> out;
    std::fill_n(out.begin(), set.actions, 0.0);
    for (int i = 0; i < set.nodes; ++i) {
      const double reach = counterfactual_reach(set.seat, index(set.first_node + i)) * sign;
      for (int k = 0; k < set.actions; ++k) {
        out[index(k)] += reach * value_after(tree_.edges[index(set.first_edge + i * set.actions + k)]);
      }
    }
    return out;
  }

  // Computes the values of all nodes of a set whose seat plays these probabilities.
  void set_values(const Set& set, const double* strategy) {
    for (int i = 0; i < set.nodes; ++i) {
      double sum = 0;
      for (int k = 0; k < set.actions; ++k) {
        if (strategy[k] > 0) sum += strategy[k] * value_after(tree_.edges[index(set.first_edge + i * set.actions + k)]);
      }
      values_[index(set.first_node + i)] = sum;
    }
  }

  // Updates the regrets, the current and the average strategy of a seat.
  template <class Spend>
  bool update(Seat seat, Spend spend) {
    for (auto set = tree_.sets.rbegin(); set != tree_.sets.rend(); ++set) {
      for (int i = 0; i < set->nodes; ++i) {
        if (!spend()) return false;
      }
      double* const strategy = &strategy_[index(set->first_action)];
      set_values(*set, strategy);
      if (set->seat != seat) continue;
      const auto gained = action_values(*set, seat == 0 ? 1.0 : -1.0);
      double mean = 0, total = 0;
      for (int k = 0; k < set->actions; ++k) mean += strategy[k] * gained[index(k)];
      const double weight = reach_[index(seat)][index(set->first_node)] * iterations_;
      for (int k = 0; k < set->actions; ++k) {
        double& regret = regrets_[index(set->first_action + k)];
        regret = std::max(0.0, regret + gained[index(k)] - mean);
        total += regret;
        strategy_sums_[index(set->first_action + k)] += weight * strategy[k];
      }
      for (int k = 0; k < set->actions; ++k) {
        const double matched = total > 0 ? regrets_[index(set->first_action + k)] / total : 1.0 / set->actions;
        strategy[k] = (1 - tremble_) * matched + tremble_ / set->actions;
      }
    }
    return true;
  }

  // The expected return of `seat` when in its own sets `choose(set, values)` turns action values into probabilities.
  template <class Spend, class F>
  std::optional<double> value(Seat seat, const Strategy& strategy, Spend spend, F choose) {
    const double sign = seat == 0 ? 1.0 : -1.0;
    for (auto set = tree_.sets.rbegin(); set != tree_.sets.rend(); ++set) {
      for (int i = 0; i < set->nodes; ++i) {
        if (!spend()) return std::nullopt;
      }
      if (set->seat != seat) {
        set_values(*set, &strategy[index(set->first_action)]);
        continue;
      }
      auto chosen = action_values(*set, sign);
      choose(*set, chosen);
      set_values(*set, chosen.data());
    }
    double total = 0;
    for (std::size_t i = 0; i < tree_.entries.size(); ++i) total += tree_.weights[i] * value_after(tree_.entries[i]);
    return sign * total;
  }
};

}  // namespace ludoteca
