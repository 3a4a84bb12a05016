// Determinizations of Dominoes: worlds in which a seat sees exactly its view.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "dominoes/rules.hpp"

namespace ludoteca {

// A world is weighed by the deals that lead to it: the orders of all tiles, except those of a Start's line, that show
// this view when the same actions are played. With drawing, a tile that would have fitted when the opponent drew may
// have come into its hand later, so it matters when each of its tiles came. Each tile has a place: among those dealt,
// or in a run of draws.
//
//     log    6-6  d d d 6-4  4-1  d 5-1  ...         source 0: the deal         a place for each tile dealt
//                 └───┬───┘       └─┬─┘              source 1: the first run    2 places, and 6-4
//                 source 1        source 2           source 2: the second run   0 places, and 5-1
//
// A tile of source k fitted at no run from k on while it was held (source 0: at no run, and it did not rank above the
// first tile). The tile that ends a run is the only one that fits, so its source is known. Any other tile that was laid
// may have come from several sources: `cases` counts, for each way to have places left over, the ways in which the
// tiles laid so far can have taken the others.
//
// A hidden tile can be in any place of source `lowest(tile)` or a later one, so the candidates of a source include
// those of all earlier sources. Filling the places in order, each with any candidate that is still free, gives every
// arrangement once. The number of choices never depends on earlier choices, so this is uniform, and their product is
// the number of deals that a case stands for.
class DominoesWorlds {
  using D = Dominoes;
  using Set = Tiles::Set;

 public:
  DominoesWorlds(const Dominoes& rules, const View<Dominoes>& view)
      : rules_(rules), view_(view), pub_(view.pub), they_(other(view.seat)), hidden_(rules.unseen(view)) {}

  // A world, sampled in proportion to its deals.
  void sample(Rng& rng, State<Dominoes>& state) const { fill(sample_hand(rng), rng, state); }

  // The world in which the opponent holds these tiles, with the boneyard in random order.
  void fill(Set theirs, Rng& rng, State<Dominoes>& state) const {
    state = State<Dominoes>{};
    state.pub = pub_;
    state.own[index(view_.seat)] = view_.own;
    state.own[index(they_)].hand = theirs;
    int count = 0;
    Tiles::each(hidden_ & ~theirs, [&](int tile) {
      state.hidden.boneyard[index(count++)] = static_cast<std::uint8_t>(tile);
    });
    rng.shuffle(state.hidden.boneyard.data(), count);
  }

  // Calls f(hand, deals) for each hand that the opponent can have, with its number of deals up to a common factor. The
  // view's seat must have a choice of tiles. False, without any call, if there may be more than `max_hands`.
  template <class F>
  bool each_hand(double max_hands, F f) const {
    assert(pub_.turn == view_.seat && !(D::first(pub_) && rules_.best_starts(pub_)));
    const int count = pub_.count[index(they_)];
    const bool plain = D::first(pub_) || !pub_.boneyard;  // every hand has the same number of deals
    const Set able = plain || rules_.drawing ? hidden_ : kept();
    if (Tiles::choose(std::popcount(able), count) > max_hands) return false;
    if (plain || !rules_.drawing) {
      Tiles::each_subset(able, count, [&](Set theirs) { f(theirs, 1.0); });
      return true;
    }
    const Sources known = sources();
    Tiles::each_subset(able, count, [&](Set theirs) {
      if (const double deals = known.deals(theirs)) f(theirs, deals);
    });
    return true;
  }

  // The number of deals that show this view and give the opponent a hand within `allowed`, up to a factor that does not
  // depend on `allowed`. Zero with every tile allowed: no deal shows this view. If this seat is stuck in a round without
  // drawing, it may not know yet that the round is blocked; `goes_on` says that it is not.
  double deals_within(Set allowed, bool goes_on = true) const {
    const int count = pub_.count[index(they_)];
    const Set able = hidden_ & allowed;
    if (pub_.turn == kNobody) return ended_with(allowed);
    if (D::first(pub_)) return first_deals(able, count);
    if (rules_.drawing) {
      const Sources known = sources();
      double sum = 0;
      for (const Sources::Case& each : known.cases) sum += deals_of(known, each, by_source(known, able));
      return sum;
    }
    if (!laid_was_kept()) return 0;
    const Set kept = able & this->kept();
    const double all = Tiles::choose(std::popcount(kept), count);
    if (!goes_on || (view_.own.hand & D::fitting(pub_))) return all;
    return all - Tiles::choose(std::popcount(kept & ~D::fitting(pub_)), count);
  }

 private:
  friend class DominoesPosterior;

  const Dominoes& rules_;
  const View<Dominoes>& view_;
  const D::Public& pub_;
  const Seat they_;
  const Set hidden_;  // what this seat does not see

  Set sample_hand(Rng& rng) const {
    if (pub_.turn == kNobody) return pub_.revealed[index(they_)];
    if (!pub_.boneyard) return hidden_;
    if (D::first(pub_)) return dealt_hand(rng);
    return rules_.drawing ? drawn_hand(rng) : kept_hand(rng);
  }

