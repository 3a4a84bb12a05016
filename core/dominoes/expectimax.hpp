// The expectimax of the program behind the seed document dominoes-tumbafichas. minimax.hpp is the document's own
// search.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "dominoes/rules.hpp"
#include "search/hash_table.hpp"
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
// Nothing can be pruned under a mean. But the same node is reached in many ways, so values are kept in a table, and the
// last two plies are counted instead of visited: a leaf is worth one of two values, by whether its seat finds a tile
// that fits. Sums are added in the program's order, so that values are equal to the last bit.
class DominoesExpectimax {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr double kWin = 1000, kTile = 10;

  DominoesExpectimax(const Dominoes& game, Limits& limits) : game_(game), limits_(&limits) {}

  // For the seat of `view`, which is on turn and can lay a tile, in a game with drawing. Value and scores are those
  // above. most: nodes of a search that nothing else can end early; beyond them it starts again, deepening iteratively,
  // with half as many.
  void choose(const View<Dominoes>& view, int depth, std::uint64_t most, SharedChoice& shared) {
    assert(view.pub.turn == view.seat && depth >= 1 && depth <= kMaxDepth && game_.drawing);
    Actions<Dominoes> actions;
    game_.legal(view, actions);
    assert(actions[0] < game_.draw_action());
    const Node root{view.own.hand, game_.unseen(view), view.pub.ends,
                    view.pub.count[index(other(view.seat))], std::popcount(view.own.hand)};
    if (limits_->may_end_early()) return deepen(*limits_, root, actions, depth, shared);
    Limits& whole = *limits_;
    Limits at_once(whole, most, false);
    deepen(at_once, root, actions, depth, shared);
    if (!at_once.spent()) return;
    Limits by_steps(whole, most / 2, true);
    deepen(by_steps, root, actions, depth, shared);
  }

 private:
  using Set = Dominoes::Set;

  struct Node {
    Set hand, unseen;
    Dominoes::Ends ends;
    int theirs, own;  // tiles; of some own tiles only the number is known
    double chance = 1;
  };

  // What the value of a node depends on: the tiles of the hand or unseen, and in one number the ends, the counts and the
  // plies left. Every ply lays one tile, so the number of tiles says whose turn it is. The chance does not
  // matter where two or more plies are left: the opponent's next tile, or this seat's next draw, sets it anew.
  struct Key {
    Set tiles = 0;
    std::uint64_t rest = 0;  // 0: of an empty slot

    bool operator==(const Key&) const = default;
    std::size_t hash() const {
      std::uint64_t h = tiles * 0x9e3779b97f4a7c15ULL;
      h = (h ^ h >> 32 ^ rest) * 0xbf58476d1ce4e5b9ULL;
      h = (h ^ h >> 29) * 0x94d049bb133111ebULL;
      return h ^ h >> 32;
    }
  };
  struct Slot {
    Key key;
    double value;

    bool empty() const { return key.rest == 0; }
    bool has(const Key& other) const { return key == other; }
  };
  using Table = HashTable<Slot>;
  // A node with two plies left takes about half a microsecond.
  static constexpr std::uint64_t kNodesPerCheck = 64;
  static constexpr int kStoredPlies = 3;
  static constexpr std::size_t kMinSlots = 1 << 12, kMaxSlots = 1 << 22;  // at most 96 MB

  const Dominoes& game_;
  Limits* limits_;
  bool exhaustive_ = false;
  // Each slot holds the last value stored there. When the table is half full, a larger and empty one takes its place:
  // to find its values again costs little, and to move them would overrun a deadline.
  std::optional<Table> table_;
  std::size_t filled_ = 0;
  // The same numbers have the same mean, wherever they are met.
  struct Mean {
    std::uint64_t key = 0;
    double value = 0;
    bool exhaustive = true;
  };
  static constexpr int kMeanBits = 12;
  std::vector<Mean> means_{1 << kMeanBits};

  void deepen(Limits& limits, const Node& root, const Actions<Dominoes>& actions, int depth, SharedChoice& shared) {
    limits_ = &limits;
    iterative_deepening(limits, shared, depth, [&](int plies) { return search_root(root, actions, plies); });
  }

