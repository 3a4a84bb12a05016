// Solves Hex positions: who wins, by which move, and how; or for each move whether it wins.
#pragma once

#include <mutex>
#include <optional>

#include "hex/dfpn.hpp"
#include "hex/proofs.hpp"
#include "search/choice.hpp"
#include "search/resources.hpp"
#include "search/workers.hpp"

namespace ludoteca {

class HexSolver {
 public:
  struct Options {
    Resources resources;  // memory: of the table
    bool all_moves = false;  // prove of each move whether it wins, not only that one does
    std::optional<std::int64_t> connection_work;  // ConnectionLimits::work, if not the default of the board size
    std::shared_ptr<HexProofs> proofs;  // the table to use instead of one of its own
  };

  // The match must not be over at the root.
  HexSolver(const Hex& game, const State<Hex>& root, const Options& options)
      : game_(game), root_(root.pub), options_(options) {}

  // Values are 1 and -1 for the seat on turn, 0 while nothing is proven. With `all_moves` the proven moves have scores.
  // A solved position is complete and exhaustive.
  void choose(Limits& limits, SharedChoice& shared) {
    const bool swap_follows = game_.swap && game_.size > 1 && root_.moves == 0 && root_.turn == 0;
    if (swap_follows) return publish_swap(shared);
    with_words(game_.size, [&](auto words) { Work<words.value>(*this, limits, shared).run(); });
  }

 private:
  static constexpr int kLarge = 81, kHuge = 169;  // cells
  static constexpr std::int64_t kLittleWork = 40'000, kLeastWork = 10'000;

  template <int W>
  struct Work {
    using Prover = HexDfpn<W>;
    using Position = ProofPosition<W>;

    const HexSolver& self;
    Limits& limits;
    SharedChoice& shared;
    const Hex& game;
    const bool can_swap;
    const HexMap<W> map;
    const std::shared_ptr<HexProofs> proofs;
    typename Prover::Shared proof;
    std::mutex lock;
    // For `all_moves`, under the lock: the moves in the order in which they are tried, and by cell 1, -1 or 0 (not
    // proven).
    std::vector<Action> moves;
    std::vector<int> proof_of;

    Work(const HexSolver& self_, Limits& limits_, SharedChoice& shared_)
        : self(self_), limits(limits_), shared(shared_), game(self.game_), can_swap(game.can_swap(self.root_)),
          map(game), proofs(self.proofs()), proof(map, proofs->table<W>(), self.options_.resources.threads) {}

    void run() {
      const HexStones<W> stones = map.stones(game, self.root_);
      if (self.options_.all_moves) list_moves(stones);
      run_parallel(self.options_.resources.threads, limits, [&](int number, Limits& own, const StartHelpers& start_helpers) {
        Prover prover(proof, connection_limits(), number, own);
        const Position root = prover.positions().position(stones, self.root_.turn);
        start_helpers();
        if (self.options_.all_moves) {
          prove_all_moves(prover, root, own, number == 0);
        } else {
          prover.on_progress([&](int move, int depth) {
            if (!number) show_progress(move, depth);
          });
          if (prover.prove(root) && !number) publish(prover, root);
        }
      });
    }

    // On large boards the analysis of a position must not delay a stop.
    ConnectionLimits connection_limits() const {
      ConnectionLimits out;
      if (map.cells > kLarge) out.work = kLittleWork;
      if (map.cells > kHuge) out.work = kLeastWork;
      out.work = self.options_.connection_work.value_or(out.work);
      return out;
    }

    void show_progress(int move, int depth) {
      shared.update([&](Choice& choice) {
        choice.action = move;
        choice.depth = std::max(choice.depth, depth);
        choice.line.put_first(move, Line<1>{});
      });
    }

    void publish(const Prover& prover, const Position& root) {
      Choice found;
      const auto entry = prover.lookup(root);
      found.line = line(prover, root);
      found.value = entry.numbers.wins() ? 1 : -1;
      if (can_swap && found.value < 0) {  // swapping takes over the winning position
        found.line.put_first(game.swap_action(), Line<1>{});
        found.value = 1;
      }
      found.action = found.line[0];
      found.depth = std::max(entry.depth, 1);
      found.complete = found.exhaustive = true;
      shared.update([&](Choice& choice) { choice = found; });
    }

