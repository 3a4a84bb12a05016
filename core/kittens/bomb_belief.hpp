// Where the bombs of Kittens can have been, given what one seat saw.
//
// Going back in time, a draw puts a bomb or another card on the deck, a bomb that was put back is taken out
// again, and only my own `see` and `place` say anything more. So a Past, the deck as far as it is determined,
// branches only where the other put a bomb back, and pasts that have become alike are one again. At the shuffle
// before, all ways to spread the bombs that are left were equally likely.
//
//     now         ? ? ? ?        from the bottom to the top
//     before      ? ? ? ? x      x: a card that somebody drew, no bomb
//     before      ? ? ? x        a bomb was put back: at the bottom or in the middle, two ways, one past
//     before      ? ? ? x B      B: the bomb drawn before
#pragma once

#include <algorithm>
#include <tuple>

#include "kittens/history.hpp"

namespace ludoteca {

class KittensBombBelief {
 public:
  static constexpr std::uint8_t kUnknown = 0, kBomb = 1, kCard = 2;  // tokens
  using Hiding = std::array<std::uint8_t, 64>;  // the index of each bomb that the other put back, by number

  explicit KittensBombBelief(const KittensHistory& story) : story_(story), rules_(story.rules) {}

  // The places where the other put bombs back, as likely as they have ways to come about.
  Hiding sample(Rng& rng) const {
    const std::vector<Past> pasts = look_back_surely(rng);
    double left = rng.unit() * total(pasts);
    for (const Past& past : pasts) {
      left -= past.weight;
      if (left < 0) return past.hiding;
    }
    return pasts.back().hiding;
  }

  // The part of all worlds in which a bomb lies at this depth.
  double chance(int depth) const {
    const Past any = now();
    if (depth < 0 || depth >= any.row.size) return 0;
    Rng rng{0};
    Past bomb = any;
    bomb.row.token[at(bomb.row.size - 1 - depth)] = kBomb;
    return std::min(1.0, total(look_back(bomb, kMaxPasts, rng)) / total(look_back_surely(rng)));
  }

  // With these places: the deck as it was after each shuffle, from the last one back to the first deal.
  std::vector<KittensPartialDeck> decks(const Hiding& hiding) const {
    std::vector<KittensPartialDeck> out;
    Past past = now();
    for (std::size_t i = story_.log.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = story_.log[i];
      if (entry.back && entry.theirs) past.row.remove(hiding[at(entry.hiding)]);
      if (entry.event == Kittens::kShuffled) out.push_back(past.row);
      undo(past, entry);
    }
    out.push_back(past.row);
    return out;
  }

 private:
  // More pasts than this need ten or more bombs in a deck, dozens of Defuses and bombs that go to any depth; then
  // sampling becomes approximate.
  static constexpr std::size_t kMaxPasts = 1 << 14;

  struct Past {
    double weight = 1;
    KittensPartialDeck row;
    Hiding hiding{};

    auto key() const { return std::tie(row.size, row.token); }  // all that matters for what came before
    bool may_be(int i, std::uint8_t token) const {
      return row.token[at(i)] == kUnknown || row.token[at(i)] == token;
    }
    int count(std::uint8_t token) const {
      return static_cast<int>(std::count(row.token.begin(), row.token.begin() + row.size, token));
    }
  };

  const KittensHistory& story_;
  const Kittens& rules_;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static double total(const std::vector<Past>& pasts) {
    double sum = 0;
    for (const Past& past : pasts) sum += past.weight;
    return sum;
  }

  Past now() const {
    Past past;
    past.row.size = story_.view.pub.deck;
    return past;
  }

  // There is a past, so if all that were kept lead nowhere, more are kept.
  std::vector<Past> look_back_surely(Rng& rng) const {
    for (std::size_t limit = kMaxPasts;; limit *= 4) {
      std::vector<Past> pasts = look_back(now(), limit, rng);
      if (!pasts.empty()) return pasts;
    }
  }

  // All pasts from which `from` can have come, back to the first deal.
  std::vector<Past> look_back(const Past& from, std::size_t limit, Rng& rng) const {
    std::vector<Past> pasts{from};
    for (std::size_t i = story_.log.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = story_.log[i];
      if (entry.back && entry.theirs) pasts = unhide(pasts, entry, rng);
      if (pasts.size() > limit) thin(pasts, limit, rng);
      std::erase_if(pasts, [&](Past& past) { return !undo(past, entry); });
    }
    std::erase_if(pasts, [&](Past& past) { return !close(past, story_.bombs); });
    return pasts;
  }

