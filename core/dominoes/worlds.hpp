// What the other seat can hold in a round of Dominoes, given what one seat has seen of it.
//
// Counted are the deals (all orders of the tiles that are on no start's line) which show exactly this view when the
// same actions are played. With drawing, a tile that would have fitted when the other drew may have come into its hand
// since, so what counts is when each of its tiles came. Each has a place: one of those dealt, or one in a run of draws,
//
//     log    6-6  d d d 6-4  4-1  d 5-1  ...         source 0: the deal         a place for each tile dealt
//                 └───┬───┘       └─┬─┘              source 1: the first run    2 places, and 6-4
//                 source 1        source 2           source 2: the second run   0 places, and 5-1
//
// and a tile in a place of source k fitted at no run from k on while it was held (source 0: at none, and it did not rank
// above the first tile). The tile that ends a run is the only one that fits, so where it came from is plain. Any other
// tile that was laid may have come from several sources: `cases` counts, for each way to have places left over, the ways
// in which the tiles laid so far can have taken the rest.
//
// A hidden tile can be in any place of source `lowest(tile)` or a later one. So the tiles that a source may hold include
// those of all sources before it, and filling the places in order, each with any tile that may be there and is still
// free, gives every arrangement once, the number of choices never depending on which were made: this is uniform, and its
// product is how many deals a case stands for.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/rules.hpp"

namespace ludoteca {

class DominoesWorlds {
  using D = Dominoes;
  using Set = Tiles::Set;

 public:
  DominoesWorlds(const Dominoes& rules, const View<Dominoes>& view)
      : rules_(rules), view_(view), pub_(view.pub), they_(other(view.seat)), hidden_(rules.unseen(view)) {}

  // A world in which this seat sees exactly this view, as likely as it has deals.
  void sample(Rng& rng, State<Dominoes>& state) const { fill(sample_hand(rng), rng, state); }

  // The world in which the other holds these tiles, the boneyard in any order.
  void fill(Set theirs, Rng& rng, State<Dominoes>& state) const {
    state = State<Dominoes>{};
    state.pub = pub_;
    state.own[at(view_.seat)] = view_.own;
    state.own[at(they_)].hand = theirs;
    int count = 0;
    Tiles::each(hidden_ & ~theirs, [&](int tile) {
      state.hidden.boneyard[at(count++)] = static_cast<std::uint8_t>(tile);
    });
    rng.shuffle(state.hidden.boneyard.data(), count);
  }

  // Calls f(hand, deals) for each hand that the other can have, with the number of deals in which it has it, up to a
  // common factor; only for a seat that can lay a tile, and chooses it. Gives up before the first if there may be more
  // than `most`: whether it did it.
  template <class F>
  bool each_hand(double most, F f) const {
    assert(pub_.turn == view_.seat && !(D::first(pub_) && rules_.best_starts(pub_)));
    const int count = pub_.count[at(they_)];
    const bool plain = D::first(pub_) || !pub_.boneyard;  // nothing speaks for a tile or against it
    const Set able = plain || rules_.drawing ? hidden_ : kept();
    if (choose(std::popcount(able), count) > most) return false;
    if (plain || !rules_.drawing) {
      each_subset(able, count, 0, [&](Set theirs) { f(theirs, 1.0); });
      return true;
    }
    const Sources known = sources();
    each_subset(able, count, 0, [&](Set theirs) {
      if (const double deals = known.deals(theirs)) f(theirs, deals);
    });
    return true;
  }

 private:
  const Dominoes& rules_;
  const View<Dominoes>& view_;
  const D::Public& pub_;
  const Seat they_;
  const Set hidden_;  // what this seat does not see

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  Set sample_hand(Rng& rng) const {
    if (pub_.turn == kNobody) return pub_.revealed[at(they_)];
    if (!pub_.boneyard) return hidden_;
    if (D::first(pub_)) return dealt_hand(rng);
    return rules_.drawing ? drawn_hand(rng) : kept_hand(rng);
  }

