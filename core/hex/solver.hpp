// Solves positions of Hex: who wins, by which move, and how; or for every move whether it wins.
#pragma once

#include <mutex>
#include <optional>

#include "hex/dfpn.hpp"
#include "search/choice.hpp"
#include "search/resources.hpp"
#include "search/workers.hpp"

namespace ludoteca {

class HexSolver {
 public:
  struct Options {
    Resources resources;  // memory: of the table
    bool every = false;  // prove whether each move wins, not only that one does
    std::optional<std::int64_t> link_work;  // LinkLimits::work, if not what suits the board: with little it searches more
  };

  // The match is not over there.
  HexSolver(const Hex& game, const State<Hex>& root, const Options& options)
      : game_(game), root_(root.pub), options_(options) {}

  // Values are 1 and -1 for the seat on turn. While nothing is proven the depth grows and the value is 0. Scores, of
  // moves that are proven, are there for `every` only. `complete` and `exhaustive`: it is solved.
  void choose(Limits& limits, SharedChoice& shared) {
    const bool swap_follows = game_.swap && game_.size > 1 && root_.moves == 0 && root_.turn == 0;
    if (swap_follows) return tell_swap(shared);
    with_words(game_.size, [&](auto words) { Work<words.value>(*this, limits, shared).run(); });
  }

 private:
  static constexpr int kLarge = 81, kHuge = 169;  // cells
  static constexpr std::int64_t kLittleWork = 40'000, kLeastWork = 10'000;
  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  template <int W>
  struct Work {
    using Prover = HexProver<W>;
    using Position = ProofPosition<W>;

    const HexSolver& self;
    Limits& limits;
    SharedChoice& shared;
    const Hex& game;
    const bool can_swap;
    const HexMap<W> map;
    ProofTable<W> table;
    typename Prover::Shared proof;
    std::mutex lock;
    // For `every`, under the lock: the moves in the order in which they are tried, and what is proven of each.
    std::vector<Action> moves;
    std::vector<int> proven;

    Work(const HexSolver& self_, Limits& limits_, SharedChoice& shared_)
        : self(self_), limits(limits_), shared(shared_), game(self.game_), can_swap(game.can_swap(self.root_)),
          map(game), table(self.options_.resources.bytes), proof(map, table, self.options_.resources.threads) {}

    void run() {
      const HexStones<W> stones = map.stones(game, self.root_);
      if (self.options_.every) list_moves(stones);
      run_parallel(self.options_.resources.threads, limits, [&](int number, Limits& own, const auto& start_helpers) {
        Prover prover(proof, link_limits(), number, own);
        const Position root = prover.positions().position(stones, self.root_.turn);
        start_helpers();
        if (self.options_.every) {
          prove_every(prover, root, own, number == 0);
        } else {
          prover.on_progress([&](int move, int depth) {
            if (!number) show_progress(move, depth);
          });
          if (prover.prove(root) && !number) tell(prover, root);
        }
      });
    }

    // On large boards a position must not take so long that a stop has to wait.
    LinkLimits link_limits() const {
      LinkLimits out;
      if (map.cells > kLarge) out.work = kLittleWork;
      if (map.cells > kHuge) out.work = kLeastWork;
      out.work = self.options_.link_work.value_or(out.work);
      return out;
    }

    void show_progress(int move, int depth) {
      shared.update([&](Choice& choice) {
        choice.action = move;
        choice.depth = std::max(choice.depth, depth);
        choice.line.put_first(move, Line<1>{});
      });
    }

    void tell(const Prover& prover, const Position& root) {
      Choice found;
      const auto entry = prover.known(root);
      found.line = line(prover, root);
      found.value = entry.numbers.wins() ? 1 : -1;
      if (can_swap && found.value < 0) {  // who takes over the stone stands where the other would have won
        found.line.put_first(game.swap_action(), Line<1>{});
        found.value = 1;
      }
      found.action = found.line[0];
      found.depth = std::max(entry.depth, 1);
      found.complete = found.exhaustive = true;
      shared.update([&](Choice& choice) { choice = found; });
    }

