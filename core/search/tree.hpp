// Tree search for any game: UCT over information sets.
//
// One tree, many worlds. A simulation samples a world that fits what the seat sees, goes down the tree by the actions
// that look best there (or that have been tried least), adds a node where the tree ends, plays on by chance, and tells
// every edge that it came along what the seat which chose it got in the end.
//
//        what the seat sees now            a node is what the searching seat sees. On its own turn that is its
//         ╱        │        ╲              information set, with the same actions in all the worlds; on the other's
//      action   action   action            turn the worlds differ in what is legal: an edge counts in how many of
//        │                  │              those that came by it was, and is measured by these alone (ISMCTS).
//      what it sees then   …
//
// So nothing is ever decided by what a seat does not know. With perfect information there is one world, of which a
// sample is a copy; then every edge leads to one node and links to it, the actions of a node never change, and this is
// plain UCT, but for what is proven: an action that surely wins is always played, one that surely loses never again.
#pragma once

#include <type_traits>

#include "search/choice.hpp"
#include "search/hash.hpp"
#include "search/node_table.hpp"
#include "search/nodes.hpp"

namespace ludoteca {

// What a leaf is worth, by random playouts: the fastest that the game has.
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

// The tree of one thread. `Leaf` is a function of rules, a state and a generator that says what each seat may expect; each
// tree has a copy of it.
template <Game G, class Leaf = Playouts>
class Tree {
 public:
  static constexpr bool kPerfect =
      std::is_same_v<typename G::Private, Nothing> && std::is_same_v<typename G::Hidden, Nothing>;

  // exploration: how much an edge gains by being little known, in units of returns. bytes: for nodes and edges.
  Tree(double exploration, Leaf leaf, std::size_t bytes)
      : exploration_(static_cast<float>(exploration)),
        leaf_(leaf),
        arena_(kPerfect ? bytes : bytes - bytes / kTableShare),
        table_(kPerfect ? 0 : bytes / kTableShare) {}

  // Puts the root where the seat sees `view`, on turn. `keep`: with all that is known of it from before.
  void begin(const G& g, const View<G>& view, std::uint64_t seed, bool keep) {
    const Place found = keep && &g == g_ && view.seat == view_.seat && arena_.used() < 0.5 ? find(view) : 0;
    g_ = &g;
    view_ = view;
    rng_ = Rng{seed};
    deepest_ = 0;
    edge_of_.assign(static_cast<std::size_t>(g.num_actions()), -1);
    g.sample(view, Rng{rng_.next()}, world_);
    root_ = found;
    proven_ = kPerfect && root_ && proof(*arena_.at<Node>(root_));
    if (root_) return;
    arena_.clear();
    if constexpr (!kPerfect) table_.clear();
    root_ = add_node(world_);
    if (!root_) throw std::bad_alloc();
  }

  void simulate() {
    State<G> state = world_;
    if constexpr (!kPerfect) g_->sample(view_, Rng{rng_.next()}, state);
    path_.clear();
    for (Place at = root_; at;) at = step(at, state);
    const Returns result = state.pub.turn == kNobody ? g_->returns(state.pub) : leaf_(*g_, state, rng_);
    for (const auto& [place, edge] : path_) {
      Node& node = *arena_.at<Node>(place);
      ++node.visits;
      Edges(arena_, node).add(edge, result[static_cast<std::size_t>(node.turn)]);
    }
    if (kPerfect && state.pub.turn == kNobody) prove(result);
    deepest_ = std::max(deepest_, static_cast<int>(path_.size()));
  }

  int deepest() const { return deepest_; }  // actions from the root to the last edge
  bool full() const { return arena_.full(); }

  // Whether it is known who wins, so that more simulations are of no use.
  bool proven() const { return proven_; }

  // Calls f(action, visits, sum, proof) for each action of the root that was tried.
  template <class F>
  void each(F f) {
    const Node& root = *arena_.at<Node>(root_);
    const Edges edges(arena_, root);
    for (int i = 0; i < root.count; ++i) {
      if (edges.visits[i]) f(Action{edges.action[i]}, edges.visits[i], edges.sum[i], edges.proof(i));
    }
  }

  // Adds what is played most often after `action`, for as long as the tree tells: with hidden information it does not.
  template <class Line>
  void follow(Action action, Line& line) {
    if constexpr (kPerfect) {
      for (Place at = root_; at && line.size < Choice::kLongestLine;) {
        const Node& node = *arena_.at<Node>(at);
        const Edges edges(arena_, node);
        int next = edges.best(node.count, 0);
        if (edges.proof(next) <= 0) {
          next = static_cast<int>(std::max_element(edges.visits, edges.visits + node.count) - edges.visits);
        }
        if (at == root_) {
          next = static_cast<int>(std::find(edges.action, edges.action + node.count, action) - edges.action);
        }
        if (next == node.count || !edges.visits[next]) return;
        line.add(edges.action[next]);
        at = edges.link[next];
      }
    } else {
      line.add(action);
    }
  }

 private:
  struct Step {
    Place node;
    int edge;
  };
  static constexpr std::size_t kTableShare = 8;

  const float exploration_;
  Leaf leaf_;
  Arena arena_;
  NodeTable table_;  // hidden information only
  const G* g_ = nullptr;
  View<G> view_{};
  State<G> world_{};  // one in which the seat sees `view_`
  Rng rng_;
  Place root_ = 0;
  int deepest_ = 0;
  bool proven_ = false;
  std::vector<Step> path_;
  std::vector<std::int16_t> edge_of_;  // by action: -1, but while edges are looked for

