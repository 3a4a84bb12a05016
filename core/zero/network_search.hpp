// A search that a network leads, for play: no chance, as many simulations as there is time for.
//
//     begin ─► select ─► [network] ─► expand ─► select ─► …          choice() whenever somebody wants to know
//
// The network is asked outside: `select` gives the positions to ask about, several at a time if wanted, `expand` takes the
// answers. What is known of a position that comes up later in the match is kept.
#pragma once

#include "search/choice.hpp"
#include "zero/tree.hpp"

namespace ludoteca {

// What is certain about a position without any network; nothing, where a game has nobody to say so.
template <class G>
struct Certainty {
  struct Sight {
    Seat winner = kNobody;  // who surely wins
    Action move = -1;       // how, if that is the seat on turn
    bool allows(Action) const { return true; }  // whether the action has to be tried at all
  };
  explicit Certainty(const G&) {}
  Sight look(const typename G::Public&) { return {}; }
};

template <Shaped G>
class NetworkSearch {
 public:
  using Tree = PriorTree<G>;
  using Index = typename Tree::Index;

  // bytes: for the tree; when they are used up it grows no more. certain: whether to ask Certainty before the network.
  NetworkSearch(const G& g, std::size_t bytes, bool certain) : g_(g), bytes_(bytes), certainty_(g), certain_(certain) {}

  // Puts the root here; keep: with all that is known of it.
  void begin(const State<G>& state, bool keep) {
    Index found = Tree::kNone;
    if (keep && tree_.size()) found = find(0, state_, state, 2);
    if (found == Tree::kNone) {
      tree_.clear();
      tree_.add(g_, state);
    } else if (found) {
      tree_ = subtree(found);
    }
    state_ = state;
    waiting_.clear();
    deepest_ = 0;
    sight_ = certain_ ? certainty_.look(state.pub) : Sight{};
    if (sight_.winner == state.pub.turn) tree_.know(0, sight_.winner == 0 ? 1 : -1);
  }

  // Whether more simulations are of no use: it is known who wins, or the memory is full.
  bool ended() const { return tree_.node(0).proof || (lost() && tree_.node(0).count) || tree_.bytes() >= bytes_; }

  // Makes at most so many simulations. Those that need the network wait for it, at most `most` at a time; their positions
  // go to `out`, [planes, side²] each. Gives how many they are.
  int select(int most, int simulations, std::int8_t* out) {
    for (; simulations > 0 && static_cast<int>(waiting_.size()) < most && !ended(); --simulations) {
      Asked asked{state_, {}, {}};
      if (!tree_.node(0).count) {
        if (!waiting_.empty()) break;
        asked.sight = sight_;
        asked.path.push_back(0);
      } else {
        if (tree_.descend(g_, asked.state, 0, asked.path) == Tree::kNone) break;
        if (worth_a_look(asked)) look(asked);
      }
      deepest_ = std::max(deepest_, static_cast<int>(asked.path.size()) - 1);
      if (asked.state.pub.turn == kNobody || tree_.node(asked.path.back()).proof) {
        tree_.learn(asked.path);
        continue;
      }
      tree_.wait(asked.path);
      Shape<G>::see(g_, asked.state.pub, out + waiting_.size() * bytes_of(g_));
      waiting_.push_back(std::move(asked));
    }
    return static_cast<int>(waiting_.size());
  }

  // logits: [count, side²], values: [count], of what was selected last, in that order.
  void expand(const float* logits, const float* values) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const Asked& asked = waiting_[i];
      const bool hopeless = asked.sight.winner != kNobody;  // only the root: then any move is as good as another
      tree_.stop_waiting(asked.path);
      tree_.open(g_, asked.state, asked.path.back(), logits + i * cells_of(g_), values[i],
                 [&](Action action) { return hopeless || asked.sight.allows(action); });
      tree_.learn(asked.path);
    }
    waiting_.clear();
  }

  bool begun() const { return tree_.size() > 0; }
  std::size_t waiting() const { return waiting_.size(); }
  std::uint32_t visits() const { return tree_.node(0).visits; }
  // What it would play now; of depth 0 before the network has said anything.
  Choice choice() const {
    Choice out;
    const PriorNode& root = tree_.node(0);
    if (sight_.winner == root.turn) {
      out.action = sight_.move;
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
    out.depth = std::max(1, deepest_);
    out.value = root.proof ? tree_.worth(root, root.turn) : tree_.mixed(root);
    out.action = tree_.edge(root, 0).action;
    if (lost()) {
      out.value = -1;
      out.exhaustive = true;
    }
    if (tried.empty() || lost()) {
      out.line.add(out.action);
      return out;
    }
    const auto rank = [&](const auto& each) {
      const PriorNode& child = tree_.node(each.first);
      const float worth = tree_.worth(child, root.turn);
      const int sure = child.proof ? (worth > 0 ? 1 : -1) : 0;
      return std::tuple{-sure, -static_cast<double>(child.visits), -worth, each.second};
    };
    std::sort(tried.begin(), tried.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    out.action = tree_.edge(root, tried[0].second).action;
    out.value = tree_.worth(tree_.node(tried[0].first), root.turn);
    for (const auto& [child, i] : tried) {
      const double worth = tree_.worth(tree_.node(child), root.turn);
      out.scores.emplace_back(tree_.edge(root, i).action, std::min(worth, out.value));
    }
    out.exhaustive = root.proof != 0;
    follow(out.action, out.line);
    return out;
  }

 private:
  using Sight = typename Certainty<G>::Sight;
  struct Asked {
    State<G> state;
    std::vector<Index> path;
    Sight sight;
  };

  const G& g_;
  const std::size_t bytes_;
  Tree tree_;
  State<G> state_{};
  Certainty<G> certainty_;
  const bool certain_;
  Sight sight_;  // of the root
  std::vector<Asked> waiting_;
  int deepest_ = 0;

  // Whether the seat on turn surely loses: then the network says where to put up most resistance.
  bool lost() const { return sight_.winner == other(state_.pub.turn); }

  // Where the match is open nothing is certain, and the network costs little more than to find that out.
  bool worth_a_look(const Asked& asked) const {
    constexpr float kDecided = 0.4f;
    if (!certain_ || asked.state.pub.turn == kNobody || tree_.node(asked.path.back()).proof) return false;
    return std::abs(tree_.node(asked.path[asked.path.size() - 2]).value) > kDecided;
  }

  void look(Asked& asked) {
    asked.sight = certainty_.look(asked.state.pub);
    if (asked.sight.winner != kNobody) tree_.know(asked.path.back(), asked.sight.winner == 0 ? 1 : -1);
  }

  // The node of `wanted`, at most so many actions below `at`, where `state` is.
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

  // The tree below a node, as a tree of its own.
  Tree subtree(Index root) const {
    Tree out;
    std::vector<Index> from{root};
    out.nodes_.push_back(tree_.node(root));
    for (std::size_t at = 0; at < from.size(); ++at) {
      const PriorNode node = tree_.node(from[at]);
      out.nodes_[at].edges = static_cast<std::uint32_t>(out.edges_.size());
      out.nodes_[at].waiting = 0;
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

  // Adds `action` and then what is visited most.
  template <class Line>
  void follow(Action action, Line& line) const {
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
    const bool wins = child.proof && tree_.worth(child, node.turn) > 0, rival_wins = rival.proof && tree_.worth(rival, node.turn) > 0;
    return wins != rival_wins ? wins : child.visits > rival.visits;
  }
};

}  // namespace ludoteca
