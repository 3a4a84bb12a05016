// Monte Carlo tree search for any game: UCT over information sets (ISMCTS).
//
// One tree, many determinizations. A simulation samples a world that fits what the searching seat sees, selects edges
// down the tree by UCB, expands a node where it leaves the tree, evaluates the leaf by a playout, and backs the result
// up: every edge on the path gets the return of the seat that chose it.
//
//        what the seat sees now            A node is what the searching seat sees. On its own turn that is its
//         ╱        │        ╲              information set, with the same actions in every world. On the other seat's
//      action   action   action            turn legal actions differ from world to world: an edge counts in how many
//        │                  │              of the worlds that came by it was legal, and its exploration bonus uses
//      what it sees then   …               that number.
//
// So no decision depends on what a seat does not know. With perfect information there is one world, and a sample of it
// is a copy: every edge leads to one child, the actions of a node never change, and this is plain UCT with proofs
// (MCTS-Solver): an action that is proven to win is always played, one that is proven to lose never again.
#pragma once

#include <type_traits>

#include "search/choice.hpp"
#include "search/hash.hpp"
#include "search/nodes.hpp"

namespace ludoteca {

// Evaluates a leaf by the mean of random playouts, with the fastest playout that the game has.
struct Playouts {
  int count = 1;

  template <Game G>
  Returns operator()(const G& g, const State<G>& state, Rng& rng) const {
    Returns sum = playout(g, state, rng);
    for (int i = 1; i < count; ++i) {
      const Returns more = playout(g, state, rng);
      sum[0] += more[0];
      sum[1] += more[1];
    }
    return {sum[0] / count, sum[1] / count};
  }
};

// The tree of one thread. Evaluator: a function of the rules, a state and a generator that returns the expected returns
// of both seats; each tree has its own copy.
template <Game G, class Evaluator = Playouts>
class Tree {
 public:
  static constexpr bool kPerfect =
      std::is_same_v<typename G::Private, Nothing> && std::is_same_v<typename G::Hidden, Nothing>;

  // exploration: weight of the exploration bonus, in units of returns. bytes: of nodes and edges.
  Tree(double exploration, Evaluator evaluate, std::size_t bytes)
      : exploration_(static_cast<float>(exploration)),
        evaluate_(evaluate),
        memory_(kPerfect ? bytes : bytes - bytes / kTableShare),
        table_(kPerfect ? 0 : bytes / kTableShare) {}

  // Makes `view`, whose seat is on turn, the root. reuse: keep the subtree of this view, if the tree has it.
  void set_root(const G& g, const View<G>& view, std::uint64_t seed, bool reuse) {
    const Offset found = reuse && &g == g_ && view.seat == view_.seat && memory_.used() < 0.5 ? find(view) : 0;
    g_ = &g;
    view_ = view;
    rng_ = Rng{seed};
    max_depth_ = 0;
    edge_of_.assign(static_cast<std::size_t>(g.num_actions()), -1);
    g.sample(view, Rng{rng_.next()}, world_);
    root_ = found;
    proven_ = kPerfect && root_ && proof(*memory_.at<Node>(root_));
    if (root_) return;
    memory_.clear();
    if constexpr (!kPerfect) table_.clear();
    root_ = expand(world_);
    if (!root_) throw std::bad_alloc();
  }

  void simulate() {
    State<G> state = world_;
    if constexpr (!kPerfect) g_->sample(view_, Rng{rng_.next()}, state);
    path_.clear();
    for (Offset at = root_; at;) at = select(at, state);
    const Returns result = state.pub.turn == kNobody ? g_->returns(state.pub) : evaluate_(*g_, state, rng_);
    for (const auto& [offset, edge] : path_) {
      Node& node = *memory_.at<Node>(offset);
      ++node.visits;
      Edges(memory_, node).backup(edge, result[index(node.turn)]);
    }
    if (kPerfect && state.pub.turn == kNobody) prove(result);
    max_depth_ = std::max(max_depth_, static_cast<int>(path_.size()));
  }

  int max_depth() const { return max_depth_; }  // actions from the root to the deepest edge

  // Whether the winner is proven, so that more simulations are useless.
  bool proven() const { return proven_; }

  // Calls f(action, visits, sum, proof) for each root action with visits.
  template <class F>
  void each_root_action(F f) {
    const Node& root = *memory_.at<Node>(root_);
    const Edges edges(memory_, root);
    for (int i = 0; i < root.count; ++i) {
      if (edges.visits[i]) f(Action{edges.action[i]}, edges.visits[i], edges.sum[i], edges.proof(i));
    }
  }

  // Appends `action` and the most visited actions after it. With hidden information that is `action` alone.
  template <class Line>
  void append_line(Action action, Line& line) {
    if constexpr (kPerfect) {
      for (Offset at = root_; at && line.size < Choice::kLongestLine;) {
        const Node& node = *memory_.at<Node>(at);
        const Edges edges(memory_, node);
        int next = edges.select(node.count, 0);
        if (edges.proof(next) <= 0) {
          next = static_cast<int>(std::max_element(edges.visits, edges.visits + node.count) - edges.visits);
        }
        if (at == root_) {
          next = static_cast<int>(std::find(edges.action, edges.action + node.count, action) - edges.action);
        }
        if (next == node.count || !edges.visits[next]) return;
        line.add(edges.action[next]);
        at = edges.child[next];
      }
    } else {
      line.add(action);
    }
  }

