// The classical engine of Hex behind a C interface, for bench/engines/hex_builds.py: two builds of it, loaded into one
// process, play each other with equal CPU time.
#include <cstring>
#include <ctime>

#include "hex/classical.hpp"

using namespace ludoteca;

namespace {

struct Player {
  Hex game;
  RaveSearch search;
  std::uint64_t seed;
  Player(int size, const RaveSettings& settings, std::uint64_t seed_)
      : game(size, true, Hex::Layout::axial, false), search(game, settings), seed(seed_) {}
};

// The time that this thread has computed. What other processes do is not counted.
double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool set(RaveSettings& settings, const char* name, double value) {
  const auto is = [name](const char* each) { return std::strcmp(name, each) == 0; };
  if (is("rave_divisor")) settings.weights.rave_divisor = static_cast<float>(value);
  else if (is("max_rave")) settings.weights.max_rave = static_cast<float>(value);
  else if (is("prior")) settings.weights.prior = static_cast<float>(value);
  else if (is("visits_to_expand")) settings.visits_to_expand = static_cast<std::uint32_t>(value);
  else if (is("fill_in_visits")) settings.knowledge_visits[0] = static_cast<std::uint32_t>(value);
  else if (is("connection_visits")) settings.knowledge_visits[1] = static_cast<std::uint32_t>(value);
  else if (is("initial_rave")) settings.initial_rave = static_cast<float>(value);
  else if (is("inherited_rave")) settings.inherited_rave = static_cast<float>(value);
  else return false;
  return true;
}

}  // namespace

extern "C" {

// Returns null for an unknown setting.
__attribute__((visibility("default"))) void* make(int size, std::uint64_t seed, const char* const* names, const double* values,
                                                  int count) {
  RaveSettings settings;
  for (int i = 0; i < count; ++i) {
    if (!set(settings, names[i], values[i])) return nullptr;
  }
  return new Player(size, settings, seed);
}

__attribute__((visibility("default"))) void drop(void* player) { delete static_cast<Player*>(player); }

// The action after these. nodes: a limit of simulations, or 0 for one of `seconds`. The tree is reused with seconds.
// Adds to spent[0] the simulations, to spent[1] the CPU seconds; spent[2] is 1 if the action is proven to win.
__attribute__((visibility("default"))) int choose(void* player, const int* actions, int count, double seconds, long nodes,
                                                  double* spent) {
  Player& me = *static_cast<Player*>(player);
  const double begun = cpu_seconds();
  State<Hex> state;
  me.game.deal(state, Rng{});
  for (int i = 0; i < count; ++i) me.game.apply(state, actions[i]);
  me.search.set_root(state.pub, nodes == 0);
  RaveSearch::Worker worker(me.game, me.seed * 1000003 + static_cast<std::uint64_t>(count));
  long done = 0;
  for (; !me.search.proof(); ++done) {
    if (nodes ? done >= nodes : done % 8 == 0 && cpu_seconds() - begun > seconds) break;
    me.search.simulate(worker);
  }
  std::tuple<int, float, float, Action> best{-2, 0.0f, 0.0f, -1};
  me.search.each_root_action([&](Action action, float visits, float value, int proof) {
    if (visits > 0 || proof) best = std::max(best, std::tuple{proof, visits, value, action});
  });
  spent[0] += static_cast<double>(done);
  spent[1] += cpu_seconds() - begun;
  spent[2] = me.search.proof() > 0;
  return std::get<3>(best);
}

}  // extern "C"
