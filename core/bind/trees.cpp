// The tree search as Python sees it: HexTree, HorsesTree, DominoesTree, KittensTree.
#include <mutex>

#include "bind/search.hpp"
#include "bind/values.hpp"
#include "dominoes/worlds.hpp"
#include "hex/rules.hpp"
#include "horses/rules.hpp"
#include "kittens/rules.hpp"
#include "search/treesearch.hpp"

namespace ludoteca {
namespace {

// A tree and its memory, which stay from one search to the next.
template <class G>
struct BoundTree {
  TreeSettings settings;
  Playouts playouts;
  std::uint64_t seed;
  struct Kept {
    std::mutex busy;
    std::unique_ptr<TreeSearch<G>> tree;
  };
  std::shared_ptr<Kept> kept = std::make_shared<Kept>();
};

template <class G>
BoundSearch* new_tree_search(const BoundTree<G>& bound, const BoundView<G>& v, std::optional<std::uint64_t> simulations,
                             std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
  if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
  Actions<G> actions;
  v.rules->legal(v.view, actions);
  const auto most = simulations.value_or(std::numeric_limits<std::uint64_t>::max());
  const auto work = [kept = bound.kept, settings = bound.settings, playouts = bound.playouts, seed = bound.seed, most,
                     rules = v.rules, view = v.view](Limits& limits, SharedChoice& shared) {
    const std::unique_lock alone(kept->busy, std::try_to_lock);
    if (!alone) {  // another search of the same agent is still on its way, and keeps its tree
      return TreeSearch<G>(settings, playouts).choose(*rules, view, seed, most, limits, shared);
    }
    if (!kept->tree) kept->tree = std::make_unique<TreeSearch<G>>(settings, playouts);
    kept->tree->choose(*rules, view, seed, most, limits, shared);
  };
  return new_search(v.game, work, actions[0], nodes, seconds);
}

template <Game G>
void bind_tree(nb::module_& m, const std::string& name) {
  using T = BoundTree<G>;
  nb::class_<T>(m, (name + "Tree").c_str(),
                "Searches of one agent by core/search/tree.hpp, with the memory that they share.")
      .def("__init__",
           [](T* self, double exploration, int playouts, bool reuse, int threads, int memory, std::uint64_t seed) {
             if (!(exploration >= 0) || playouts < 1 || threads < 1 || memory < 1) {
               throw nb::value_error("exploration must be 0 or more; playouts, threads and memory 1 or more");
             }
             TreeSettings settings{exploration, reuse, threads, static_cast<std::size_t>(memory) << 20};
             settings.per_look = std::max<std::uint64_t>(1, settings.per_look / static_cast<std::uint64_t>(playouts));
             new (self) T{settings, Playouts{playouts}, seed};
           },
           "exploration"_a, "playouts"_a = 1, "reuse"_a = false, "threads"_a = 1, "memory"_a = 256, "seed"_a = 0,
           "memory: in megabytes, of all threads together.")
      .def("search", &new_tree_search<G>, "view"_a, "simulations"_a = nb::none(), "nodes"_a = nb::none(),
           "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
           "Values are the returns that the seat may expect; each simulation is a node.");
}

}  // namespace

void bind_trees(nb::module_& m) {
  bind_tree<Dominoes>(m, "Dominoes");
  bind_tree<Hex>(m, "Hex");
  bind_tree<Horses>(m, "Horses");
  bind_tree<Kittens>(m, "Kittens");
}

}  // namespace ludoteca
