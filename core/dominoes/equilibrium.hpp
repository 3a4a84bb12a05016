// Perfect play in rounds of Dominoes that are small enough: regret minimisation over all that may have been dealt.
//
// A solution begins where the round began, however far it has gone, so what a seat believes of the other's hand follows
// from how both play. It can be kept for a whole match: each decision goes on where the last one stopped.
#pragma once

#include <memory>
#include <optional>

#include "dominoes/deals.hpp"
#include "dominoes/worlds.hpp"
#include "search/cfr.hpp"

namespace ludoteca {

class DominoesEquilibrium {
 public:
  using Tree = InformationTree<Dominoes>;
  using Roots = DominoesDeals::Roots;

  static constexpr std::size_t kMostDeals = 500'000;

  DominoesEquilibrium(const Dominoes& game, std::size_t most_bytes, double tremble)
      : game_(game), most_bytes_(most_bytes), tremble_(tremble) {}

  // Gets ready for the round that a seat with a choice sees, and gives the set of what it sees. `spend()` is asked for
  // each node of the tree. There is none where that ended it, and then another try may do; `too_large` is final.
  template <class Spend>
  std::optional<std::size_t> prepare(const View<Dominoes>& view, std::size_t most_deals, Spend spend) {
    if (const auto known = find(view)) return known;
    if (too_large_ || !build(DominoesDeals(game_, most_deals).of(view.pub, spend), spend)) return std::nullopt;
    return find(view);
  }

  // Gets ready for any deal.
  template <class Spend>
  bool prepare_deals(Spend spend) {
    return build(DominoesDeals(game_, kMostDeals).deals(spend), spend);
  }

  // Gets ready for the game in which the other seat sees this seat's tiles, and so all that counts without drawing.
  // Alpha-mu looks for the best play in it.
  template <class Spend>
  bool prepare_open(const View<Dominoes>& view, Spend spend) {
    Roots roots;
    Rng rng;
    const DominoesWorlds worlds(game_, view);
    worlds.each_hand(static_cast<double>(kMostDeals), [&](Dominoes::Set theirs, double deals) {
      roots.push_back({State<Dominoes>{}, deals});
      worlds.fill(theirs, rng, roots.back().state);
    });
    return build(std::move(roots), spend);
  }

  // Gets ready for a game in which chance first takes one of these worlds.
  template <class Spend>
  bool build(std::optional<Roots> roots, Spend spend) {
    cfr_.reset();
    tree_.reset();
    if (!roots) return false;
    if ((too_large_ = roots->empty() || roots->size() * 4 * sizeof(Tree::Root) > most_bytes_)) return false;
    auto tree = std::make_unique<Tree>(game_, std::move(*roots), Spending<Spend>{*this, spend});
    if (!tree->complete()) return false;
    tree_ = std::move(tree);
    cfr_.emplace(*tree_, tremble_);
    return true;
  }

  bool too_large() const { return too_large_; }
  bool ready() const { return cfr_.has_value(); }
  const Tree& tree() const { return *tree_; }
  CfrPlus& cfr() { return *cfr_; }

  // The set of what a seat sees when it has a choice; none if this solution is of another round.
  std::optional<std::size_t> find(const View<Dominoes>& view) const {
    if (!tree_) return std::nullopt;
    for (std::size_t i = 0; i < tree_->roots.size(); ++i) {
      const State<Dominoes>& root = tree_->roots[i].state;
      if (!begins(root, view)) continue;
      std::vector<Action> played;
      for (std::size_t k = root.pub.length; k < view.pub.length; ++k) {
        played.push_back(Dominoes::action_of(view.pub.log[k]));
      }
      State<Dominoes> state;
      const auto node = tree_->walk(i, played, state);
      if (node >= 0 && view_of(state, view.seat) == view) return tree_->set_of(node);
    }
    return std::nullopt;
  }

 private:
  const Dominoes& game_;
  const std::size_t most_bytes_;
  const double tremble_;
  bool too_large_ = false;
  std::unique_ptr<Tree> tree_;
  std::optional<CfrPlus> cfr_;

  // Asks for one node more, in the limits and in memory. A node of double-three or -four takes some 75 bytes in all.
  template <class Spend>
  struct Spending {
    DominoesEquilibrium& solution;
    Spend spend;
    std::size_t nodes = 0;
    bool operator()() {
      solution.too_large_ = ++nodes * kBytesPerNode > solution.most_bytes_;
      return !solution.too_large_ && spend();
    }
  };
  static constexpr std::size_t kBytesPerNode = 100;

  // Quick to say no for most roots.
  static bool begins(const State<Dominoes>& root, const View<Dominoes>& view) {
    const auto seat = static_cast<std::size_t>(view.seat);
    const Tiles::Set kept = root.own[seat].hand & ~view.pub.played[seat];
    if (root.pub.length > view.pub.length || root.pub.opening != view.pub.opening) return false;
    return (kept & view.own.hand) == kept && std::equal(root.pub.log.begin(), root.pub.log.begin() + root.pub.length,
                                                        view.pub.log.begin());
  }
};

}  // namespace ludoteca
