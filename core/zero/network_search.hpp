// Tree search with a network, for play: deterministic, as many simulations as there is time for.
//
//     set_root ─► select ─► [network] ─► expand ─► select ─► …          choice() at any time
//
// The network is evaluated outside: `select` gives the positions to evaluate, several at a time, and `expand` takes the
// results. The subtree of a position that comes up later in the match is reused.
#pragma once

#include "search/choice.hpp"
#include "zero/tree.hpp"

namespace ludoteca {

// Proves results and prunes moves without search or network. A game specialises it; by default nothing is proven.
template <class G>
struct StaticProof {
  struct Result {
    Seat winner = kNobody;  // if proven
    Action move = -1;       // a winning move, if the winner is on turn
    bool allows(Action) const { return true; }  // whether the action has to be tried
  };
  explicit StaticProof(const G&) {}
  Result find(const typename G::Public&) { return {}; }
};

template <Encodable G>
class NetworkSearch {
 public:
  using Tree = PriorTree<G>;
  using Index = typename Tree::Index;

  // bytes: of the tree; when they are used up it no longer grows. static_proofs: try StaticProof before the network.
  NetworkSearch(const G& g, std::size_t bytes, Selection selection, bool static_proofs)
      : g_(g), bytes_(bytes), selection_(selection), tree_(selection), static_proof_(g), static_proofs_(static_proofs) {}

  // Makes this position the root. reuse: keep its subtree, if the tree has it.
  void set_root(const State<G>& state, bool reuse) {
    const Index found = reuse && tree_.size() ? find(0, state_, state, 2) : Tree::kNone;
    const bool expanded = found != Tree::kNone && tree_.node(found).count;
    const bool proven = found != Tree::kNone && tree_.node(found).proof;
    if (!expanded) {  // a node that was proven without the network has no actions to choose from
      tree_.clear();
      tree_.add(g_, state);
    } else if (found) {
      tree_ = subtree(found);
    }
    state_ = state;
    pending_.clear();
    max_depth_ = 0;
    root_proof_ = Proof{};
    root_proof_tried_ = !static_proofs_;
    if ((proven && !expanded) || visits() >= kVisitsBeforeProofs) prove_root();
  }

  // Whether more simulations are useless: the winner is proven, or the memory is full.
  bool ended() const { return tree_.node(0).proof || (lost() && tree_.node(0).count) || tree_.bytes() >= bytes_; }

  // Runs at most so many simulations, until max_leaves of them wait for the network. Writes the positions of those
  // leaves to `out`, [planes, side²] each, and returns their number.
  int select(int max_leaves, int simulations, std::int8_t* out) {
    for (; simulations > 0 && static_cast<int>(pending_.size()) < max_leaves && !ended(); --simulations) {
      Leaf leaf{state_, {}, {}};
      if (!tree_.node(0).count) {
        if (!pending_.empty()) break;
        leaf.path.push_back(0);
      } else {
        if (tree_.select(g_, leaf.state, 0, leaf.path) == Tree::kNone) break;
        if (should_prove(leaf)) prove(leaf);
      }
      max_depth_ = std::max(max_depth_, static_cast<int>(leaf.path.size()) - 1);
      if (leaf.state.pub.turn == kNobody || tree_.node(leaf.path.back()).proof) {
        tree_.backup(leaf.path);
        continue;
      }
      tree_.add_virtual_loss(leaf.path);
      Encoding<G>::encode(g_, leaf.state.pub, out + pending_.size() * bytes_of(g_));
      pending_.push_back(std::move(leaf));
    }
    return static_cast<int>(pending_.size());
  }

