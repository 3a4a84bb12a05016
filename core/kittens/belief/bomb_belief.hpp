// The belief about where the bombs of Kittens are, given what one seat saw.
#pragma once

#include <algorithm>
#include <tuple>

#include "kittens/history.hpp"

namespace ludoteca {

// Goes back through the history. Undoing a draw puts a bomb or another card on the deck; undoing a placement takes a
// bomb out again; only this seat's own `see` and `place` say more. So a hypothesis, the deck as far as it is
// determined, branches only where the opponent put a bomb back, and equal hypotheses are merged. Right after a shuffle
// every arrangement of the remaining bombs is equally likely.
//
//     now         ? ? ? ?        from the bottom to the top
//     before      ? ? ? ? x      x: a drawn card, no bomb
//     before      ? ? ? x        a bomb was put back, at the bottom or in the middle: two ways, one hypothesis
//     before      ? ? ? x B      B: the bomb drawn before
class KittensBombBelief {
 public:
  static constexpr std::uint8_t kUnknown = 0, kBomb = 1, kCard = 2;  // tokens
  using Placements = std::array<std::uint8_t, 64>;  // the index of each bomb that the opponent put back, by place_number

  explicit KittensBombBelief(const KittensHistory& history) : history_(history), rules_(history.rules) {}

  // Where the opponent put bombs back, sampled in proportion to the number of consistent worlds.
  Placements sample(Rng& rng) const {
    const std::vector<Hypothesis> hypotheses = all_hypotheses(rng);
    double left = rng.unit() * total(hypotheses);
    for (const Hypothesis& each : hypotheses) {
      left -= each.weight;
      if (left < 0) return each.placements;
    }
    return hypotheses.back().placements;
  }

  // The probability that a bomb lies at this depth.
  double probability(int depth) const {
    const Hypothesis any = now();
    if (depth < 0 || depth >= any.deck.size) return 0;
    Rng rng{0};
    Hypothesis bomb = any;
    bomb.deck.token[index(bomb.deck.size - 1 - depth)] = kBomb;
    return std::min(1.0, total(explain(bomb, kMaxHypotheses, rng)) / total(all_hypotheses(rng)));
  }

  // Whether some places of the bombs explain what this seat saw. Always true for the view of a true match.
  bool possible() const {
    Rng rng{0};
    return total(explain(now(), kMaxHypotheses, rng)) > 0;
  }

  // The deck after each shuffle, from the last one back to the deal, given where the opponent put bombs.
  std::vector<KittensPartialDeck> decks(const Placements& placements) const {
    std::vector<KittensPartialDeck> out;
    Hypothesis past = now();
    for (std::size_t i = history_.entries.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = history_.entries[i];
      if (entry.bomb_returned && entry.theirs) past.deck.remove(placements[index(entry.place_number)]);
      if (entry.event == Kittens::kShuffled) out.push_back(past.deck);
      undo(past, entry);
    }
    out.push_back(past.deck);
    return out;
  }

 private:
  // Only decks with ten or more bombs, dozens of Defuses and bombs at any depth have more. Then the hypotheses are
  // resampled, and sampling is approximate.
  static constexpr std::size_t kMaxHypotheses = 1 << 14;

  struct Hypothesis {
    double weight = 1;
    KittensPartialDeck deck;
    Placements placements{};

    auto key() const { return std::tie(deck.size, deck.token); }  // equal keys have the same explanations
    bool may_be(int i, std::uint8_t token) const {
      return deck.token[index(i)] == kUnknown || deck.token[index(i)] == token;
    }
    int count(std::uint8_t token) const {
      return static_cast<int>(std::count(deck.token.begin(), deck.token.begin() + deck.size, token));
    }
  };

  const KittensHistory& history_;
  const Kittens& rules_;

  static double total(const std::vector<Hypothesis>& hypotheses) {
    double sum = 0;
    for (const Hypothesis& past : hypotheses) sum += past.weight;
    return sum;
  }

  Hypothesis now() const {
    Hypothesis past;
    past.deck.size = history_.view.pub.deck;
    return past;
  }

  // What happened has an explanation, so if all hypotheses that were kept fail, more are kept.
  std::vector<Hypothesis> all_hypotheses(Rng& rng) const {
    for (std::size_t limit = kMaxHypotheses;; limit *= 4) {
      std::vector<Hypothesis> hypotheses = explain(now(), limit, rng);
      if (!hypotheses.empty()) return hypotheses;
    }
  }

  // Every hypothesis, back to the deal, that explains the deck `from`.
  std::vector<Hypothesis> explain(const Hypothesis& from, std::size_t limit, Rng& rng) const {
    std::vector<Hypothesis> hypotheses{from};
    for (std::size_t i = history_.entries.size(); i-- > 0;) {
      const KittensHistoryEntry& entry = history_.entries[i];
      if (entry.bomb_returned && entry.theirs) hypotheses = undo_placement(hypotheses, entry, rng);
      if (hypotheses.size() > limit) resample(hypotheses, limit, rng);
      std::erase_if(hypotheses, [&](Hypothesis& past) { return !undo(past, entry); });
    }
    std::erase_if(hypotheses, [&](Hypothesis& past) { return !undo_shuffle(past, history_.bombs); });
    return hypotheses;
  }