  // Meaningless if the limits are spent afterwards.
  Choice search_root(const Node& root, const Actions<Dominoes>& actions, int plies) {
    table_.emplace(kMinSlots);  // empty: an entry does not say whether the depth cut anything
    filled_ = 0;
    Choice out;
    out.depth = plies;
    out.value = -std::numeric_limits<double>::infinity();
    exhaustive_ = true;
    for (const Action action : actions) {
      Node next = root;
      Dominoes::extend(next.ends, action / 2, index(action % 2));
      next.hand ^= Tiles::one(action / 2);
      --next.own;
      const double found = value(next, false, plies - 1);
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

  double value(const Node& node, bool ours, int plies) {
    if (!limits_->spend(kNodesPerCheck)) return 0;
    if (!node.own) return kWin;
    if (!node.theirs) return -kWin;
    if (plies < kStoredPlies) return computed(node, ours, plies);
    const Key key = key_of(node, plies);
    if (const Slot& slot = table_->home(key.hash()); slot.key == key) return slot.value;
    const double found = computed(node, ours, plies);
    if (!limits_->spent()) store({key, found});
    return found;
  }

  static Key key_of(const Node& node, int plies) {
    std::uint64_t rest = 0;
    for (const int part : {int{node.ends[0]}, int{node.ends[1]}, node.theirs, node.own, plies}) {
      rest = rest << 8 | static_cast<std::uint8_t>(part);
    }
    return {node.hand | node.unseen, rest};
  }

  void store(const Slot& fresh) {
    if (2 * filled_ > table_->slots() && table_->slots() < kMaxSlots) {
      table_.emplace(std::min(16 * table_->slots(), kMaxSlots));
      filled_ = 0;
    }
    Slot& slot = table_->home(fresh.key.hash());
    filled_ += slot.empty();
    slot = fresh;
  }

  // The value of a node whose seats both have tiles.
  double computed(const Node& node, bool ours, int plies) {
    if (ours) return plies > 1 ? best_of_ours(node, plies) : best_of(last_ply(node), node.theirs, node.chance);
    const int fitting = std::popcount(node.unseen & Dominoes::fitting(node.ends));
    if (!fitting) return 0;
    if (plies == 0) return leaf(node.theirs - node.own, node.chance);
    return mean_of_theirs(node, fitting, plies);
  }

  double leaf(int difference, double chance) {
    exhaustive_ = false;
    return kTile * difference * chance + 0.0;  // + 0.0: no minus zero
  }

  double best_of_ours(const Node& node, int plies) {
    const Set fits = Dominoes::fitting(node.ends), own = node.hand & fits, unseen = node.unseen & fits;
    if (!own && !unseen) return 0;
    double best = -std::numeric_limits<double>::infinity();
    each_lay(own ? own : unseen, node.ends, [&](Set tile, const Dominoes::Ends& ends) {
      Node next = node;
      next.ends = ends;
      if (own) {
        next.hand ^= tile;
        --next.own;
      } else {
        const int fitting = std::popcount(unseen);
        next.unseen ^= tile;
        next.own += mean_draws(std::popcount(node.unseen), fitting) - 1;
        next.chance = 1.0 / fitting;
      }
      best = std::max(best, value(next, false, plies - 1));
    });
    return best;
  }

  // The opponent's replies by numbers: how many tiles are unseen, how many of these fit, how many it holds, in how many
  // ways it can lay one, and how many of these are worth a leaf's value.
  struct Replies {
    int unseen, fitting, held, count, open = 0;
  };
  // Each reply is listed twice: it had the tile; it drew first.
  struct Odds {
    std::array<int, 2> theirs;  // its tiles afterwards
    std::array<double, 2> chance;
  };

  double mean_of_theirs(const Node& node, int fitting, int plies) {
    const Set fits = node.unseen & Dominoes::fitting(node.ends);
    Replies replies{std::popcount(node.unseen), fitting, node.theirs, lays(fits, node.ends)};
    if (plies == 1) {
      replies.open = replies_after_which_some_tile_fits(node, fits);
      return mean_of_leaves(replies, node.own);
    }
    const Odds odds = odds_of(replies);
    Node next = node;
    double sum = 0;
    if (plies == 2) {
      std::array<LastPly, Dominoes::kMaxActions> last;
      int listed = 0;
      bool plain = node.own > 1;  // any tile of the hand that fits leaves the opponent one that fits
      each_lay(fits, node.ends, [&](Set tile, const Dominoes::Ends& ends) {
        next.ends = ends;
        next.unseen = node.unseen ^ tile;
        const LastPly& found = last[index(listed++)] = last_ply(next);
        plain &= found.open && !found.closed && found.chance < 0;
      });
      if (plain) {
        replies.open = listed;
        return mean_of_leaves(replies, node.own - 1);
      }
      for (const std::size_t drew : {0u, 1u}) {
        for (int i = 0; i < listed; ++i) sum += best_of(last[index(i)], odds.theirs[drew], odds.chance[drew]);
      }
    } else {
      if (plies > kStoredPlies) prefetch(node, fits, odds, plies - 1);
      for (const std::size_t drew : {0u, 1u}) {
        next.theirs = odds.theirs[drew];
        next.chance = odds.chance[drew];
        each_lay(fits, node.ends, [&](Set tile, const Dominoes::Ends& ends) {
          next.ends = ends;
          next.unseen = node.unseen ^ tile;
          sum += value(next, true, plies - 1);
        });
      }
    }
    return sum / (2 * replies.count);
  }

  // Asks for the slots of all replies at once: waiting for memory is most of a deep search.
  void prefetch(Node next, Set fits, const Odds& odds, int plies) const {
    each_lay(fits, Dominoes::Ends{next.ends}, [&, unseen = next.unseen](Set tile, const Dominoes::Ends& ends) {
      next.ends = ends;
      next.unseen = unseen ^ tile;
      for (const int theirs : odds.theirs) {
        next.theirs = theirs;
        __builtin_prefetch(&table_->home(key_of(next, plies).hash()));
      }
    });
  }

  static Odds odds_of(const Replies& replies) {
    const auto [unseen, fitting, held, count, open] = replies;
    if (held > unseen) return {{held - 1, held - 1}, {0, 0}};
    const double hands = binomial(unseen, held);
    return {{held - 1, held - 1 + mean_draws(unseen - held, fitting)},
            {hands > 0 ? binomial(unseen - 1, held - 1) / hands : 1,  // zero only if it holds all of them
             hands > 0 ? binomial(unseen - fitting, held) / hands : 0}};
  }

  // The mean if `open` replies lead to leaves where this seat has `own` tiles, and the others are worth 0.
  double mean_of_leaves(const Replies& replies, int own) {
    std::uint64_t key = 1;
    for (const int part : {replies.unseen, replies.fitting, replies.held, replies.count, replies.open, own}) {
      key = key << 8 | static_cast<std::uint8_t>(part);
    }
    Mean& mean = means_[(key * 0x9e3779b97f4a7c15ULL) >> (64 - kMeanBits)];
    if (mean.key != key) {
      const Odds odds = odds_of(replies);
      const bool before = std::exchange(exhaustive_, true);
      double sum = 0;
      for (const std::size_t drew : {0u, 1u}) {
        const int theirs = odds.theirs[drew], worth = theirs ? replies.open : replies.count;
        const double term = !theirs ? -kWin : worth ? leaf(theirs - own, odds.chance[drew]) : 0;
        for (int i = 0; i < worth; ++i) sum += term;
      }
      mean = {key, sum / (2 * replies.count), exhaustive_};
      exhaustive_ = before;
    }
    exhaustive_ &= mean.exhaustive;
    return mean.value;
  }

  static int replies_after_which_some_tile_fits(const Node& node, Set fits) {
    const Set tiles = node.hand | node.unseen;
    // Two tiles for each end: one is left for the end that stays.
    if (std::popcount(tiles & Dominoes::fitting(node.ends, 0)) > 1 &&
        std::popcount(tiles & Dominoes::fitting(node.ends, 1)) > 1) {
      return lays(fits, node.ends);
    }
    int open = 0;
    each_lay(fits, node.ends, [&](Set tile, const Dominoes::Ends& ends) {
      open += (tiles ^ tile) & Dominoes::fitting(ends) ? 1 : 0;
    });
    return open;
  }

  // In how many ways a tile of a set can be laid.
  static int lays(Set fits, const Dominoes::Ends& ends) {
    const int left = std::popcount(fits & Dominoes::fitting(ends, 0));
    return ends[0] == ends[1] ? left : left + std::popcount(fits & Dominoes::fitting(ends, 1));
  }

  // This seat's tile on the last ply.
  struct LastPly {
    int own;  // tiles after it
    double chance;  // if it was drawn; otherwise below 0
    bool open = false, closed = false;  // it can be such that the opponent finds a tile that fits; that it finds none
  };

  static LastPly last_ply(const Node& node) {
    const Set fits = Dominoes::fitting(node.ends), own = node.hand & fits, unseen = node.unseen & fits;
    LastPly last{node.own - 1, -1};
    if (own) {
      for (const std::size_t side : {0u, 1u}) {
        const Set laid = own & Dominoes::fitting(node.ends, static_cast<int>(side));
        if (laid && (node.unseen & Dominoes::fitting(node.ends, static_cast<int>(1 - side)))) {
          last.open = true;
        } else {
          Tiles::each(laid, [&](int tile) {
            Dominoes::Ends ends = node.ends;
            Dominoes::extend(ends, tile, side);
            (node.unseen & Dominoes::fitting(ends) ? last.open : last.closed) = true;
          });
        }
      }
    } else if (unseen) {
      const int fitting = std::popcount(unseen);
      last.own += mean_draws(std::popcount(node.unseen), fitting);
      last.chance = 1.0 / fitting;
      each_lay(unseen, node.ends, [&](Set tile, const Dominoes::Ends& ends) {
        ((node.unseen ^ tile) & Dominoes::fitting(ends) ? last.open : last.closed) = true;
      });
    }
    return last;
  }

  double best_of(const LastPly& last, int theirs, double chance) {
    if (!theirs) return -kWin;
    if (!last.open && !last.closed) return 0;
    if (!last.own) return kWin;
    if (!last.open) return 0;
    const double open = leaf(theirs - last.own, last.chance < 0 ? chance : last.chance);
    return last.closed ? std::max(open, 0.0) : open;
  }

  // Calls f(tile, ends) for each way to lay a tile of a set that fits, in the order of Dominoes::lays.
  template <class F>
  static void each_lay(Set fits, const Dominoes::Ends& ends, const F& f) {
    const Set left = fits & Dominoes::fitting(ends, 0);
    const Set right = ends[0] == ends[1] ? 0 : fits & Dominoes::fitting(ends, 1);
    Tiles::each(fits, [&](int tile) {
      for (const std::size_t side : {0u, 1u}) {
        if (!((side ? right : left) >> tile & 1)) continue;
        Dominoes::Ends next = ends;
        Dominoes::extend(next, tile, side);
        f(Tiles::one(tile), next);
      }
    });
  }

  // The mean number of draws until one of `fitting` among `tiles` comes, rounded down.
  static int mean_draws(int tiles, int fitting) {
    static const auto kTable = [] {
      std::array<std::array<int, Tiles::kCount + 1>, Tiles::kCount + 1> table{};
      for (int there = 0; there <= Tiles::kCount; ++there) {
        for (int good = 0; good <= Tiles::kCount; ++good) {
          double sum = 0, not_yet = 1;
          for (int i = 1; i <= there - good + 1; ++i) {
            sum += i * not_yet * good / (there - i + 1);
            not_yet = not_yet * (there - good - i + 1) / (there - i + 1);
          }
          table[index(there)][index(good)] = static_cast<int>(std::floor(sum));
        }
      }
      return table;
    }();
    return kTable[index(tiles)][index(fitting)];
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
