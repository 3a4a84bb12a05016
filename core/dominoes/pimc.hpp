// Perfect-information Monte Carlo for Dominoes: the mean of each action's double-dummy value over many worlds.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "dominoes/double_dummy.hpp"
#include "dominoes/rules.hpp"
#include "search/choice.hpp"
#include "search/workers.hpp"

namespace ludoteca {

// The worlds are all hands that the opponent can have if they are few, else a uniform sample. The double-dummy solver
// values every action in each world, and an action's score is the mean, with each world weighed by how likely the
// opponent would have played as it did. The score is not the value of perfect play: in every world both seats see all
// tiles, except that the opponent's next choice may be a mistake.
class DominoesPimc {
 public:
  struct Options {
    int worlds;       // at most
    double mistakes;  // the probability that the opponent's next choice is random, since it does not see all tiles
    int plies;        // laid tiles up to which every choice is searched
    int threads = 1;  // that solve worlds in parallel; one under a limit of nodes
  };

  DominoesPimc(const Dominoes& game, const View<Dominoes>& view, Options options, Rng rng, Limits& limits)
      : game_(game),
        view_(view),
        worlds_(game, view),
        options_(options),
        rng_(rng),
        limits_(limits),
        workers_(limits.counts_nodes() ? 1 : options.threads),
        per_round_(workers_.size() == 1 ? 1 : kWorldsPerThread * workers_.size()) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (i) helpers_.push_back(std::make_unique<Limits>(limits));
      solvers_.emplace_back(game, i ? *helpers_.back() : limits);
    }
    game_.legal(view, actions_);
    sums_.resize(static_cast<std::size_t>(actions_.size));
  }

  // For a seat that can lay a tile; value and scores are expected returns.
  void choose(SharedChoice& shared) {
    const auto add = [&](Set theirs, double weight) {
      if (limits_.spent()) return;
      worlds_.fill(theirs, rng_, next(weight));
      if (batch_.size() == per_round_) solve(shared);
    };
    const bool all = worlds_.each_hand(options_.worlds, add);
    while (!all && count_ + static_cast<int>(batch_.size()) < options_.worlds && !limits_.spent()) {
      worlds_.sample(rng_, next(1));
      if (batch_.size() == per_round_) solve(shared);
    }
    if (!batch_.empty() && !limits_.spent()) solve(shared);
    if (count_ > 0) report(shared, !cut_ && !limits_.spent());
  }

 private:
  using Set = Dominoes::Set;
  struct World {
    State<Dominoes> state;
    double weight;
    bool solved = false;
    std::array<double, Dominoes::kMaxActions> values;
  };
  static constexpr int kWorldsPerReport = 32;
  static constexpr std::size_t kWorldsPerThread = 8;
  static constexpr double kEqual = 1e-9;

  const Dominoes& game_;
  const View<Dominoes>& view_;
  const DominoesWorlds worlds_;
  const Options options_;
  Rng rng_;
  Limits& limits_;
  Workers workers_;
  std::vector<std::unique_ptr<Limits>> helpers_;  // of all threads but the first
  std::vector<DominoesDoubleDummy> solvers_;      // one for each thread
  const std::size_t per_round_;
  std::vector<World> batch_;
  Actions<Dominoes> actions_;
  std::vector<double> sums_;
  double weight_ = 0;
  int count_ = 0;
  bool cut_ = false;  // the limits ended a world

  State<Dominoes>& next(double weight) {
    batch_.emplace_back().weight = weight;
    return batch_.back().state;
  }

  // Solves the worlds of the batch on all threads and adds them up in their order.
  void solve(SharedChoice& shared) {
    workers_.run([&](std::size_t thread) {
      for (std::size_t i = thread; i < batch_.size(); i += workers_.size()) solve(batch_[i], thread);
    });
    for (const World& world : batch_) {
      cut_ |= !world.solved;
      if (!world.solved) continue;
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += world.weight * world.values[i];
      weight_ += world.weight;
      if (++count_ % kWorldsPerReport == 0) report(shared, false);
    }
    batch_.clear();
  }

  // A world that the limits end does not count.
  void solve(World& world, std::size_t thread) {
    Limits& limits = thread ? *helpers_[thread - 1] : limits_;
    DominoesDoubleDummy& solver = solvers_[thread];
    const DominoesDoubleDummy::World open(game_, world.state);
    const double mistake = view_.pub.boneyard ? options_.mistakes : 0;  // no mistakes once all tiles are known
    const double scale = game_.points ? game_.points_scale() : 1;
    solver.begin(open, view_.pub.boneyard ? options_.plies : DominoesDoubleDummy::kToTheEnd);
    for (int i = 0; i < actions_.size; ++i) {
      const double found = solver.after(open, actions_[i], mistake);
      if (limits.spent()) return;
      world.values[static_cast<std::size_t>(i)] = std::clamp(found / scale, -1.0, 1.0);  // a Start may give more points
    }
    world.weight *= likelihood(world.state);
    world.solved = true;
    if (thread) limits.show_nodes();
  }

  // How likely the opponent would have played as it did with this hand. A hand with fewer other choices is likelier,
  // and so is one whose heavier tiles were laid first. With drawing, only what it has played since its last draw
  // counts: before, it may have had fewer tiles.
  double likelihood(const State<Dominoes>& state) const {
    const Seat they = other(view_.seat);
    const auto seat = index(they);
    Set hand = state.own[seat].hand | view_.pub.played[seat];
    double likely = 1;
    game_.replay_log(view_.pub, [&](Seat actor, Action action, const Dominoes::Ends& ends) {
      if (actor != they) return;
      if (action == game_.draw_action()) likely = 1;
      if (action >= game_.draw_action()) return;
      if (ends[0] >= 0) {
        Actions<Dominoes> actions;
        Dominoes::lays(hand, ends, actions);
        int all = 0;
        for (const Action each : actions) all += weight_of(each);
        likely *= static_cast<double>(weight_of(action)) / all;
      }
      hand &= ~Tiles::one(action / 2);
    });
    return likely;
  }
  static int weight_of(Action action) { return 8 + kTiles.pips(Tiles::one(action / 2)); }

  void report(SharedChoice& shared, bool complete) {
    Choice out;
    const auto score = [&](int i) { return sums_[static_cast<std::size_t>(i)] / weight_ + 0.0; };
    const auto pips = [&](int i) { return kTiles.pips(Tiles::one(actions_[i] / 2)); };
    int best = 0;
    for (int i = 0; i < actions_.size; ++i) {
      out.scores.emplace_back(actions_[i], score(i));
      const double more = score(i) - score(best);
      if (more > kEqual || (more > -kEqual && pips(i) > pips(best))) best = i;
    }
    out.action = actions_[best];
    out.value = score(best);
    out.line.add(out.action);
    out.worlds = count_;
    out.depth = view_.pub.count[0] + view_.pub.count[1];
    out.complete = complete;
    out.exhaustive = complete && view_.pub.boneyard == 0;  // both seats know all tiles
    shared.update([&](Choice& choice) { choice = out; });
  }
};

}  // namespace ludoteca
