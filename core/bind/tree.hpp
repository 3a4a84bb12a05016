// The tree search as Python sees it: HexTree, HorsesTree, DominoesTree, KittensTree, each made in its game's file.
#pragma once

#include <functional>
#include <mutex>

#include "bind/search.hpp"
#include "bind/values.hpp"
#include "search/tree_search.hpp"

namespace ludoteca {

// A tree search with any evaluator: its tree, as a function that searches in it.
template <class G>
using AnyTree = std::function<void(const G& rules, const View<G>& view, std::uint64_t seed,
                                   std::uint64_t max_simulations, Limits& limits, SharedChoice& shared)>;

template <class G, class Evaluator>
AnyTree<G> tree_with(const TreeSettings& settings, const Evaluator& evaluate) {
  return [tree = std::make_shared<TreeSearch<G, Evaluator>>(settings, evaluate)](auto&&... arguments) {
    tree->choose(arguments...);
  };
}

// The trees of an agent, kept from one search to the next. There are several only if searches ran at the same time.
// None is freed during a search: releasing 256 MB takes some ten milliseconds.
template <class G>
class IdleTrees {
 public:
  // The tree that was used last; null if all are in use.
  AnyTree<G> borrow() {
    const std::lock_guard lock(mutex_);
    if (trees_.empty()) return nullptr;
    AnyTree<G> out = std::move(trees_.back());
    trees_.pop_back();
    return out;
  }
  void give_back(AnyTree<G> tree) {
    const std::lock_guard lock(mutex_);
    trees_.push_back(std::move(tree));
  }

 private:
  std::mutex mutex_;
  std::vector<AnyTree<G>> trees_;
};

template <class G>
struct BoundTree {
  TreeSettings settings;
  Playouts playouts;
  std::string evaluation;  // empty: playouts
  std::uint64_t seed;
  nb::object game;         // of these trees
  std::shared_ptr<IdleTrees<G>> idle;
};

// Throws std::invalid_argument if the game has no such evaluation.
template <class G, class... Evaluations>
AnyTree<G> new_tree(const TreeSettings& settings, Playouts playouts, const std::string& evaluation, const G& rules) {
  AnyTree<G> out;
  if (evaluation.empty()) out = tree_with<G>(settings, playouts);
  ((evaluation == Evaluations::kName ? out = tree_with<G>(settings, Evaluations(rules)) : out), ...);
  if (!out) throw std::invalid_argument("there is no such evaluation");
  return out;
}

template <class G, class... Evaluations>
BoundSearch* new_tree_search(BoundTree<G>& bound, const BoundView<G>& v, std::optional<std::uint64_t> simulations,
                             std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
  if (v.view.pub.turn != v.view.seat) throw nb::value_error("only the seat on turn can choose an action");
  if (!bound.game.is(v.game)) {
    bound.game = v.game;
    bound.idle = std::make_shared<IdleTrees<G>>();
  }
  Actions<G> actions;
  v.rules->legal(v.view, actions);
  const auto max_simulations = simulations.value_or(std::numeric_limits<std::uint64_t>::max());
  const auto work = [idle = bound.idle, settings = bound.settings, playouts = bound.playouts,
                     evaluation = bound.evaluation, seed = bound.seed, max_simulations, rules = v.rules,
                     view = v.view](Limits& limits, SharedChoice& shared) {
    auto tree = idle->borrow();
    if (!tree) tree = new_tree<G, Evaluations...>(settings, playouts, evaluation, *rules);
    tree(*rules, view, seed, max_simulations, limits, shared);
    idle->give_back(std::move(tree));
  };
  return new_search(v.game, work, actions[0], nodes, seconds);
}

// Evaluations: static evaluations that can replace playouts, constructed from the rules, with their name in kName.
template <Game G, class... Evaluations>
void bind_tree(nb::module_& m, const std::string& name) {
  using T = BoundTree<G>;
  nb::class_<T>(m, (name + "Tree").c_str(),
                "Searches of one agent by core/search/tree.hpp, with a shared tree.")
      .def("__init__",
           [](T* self, double exploration, int playouts, bool reuse, int threads, int memory, std::uint64_t seed,
              const std::string& evaluation) {
             if (!(exploration >= 0) || playouts < 1) {
               throw nb::value_error("exploration must be 0 or more, playouts 1 or more");
             }
             if (!(evaluation.empty() || ... || (evaluation == Evaluations::kName))) {
               throw nb::value_error("there is no such evaluation");
             }
             TreeSettings settings{exploration, reuse, Resources(memory, threads)};
             const auto per_check = settings.simulations_per_check / static_cast<std::uint64_t>(playouts);
             settings.simulations_per_check = std::max<std::uint64_t>(1, per_check);
             new (self) T{settings, Playouts{playouts}, evaluation, seed, nb::none(), nullptr};
           },
           "exploration"_a, "playouts"_a = 1, "reuse"_a = false, "threads"_a = 1,
           "memory"_a = Resources::kMegabytes, "seed"_a = 0, "evaluation"_a = "",
           "memory: in megabytes, of all threads together. evaluation: one of `evaluations`, instead of playouts.")
      .def_prop_ro_static("evaluations",
                          [](nb::handle) { return std::vector<std::string>{Evaluations::kName...}; },
                          "The names of the evaluations that can replace playouts.")
      .def("search", &new_tree_search<G, Evaluations...>, "view"_a, "simulations"_a = nb::none(),
           "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
           "Values are expected returns of the seat; each simulation is a node.");
}

}  // namespace ludoteca