  // logits: [count, side²], values: [count], of the leaves selected last, in that order.
  void expand(const float* logits, const float* values) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const Leaf& leaf = pending_[i];
      tree_.remove_virtual_loss(leaf.path);
      tree_.expand(g_, leaf.state, leaf.path.back(), logits + i * cells_of(g_), values[i],
                   [&](Action action) { return leaf.proof.allows(action); });
      tree_.backup(leaf.path);
    }
    pending_.clear();
    if (visits() >= kVisitsBeforeProofs) prove_root();
  }

  bool has_root() const { return tree_.size() > 0; }
  std::size_t pending() const { return pending_.size(); }
  std::uint32_t visits() const { return tree_.node(0).visits; }
  // The choice so far; with depth 0 before the first network evaluation.
  Choice choice() const {
    Choice out;
    const PriorNode& root = tree_.node(0);
    if (root_proof_.winner == root.turn) {
      out.action = root_proof_.move;
      out.value = out.depth = 1;
      out.scores.emplace_back(out.action, 1);
      out.line.add(out.action);
      out.exhaustive = true;
      return out;
    }
    if (!root.count) return out;
    std::vector<std::pair<Index, int>> tried;
    for (int i = 0; i < root.tried; ++i) {
      if (tree_.node(tree_.edge(root, i).child).visits) tried.emplace_back(tree_.edge(root, i).child, i);
    }
    out.depth = std::max(1, max_depth_);
    out.value = root.proof ? tree_.q(root, root.turn) : tree_.mixed_value(root);
    out.action = tree_.edge(root, 0).action;
    if (lost()) {
      out.value = -1;
      out.exhaustive = true;
    }
    if (tried.empty() || lost()) {
      out.line.add(out.action);
      return out;
    }
    std::uint32_t most = 0;
    for (const auto& [child, i] : tried) most = std::max(most, tree_.node(child).visits);
    const auto rank = [&](const auto& each) {
      const PriorNode& child = tree_.node(each.first);
      const float q = tree_.q(child, root.turn);
      const int proof = child.proof ? (q > 0 ? 1 : -1) : 0;
      const bool by_policy = selection_ == Selection::puct && child.visits >= kShareToChoose * most;
      const double merit = by_policy ? std::log(tree_.edge(root, each.second).prior) + tree_.q_weight(most) * q
                                     : static_cast<double>(child.visits);
      return std::tuple{-proof, !by_policy, -merit, -q, each.second};
    };
    std::sort(tried.begin(), tried.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    out.action = tree_.edge(root, tried[0].second).action;
    out.value = tree_.q(tree_.node(tried[0].first), root.turn);
    for (const auto& [child, i] : tried) {
      const double q = tree_.q(tree_.node(child), root.turn);
      out.scores.emplace_back(tree_.edge(root, i).action, std::min(q, out.value));
    }
    out.exhaustive = root.proof != 0;
    append_line(out.action, out.line);
    return out;
  }

 private:
  using Proof = typename StaticProof<G>::Result;
  struct Leaf {
    State<G> state;
    std::vector<Index> path;
    Proof proof;
  };

  const G& g_;
  const std::size_t bytes_;
  const Selection selection_;
  Tree tree_;
  State<G> state_{};
  StaticProof<G> static_proof_;
  const bool static_proofs_;
  Proof root_proof_;
  bool root_proof_tried_ = true;
  std::vector<Leaf> pending_;
  int max_depth_ = 0;

  // Whether the seat on turn is proven to lose: then the network chooses the most stubborn move.
  bool lost() const { return root_proof_.winner == other(state_.pub.turn); }

  // After PUCT the action is chosen by the improved policy, of those with at least this share of the most visits: the
  // q of one with fewer may be a lucky guess.
  static constexpr double kShareToChoose = 0.15;

  // While the match is open nothing can be proven, and a proof costs about as much as an evaluation. With few
  // simulations proofs win no more matches than the evaluations that they cost, so they are tried only at and below
  // positions that the search came back to often; below, only where one seat is ahead.
  static constexpr float kAhead = 0.4f;
  static constexpr std::uint32_t kVisitsBeforeProofs = 32;

  bool should_prove(const Leaf& leaf) const {
    if (!static_proofs_ || leaf.state.pub.turn == kNobody || tree_.node(leaf.path.back()).proof) return false;
    const PriorNode& parent = tree_.node(leaf.path[leaf.path.size() - 2]);
    return parent.visits >= kVisitsBeforeProofs && std::abs(parent.value) > kAhead;
  }

  void prove_root() {
    if (root_proof_tried_) return;
    root_proof_tried_ = true;
    root_proof_ = static_proof_.find(state_.pub);
    if (root_proof_.winner == state_.pub.turn) tree_.set_proof(0, root_proof_.winner == 0 ? 1 : -1);
  }

  void prove(Leaf& leaf) {
    leaf.proof = static_proof_.find(leaf.state.pub);
    if (leaf.proof.winner != kNobody) tree_.set_proof(leaf.path.back(), leaf.proof.winner == 0 ? 1 : -1);
  }

  // The node of `wanted`, at most so many plies below `at`, the node of `state`.
  Index find(Index at, const State<G>& state, const State<G>& wanted, int plies) const {
    if (std::memcmp(&state.pub, &wanted.pub, sizeof state.pub) == 0) return at;
    const PriorNode& node = tree_.node(at);
    for (int i = 0; plies && i < node.tried; ++i) {
      State<G> next = state;
      g_.apply(next, tree_.edge(node, i).action);
      const Index found = find(tree_.edge(node, i).child, next, wanted, plies - 1);
      if (found != Tree::kNone) return found;
    }
    return Tree::kNone;
  }

  // A copy of the subtree of a node.
  Tree subtree(Index root) const {
    Tree out(selection_);
    std::vector<Index> from{root};
    out.nodes_.push_back(tree_.node(root));
    for (std::size_t at = 0; at < from.size(); ++at) {
      const PriorNode node = tree_.node(from[at]);
      out.nodes_[at].edges = static_cast<std::uint32_t>(out.edges_.size());
      out.nodes_[at].virtual_loss = 0;
      for (int i = 0; i < node.count; ++i) {
        PriorEdge edge = tree_.edge(node, i);
        if (edge.child != Tree::kNone) {
          from.push_back(edge.child);
          out.nodes_.push_back(tree_.node(edge.child));
          edge.child = static_cast<Index>(from.size()) - 1;
        }
        out.edges_.push_back(edge);
      }
    }
    return out;
  }

  // Appends `action` and the most visited actions after it.
  template <class Line>
  void append_line(Action action, Line& line) const {
    Index at = 0;
    for (bool first = true; line.size < Choice::kLongestLine; first = false) {
      const PriorNode& node = tree_.node(at);
      int best = -1;
      for (int i = 0; i < node.tried; ++i) {
        if (first ? tree_.edge(node, i).action == action : better(node, i, best)) best = i;
      }
      if (best < 0) return;
      line.add(tree_.edge(node, best).action);
      at = tree_.edge(node, best).child;
    }
  }
  bool better(const PriorNode& node, int i, int than) const {
    const PriorNode& child = tree_.node(tree_.edge(node, i).child);
    if (!child.visits) return false;
    if (than < 0) return true;
    const PriorNode& rival = tree_.node(tree_.edge(node, than).child);
    const bool wins = child.proof && tree_.q(child, node.turn) > 0;
    const bool rival_wins = rival.proof && tree_.q(rival, node.turn) > 0;
    return wins != rival_wins ? wins : child.visits > rival.visits;
  }
};

}  // namespace ludoteca