  // Before the first tile, all that is known is whose hand holds the best one, and after a start not even that.
  Set dealt_hand(Rng& rng) const {
    const int count = pub_.count[at(they_)];
    if (!rules_.best_starts(pub_)) return pick(hidden_, count, rng);
    const Set better = hidden_ & kTiles.above[at(kTiles.best(view_.own.hand))];
    if (pub_.turn == view_.seat) return pick(hidden_ & ~better, count, rng);
    std::array<double, D::kMaxTiles> weights{};
    Tiles::each(better, [&](int tile) {
      weights[at(tile)] = choose(std::popcount(hidden_ & below(tile)), count - 1);
    });
    const int best = static_cast<int>(choice(weights.data(), D::kMaxTiles, rng));
    return Tiles::one(best) | pick(hidden_ & below(best), count - 1, rng);
  }

  // Without drawing, the other has only tiles of the deal: none above the first tile where that was the best
  // one, and none that fitted when it passed. Where we are stuck and the round goes on, one fits now.
  Set kept_hand(Rng& rng) const {
    const int count = pub_.count[at(they_)];
    const Set able = kept();
    if (view_.own.hand & D::fitting(pub_)) return pick(able, count, rng);
    const Set fits = able & D::fitting(pub_), rest = able & ~fits;
    std::array<double, D::kMaxTiles> weights{};
    for (int n = 1; n <= count; ++n) {
      weights[at(n)] = choose(std::popcount(fits), n) * choose(std::popcount(rest), count - n);
    }
    const int n = static_cast<int>(choice(weights.data(), count + 1, rng));
    return pick(fits, n, rng) | pick(rest, count - n, rng);
  }

  Set kept() const {
    Set able = hidden_ & ~barred_from_deal();
    for (std::size_t number = 0; number < kTiles.with.size(); ++number) {
      if (pub_.lacks[at(they_)] >> number & 1) able &= ~kTiles.with[number];
    }
    return able;
  }

  // With drawing: see above.
  struct Sources {
    struct Case {
      std::uint64_t left;  // the places left in each source, one bit field for each
      double ways;
    };
    std::vector<Case> cases{{0, 1}}, next;
    int count = 0, bits = 0;
    std::array<std::uint8_t, D::kMaxTiles + 1> shift{};  // where the field of a source begins
    std::array<std::uint64_t, D::kMaxTiles + 1> mask{};
    Set barred = 0;                                // tiles that were not dealt to either seat
    std::array<int, Tiles::kMaxPips + 1> since{};  // by number: no source before this has a tile with it

    int lowest(int tile) const {
      const int after_deal = static_cast<int>(barred >> tile & 1);
      return std::max({after_deal, since[kTiles.hi[at(tile)]], since[kTiles.lo[at(tile)]]});
    }
    int left(const Case& in, int source) const {
      return static_cast<int>(in.left >> shift[at(source)] & mask[at(source)]);
    }

    // In how many ways these tiles, and those laid, can have come into the hand. Whatever may be in a source may be in
    // all later ones, so a tile of the latest has as many places as are left there, whatever the earlier ones take.
    double deals(Set hand) const {
      double all = 0;
      for (const Case& each : cases) {
        double ways = each.ways;
        int free = 0;
        for (int source = count; source >= 0 && ways > 0; --source) {  // a tile of source `count` can be nowhere
          if (source < count) free += left(each, source);
          Tiles::each(hand, [&](int tile) {
            if (lowest(tile) == source) ways *= free--;
          });
        }
        all += ways;
      }
      return all;
    }

    // No field is wider than the places that it counts, so all together have at most one bit for each tile.
    void add(int places) {
      const int width = std::bit_width(static_cast<unsigned>(places));
      shift[at(count)] = static_cast<std::uint8_t>(bits);
      mask[at(count)] = (std::uint64_t{1} << width) - 1;
      for (Case& each : cases) each.left |= static_cast<std::uint64_t>(places) << bits;
      bits += width;
      ++count;
    }

    // The other laid a tile that it had held before.
    void lay(int tile) {
      next.clear();
      for (const Case& each : cases) {
        for (int source = lowest(tile); source < count; ++source) {
          const std::uint64_t one = std::uint64_t{1} << shift[at(source)];
          if (const int free = left(each, source)) next.push_back({each.left - one, each.ways * free});
        }
      }
      std::sort(next.begin(), next.end(), [](const Case& a, const Case& b) { return a.left < b.left; });
      cases.clear();
      for (const Case& each : next) {
        if (cases.empty() || cases.back().left != each.left) cases.push_back(each);
        else cases.back().ways += each.ways;
      }
    }
  };