  // Before the first tile, only the seat with the best tile is known, and after a Start not even that.
  Set dealt_hand(Rng& rng) const {
    const int count = pub_.count[index(they_)];
    if (!rules_.best_starts(pub_)) return pick(hidden_, count, rng);
    const Set better = hidden_ & kTiles.above[index(kTiles.best(view_.own.hand))];
    if (pub_.turn == view_.seat) return pick(hidden_ & ~better, count, rng);
    std::array<double, D::kMaxTiles> weights{};
    Tiles::each(better, [&](int tile) {
      weights[index(tile)] = Tiles::choose(std::popcount(hidden_ & below(tile)), count - 1);
    });
    const int best = static_cast<int>(choice(weights.data(), D::kMaxTiles, rng));
    return Tiles::one(best) | pick(hidden_ & below(best), count - 1, rng);
  }

  // Without drawing, the opponent has only dealt tiles: none above the first tile where the best one started, and none
  // that fitted when it passed. If this seat is stuck and the round goes on, the opponent has a tile that fits.
  Set kept_hand(Rng& rng) const {
    const int count = pub_.count[index(they_)];
    const Set able = kept();
    if (view_.own.hand & D::fitting(pub_)) return pick(able, count, rng);
    const Set fits = able & D::fitting(pub_), rest = able & ~fits;
    std::array<double, D::kMaxTiles> weights{};
    for (int n = 1; n <= count; ++n) {
      weights[index(n)] = Tiles::choose(std::popcount(fits), n) * Tiles::choose(std::popcount(rest), count - n);
    }
    const int n = static_cast<int>(choice(weights.data(), count + 1, rng));
    return pick(fits, n, rng) | pick(rest, count - n, rng);
  }

  Set kept() const {
    Set able = hidden_ & ~barred_from_deal();
    for (std::size_t number = 0; number < kTiles.with.size(); ++number) {
      if (pub_.lacks[index(they_)] >> number & 1) able &= ~kTiles.with[number];
    }
    return able;
  }

  // With drawing: the places of the opponent's tiles, as described above.
  struct Sources {
    struct Case {
      std::uint64_t left;  // the free places of each source, one bit field each
      double ways;
    };
    std::vector<Case> cases{{0, 1}}, next;
    int count = 0, bits = 0;
    std::array<std::uint8_t, D::kMaxTiles + 1> shift{};  // where the field of a source begins
    std::array<std::uint64_t, D::kMaxTiles + 1> mask{};
    Set barred = 0;                                // tiles that were dealt to no seat
    std::array<int, Tiles::kMaxPips + 1> since{};  // by number: no earlier source has a tile with it

    int lowest(int tile) const {
      const int after_deal = static_cast<int>(barred >> tile & 1);
      return std::max({after_deal, since[kTiles.hi[index(tile)]], since[kTiles.lo[index(tile)]]});
    }
    int left(const Case& in, int source) const {
      return static_cast<int>(in.left >> shift[index(source)] & mask[index(source)]);
    }

    // The number of ways in which this hand and the tiles laid can have come about. A tile that may be in a source may
    // be in all later ones, so the tiles of the latest source come first: their free places do not depend on the
    // others.
    double deals(Set hand) const {
      double all = 0;
      for (const Case& each : cases) {
        double ways = each.ways;
        int free = 0;
        for (int source = count; source >= 0 && ways > 0; --source) {  // a tile of source `count` has no place
          if (source < count) free += left(each, source);
          Tiles::each(hand, [&](int tile) {
            if (lowest(tile) == source) ways *= free--;
          });
        }
        all += ways;
      }
      return all;
    }

    // A field is no wider than the number of its places, so all fields together have at most one bit per tile.
    void add(int places) {
      const int width = std::bit_width(static_cast<unsigned>(places));
      shift[index(count)] = static_cast<std::uint8_t>(bits);
      mask[index(count)] = (std::uint64_t{1} << width) - 1;
      for (Case& each : cases) each.left |= static_cast<std::uint64_t>(places) << bits;
      bits += width;
      ++count;
    }

