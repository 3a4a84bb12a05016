// The expectimax of the program behind the seed document dominoes-tumbafichas. minimax.hpp is the document's own
// search.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/iterative_deepening.hpp"

namespace ludoteca {

// Counts tiles like DominoesMinimax, but takes the mean of the opponent's replies, and lists every reply twice: the
// opponent had the tile, or drew first, as many tiles as it would have to on average.
//
//     own turn             any tile of the hand that fits; with none, any unseen tile that fits is drawn and laid, after
//                          the average number of other draws; the best for this seat
//     the opponent's turn  any unseen tile that fits; then all of these again after drawing; the mean of all, each
//                          counting the same
//
//     value = 1000                                   this seat has no tile
//             -1000                                  the opponent has none
//             0                                      the seat on turn finds no tile that fits
//             10 * (opponent's tiles - own) * chance  the depth is reached
//
// `chance` is that of the last event: with u unseen tiles, f of them fitting, and n tiles in the opponent's hand,
//
//     the opponent had this tile       C(u-1, n-1) / C(u, n)
//     it had none that fits            C(u-f, n) / C(u, n)
//     this seat drew this one of those 1 / f
//
// and 0 where n > u. The binomials are the program's: in its row 14 a comma is missing, so the entries from 10 on are
// wrong. Where that makes the program divide by zero and end, this search takes the true chance.
//
// Nothing can be pruned under a mean, but the same node is reached in many ways, so values are kept in a table.
class DominoesExpectimax {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr double kWin = 1000, kTile = 10;

  DominoesExpectimax(const Dominoes& game, Limits& limits) : game_(game), limits_(limits) {}

  // For the seat of `view`, which is on turn and can lay a tile, in a game with drawing. Value and scores are those
  // above.
  void choose(const View<Dominoes>& view, int depth, SharedChoice& shared) {
    assert(view.pub.turn == view.seat && depth >= 1 && depth <= kMaxDepth && game_.drawing);
    Actions<Dominoes> actions;
    game_.legal(view, actions);
    assert(actions[0] < game_.draw_action());
    const Node root{view.own.hand, game_.unseen(view), view.pub.ends,
                    view.pub.count[index(other(view.seat))], std::popcount(view.own.hand)};
    iterative_deepening(limits_, shared, depth, [&](int plies) { return search_root(root, actions, plies); });
  }

 private:
  using Set = Dominoes::Set;

  struct Node {
    Set hand, unseen;
    Dominoes::Ends ends;
    int theirs, own;  // tiles; of some own tiles only the number is known
    double chance = 1;
  };

  // What the value of a node depends on. Only nodes with at least two plies left are stored. There the chance does not
  // matter: the opponent's next tile, or this seat's next draw, sets it anew.
  struct Key {
    Set hand = 0, unseen = 0;
    std::uint64_t rest = 0;

    bool operator==(const Key&) const = default;
    std::size_t hash() const {
      std::uint64_t h = hand * 0x9e3779b97f4a7c15ULL;
      h = (h ^ h >> 32 ^ unseen) * 0xbf58476d1ce4e5b9ULL;
      h = (h ^ h >> 32 ^ rest) * 0x94d049bb133111ebULL;
      return h ^ h >> 32;
    }
  };
  struct Slot {
    Key key;  // a rest of 0: empty
    double value = 0;
  };
  static constexpr std::uint64_t kNodesPerCheck = 256;
  // Slots. The maximum takes 2 MB: more would be faster in the deepest searches, but growing or freeing them would take
  // so many milliseconds that no deadline could be kept.
  static constexpr std::size_t kMinSlots = 1 << 10, kMaxSlots = 1 << 16;

  const Dominoes& game_;
  Limits& limits_;
  bool exhaustive_ = false;
  // Each slot holds the last value stored there: probing for a free one, as search/hash_table.hpp does, would need a
  // rule for what to drop when the table is full.
  std::vector<Slot> table_;
  std::size_t filled_ = 0;

  // Meaningless if the limits are spent afterwards.
  Choice search_root(const Node& root, const Actions<Dominoes>& actions, int plies) {
    table_.assign(kMinSlots, {});  // empty: an entry does not say whether the depth cut anything
    filled_ = 0;
    Choice out;
    out.depth = plies;
    out.value = -std::numeric_limits<double>::infinity();
    exhaustive_ = true;
    for (const Action action : actions) {
      const double found = value(laid(root, action, &Node::hand), false, plies - 1);
      out.scores.emplace_back(action, found);
      if (found <= out.value) continue;
      out.value = found;
      out.action = action;
      out.line.size = 0;
      out.line.add(action);
    }
    out.exhaustive = exhaustive_;
    return out;
  }

  static Node laid(Node node, Action action, Set Node::* from) {
    Dominoes::extend(node.ends, action / 2, index(action % 2));
    node.*from ^= Tiles::one(action / 2);
    --(from == &Node::hand ? node.own : node.theirs);
    return node;
  }

