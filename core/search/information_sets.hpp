// The complete game tree of a small game with hidden information, grouped into information sets: nodes that the seat on
// turn cannot tell apart.
//
//     root, root, …       the worlds that may have been dealt, each with a weight; the weights sum to 1
//      │      │
//     node   node  …      a world in which the seat on turn has a choice: no node where only one action is legal
//     ├─┬─┐  ├─┬─┐
//     edges               one for each action: to a node, or ~i for outcome i
//
// The nodes of a set are consecutive, and so are its edges, node by node. A set comes before all sets that are reached
// from it, so one forward pass computes the reach of every node, and one backward pass its value.
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "game.hpp"

namespace ludoteca {

struct InformationSets {
  using Index = std::int32_t;

  struct Set {
    Seat seat;
    int actions;         // at least 2
    Index nodes;
    Index first_action;  // in `actions`, and in every array with a number for each action of each set
    Index first_node, first_edge;
  };

  std::vector<Set> sets;
  std::vector<Action> actions;
  std::vector<Index> edges;
  std::vector<double> outcomes;  // returns of seat 0
  std::vector<Index> entries;    // by root: its first node or outcome, like an edge
  std::vector<double> weights;   // by root
  std::vector<double> chances;   // by node: the weight of its root

  std::size_t nodes() const { return chances.size(); }
  // Bytes of the tree and of CfrPlus on it.
  std::size_t bytes() const {
    return sets.size() * sizeof(Set) + actions.size() * 28 + edges.size() * 4 + outcomes.size() * 8 + nodes() * 32;
  }

  // The set of this node.
  std::size_t set_of(Index node) const {
    const auto after = std::upper_bound(sets.begin(), sets.end(), node,
                                        [](Index sought, const Set& set) { return sought < set.first_node; });
    return static_cast<std::size_t>(after - sets.begin()) - 1;
  }
};

// The tree of a game with perfect recall (views contain all that the seat saw and did) and without chance after the
// deal: then worlds that look alike now have always looked alike, and lie in one set.
template <Game G>
class InformationTree : public InformationSets {
 public:
  struct Root {
    State<G> state;
    double weight;  // of any scale
  };

  std::vector<Root> roots;

  // `spend()` is called before each node; when it returns false the tree stays incomplete.
  template <class Spend>
  InformationTree(const G& game, std::vector<Root> all, Spend spend) : roots(std::move(all)), game_(game) {
    double total = 0;
    for (const Root& root : roots) total += root.weight;
    entries.resize(roots.size());
    std::vector<Item> items;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      weights.push_back(roots[i].weight / total);
      items.push_back({roots[i].state, weights[i], ~static_cast<Index>(i)});
    }
    complete_ = grow(items, spend);
  }

  bool complete() const { return complete_; }

  // The node that these actions set_target to from a root; -1 if they are illegal or set_target to a state without a
  // choice.
  template <class List>
  Index walk(std::size_t root, const List& played, State<G>& state) const {
    state = roots[root].state;
    Index at = entries[root];
    for (const Action action : played) {
      if (!is_legal(game_, state, action)) return -1;
      Actions<G> legal_here;
      legal(game_, state, legal_here);
      if (legal_here.size > 1) {
        if (at < 0) return -1;
        const Set& set = sets[set_of(at)];
        const auto place = std::find(legal_here.begin(), legal_here.end(), action) - legal_here.begin();
        at = edges[static_cast<std::size_t>(set.first_edge + (at - set.first_node) * set.actions + place)];
      }
      game_.apply(state, action);
    }
    Actions<G> now;
    legal(game_, state, now);
    return now.size > 1 ? at : -1;
  }

  // Calls f(set, state) once for each set, with one of its states.
  template <class F>
  void each_set(F f) const {
    std::vector<bool> seen(sets.size());
    for (std::size_t i = 0; i < roots.size(); ++i) visit(roots[i].state, entries[i], seen, f);
  }

 private:
  const G& game_;
  bool complete_ = false;

  struct Item {
    State<G> state;
    double chance;
    Index from;  // the edge that leads to it, or ~i for the entry of root i
  };

  void set_target(Index from, Index to) {
    if (from >= 0) edges[static_cast<std::size_t>(from)] = to;
    else entries[static_cast<std::size_t>(~from)] = to;
  }

  static int compare(const Item& one, const Item& two) {
    if (const int by_public = std::memcmp(&one.state.pub, &two.state.pub, sizeof one.state.pub)) return by_public;
    const auto seat = index(one.state.pub.turn);
    return std::memcmp(&one.state.own[seat], &two.state.own[seat], sizeof one.state.own[seat]);
  }

  template <class Spend>
  bool grow(std::vector<Item>& items, Spend& spend) {
    std::vector<const Item*> open;
    for (const Item& item : items) {
      if (item.state.pub.turn != kNobody) {
        open.push_back(&item);
        continue;
      }
      set_target(item.from, ~static_cast<Index>(outcomes.size()));
      outcomes.push_back(game_.returns(item.state.pub)[0]);
    }
    std::stable_sort(open.begin(), open.end(), [](const Item* a, const Item* b) { return compare(*a, *b) < 0; });
    std::vector<Item> next;  // after one public state, together: to the other seat some actions look alike
    for (std::size_t begin = 0, end; begin < open.size(); begin = end) {
      const Item& first = *open[begin];
      for (end = begin + 1; end < open.size() && !compare(first, *open[end]);) ++end;
      Actions<G> legal_here;
      legal(game_, first.state, legal_here);
      const bool choice = legal_here.size > 1;
      const Index edge = static_cast<Index>(edges.size());
      if (choice) {
        sets.push_back({first.state.pub.turn, legal_here.size, static_cast<Index>(end - begin),
                        static_cast<Index>(actions.size()), static_cast<Index>(nodes()), edge});
        actions.insert(actions.end(), legal_here.begin(), legal_here.end());
        edges.resize(edges.size() + (end - begin) * static_cast<std::size_t>(legal_here.size));
      }
      for (std::size_t i = begin; i < end; ++i) {
        const Item& item = *open[i];
        if (!spend()) return false;
        if (choice) {
          set_target(item.from, static_cast<Index>(nodes()));
          chances.push_back(item.chance);
        }
        for (int k = 0; k < legal_here.size; ++k) {
          const Index from = choice ? edge + static_cast<Index>(i - begin) * legal_here.size + k : item.from;
          next.push_back({item.state, item.chance, from});
          game_.apply(next.back().state, legal_here[k]);
        }
      }
      const bool last = end == open.size();
      if (!last && !std::memcmp(&first.state.pub, &open[end]->state.pub, sizeof first.state.pub)) continue;
      if (!grow(next, spend)) return false;
      next.clear();
    }
    return true;
  }

  template <class F>
  void visit(const State<G>& state, Index at, std::vector<bool>& seen, F& f) const {
    if (at < 0) return;
    Actions<G> here;
    legal(game_, state, here);
    const std::size_t number = set_of(at);
    const Set& set = sets[number];
    if (here.size > 1 && !seen[number]) {
      seen[number] = true;
      f(number, state);
    }
    for (int k = 0; k < here.size; ++k) {
      State<G> next = state;
      game_.apply(next, here[k]);
      const Index edge = set.first_edge + (at - set.first_node) * set.actions + k;
      visit(next, here.size > 1 ? edges[index(edge)] : at, seen, f);
    }
  }
};

}  // namespace ludoteca
