// Equilibria of small games of Kittens, by CFR+ over all deals.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "kittens/rules.hpp"
#include "search/hash.hpp"
#include "search/cfr.hpp"

namespace ludoteca {

// The whole tree of a small game, in which every order of the deck is a root, with the strategies that CFR+ finds in
// it.
class KittensEquilibrium {
 public:
  using Tree = InformationTree<Kittens>;

  // Throws std::invalid_argument for a game with chance after the deal, or with more than `max_positions` positions in
  // which the match goes on.
  KittensEquilibrium(const Kittens& rules, std::size_t max_positions)
      : tree_(rules, deals(rules), [this, max_positions] { return ++positions_ <= max_positions; }), cfr_(tree_, 0) {
    if (!tree_.complete()) throw std::invalid_argument("Kittens: the tree of this game is too large");
    tree_.each_set([&](std::size_t set, const State<Kittens>& state) {
      sets_.emplace(view_hash(state, state.pub.turn), set);
    });
  }
  KittensEquilibrium(const KittensEquilibrium&) = delete;
  KittensEquilibrium& operator=(const KittensEquilibrium&) = delete;

  std::size_t positions() const { return positions_; }  // in which the match goes on
  const Tree& tree() const { return tree_; }
  CfrPlus& cfr() { return cfr_; }

  // The information set of a view whose seat has a choice; none if the view cannot occur in this game.
  std::optional<std::size_t> find(const View<Kittens>& view) const {
    State<Kittens> seen;
    seen.pub = view.pub;
    seen.own[index(view.seat)] = view.own;
    const auto found = sets_.find(view_hash(seen, view.seat));
    if (found == sets_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::size_t positions_ = 0;
  Tree tree_;
  CfrPlus cfr_;
  std::unordered_map<std::uint64_t, std::size_t> sets_;  // by the key of the view

  static std::vector<Tree::Root> deals(const Kittens& rules) {
    if (rules.counts[Kittens::kShuffle]) throw std::invalid_argument("Kittens: shuffles make the tree too large");
    std::vector<Tree::Root> out;
    State<Kittens> state;
    rules.deal(state, Rng{0});
    auto& deck = state.hidden.deck;
    std::sort(deck.begin(), deck.begin() + rules.size());
    do {
      if (out.size() == kMaxDeals) throw std::invalid_argument("Kittens: the tree of this game is too large");
      out.push_back({state, 1});
    } while (std::next_permutation(deck.begin(), deck.begin() + rules.size()));
    return out;
  }
  static constexpr std::size_t kMaxDeals = 100'000;  // some hundred megabytes; no game with more has a small tree
};

}  // namespace ludoteca