  Sources sources() const {
    Sources sources;
    sources.barred = barred_from_deal();
    sources.add(dealt());
    int drawn = 0;  // in the present run
    rules_.retell(pub_, [&](Seat actor, Action action, const D::Ends& ends) {
      if (actor != they_) return;
      if (action == rules_.draw_action()) {
        ++drawn;
        for (const std::int8_t end : ends) sources.since[at(end)] = sources.count + 1;
      } else if (drawn) {
        sources.add(drawn - 1);
        drawn = 0;
      } else {
        sources.lay(action / 2);
      }
    });
    if (drawn) {
      sources.add(drawn - 1);
      sources.add(1);  // whether the newest tile fits is not known yet
    }
    return sources;
  }

  Set drawn_hand(Rng& rng) const {
    const Sources sources = this->sources();
    std::array<Set, D::kMaxTiles + 2> from{};  // by source: the hidden tiles that may be there but not before
    Tiles::each(hidden_, [&](int tile) { from[at(sources.lowest(tile))] |= Tiles::one(tile); });
    std::vector<double> weights;
    for (const Sources::Case& each : sources.cases) {
      double deals = each.ways;
      int free = 0;
      for (int source = 0; source < sources.count; ++source) {
        free += std::popcount(from[at(source)]);
        for (int left = sources.left(each, source); left > 0; --left) deals *= free--;
      }
      weights.push_back(deals);
    }
    const Sources::Case& chosen = sources.cases[choice(weights.data(), static_cast<int>(weights.size()), rng)];
    Set free = 0, theirs = 0;
    for (int source = 0; source < sources.count; ++source) {
      free |= from[at(source)];
      const Set taken = pick(free, sources.left(chosen, source), rng);
      free ^= taken;
      theirs |= taken;
    }
    return theirs;
  }

  // How many tiles the other began with: those it has, and has laid, but for those it drew.
  int dealt() const {
    int count = pub_.count[at(they_)] + std::popcount(pub_.played[at(they_)]);
    rules_.retell(pub_, [&](Seat actor, Action action, const D::Ends&) {
      count -= actor == they_ && action == rules_.draw_action();
    });
    return count;
  }

  // Tiles that were in nobody's hand at the deal, because one of them would have started.
  Set barred_from_deal() const {
    return rules_.best_starts(pub_) ? kTiles.above[at(D::action_of(pub_.log[0]) / 2)] : 0;
  }
  static Set below(int tile) { return ~(kTiles.above[at(tile)] | Tiles::one(tile)); }

  static double choose(int n, int k) {
    if (k > n) return 0;
    double ways = 1;
    for (int i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
    return ways;
  }

  // Calls f(set) for each way to take `count` tiles of `from` besides those of `taken`.
  template <class F>
  static void each_subset(Set from, int count, Set taken, const F& f) {
    if (!count) return f(taken);
    for (; std::popcount(from) >= count; from &= from - 1) {
      each_subset(from & (from - 1), count - 1, taken | (from & (~from + 1)), f);
    }
  }

  // An index, each as likely as its weight says.
  static std::size_t choice(const double* weights, int count, Rng& rng) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += weights[i];
    double left = rng.unit() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < at(count); ++i) {
      if (!(weights[i] > 0)) continue;
      last = i;
      if ((left -= weights[i]) < 0) break;
    }
    return last;
  }

  // A uniformly random subset of `count` tiles.
  static Set pick(Set from, int count, Rng& rng) {
    std::array<std::uint8_t, D::kMaxTiles> pool;
    int size = 0;
    Tiles::each(from, [&](int tile) { pool[at(size++)] = static_cast<std::uint8_t>(tile); });
    assert(count <= size);
    Set picked = 0;
    for (; count > 0; --count) {
      const std::size_t chosen = rng.below(static_cast<std::uint32_t>(size));
      picked |= Tiles::one(pool[chosen]);
      pool[chosen] = pool[at(--size)];
    }
    return picked;
  }
};

inline void Dominoes::sample(const View<Dominoes>& view, Rng rng, State<Dominoes>& state) const {
  DominoesWorlds(*this, view).sample(rng, state);
}

static_assert(Game<Dominoes>);

}  // namespace ludoteca