    // The line of a proof: the winner's moves from the proof, the loser's moves that took longest to refute. It ends
    // where the win is proven without search.
    Line<Choice::kLongestLine> line(const Prover& prover, Position position) {
      Line<Choice::kLongestLine> out;
      for (;;) {
        const auto entry = prover.lookup(position);
        int move = entry.move;
        if (!entry.numbers.wins()) move = hardest_loss(prover, position, out.size == 0);
        if (move < 0) return out;
        out.add(move);
        position = prover.positions().after(prover.filled(position), move);
        if (map.winner(position.stones) != kNobody || !prover.lookup(position).numbers.solved()) return out;
      }
    }
    // The losing move that was hardest to refute. If none was searched: -1, or the most central one if `needed`.
    int hardest_loss(const Prover& prover, const Position& position, bool needed) const {
      const Position filled = prover.filled(position);
      int best = -1;
      std::uint64_t most = 0;
      map.empty(filled.stones).each([&](int cell) {
        const auto entry = prover.lookup(prover.positions().after(filled, cell));
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
      std::vector<double> nearness;
      for (Action cell = 0; cell < map.cells; ++cell) nearness.push_back(-game.off_centre(cell));
      highest_first(moves, nearness.data());
      proof_of.assign(index(map.cells), 0);
    }

    // Proves one move after another, until all are proven.
    void prove_all_moves(Prover& prover, const Position& root, Limits& own, bool leader) {
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
            if (!proof_of[index(candidate)]) move = candidate;
          }
        }
        if (move < 0) break;
        const Position child = prover.positions().after(root, move);
        if (prover.prove(child)) record_proof(root, move, prover.lookup(child));
      }
      if (leader && !own.spent()) shared.update([&](Choice& choice) { complete(choice); });
    }

    // Swapping takes over the position of the other seat, so it wins exactly if no answer does.
    void complete(Choice& choice) const {
      choice.complete = choice.exhaustive = true;
      if (!can_swap) return;
      choice.scores.emplace_back(game.swap_action(), -choice.value);
      if (choice.value > 0) return;
      choice.value = 1;
      choice.action = game.swap_action();
      choice.line.put_first(choice.action, Line<1>{});
    }

    // A move is proven, and with it those that lose to the same answer, and the rotations of all of them.
    void record_proof(const Position& root, Action move, const typename ProofTable<W>::Entry& entry) {
      const std::lock_guard guard(lock);
      if (proof_of[index(move)]) return;  // another thread has proven it
      const int value = entry.numbers.loses() ? 1 : -1;
      const bool rotates = map.rotates && map.rotated(root.stones.of[0]) == root.stones.of[0] &&
                         map.rotated(root.stones.of[1]) == root.stones.of[1];
      const auto mark = [&](Action cell) {
        for (const Action each : {cell, rotates ? map.cells - 1 - cell : cell}) proof_of[index(each)] = value;
      };
      mark(move);
      if (value < 0) {
        for (const Action each : moves) {
          if (!entry.carrier.has(each) && !proof_of[index(each)]) mark(each);
        }
      }
      Choice found;
      found.value = -1;
      found.depth = std::max(entry.depth, 1);
      for (const Action each : moves) {
        if (!proof_of[index(each)]) continue;
        if (found.scores.empty() || proof_of[index(each)] > found.value) {
          found.action = each;
          found.value = proof_of[index(each)];
        }
        found.scores.emplace_back(each, proof_of[index(each)]);
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

  std::shared_ptr<HexProofs> proofs() const {
    return options_.proofs ? options_.proofs : std::make_shared<HexProofs>(game_, options_.resources.bytes);
  }

  // A seat that may swap wins: by swapping if the stone wins, otherwise by the winning answer.
  void publish_swap(SharedChoice& shared) const {
    shared.update([&](Choice& choice) {
      choice.value = -1;
      choice.depth = 1;
      choice.complete = choice.exhaustive = true;
      if (!options_.all_moves) return;
      for (Action cell = 0; cell < game_.size * game_.size; ++cell) choice.scores.emplace_back(cell, -1);
    });
  }
};

}  // namespace ludoteca
