// The whole tree of a small game of Kittens, its equilibrium by regret minimisation, and what any way to play is worth
// against the best reply to it.
//
// Every order of the deck is a tree of its own; what a seat sees ties their nodes together. Nodes lie in the order in
// which they are found, so that a parent comes before its children: chances go forward, values backward, no recursion.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kittens/rules.hpp"

namespace ludoteca {

class KittensSmall {
 public:
  using Strategy = std::vector<std::vector<double>>;  // for each view a chance for each of its actions

  // Throws std::invalid_argument for a game with chance after the deal, or with more nodes than that.
  KittensSmall(const Kittens& rules, std::size_t most) : rules_(rules), most_(most) {
    if (rules.counts[Kittens::kShuffle]) throw std::invalid_argument("Kittens: shuffles make the tree too large");
    State<Kittens> state;
    rules.deal(state, Rng{0});
    auto& deck = state.hidden.deck;
    std::sort(deck.begin(), deck.begin() + rules.size());
    do {
      roots_.push_back(nodes_.size());
      grow(state);
    } while (std::next_permutation(deck.begin(), deck.begin() + rules.size()));
    for (const View<Kittens>& view : views) regrets_.emplace_back(count(view), 0.0);
    sums_ = regrets_;
    by_depth_.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) by_depth_[i] = i;
    std::stable_sort(by_depth_.begin(), by_depth_.end(),
                     [&](std::size_t a, std::size_t b) { return nodes_[a].depth > nodes_[b].depth; });
  }

  std::vector<View<Kittens>> views;  // all that a seat on turn can see

  std::size_t size() const { return nodes_.size(); }
  std::size_t count_views() const { return views.size(); }

  // Which of the views this is, if it can occur.
  std::optional<std::size_t> number(const View<Kittens>& view) const {
    const auto found = numbers_.find(std::string(view.bytes()));
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }

  // So many rounds of CFR+.
  void iterate(int rounds) {
    for (int i = 0; i < rounds; ++i) round();
  }

  // The average of all rounds, later ones counting more.
  Strategy average() const {
    Strategy out = sums_;
    for (auto& chances : out) normalise(chances);
    return out;
  }

  // The same for one view.
  std::vector<double> chances(std::size_t number) const {
    std::vector<double> out = sums_.at(number);
    normalise(out);
    return out;
  }

  // What seat 0 gets when both play so.
  double value(const Strategy& strategy) const {
    std::vector<double> values(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      values[i] = node.payoff;
      for (std::size_t k = 0; k < node.actions; ++k) values[i] += strategy[node.view][k] * values[child(node, k)];
    }
    double sum = 0;
    for (const std::size_t root : roots_) sum += values[root] / static_cast<double>(roots_.size());
    return sum;
  }

  // What a seat gets that knows how the other plays, and replies as well as it can by what it sees.
  double best_reply(const Strategy& strategy, Seat seat) const {
    std::vector<double> weight(nodes_.size(), 0.0), values(nodes_.size(), 0.0);
    for (const std::size_t root : roots_) weight[root] = 1.0 / static_cast<double>(roots_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      for (std::size_t k = 0; k < node.actions; ++k) {
        weight[child(node, k)] = weight[i] * (node.turn == seat ? 1 : strategy[node.view][k]);
      }
    }
    // All nodes of a view are equally deep, so what follows them is known when they come.
    std::vector<std::vector<double>> totals = regrets_;
    for (auto& each : totals) std::fill(each.begin(), each.end(), 0.0);
    for (std::size_t first = 0; first < by_depth_.size();) {
      std::size_t end = first;
      while (end < by_depth_.size() && nodes_[by_depth_[end]].depth == nodes_[by_depth_[first]].depth) ++end;
      for (std::size_t j = first; j < end; ++j) {
        const Node& node = nodes_[by_depth_[j]];
        if (node.turn != seat) continue;
        for (std::size_t k = 0; k < node.actions; ++k) totals[node.view][k] += values[child(node, k)];
      }
      for (std::size_t j = first; j < end; ++j) {
        const std::size_t i = by_depth_[j];
        const Node& node = nodes_[i];
        values[i] = weight[i] * (seat == 0 ? node.payoff : -node.payoff);
        if (node.turn == seat) {
          const auto& total = totals[node.view];
          const auto best = static_cast<std::size_t>(std::max_element(total.begin(), total.end()) - total.begin());
          values[i] = values[child(node, best)];
        } else {
          for (std::size_t k = 0; k < node.actions; ++k) values[i] += values[child(node, k)];
        }
      }
      first = end;
    }
    double sum = 0;
    for (const std::size_t root : roots_) sum += values[root];
    return sum;
  }