  // Goes on from a node by one action. Gives the next node, or 0 where the simulation leaves the tree.
  Place step(Place at, State<G>& state) {
    Node& node = *arena_.at<Node>(at);
    int edge;
    if (kPerfect || node.turn == view_.seat) {
      const float known = exploration_ * std::sqrt(std::log(static_cast<float>(std::max(node.visits, 1u))));
      edge = Edges(arena_, node).best(node.count, known);
    } else {
      edge = best_available(node, state);
      if (edge < 0) return 0;
    }
    path_.push_back({at, edge});
    const Edges edges(arena_, node);
    g_->apply(state, edges.action[edge]);
    if (state.pub.turn == kNobody) return 0;
    if constexpr (kPerfect) {
      if (edges.link[edge]) return edges.link[edge];
      if (edges.visits[edge] + 1 >= visits_to_expand()) edges.link[edge] = add_node(state);
      return 0;
    } else {
      if (const Place next = table_.find(view_hash(state, view_.seat))) return next;
      if (edges.visits[edge] + 1 >= visits_to_expand()) add_node(state);
      return 0;
    }
  }

  // The last simulation ended the game: whoever won could choose so, whoever lost had no better choice if all the others
  // lose as well, and so on upwards. A result that is neither a win nor a loss proves nothing.
  void prove(const Returns& result) {
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      const Node& node = *arena_.at<Node>(step->node);
      const double got = result[static_cast<std::size_t>(node.turn)];
      if (std::abs(got) != 1) return;
      Edges(arena_, node).prove(step->edge, got > 0);
      if (proof(node) != got) return;
    }
    proven_ = true;
  }
  // 1 where the seat on turn surely wins, -1 where it loses, 0 where that is not known.
  int proof(const Node& node) {
    const Edges edges(arena_, node);
    return edges.proof(edges.best(node.count, 0));
  }

  // How often an edge is tried before a node is made behind it: twice as often whenever half of what was left of the
  // memory has been used, so that a tree which is nearly full grows where it matters.
  std::uint32_t visits_to_expand() const {
    std::uint32_t visits = kPerfect ? 2 : 1;
    for (double left = 1 - arena_.used(); left < 0.5 && visits < 1u << 30; left *= 2) visits *= 2;
    return visits;
  }

  // 0 when the memory is full: then the tree stays as it is, and simulations leave it here.
  Place add_node(const State<G>& state) {
    Actions<G> actions;
    legal(*g_, state, actions);
    rng_.shuffle(actions.items.data(), actions.size);  // what is tried first is left to chance
    const Place place = new_node(arena_, state.pub.turn, actions);
    if constexpr (!kPerfect) {
      if (place && !table_.add(view_hash(state, view_.seat), place)) return 0;
    }
    return place;
  }

  // The best edge among those that this world allows, on a turn of the other seat; -1 when none is known and the memory
  // is full.
  int best_available(Node& node, const State<G>& state) {
    Actions<G> actions;
    legal(*g_, state, actions);
    const auto known = Edges(arena_, node);
    const int before = node.count;
    for (int i = 0; i < before; ++i) edge_of(known.action[i]) = static_cast<std::int16_t>(i);
    int best = -1;
    float highest = 2 * Edges::kNone;
    const int first = static_cast<int>(rng_.below(static_cast<std::uint32_t>(actions.size)));  // of equal ones any
    for (int i = 0; i < actions.size; ++i) {
      const Action action = actions[(first + i) % actions.size];
      int edge = edge_of(action);
      if (edge < 0 && (edge = add_edge(arena_, node, action)) < 0) continue;
      const Edges edges(arena_, node);
      const float times = static_cast<float>(++edges.link[edge]);
      const float bound = edges.mean[edge] + exploration_ * std::sqrt(std::log(times)) * edges.spread[edge];
      if (bound > highest) {
        highest = bound;
        best = edge;
      }
    }
    const Edges now(arena_, node);
    for (int i = 0; i < before; ++i) edge_of(now.action[i]) = -1;
    return best;
  }
  std::int16_t& edge_of(Action action) { return edge_of_[static_cast<std::size_t>(action)]; }

  // The node in which the seat sees `view` on its turn, after an action of its own and the other's answers; or 0.
  Place find(const View<G>& view) {
    if constexpr (kPerfect) {
      return view == view_ ? root_ : find_below(root_, world_, view);
    } else {
      State<G> seen;
      seen.pub = view.pub;
      seen.own[static_cast<std::size_t>(view.seat)] = view.own;
      return table_.find(view_hash(seen, view.seat));
    }
  }

  Place find_below(Place at, const State<G>& state, const View<G>& view) {
    const Node& node = *arena_.at<Node>(at);
    const Edges edges(arena_, node);
    for (int i = 0; i < node.count; ++i) {
      if (!edges.link[i]) continue;
      State<G> next = state;
      g_->apply(next, edges.action[i]);
      if (next.pub.turn == view.seat) {
        if (view_of(next, view.seat) == view) return edges.link[i];
      } else if (const Place found = find_below(edges.link[i], next, view)) {
        return found;
      }
    }
    return 0;
  }
};

}  // namespace ludoteca
