// Equilibria of rounds of Dominoes that are small enough, by CFR+ over all deals.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "dominoes/deals.hpp"
#include "dominoes/worlds.hpp"
#include "search/cfr.hpp"

namespace ludoteca {

// The tree starts where the round started, however far the match has gone, so each seat's belief about the other hand
// follows from how both play. It can be kept for a whole match: each decision continues the iterations of the last one.
class DominoesEquilibrium {
 public:
  using Tree = InformationTree<Dominoes>;
  using Roots = DominoesDeals::Roots;

  static constexpr std::size_t kMaxDeals = 500'000;

  // tremble: the share of each strategy that is spread evenly over all actions.
  DominoesEquilibrium(const Dominoes& game, std::size_t max_bytes, double tremble)
      : game_(game), max_bytes_(max_bytes), tremble_(tremble) {}
  DominoesEquilibrium(const DominoesEquilibrium&) = delete;
  DominoesEquilibrium& operator=(const DominoesEquilibrium&) = delete;

  std::mutex in_use;  // a search that was stopped may still run when the next one begins

  // Builds the tree of the round that this view belongs to, if it is not there yet. Returns the view's information set,
  // or none if the tree is `too_large`, which is final, or if `spend()`, which is asked for each node, said no.
  template <class Spend>
  std::optional<std::size_t> prepare(const View<Dominoes>& view, std::size_t max_deals, Spend spend) {
    if (const auto known = find(view)) return known;
    if (too_large_ || !build(DominoesDeals(game_, max_deals).of(view.pub, spend), spend)) return std::nullopt;
    return find(view);
  }

  // Builds the tree of all deals.
  template <class Spend>
  bool prepare_deals(Spend spend) {
    return build(DominoesDeals(game_, kMaxDeals).all(spend), spend);
  }

  // Builds the tree in which the other seat sees this seat's tiles too, as alpha-mu assumes. Only without drawing: then
  // these are all hidden tiles that count.
  template <class Spend>
  bool prepare_open(const View<Dominoes>& view, Spend spend) {
    Roots roots;
    Rng rng;
    const DominoesWorlds worlds(game_, view);
    worlds.each_hand(static_cast<double>(kMaxDeals), [&](Dominoes::Set theirs, double deals) {
      roots.push_back({State<Dominoes>{}, deals});
      worlds.fill(theirs, rng, roots.back().state);
    });
    return build(std::move(roots), spend);
  }

  bool too_large() const { return too_large_; }
  bool ready() const { return cfr_.has_value(); }
  const Tree& tree() const { return *tree_; }
  CfrPlus& cfr() { return *cfr_; }

  // The information set of a view whose seat has a choice; none if the view belongs to another round.
  std::optional<std::size_t> find(const View<Dominoes>& view) const {
    if (!tree_) return std::nullopt;
    for (std::size_t i = 0; i < tree_->roots.size(); ++i) {
      const State<Dominoes>& root = tree_->roots[i].state;
      if (!may_lead_to(root, view)) continue;
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
  const Dominoes game_;
  const std::size_t max_bytes_;
  const double tremble_;
  bool too_large_ = false;
  std::unique_ptr<Tree> tree_;
  std::optional<CfrPlus> cfr_;

  static constexpr std::size_t kBytesPerNode = 100;  // measured: some 75 in double-three and double-four

  // Asks the limits and the memory for one more node.
  template <class Spend>
  struct NodeBudget {
    DominoesEquilibrium& self;
    Spend spend;
    std::size_t nodes = 0;
    bool operator()() {
      self.too_large_ = ++nodes * kBytesPerNode > self.max_bytes_;
      return !self.too_large_ && spend();
    }
  };

  // Builds the tree of a game in which chance first takes one of these worlds.
  template <class Spend>
  bool build(std::optional<Roots> roots, Spend spend) {
    cfr_.reset();
    tree_.reset();
    if (!roots) return false;
    if ((too_large_ = roots->empty() || roots->size() * 4 * sizeof(Tree::Root) > max_bytes_)) return false;
    auto tree = std::make_unique<Tree>(game_, std::move(*roots), NodeBudget<Spend>{*this, spend});
    if (!tree->complete()) return false;
    tree_ = std::move(tree);
    cfr_.emplace(*tree_, tremble_);
    return true;
  }

  // A quick test that rules most roots out.
  static bool may_lead_to(const State<Dominoes>& root, const View<Dominoes>& view) {
    const auto seat = index(view.seat);
    const Tiles::Set kept = root.own[seat].hand & ~view.pub.played[seat];
    if (root.pub.length > view.pub.length || root.pub.opening != view.pub.opening) return false;
    return (kept & view.own.hand) == kept && std::equal(root.pub.log.begin(), root.pub.log.begin() + root.pub.length,
                                                        view.pub.log.begin());
  }
};

}  // namespace ludoteca
