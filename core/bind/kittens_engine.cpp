// The engine of Kittens as Python sees it.
#include "bind/bind.hpp"
#include "bind/strategies.hpp"
#include "bind/search.hpp"
#include "bind/tree.hpp"
#include "kittens/best_response_player.hpp"
#include "kittens/rollouts.hpp"
#include "kittens/equilibrium.hpp"

namespace ludoteca {

namespace {

using V = BoundView<Kittens>;
using S = BoundEquilibrium<Kittens, KittensEquilibrium>;
using Policy = KittensTabularPolicy;

Policy read_policy(const std::vector<Policy::Probabilities>& moves, const std::vector<int>& places) {
  Policy policy;
  if (moves.size() != policy.moves.size() || places.size() != policy.places.size()) {
    throw nb::value_error("a tabular policy has numbers for every situation");
  }
  policy.moves = moves;
  std::transform(places.begin(), places.end(), policy.places.begin(),
                 [](int place) { return static_cast<std::uint8_t>(std::clamp(place, 0, 2)); });
  return policy;
}

const V& checked(const V& v) {
  if (KittensBestResponsePlayer::applies(*v.rules, v.view)) return v;
  throw nb::value_error("best responses are only for seat 0, on turn in a dealt match of rules=original");
}

}  // namespace

void bind_kittens_engine(nb::module_& m) {
  bind_tree<Kittens>(m, "Kittens");
  nb::class_<Policy>(m, "KittensTabularPolicy", "A policy as a table: see core/kittens/tabular_policy.hpp.")
      .def("__init__",
           [](Policy* self, const std::vector<Policy::Probabilities>& moves, const std::vector<int>& places) {
             new (self) Policy(read_policy(moves, places));
           },
           "moves"_a, "places"_a)
      .def_ro_static("max_cards", &Policy::kMaxCards)
      .def_ro_static("max_bombs", &Policy::kMaxBombs)
      .def_ro_static("max_lead", &Policy::kMaxLead);
  nb::class_<KittensResponseTables>(m, "KittensResponseTables",
                                    "Values of best responses to a policy, kept between searches.")
      .def("__init__",
           [](KittensResponseTables* self, const Policy& opponent, bool abstracted, int memory) {
             new (self) KittensResponseTables(opponent, abstracted, Resources(memory, 1).bytes);
           },
           "opponent"_a, "abstracted"_a, "memory"_a, "memory: megabytes.");

  m.def(
      "kittens_hand_belief",
      [](const V& v, const KittensResponseTables& tables) {
        std::vector<std::tuple<double, int, int, int>> out;
        for (const auto& hand : KittensHandBelief(*v.rules, tables.opponent, checked(v).view).hands(true)) {
          const auto& held = hand.position.other;
          out.emplace_back(hand.weight, held[KittensOpenPosition::kDefuse], held[KittensOpenPosition::kSkip],
                           held[KittensOpenPosition::kAttack]);
        }
        return out;
      },
      "view"_a, "tables"_a, "(probability, Defuse, Skip and Attack cards) of each hand that the opponent may have.");
  m.def("kittens_can_best_respond", [](const V& v) { return KittensBestResponsePlayer::applies(*v.rules, v.view); },
        "view"_a, "Whether `kittens_best_response` can search this view.");
  m.def(
      "kittens_opponent_refuted",
      [](const V& v, const KittensResponseTables& tables) {
        return KittensBestResponsePlayer(*v.rules, tables.opponent, v.view).refuted();
      },
      "view"_a, "tables"_a, "Whether the opponent did what the policy of the tables never does.");
  m.def(
      "kittens_best_response",
      [](const V& v, nb::object bound, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        auto* tables = nb::cast<KittensResponseTables*>(bound);
        const Action first = KittensBestResponsePlayer(*v.rules, tables->opponent, checked(v).view).default_action();
        const auto work = [rules = v.rules, view = v.view, tables](Limits& limits, SharedChoice& shared) {
          std::unique_ptr<KittensValueTable> values = tables->borrow();
          KittensBestResponsePlayer(*rules, tables->opponent, view).choose(tables->abstracted, *values, limits, shared);
          tables->give_back(std::move(values));
        };
        return new_search(nb::make_tuple(v.game, bound), work, first, nodes, seconds);
      },
      "view"_a, "tables"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are expected returns: see core/kittens/best_response_player.hpp.");

  m.def(
      "kittens_best_response_wins",
      [](const Kittens& rules, KittensResponseTables& tables, int matches, std::uint64_t seed) {
        const nb::gil_scoped_release unlocked;
        return kittens_best_response_wins(rules, tables, matches, seed);
      },
      "rules"_a, "tables"_a, "matches"_a, "seed"_a,
      "How many matches the best response wins in seat 0 against the policy.");

  m.def(
      "kittens_rollouts",
      [](const V& v, const std::vector<Policy>& policies, nb::object bound, nb::object bound_response,
         std::uint64_t worlds, int threads, int memory, std::uint64_t seed, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("the seat of the view is not on turn");
        Rng rng{seed};
        const KittensRollouts::Options options{worlds, Resources(memory, threads)};
        const auto cast = [](const nb::object& of) { return of.is_none() ? nullptr : nb::cast<const ViewNetwork*>(of); };
        const ViewNetwork *network = cast(bound), *response = cast(bound_response);
        const Action first =
            KittensOpponentModel(*v.rules, policies, network).sample(KittensOpponentModel::kSensible, v.view, rng);
        const auto work = [rules = v.rules, view = v.view, policies, network, response, options,
                           rng](Limits& limits, SharedChoice& shared) {
          KittensRollouts(*rules, policies, network, response, limits).choose(view, options, rng, shared);
        };
        return new_search(nb::make_tuple(v.game, bound, bound_response), work, first, nodes, seconds);
      },
      "view"_a, "policies"_a, "network"_a.none().sig("ViewNetwork | None"),
      "response"_a.none().sig("ViewNetwork | None"), "worlds"_a, "threads"_a, "memory"_a, "seed"_a, "nodes"_a = nb::none(),
      "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are mean returns: see core/kittens/rollouts.hpp.");

  m.def(
      "kittens_opponent_posterior",
      [](const V& v, const std::vector<Policy>& policies, const ViewNetwork* network, int worlds, std::uint64_t seed) {
        const KittensOpponentModel model(*v.rules, policies, network);
        KittensPosteriorWorlds posterior(*v.rules, model, v.view, Rng{seed});
        std::vector<double> out(model.types());
        for (int i = 0; i < worlds; ++i) {
          posterior.next();
          for (std::size_t type = 0; type < out.size(); ++type) {
            out[type] += posterior.opponent_posterior()[type] / worlds;
          }
        }
        return out;
      },
      "view"_a, "policies"_a, "network"_a.none(), "worlds"_a, "seed"_a,
      "The probability of each opponent type of core/kittens/belief/opponent_model.hpp, estimated from sampled worlds.");

  nb::class_<S> equilibrium(m, "KittensEquilibrium", "Strategies in small games: see core/kittens/equilibrium.hpp.");
  equilibrium
      .def(
          "__init__",
          [](S* self, nb::object game, std::size_t max_positions) {
            new (self) S{game, std::make_shared<KittensEquilibrium>(*nb::cast<const Kittens*>(game), max_positions)};
          },
          "game"_a.sig("KittensRules"), "max_positions"_a,
          "Raises ValueError for a game with more positions than that, or with chance after the deal.")
      .def_prop_ro("positions", [](const S& s) { return s.equilibrium->positions(); },
                   "How many positions there are in which the match goes on.");
  bind_equilibrium(equilibrium);
}

}  // namespace ludoteca
