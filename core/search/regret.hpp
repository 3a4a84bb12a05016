// Regret minimisation over the information sets of a small game for two (CFR+), and how much a best response gains.
//
// Each look updates seat 0, then seat 1: in every set of the seat, an action's regret grows by what it would have
// brought more than the present mixture, counted over the set's worlds as far as chance and the other seat lead there,
// and never falls below 0; the mixture is proportional to it. The mean of all mixtures, the later weighing more, comes
// as close to perfect play as one has patience for.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "search/information.hpp"

namespace ludoteca {

class Regret {
 public:
  using Mixture = std::vector<double>;  // by set and action, see InformationSets::Set::first_action; each set sums to 1

  // tremble: the share of each mixture that is spread evenly over all actions. Without it nothing is learned about what
  // follows a mistake that the other never makes.
  Regret(const InformationSets& tree, double tremble)
      : tree_(tree),
        tremble_(tremble),
        regrets_(tree.actions.size()),
        sums_(tree.actions.size()),
        mixture_(uniform(tree)),
        values_(tree.nodes()) {
    for (auto& each : reach_) each.assign(tree.nodes(), 1.0);
  }

  int looks() const { return looks_; }

  // One look; `spend()` is asked for each node. Where it says no, the look stays unfinished: nothing is lost by that.
  template <class Spend>
  bool look(Spend spend) {
    ++looks_;
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      if (!follow(mixture_, spend) || !improve(seat, spend)) return --looks_, false;
    }
    return true;
  }

  // The mean of all mixtures so far, in one set.
  void mean(std::size_t number, double* out) const {
    const auto& set = tree_.sets[number];
    double total = 0;
    for (int k = 0; k < set.actions; ++k) total += sums_[at(set.first_action + k)];
    for (int k = 0; k < set.actions; ++k) {
      out[k] = total > 0 ? sums_[at(set.first_action + k)] / total : 1.0 / set.actions;
    }
  }
  Mixture mean() const {
    Mixture out(tree_.actions.size());
    for (std::size_t i = 0; i < tree_.sets.size(); ++i) mean(i, &out[at(tree_.sets[i].first_action)]);
    return out;
  }

  static Mixture uniform(const InformationSets& tree) {
    Mixture out(tree.actions.size());
    for (const auto& set : tree.sets) {
      std::fill_n(out.begin() + set.first_action, set.actions, 1.0 / set.actions);
    }
    return out;
  }

  // What seat 0 gets on average when both play by the mixture.
  double value(const Mixture& mixture) {
    const auto always = [] { return true; };
    return *value(Seat{0}, mixture, always, [&](const InformationSets::Set& set, std::array<double, kMost>& gains) {
      std::copy_n(mixture.begin() + set.first_action, set.actions, gains.begin());
    });
  }

  // What `seat` gets on average when it knows the other's mixture and plays best against it.
  double best_response(Seat seat, const Mixture& mixture) {
    const auto always = [] { return true; };
    follow(mixture, always);
    return *value(seat, mixture, always, [&](const InformationSets::Set& set, std::array<double, kMost>& gains) {
      const double best = *std::max_element(gains.begin(), gains.begin() + set.actions);
      for (int k = 0; k < set.actions; ++k) gains[at(k)] = gains[at(k)] == best;
      const auto first = std::find(gains.begin(), gains.begin() + set.actions, 1.0);
      std::fill(first + 1, gains.begin() + set.actions, 0.0);
    });
  }

  // What the seat of a set expects of each action there, if both play by the mixture. `spend()` is asked for each node;
  // nothing where it says no. Where the other never plays so as to come there, all its worlds count the same.
  template <class Spend>
  std::vector<double> scores(std::size_t number, const Mixture& mixture, Spend spend) {
    const Seat seat = tree_.sets[number].seat;
    std::vector<double> out(at(tree_.sets[number].actions));
    if (!follow(mixture, spend)) return {};
    const auto found = value(seat, mixture, spend, [&](const InformationSets::Set& set, std::array<double, kMost>& gains) {
      if (&set == &tree_.sets[number]) {
        double reach = 0;
        for (int i = 0; i < set.nodes; ++i) reach += weight(seat, at(set.first_node + i));
        for (int k = 0; k < set.actions; ++k) out[at(k)] = reach > 0 ? gains[at(k)] / reach : even(set, k, seat);
      }
      std::copy_n(mixture.begin() + set.first_action, set.actions, gains.begin());
    });
    return found ? out : std::vector<double>{};
  }

 private:
  static constexpr int kMost = 64;  // actions in a set
  const InformationSets& tree_;
  const double tremble_;
  std::vector<double> regrets_, sums_;
  Mixture mixture_;  // the present one
  std::vector<double> values_;
  std::array<std::vector<double>, 2> reach_;  // by seat and node: how likely the seat plays so as to come there
  int looks_ = 0;