  // Undoes one event, except for the place of a bomb that the other put back. False: it cannot have been so.
  bool undo(Past& past, const KittensHistoryEntry& entry) const {
    if (entry.event == Kittens::kShuffled) return close(past, entry.bombs);
    if (entry.event == Kittens::kSaw) return recall(past, entry.seen);
    if (!entry.card() && !entry.bomb()) return true;
    if (entry.back && !entry.theirs) {
      const int i = past.row.size - 1 - entry.depth;
      if (!past.may_be(i, kBomb)) return false;
      past.row.remove(i);
    }
    past.row.insert(entry.bottom() ? 0 : past.row.size, entry.bomb() ? kBomb : kCard);
    return entry.card() || past.count(kBomb) <= entry.bombs;
  }

  // The top cards were those that I saw.
  static bool recall(Past& past, int seen) {
    for (int i = past.row.size - 1; seen; seen >>= 4, --i) {
      const std::uint8_t token = (seen & 15) == 1 + Kittens::kBomb ? kBomb : kCard;
      if (!past.may_be(i, token)) return false;
      past.row.token[at(i)] = token;
    }
    return true;
  }

  // The deck had just been shuffled: every place of the bombs that are still unknown was as likely.
  static bool close(Past& past, int bombs) {
    const int unknown = past.count(kUnknown), missing = bombs - past.count(kBomb);
    if (missing < 0 || missing > unknown) return false;
    for (int i = 0; i < missing; ++i) past.weight *= static_cast<double>(unknown - i) / (missing - i);
    for (int i = 0; i < bombs; ++i) past.weight *= static_cast<double>(bombs - i) / (past.row.size - i);
    past.row.token = {};
    return true;
  }

  // Takes a bomb that the other put back out of the deck again, wherever it may have been.
  std::vector<Past> unhide(const std::vector<Past>& pasts, const KittensHistoryEntry& entry, Rng& rng) const {
    std::vector<Past> found;
    found.reserve(3 * pasts.size());
    for (const Past& past : pasts) {
      const auto take_out = [&](int i, int ways) {
        Past& next = found.emplace_back(past);
        next.weight *= ways;
        next.hiding[at(entry.hiding)] = static_cast<std::uint8_t>(i);
        next.row.remove(i);
      };
      const int size = past.row.size - 1;
      if (!rules_.any) {
        for (const int i : {size, rules_.middle(size), 0}) {
          if (past.may_be(i, kBomb)) take_out(i, 1);
        }
        continue;
      }
      for (int i = 0, end; i <= size; i = end) {  // which of a run of equal tokens it was changes nothing
        for (end = i + 1; end <= size && past.row.token[at(end)] == past.row.token[at(i)];) ++end;
        if (past.may_be(i, kBomb)) {
          take_out(i + static_cast<int>(rng.below(static_cast<std::uint32_t>(end - i))), end - i);
        }
      }
    }
    merge(found, rng);
    return found;
  }

  // Of pasts that are alike one stays, by chance, with the weight of all.
  static void merge(std::vector<Past>& pasts, Rng& rng) {
    if (pasts.size() < 2) return;
    std::sort(pasts.begin(), pasts.end(), [](const Past& a, const Past& b) { return a.key() < b.key(); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < pasts.size(); ++i) {
      if (pasts[kept].key() != pasts[i].key()) {
        pasts[++kept] = pasts[i];
        continue;
      }
      pasts[kept].weight += pasts[i].weight;
      if (rng.unit() * pasts[kept].weight < pasts[i].weight) pasts[kept].hiding = pasts[i].hiding;
    }
    pasts.resize(kept + 1);
  }

  // Keeps a fair choice of too many pasts, each with a chance that goes by its weight.
  static void thin(std::vector<Past>& pasts, std::size_t limit, Rng& rng) {
    const double step = total(pasts) / static_cast<double>(limit);
    double next = rng.unit() * step, reached = 0;
    std::erase_if(pasts, [&](Past& past) {
      reached += past.weight;
      past.weight = 0;
      for (; next < reached; next += step) past.weight += step;
      return past.weight <= 0;
    });
  }
};

}  // namespace ludoteca