    // The opponent laid a tile that it already held.
    void lay(int tile) {
      next.clear();
      for (const Case& each : cases) {
        for (int source = lowest(tile); source < count; ++source) {
          const std::uint64_t one = std::uint64_t{1} << shift[index(source)];
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
    rules_.replay_log(pub_, [&](Seat actor, Action action, const D::Ends& ends) {
      if (actor != they_) return;
      if (action == rules_.draw_action()) {
        ++drawn;
        for (const std::int8_t end : ends) sources.since[index(end)] = sources.count + 1;
      } else if (action == rules_.pass_action()) {  // after the last tile of the boneyard: none of its tiles fits
        if (drawn) sources.add(drawn);
        drawn = 0;
        for (const std::int8_t end : ends) sources.since[index(end)] = sources.count;
      } else if (drawn) {
        sources.add(drawn - 1);
        drawn = 0;
      } else {
        sources.lay(action / 2);
      }
    });
    if (drawn) {
      sources.add(drawn - 1);
      sources.add(1);  // it is not known yet whether the newest tile fits
    }
    return sources;
  }

  Set drawn_hand(Rng& rng) const {
    const Sources sources = this->sources();
    const BySource from = by_source(sources, hidden_);
    std::vector<double> weights;
    for (const Sources::Case& each : sources.cases) weights.push_back(deals_of(sources, each, from));
    const Sources::Case& chosen = sources.cases[choice(weights.data(), static_cast<int>(weights.size()), rng)];
    Set free = 0, theirs = 0;
    for (int source = 0; source < sources.count; ++source) {
      free |= from[index(source)];
      const Set taken = pick(free, sources.left(chosen, source), rng);
      free ^= taken;
      theirs |= taken;
    }
    return theirs;
  }

  using BySource = std::array<Set, D::kMaxTiles + 2>;  // tiles by their lowest source
  static BySource by_source(const Sources& sources, Set tiles) {
    BySource from{};
    Tiles::each(tiles, [&](int tile) { from[index(sources.lowest(tile))] |= Tiles::one(tile); });
    return from;
  }
  // The deals of a case whose hidden tiles are among these.
  static double deals_of(const Sources& sources, const Sources::Case& each, const BySource& from) {
    double deals = each.ways;
    int free = 0;
    for (int source = 0; source < sources.count; ++source) {
      free += std::popcount(from[index(source)]);
      for (int left = sources.left(each, source); left > 0; --left) deals *= std::max(free--, 0);
    }
    return deals;
  }

  // Before the first tile; see dealt_hand.
  double first_deals(Set able, int count) const {
    if (!rules_.best_starts(pub_)) return Tiles::choose(std::popcount(able), count);
    const Set better = able & kTiles.above[index(kTiles.best(view_.own.hand))];
    if (pub_.turn == view_.seat) return Tiles::choose(std::popcount(able & ~better), count);
    double sum = 0;
    Tiles::each(better, [&](int best) { sum += Tiles::choose(std::popcount(able & below(best)), count - 1); });
    return sum;
  }

  // After the end the opponent's hand is known, unless this seat won and has not seen it.
  double ended_with(Set allowed) const {
    const Set theirs = pub_.revealed[index(they_)];
    if (theirs & ~allowed) return 0;
    if (std::popcount(theirs) != pub_.count[index(they_)]) return 1;
    if (rules_.drawing) return sources().deals(theirs);
    return laid_was_kept() && !(theirs & ~kept()) ? 1 : 0;
  }

  // Without drawing: whether the opponent was dealt every tile that it laid and had none that fitted when it passed.
  bool laid_was_kept() const {
    Set lacked = barred_from_deal();
    bool kept = true;
    rules_.replay_log(pub_, [&](Seat actor, Action action, const D::Ends& ends) {
      if (actor != they_) return;
      if (action == rules_.pass_action()) lacked |= D::fitting(ends);
      else kept &= !(lacked >> (action / 2) & 1);
    });
    return kept;
  }

  // The size of the opponent's first hand: the tiles that it has and has laid, without those it drew.
  int dealt() const {
    int count = pub_.count[index(they_)] + std::popcount(pub_.played[index(they_)]);
    rules_.replay_log(pub_, [&](Seat actor, Action action, const D::Ends&) {
      count -= actor == they_ && action == rules_.draw_action();
    });
    return count;
  }

  // Tiles that were dealt to no seat, because one of them would have started.
  Set barred_from_deal() const {
    return rules_.best_starts(pub_) ? kTiles.above[index(D::action_of(pub_.log[0]) / 2)] : 0;
  }
  static Set below(int tile) { return ~(kTiles.above[index(tile)] | Tiles::one(tile)); }

  // A random index, in proportion to the weights.
  static std::size_t choice(const double* weights, int count, Rng& rng) {
    double total = 0;
    for (int i = 0; i < count; ++i) total += weights[i];
    double left = rng.unit() * total;
    std::size_t last = 0;
    for (std::size_t i = 0; i < index(count); ++i) {
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
    Tiles::each(from, [&](int tile) { pool[index(size++)] = static_cast<std::uint8_t>(tile); });
    assert(count <= size);
    Set picked = 0;
    for (; count > 0; --count) {
      const std::size_t chosen = rng.below(static_cast<std::uint32_t>(size));
      picked |= Tiles::one(pool[chosen]);
      pool[chosen] = pool[index(--size)];
    }
    return picked;
  }
};

inline void Dominoes::sample(const View<Dominoes>& view, Rng rng, State<Dominoes>& state) const {
  DominoesWorlds(*this, view).sample(rng, state);
}

static_assert(Game<Dominoes>);

}  // namespace ludoteca