  double value(const Node& node, bool ours, int plies) {
    if (!limits_.spend(kNodesPerCheck)) return 0;
    if (plies < 2) return computed(node, ours, plies);
    const Key key = key_of(node, ours, plies);
    if (const Slot& slot = slot_of(key); slot.key == key) return slot.value;
    const double found = computed(node, ours, plies);
    if (!limits_.spent()) store({key, found});
    return found;
  }

  static Key key_of(const Node& node, bool ours, int plies) {
    std::uint64_t rest = ours ? 3 : 2;
    for (const int part : {int{node.ends[0]}, int{node.ends[1]}, node.theirs, node.own, plies}) {
      rest = rest << 8 | static_cast<std::uint8_t>(part);
    }
    return {node.hand, node.unseen, rest};
  }

  Slot& slot_of(const Key& key) { return table_[key.hash() & (table_.size() - 1)]; }

  void store(const Slot& fresh) {
    if (2 * filled_ > table_.size() && table_.size() < kMaxSlots) {
      std::vector<Slot> before(4 * table_.size());
      before.swap(table_);
      for (const Slot& slot : before) {
        if (slot.key.rest) slot_of(slot.key) = slot;
      }
    }
    Slot& slot = slot_of(fresh.key);
    filled_ += slot.key.rest == 0;
    slot = fresh;
  }

  double computed(const Node& node, bool ours, int plies) {
    if (!node.own) return kWin;
    if (!node.theirs) return -kWin;
    const Set fits = Dominoes::fitting(node.ends), own = ours ? node.hand & fits : 0, unseen = node.unseen & fits;
    if (!own && !unseen) return 0;
    if (plies == 0) {
      exhaustive_ = false;
      return kTile * (node.theirs - node.own) * node.chance + 0.0;  // + 0.0: no minus zero
    }
    Actions<Dominoes> actions;
    Dominoes::lays(own ? own : unseen, node.ends, actions);
    return !ours ? mean_of_theirs(node, std::popcount(unseen), actions, plies)
           : own ? best_of_hand(node, actions, plies)
                 : best_of_draws(node, std::popcount(unseen), actions, plies);
  }

  double best_of_hand(const Node& node, const Actions<Dominoes>& actions, int plies) {
    double best = -std::numeric_limits<double>::infinity();
    for (const Action action : actions) {
      best = std::max(best, value(laid(node, action, &Node::hand), false, plies - 1));
    }
    return best;
  }

  double best_of_draws(const Node& node, int fitting, const Actions<Dominoes>& actions, int plies) {
    const int drawn = mean_draws(std::popcount(node.unseen), fitting);
    double best = -std::numeric_limits<double>::infinity();
    for (const Action action : actions) {
      Node next = laid(node, action, &Node::unseen);
      next.theirs = node.theirs;  // the tile went to this seat
      next.own += drawn - 1;
      next.chance = 1.0 / fitting;
      best = std::max(best, value(next, false, plies - 1));
    }
    return best;
  }

  double mean_of_theirs(const Node& node, int fitting, const Actions<Dominoes>& actions, int plies) {
    const int unseen = std::popcount(node.unseen), held = node.theirs;
    double had = 0, had_none = 0;
    int drawn = 0;
    if (held <= unseen) {
      const double hands = binomial(unseen, held);
      had = hands > 0 ? binomial(unseen - 1, held - 1) / hands : 1;  // zero only if it holds all of them
      had_none = hands > 0 ? binomial(unseen - fitting, held) / hands : 0;
      drawn = mean_draws(unseen - held, fitting);
    }
    double sum = 0;
    for (const bool drew : {false, true}) {
      for (const Action action : actions) {
        Node next = laid(node, action, &Node::unseen);
        next.theirs += drew ? drawn : 0;
        next.chance = drew ? had_none : had;
        sum += value(next, true, plies - 1);
      }
    }
    return sum / (2 * actions.size);
  }

  // The mean number of draws until one of `fitting` among `tiles` comes, rounded down.
  static int mean_draws(int tiles, int fitting) {
    double sum = 0, not_yet = 1;
    for (int i = 1; i <= tiles - fitting + 1; ++i) {
      sum += i * not_yet * fitting / (tiles - i + 1);
      not_yet = not_yet * (tiles - fitting - i + 1) / (tiles - i + 1);
    }
    return static_cast<int>(std::floor(sum));
  }

  // C(n, k) as the program's table has it.
  static double binomial(int n, int k) {
    static const auto kTable = [] {
      std::array<std::array<double, Tiles::kCount + 1>, Tiles::kCount + 1> table{};
      for (std::size_t row = 0; row < table.size(); ++row) {
        table[row][0] = 1;
        for (std::size_t i = 1; i <= row; ++i) table[row][i] = table[row - 1][i - 1] + table[row - 1][i];
      }
      // Row 14 has "1001364" where "1001, 364" was meant, so the rest of the row moves up by one.
      auto& row = table[14];
      std::copy(row.begin() + 12, row.end(), row.begin() + 11);
      row[10] = 1001364;
      return table;
    }();
    return kTable[index(n)][index(k)];
  }
};

}  // namespace ludoteca