  // How much a seat gains on average by replying as well as possible: 0 for an equilibrium.
  double exploitability(const Strategy& strategy) const {
    return (best_reply(strategy, 0) + best_reply(strategy, 1)) / 2;
  }

 private:
  struct Node {
    Seat turn;  // kNobody: the end
    std::uint8_t actions = 0;
    std::uint16_t depth = 0;
    std::uint32_t view = 0;
    std::size_t children = 0;  // where they are listed
    double payoff = 0;         // for seat 0, at the end
  };

  const Kittens& rules_;
  const std::size_t most_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> links_, roots_, by_depth_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Strategy regrets_, sums_;
  int rounds_ = 0;

  std::size_t child(const Node& node, std::size_t k) const { return links_[node.children + k]; }

  std::size_t count(const View<Kittens>& view) const {
    Actions<Kittens> actions;
    rules_.legal(view, actions);
    return static_cast<std::size_t>(actions.size);
  }

  static void normalise(std::vector<double>& chances) {
    double sum = 0;
    for (const double each : chances) sum += each;
    for (double& each : chances) each = sum > 0 ? each / sum : 1.0 / static_cast<double>(chances.size());
  }

  std::size_t grow(const State<Kittens>& state, int depth = 0) {
    if (nodes_.size() >= most_) throw std::invalid_argument("Kittens: the tree of this game is too large");
    const std::size_t at = nodes_.size();
    nodes_.push_back({state.pub.turn});
    nodes_[at].depth = static_cast<std::uint16_t>(depth);
    if (state.pub.turn == kNobody) {
      nodes_[at].payoff = rules_.returns(state.pub)[0];
      return at;
    }
    const View<Kittens> view = view_of(state, state.pub.turn);
    const auto [found, is_new] = numbers_.try_emplace(std::string(view.bytes()), static_cast<std::uint32_t>(views.size()));
    if (is_new) views.push_back(view);
    Actions<Kittens> actions;
    rules_.legal(view, actions);
    nodes_[at].view = found->second;
    nodes_[at].actions = static_cast<std::uint8_t>(actions.size);
    nodes_[at].children = links_.size();
    links_.resize(links_.size() + static_cast<std::size_t>(actions.size));
    for (int k = 0; k < actions.size; ++k) {
      State<Kittens> next = state;
      rules_.apply(next, actions[k]);
      const std::size_t made = grow(next, depth + 1);
      links_[nodes_[at].children + static_cast<std::size_t>(k)] = made;
    }
    return at;
  }

  void round() {
    ++rounds_;
    Strategy strategy = regrets_;
    for (auto& chances : strategy) normalise(chances);
    std::vector<std::array<double, 2>> reach(nodes_.size());
    for (const std::size_t root : roots_) reach[root] = {1, 1};
    std::vector<double> values(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.turn == kNobody) continue;
      const auto me = static_cast<std::size_t>(node.turn);
      for (std::size_t k = 0; k < node.actions; ++k) {
        auto& next = reach[child(node, k)] = reach[i];
        next[me] *= strategy[node.view][k];
        sums_[node.view][k] += rounds_ * next[me];
      }
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      values[i] = node.payoff;
      if (node.turn == kNobody) continue;
      const double sign = node.turn == 0 ? 1 : -1, weight = sign * reach[i][static_cast<std::size_t>(1 - node.turn)];
      for (std::size_t k = 0; k < node.actions; ++k) values[i] += strategy[node.view][k] * values[child(node, k)];
      for (std::size_t k = 0; k < node.actions; ++k) {
        regrets_[node.view][k] += weight * (values[child(node, k)] - values[i]);
      }
    }
    for (auto& each : regrets_) {
      for (double& regret : each) regret = std::max(regret, 0.0);
    }
  }
};

}  // namespace ludoteca