 private:
  struct Step {
    Offset node;
    int edge;
  };
  static constexpr std::size_t kTableShare = 8;

  const float exploration_;
  Evaluator evaluate_;
  TreeMemory memory_;
  NodeTable table_;  // hidden information only
  const G* g_ = nullptr;
  View<G> view_{};
  State<G> world_{};  // one in which the seat sees `view_`
  Rng rng_;
  Offset root_ = 0;
  int max_depth_ = 0;
  bool proven_ = false;
  std::vector<Step> path_;
  std::vector<std::int16_t> edge_of_;  // by action; scratch of select_legal, otherwise -1

  // Selects an edge and applies its action. Returns the child, or 0 where the simulation leaves the tree.
  Offset select(Offset at, State<G>& state) {
    Node& node = *memory_.at<Node>(at);
    int edge;
    if (kPerfect || node.turn == view_.seat) {
      const float bonus = exploration_ * std::sqrt(std::log(static_cast<float>(std::max(node.visits, 1u))));
      edge = Edges(memory_, node).select(node.count, bonus);
    } else {
      edge = select_legal(node, state);
      if (edge < 0) return 0;
    }
    path_.push_back({at, edge});
    const Edges edges(memory_, node);
    g_->apply(state, edges.action[edge]);
    if (state.pub.turn == kNobody) return 0;
    if constexpr (kPerfect) {
      if (edges.child[edge]) return edges.child[edge];
      if (edges.visits[edge] + 1 >= visits_to_expand()) edges.child[edge] = expand(state);
      return 0;
    } else {
      if (const Offset next = table_.find(view_hash(state, view_.seat))) return next;
      if (edges.visits[edge] + 1 >= visits_to_expand()) expand(state);
      return 0;
    }
  }

  // The last simulation ended the game. Backs the proof up: a seat wins if one of its actions does, and loses if all of
  // them do. A result that is neither a win nor a loss proves nothing.
  void prove(const Returns& result) {
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      const Node& node = *memory_.at<Node>(step->node);
      const double got = result[index(node.turn)];
      if (std::abs(got) != 1) return;
      Edges(memory_, node).prove(step->edge, got > 0);
      if (proof(node) != got) return;
    }
    proven_ = true;
  }
  // 1 if the seat on turn is proven to win, -1 if to lose, otherwise 0.
  int proof(const Node& node) {
    const Edges edges(memory_, node);
    return edges.proof(edges.select(node.count, 0));
  }

  std::uint32_t visits_to_expand() const {
    return memory_.visits_to_expand<std::uint32_t>(kPerfect ? 2 : 1, 1u << 30);
  }

  // A new node for this state. 0 when the memory is full: then the tree no longer grows.
  Offset expand(const State<G>& state) {
    Actions<G> actions;
    legal(*g_, state, actions);
    rng_.shuffle(actions.items.data(), actions.size);  // untried actions are selected in this order
    const Offset offset = new_node(memory_, state.pub.turn, actions);
    if constexpr (!kPerfect) {
      if (offset && !table_.add(view_hash(state, view_.seat), offset)) return 0;
    }
    return offset;
  }

  // The best edge among the actions that are legal in this world, on a turn of the other seat; -1 when the memory is
  // full and none of them has an edge.
  int select_legal(Node& node, const State<G>& state) {
    Actions<G> actions;
    legal(*g_, state, actions);
    const auto known = Edges(memory_, node);
    const int before = node.count;
    for (int i = 0; i < before; ++i) edge_of(known.action[i]) = static_cast<std::int16_t>(i);
    int best = -1;
    float highest = 2 * Edges::kNone;
    const int first = static_cast<int>(rng_.below(static_cast<std::uint32_t>(actions.size)));  // breaks ties at random
    for (int i = 0; i < actions.size; ++i) {
      const Action action = actions[(first + i) % actions.size];
      int edge = edge_of(action);
      if (edge < 0 && (edge = add_edge(memory_, node, action)) < 0) continue;
      const Edges edges(memory_, node);
      const float times = static_cast<float>(++edges.child[edge]);
      const float score = edges.q[edge] + exploration_ * std::sqrt(std::log(times)) * edges.spread[edge];
      if (score > highest) {
        highest = score;
        best = edge;
      }
    }
    const Edges now(memory_, node);
    for (int i = 0; i < before; ++i) edge_of(now.action[i]) = -1;
    return best;
  }
  std::int16_t& edge_of(Action action) { return edge_of_[index(action)]; }

  // The node where the seat, on turn, sees `view`, after an action of its own and answers of the other; 0 for none.
  Offset find(const View<G>& view) {
    if constexpr (kPerfect) {
      return view == view_ ? root_ : find_below(root_, world_, view);
    } else {
      State<G> seen;
      seen.pub = view.pub;
      seen.own[index(view.seat)] = view.own;
      return table_.find(view_hash(seen, view.seat));
    }
  }

  Offset find_below(Offset at, const State<G>& state, const View<G>& view) {
    const Node& node = *memory_.at<Node>(at);
    const Edges edges(memory_, node);
    for (int i = 0; i < node.count; ++i) {
      if (!edges.child[i]) continue;
      State<G> next = state;
      g_->apply(next, edges.action[i]);
      if (next.pub.turn == view.seat) {
        if (view_of(next, view.seat) == view) return edges.child[i];
      } else if (const Offset found = find_below(edges.child[i], next, view)) {
        return found;
      }
    }
    return 0;
  }
};

}  // namespace ludoteca