  // Undoes one event, except where the opponent put a bomb back. False if the hypothesis contradicts the event.
  bool undo(Hypothesis& past, const KittensHistoryEntry& entry) const {
    if (entry.event == Kittens::kShuffled) return undo_shuffle(past, entry.bombs);
    if (entry.event == Kittens::kSaw) return undo_see(past, entry.seen);
    if (!entry.card() && !entry.bomb()) return true;
    if (entry.bomb_returned && !entry.theirs) {
      const int i = past.deck.size - 1 - entry.depth;
      if (!past.may_be(i, kBomb)) return false;
      past.deck.remove(i);
    }
    past.deck.insert(entry.bottom() ? 0 : past.deck.size, entry.bomb() ? kBomb : kCard);
    return entry.card() || past.count(kBomb) <= entry.bombs;
  }

  // The top cards were those that this seat saw.
  static bool undo_see(Hypothesis& past, int seen) {
    for (int i = past.deck.size - 1; seen; seen >>= 4, --i) {
      const std::uint8_t token = (seen & 15) == 1 + Kittens::kBomb ? kBomb : kCard;
      if (!past.may_be(i, token)) return false;
      past.deck.token[index(i)] = token;
    }
    return true;
  }

  // Right after a shuffle, every place of the bombs that are still unknown was equally likely.
  static bool undo_shuffle(Hypothesis& past, int bombs) {
    const int unknown = past.count(kUnknown), missing = bombs - past.count(kBomb);
    if (missing < 0 || missing > unknown) return false;
    for (int i = 0; i < missing; ++i) past.weight *= static_cast<double>(unknown - i) / (missing - i);
    for (int i = 0; i < bombs; ++i) past.weight *= static_cast<double>(bombs - i) / (past.deck.size - i);
    past.deck.token = {};
    return true;
  }

  // Takes the bomb that the opponent put back out again, from every place where it may have been.
  std::vector<Hypothesis> undo_placement(const std::vector<Hypothesis>& hypotheses, const KittensHistoryEntry& entry,
                                         Rng& rng) const {
    std::vector<Hypothesis> found;
    found.reserve(3 * hypotheses.size());
    for (const Hypothesis& past : hypotheses) {
      const auto take_out = [&](int i, int ways) {
        Hypothesis& next = found.emplace_back(past);
        next.weight *= ways;
        next.placements[index(entry.place_number)] = static_cast<std::uint8_t>(i);
        next.deck.remove(i);
      };
      const int size = past.deck.size - 1;
      if (!rules_.any) {
        for (const int i : {size, rules_.middle(size), 0}) {
          if (past.may_be(i, kBomb)) take_out(i, 1);
        }
        continue;
      }
      for (int i = 0, end; i <= size; i = end) {  // a run of equal tokens counts as one place
        for (end = i + 1; end <= size && past.deck.token[index(end)] == past.deck.token[index(i)];) ++end;
        if (past.may_be(i, kBomb)) {
          take_out(i + static_cast<int>(rng.below(static_cast<std::uint32_t>(end - i))), end - i);
        }
      }
    }
    merge(found, rng);
    return found;
  }

  // Keeps one of several equal hypotheses, chosen by weight, with the weight of all.
  static void merge(std::vector<Hypothesis>& hypotheses, Rng& rng) {
    if (hypotheses.size() < 2) return;
    std::sort(hypotheses.begin(), hypotheses.end(), [](const Hypothesis& a, const Hypothesis& b) { return a.key() < b.key(); });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < hypotheses.size(); ++i) {
      if (hypotheses[kept].key() != hypotheses[i].key()) {
        hypotheses[++kept] = hypotheses[i];
        continue;
      }
      hypotheses[kept].weight += hypotheses[i].weight;
      if (rng.unit() * hypotheses[kept].weight < hypotheses[i].weight) hypotheses[kept].placements = hypotheses[i].placements;
    }
    hypotheses.resize(kept + 1);
  }

  // Systematic resampling: keeps each hypothesis with a probability that grows with its weight.
  static void resample(std::vector<Hypothesis>& hypotheses, std::size_t limit, Rng& rng) {
    const double step = total(hypotheses) / static_cast<double>(limit);
    double next = rng.unit() * step, reached = 0;
    std::erase_if(hypotheses, [&](Hypothesis& past) {
      reached += past.weight;
      past.weight = 0;
      for (; next < reached; next += step) past.weight += step;
      return past.weight <= 0;
    });
  }
};

}  // namespace ludoteca
