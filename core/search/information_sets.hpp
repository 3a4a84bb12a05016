// The whole tree of a small game with hidden information, as information sets: what a seat cannot tell apart, together.
//
//     root, root, …       the worlds that may have been dealt, each with a weight; the weights sum to 1
//      │      │
//     node   node  …      a world in which the seat on turn has a choice: no node where only one action is legal
//     ├─┬─┐  ├─┬─┐
//     edges               one for each action: to a node, or ~i for outcome i
//
// The nodes of a set follow one another, as do its edges, node by node. Sets come before all that are reached from them,
// so one pass upwards over them finds the reach of every node and one pass downwards its value.
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
    Index nodes;         // worlds among which its seat cannot tell
    Index first_action;  // in `actions`, and in whatever has a number for each action of each set
    Index first_node, first_edge;
  };

  std::vector<Set> sets;
  std::vector<Action> actions;
  std::vector<Index> edges;
  std::vector<double> outcomes;  // what seat 0 gets
  std::vector<Index> entries;    // by root: where it leads, like an edge
  std::vector<double> weights;   // by root
  std::vector<double> chances;   // by node: the weight of its root

  std::size_t nodes() const { return chances.size(); }
  // Bytes that the tree takes, and all that `Regret` adds.
  std::size_t bytes() const {
    return sets.size() * sizeof(Set) + actions.size() * 28 + edges.size() * 4 + outcomes.size() * 8 + nodes() * 32;
  }

  // The set that has this node.
  std::size_t set_of(Index node) const {
    const auto after = std::upper_bound(sets.begin(), sets.end(), node,
                                        [](Index sought, const Set& set) { return sought < set.first_node; });
    return static_cast<std::size_t>(after - sets.begin()) - 1;
  }
};

// The tree of a game in which the seats' views remember all that they saw and did, and nothing is left to chance after
// the deal: then worlds that look alike have looked alike ever since, and meet in one set.
template <Game G>
class InformationTree : public InformationSets {
 public:
  struct Root {
    State<G> state;
    double weight;  // of any scale
  };

  std::vector<Root> roots;

  // `spend()` is asked before each node; when it says no the tree is given up: see `complete`.
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

  // The node that these actions lead to from a root; or -1 where they are not legal, or end where there is no choice.
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

  // Calls f(set, state) for each set once, with a state in which its seat is on turn there.
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
    Index from;  // an edge, or ~i for the entry of root i
  };

  void lead(Index from, Index to) {
    if (from >= 0) edges[static_cast<std::size_t>(from)] = to;
    else entries[static_cast<std::size_t>(~from)] = to;
  }

  static int compare(const Item& one, const Item& two) {
    if (const int by_public = std::memcmp(&one.state.pub, &two.state.pub, sizeof one.state.pub)) return by_public;
    const auto seat = static_cast<std::size_t>(one.state.pub.turn);
    return std::memcmp(&one.state.own[seat], &two.state.own[seat], sizeof one.state.own[seat]);
  }

  template <class Spend>
  bool grow(std::vector<Item>& items, Spend& spend) {
    std::vector<const Item*> going;
    for (const Item& item : items) {
      if (item.state.pub.turn != kNobody) {
        going.push_back(&item);
        continue;
      }
      lead(item.from, ~static_cast<Index>(outcomes.size()));
      outcomes.push_back(game_.returns(item.state.pub)[0]);
    }
    std::stable_sort(going.begin(), going.end(), [](const Item* a, const Item* b) { return compare(*a, *b) < 0; });
    std::vector<Item> next;  // after one public state: some actions look alike to the other seat, so all go on together
    for (std::size_t begin = 0, end; begin < going.size(); begin = end) {
      const Item& first = *going[begin];
      for (end = begin + 1; end < going.size() && !compare(first, *going[end]);) ++end;
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
        const Item& item = *going[i];
        if (!spend()) return false;
        if (choice) {
          lead(item.from, static_cast<Index>(nodes()));
          chances.push_back(item.chance);
        }
        for (int k = 0; k < legal_here.size; ++k) {
          const Index from = choice ? edge + static_cast<Index>(i - begin) * legal_here.size + k : item.from;
          next.push_back({item.state, item.chance, from});
          game_.apply(next.back().state, legal_here[k]);
        }
      }
      const bool last = end == going.size();
      if (!last && !std::memcmp(&first.state.pub, &going[end]->state.pub, sizeof first.state.pub)) continue;
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
      visit(next, here.size > 1 ? edges[static_cast<std::size_t>(edge)] : at, seen, f);
    }
  }
};

}  // namespace ludoteca