  static constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  double weight(Seat seat, std::size_t node) const { return tree_.chances[node] * reach_[at(other(seat))][node]; }
  double after(std::int32_t edge) const { return edge >= 0 ? values_[at(edge)] : tree_.outcomes[at(~edge)]; }

  double even(const InformationSets::Set& set, int action, Seat seat) const {
    double sum = 0;
    for (int i = 0; i < set.nodes; ++i) sum += after(tree_.edges[at(set.first_edge + i * set.actions + action)]);
    return (seat == 0 ? sum : -sum) / set.nodes;
  }

  template <class Spend>
  bool follow(const Mixture& mixture, Spend spend) {
    for (const auto& set : tree_.sets) {
      const std::size_t mine = at(set.seat), theirs = 1 - mine;
      for (int i = 0; i < set.nodes; ++i) {
        if (!spend()) return false;
        const std::size_t node = at(set.first_node + i);
        for (int k = 0; k < set.actions; ++k) {
          const std::int32_t to = tree_.edges[at(set.first_edge + i * set.actions + k)];
          if (to < 0) continue;
          reach_[mine][at(to)] = reach_[mine][node] * mixture[at(set.first_action + k)];
          reach_[theirs][at(to)] = reach_[theirs][node];
        }
      }
    }
    return true;
  }

  // What each action of a set brings `seat`, summed over the set's worlds as far as chance and the other lead there.
  std::array<double, kMost> gains(const InformationSets::Set& set, double sign) const {
    std::array<double, kMost> out;
    std::fill_n(out.begin(), set.actions, 0.0);
    for (int i = 0; i < set.nodes; ++i) {
      const double reach = weight(set.seat, at(set.first_node + i)) * sign;
      for (int k = 0; k < set.actions; ++k) {
        out[at(k)] += reach * after(tree_.edges[at(set.first_edge + i * set.actions + k)]);
      }
    }
    return out;
  }

  // The values, for seat 0, of all nodes of a set where its seat plays by this mixture.
  void settle(const InformationSets::Set& set, const double* mixture) {
    for (int i = 0; i < set.nodes; ++i) {
      double sum = 0;
      for (int k = 0; k < set.actions; ++k) {
        if (mixture[k] > 0) sum += mixture[k] * after(tree_.edges[at(set.first_edge + i * set.actions + k)]);
      }
      values_[at(set.first_node + i)] = sum;
    }
  }

  template <class Spend>
  bool improve(Seat seat, Spend spend) {
    for (auto set = tree_.sets.rbegin(); set != tree_.sets.rend(); ++set) {
      for (int i = 0; i < set->nodes; ++i) {
        if (!spend()) return false;
      }
      double* const mixture = &mixture_[at(set->first_action)];
      settle(*set, mixture);
      if (set->seat != seat) continue;
      const auto gained = gains(*set, seat == 0 ? 1.0 : -1.0);
      double mean = 0, total = 0;
      for (int k = 0; k < set->actions; ++k) mean += mixture[k] * gained[at(k)];
      const double reach = reach_[at(seat)][at(set->first_node)] * looks_;
      for (int k = 0; k < set->actions; ++k) {
        double& regret = regrets_[at(set->first_action + k)];
        regret = std::max(0.0, regret + gained[at(k)] - mean);
        total += regret;
        sums_[at(set->first_action + k)] += reach * mixture[k];
      }
      for (int k = 0; k < set->actions; ++k) {
        const double wanted = total > 0 ? regrets_[at(set->first_action + k)] / total : 1.0 / set->actions;
        mixture[k] = (1 - tremble_) * wanted + tremble_ / set->actions;
      }
    }
    return true;
  }

  // What `seat` gets in all where, in its own sets, `choose(set, gains)` makes a mixture of the gains.
  template <class Spend, class F>
  std::optional<double> value(Seat seat, const Mixture& mixture, Spend spend, F choose) {
    const double sign = seat == 0 ? 1.0 : -1.0;
    for (auto set = tree_.sets.rbegin(); set != tree_.sets.rend(); ++set) {
      for (int i = 0; i < set->nodes; ++i) {
        if (!spend()) return std::nullopt;
      }
      if (set->seat != seat) {
        settle(*set, &mixture[at(set->first_action)]);
        continue;
      }
      auto chosen = gains(*set, sign);
      choose(*set, chosen);
      settle(*set, chosen.data());
    }
    double total = 0;
    for (std::size_t i = 0; i < tree_.entries.size(); ++i) total += tree_.weights[i] * after(tree_.entries[i]);
    return sign * total;
  }
};

}  // namespace ludoteca
