// A small game of Kittens as a whole: its equilibrium by regret minimisation, and what any way to play is worth against
// the best reply to it. Every order of the deck is a world that may have been dealt.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "kittens/rules.hpp"
#include "search/cfr.hpp"
#include "search/hash.hpp"

namespace ludoteca {

class KittensEquilibrium {
 public:
  using Tree = InformationTree<Kittens>;

  // Throws std::invalid_argument for a game with chance after the deal, or with more positions than that.
  KittensEquilibrium(const Kittens& rules, std::size_t most)
      : tree_(rules, deals(rules), [this, most] { return ++size_ <= most; }),
        cfr_(tree_, 0),
        views_(tree_.sets.size()) {
    if (!tree_.complete()) throw std::invalid_argument("Kittens: the tree of this game is too large");
    tree_.each_set([&](std::size_t number, const State<Kittens>& state) {
      views_[number] = view_of(state, state.pub.turn);
      numbers_.emplace(view_hash(state, state.pub.turn), number);
    });
  }
  KittensEquilibrium(const KittensEquilibrium&) = delete;
  KittensEquilibrium& operator=(const KittensEquilibrium&) = delete;

  std::size_t size() const { return size_; }  // positions in which the match goes on
  const Tree& tree() const { return tree_; }
  CfrPlus& cfr() { return cfr_; }

  // All that a seat with a choice can see, one view for each information set.
  const std::vector<View<Kittens>>& views() const { return views_; }

  // Which of the views this is, if it can occur.
  std::optional<std::size_t> number(const View<Kittens>& view) const {
    State<Kittens> seen;
    seen.pub = view.pub;
    seen.own[static_cast<std::size_t>(view.seat)] = view.own;
    const auto found = numbers_.find(view_hash(seen, view.seat));
    if (found == numbers_.end() || views_[found->second] != view) return std::nullopt;
    return found->second;
  }

 private:
  std::size_t size_ = 0;
  Tree tree_;
  CfrPlus cfr_;
  std::vector<View<Kittens>> views_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;  // by the key of the view

  static std::vector<Tree::Root> deals(const Kittens& rules) {
    if (rules.counts[Kittens::kShuffle]) throw std::invalid_argument("Kittens: shuffles make the tree too large");
    std::vector<Tree::Root> out;
    State<Kittens> state;
    rules.deal(state, Rng{0});
    auto& deck = state.hidden.deck;
    std::sort(deck.begin(), deck.begin() + rules.size());
    do {
      if (out.size() == kMostDeals) throw std::invalid_argument("Kittens: the tree of this game is too large");
      out.push_back({state, 1});
    } while (std::next_permutation(deck.begin(), deck.begin() + rules.size()));
    return out;
  }
  static constexpr std::size_t kMostDeals = 100'000;  // some hundred megabytes; no game with so many has a small tree
};

}  // namespace ludoteca