    // The play of a proof: the winner's moves as proven, the loser's those which took longest to refute. It ends where
    // the win can be seen without search.
    Line<Choice::kLongestLine> line(const Prover& prover, Position position) {
      Line<Choice::kLongestLine> out;
      for (;;) {
        const auto entry = prover.known(position);
        int move = entry.move;
        if (!entry.numbers.wins()) move = stubborn(prover, position, out.size == 0);
        if (move < 0) return out;
        out.add(move);
        position = prover.positions().after(prover.filled(position), move);
        if (map.winner(position.stones) != kNobody || !prover.known(position).numbers.solved()) return out;
      }
    }
    // The losing move that was hardest to refute; -1 where none was searched, unless one is needed.
    int stubborn(const Prover& prover, const Position& position, bool needed) const {
      const Position filled = prover.filled(position);
      int best = -1;
      std::uint64_t most = 0;
      map.empty(filled.stones).each([&](int cell) {
        const auto entry = prover.known(prover.positions().after(filled, cell));
        if (entry.numbers.wins() && entry.cost > most) {
          most = entry.cost;
          best = cell;
        }
      });
      if (best < 0 && needed) {
        map.empty(position.stones).each([&](int cell) {
          if (best < 0 || game.off_centre(cell) < game.off_centre(best)) best = cell;
        });
      }
      return best;
    }

    void list_moves(const HexStones<W>& stones) {
      map.empty(stones).each([&](int cell) { moves.push_back(cell); });
      std::stable_sort(moves.begin(), moves.end(),
                       [&](Action a, Action b) { return game.off_centre(a) < game.off_centre(b); });
      proven.assign(index(map.cells), 0);
    }

    // Takes one move after another; when none is left that nobody works on, helps with those that are.
    void prove_every(Prover& prover, const Position& root, Limits& own, bool leader) {
      prover.on_progress([&](int, int depth) {
        shared.update([&](Choice& choice) { choice.depth = std::max(choice.depth, depth); });
      });
      std::size_t next = leader ? 0 : moves.size() / 2;
      while (!own.spent()) {
        Action move = -1;
        {
          const std::lock_guard guard(lock);
          for (std::size_t tried = 0; tried < moves.size() && move < 0; ++tried, ++next) {
            const Action candidate = moves[next % moves.size()];
            if (!proven[index(candidate)]) move = candidate;
          }
        }
        if (move < 0) break;
        const Position child = prover.positions().after(root, move);
        if (prover.prove(child)) settle(root, move, prover.known(child));
      }
      if (leader && !own.spent()) shared.update([&](Choice& choice) { complete(choice); });
    }

    // Whoever takes over the first stone stands where the other would have stood, so it wins where no answer does.
    void complete(Choice& choice) const {
      choice.complete = choice.exhaustive = true;
      if (!can_swap) return;
      choice.scores.emplace_back(game.swap_action(), -choice.value);
      if (choice.value > 0) return;
      choice.value = 1;
      choice.action = game.swap_action();
      choice.line.put_first(choice.action, Line<1>{});
    }

    // A move is proven, and with it those that lose to the same answer, and what half a turn makes of them.
    void settle(const Position& root, Action move, const typename ProofTable<W>::Entry& entry) {
      const std::lock_guard guard(lock);
      if (proven[index(move)]) return;  // another thread was faster
      const int value = entry.numbers.loses() ? 1 : -1;
      const bool turns = map.turns && map.turned(root.stones.of[0]) == root.stones.of[0] &&
                         map.turned(root.stones.of[1]) == root.stones.of[1];
      const auto mark = [&](Action cell) {
        for (const Action each : {cell, turns ? map.cells - 1 - cell : cell}) proven[index(each)] = value;
      };
      mark(move);
      if (value < 0) {
        for (const Action each : moves) {
          if (!entry.carrier.has(each) && !proven[index(each)]) mark(each);
        }
      }
      Choice found;
      found.value = -1;
      found.depth = std::max(entry.depth, 1);
      for (const Action each : moves) {
        if (!proven[index(each)]) continue;
        if (found.scores.empty() || proven[index(each)] > found.value) {
          found.action = each;
          found.value = proven[index(each)];
        }
        found.scores.emplace_back(each, proven[index(each)]);
      }
      found.line.put_first(found.action, Line<1>{});
      shared.update([&](Choice& choice) {
        found.depth = std::max(found.depth, choice.depth);
        choice = found;
      });
    }
  };

  const Hex& game_;
  const Hex::Public root_;
  const Options options_;

  // Whoever may swap wins: by the swap if the stone wins, else by the answer that wins.
  void tell_swap(SharedChoice& shared) const {
    shared.update([&](Choice& choice) {
      choice.value = -1;
      choice.depth = 1;
      choice.complete = choice.exhaustive = true;
      if (!options_.every) return;
      for (Action cell = 0; cell < game_.size * game_.size; ++cell) choice.scores.emplace_back(cell, -1);
    });
  }
};

}  // namespace ludoteca
