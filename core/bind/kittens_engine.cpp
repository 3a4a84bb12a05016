// The engine of Kittens as Python sees it.
#include "bind/bind.hpp"
#include "bind/strategies.hpp"
#include "bind/search.hpp"
#include "kittens/best_response_player.hpp"
#include "kittens/rollouts.hpp"
#include "kittens/equilibrium.hpp"

namespace ludoteca {

namespace {

using V = BoundView<Kittens>;

KittensTabularPolicy read_model(const std::vector<KittensTabularPolicy::Chances>& chances, const std::vector<int>& places) {
  KittensTabularPolicy model;
  if (chances.size() != model.chances.size() || places.size() != model.places.size()) {
    throw nb::value_error("a model has numbers for every situation");
  }
  model.chances = chances;
  std::transform(places.begin(), places.end(), model.places.begin(),
                 [](int place) { return static_cast<std::uint8_t>(std::clamp(place, 0, 2)); });
  return model;
}

}  // namespace

void bind_kittens_engine(nb::module_& m) {
  nb::class_<KittensTabularPolicy>(m, "KittensTabularPolicy", "A player of Kittens whose habits are known: see core/kittens/tabular_policy.hpp.")
      .def("__init__",
           [](KittensTabularPolicy* self, const std::vector<KittensTabularPolicy::Chances>& chances, const std::vector<int>& places) {
             new (self) KittensTabularPolicy(read_model(chances, places));
           },
           "chances"_a, "places"_a)
      .def_ro_static("most_cards", &KittensTabularPolicy::kMostCards)
      .def_ro_static("most_bombs", &KittensTabularPolicy::kMostBombs)
      .def_ro_static("most_lead", &KittensTabularPolicy::kLead);
  nb::class_<KittensResponseTables>(m, "KittensResponseTables", "Best replies to a known player of Kittens, kept between searches.")
      .def("__init__",
           [](KittensResponseTables* self, const KittensTabularPolicy& model, bool roughly, std::size_t megabytes) {
             new (self) KittensResponseTables(model, roughly, megabytes << 20);
           },
           "model"_a, "roughly"_a, "megabytes"_a);

  m.def(
      "kittens_hand_belief",
      [](const V& v, const KittensResponseTables& replies) {
        if (!KittensBestResponsePlayer::can(*v.rules, v.view)) throw nb::value_error("no position that can be searched so");
        std::vector<std::tuple<double, int, int, int>> out;
        for (const auto& hand : KittensHandBelief(*v.rules, replies.model, v.view).hands(true)) {
          const auto& held = hand.position.other;
          out.emplace_back(hand.weight, held[KittensOpenPosition::kDefuse], held[KittensOpenPosition::kSkip], held[KittensOpenPosition::kAttack]);
        }
        return out;
      },
      "view"_a, "replies"_a, "(chance, Defuse, Skip and Attack cards) for each hand that the known player may have.");
  m.def("kittens_can_best_respond", [](const V& v) { return KittensBestResponsePlayer::can(*v.rules, v.view); }, "view"_a,
        "Whether `kittens_best_response` can search this.");
  m.def(
      "kittens_best_response",
      [](const V& v, nb::object replies, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (!KittensBestResponsePlayer::can(*v.rules, v.view)) throw nb::value_error("no position that can be searched so");
        auto* pool = nb::cast<KittensResponseTables*>(replies);
        const Action first = KittensBestResponsePlayer(*v.rules, pool->model, v.view).first();
        const auto work = [rules = v.rules, view = v.view, pool](Limits& limits, SharedChoice& shared) {
          std::unique_ptr<KittensValueTable> values = pool->borrow();
          KittensBestResponsePlayer(*rules, pool->model, view).choose(pool->roughly, *values, limits, shared);
          pool->give_back(std::move(values));
        };
        return new_search(nb::make_tuple(v.game, replies), work, first, nodes, seconds);
      },
      "view"_a, "replies"_a, "nodes"_a = nb::none(), "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are expected returns: see core/kittens/best_response_player.hpp.");

  m.def(
      "kittens_wins",
      [](const Kittens& rules, KittensResponseTables& replies, int matches, std::uint64_t seed) {
        const nb::gil_scoped_release unlocked;
        return kittens_wins(rules, replies, matches, seed);
      },
      "rules"_a, "replies"_a, "matches"_a, "seed"_a,
      "How many of so many matches the best reply that is known wins against the known player.");

  m.def(
      "kittens_rollouts",
      [](const V& v, const std::vector<KittensTabularPolicy>& models, std::uint64_t worlds, int threads, std::size_t megabytes,
         std::uint64_t seed, std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
        if (v.view.pub.turn != v.view.seat) throw nb::value_error("it is not the turn of the seat that looks");
        if (threads < 1) throw nb::value_error("threads must be at least 1");
        Rng rng{seed};
        const Action first = KittensRolloutPolicy(*v.rules).choose(v.view, rng);
        const KittensEffort effort{worlds, threads, megabytes << 20};
        const auto work = [rules = v.rules, view = v.view, models, effort, rng](Limits& limits, SharedChoice& shared) {
          KittensRollouts(*rules, models, limits).choose(view, effort, rng, shared);
        };
        return new_search(v.game, work, first, nodes, seconds);
      },
      "view"_a, "models"_a, "worlds"_a, "threads"_a, "megabytes"_a, "seed"_a, "nodes"_a = nb::none(),
      "seconds"_a = nb::none(), nb::rv_policy::take_ownership,
      "Values are mean returns: see core/kittens/rollouts.hpp.");

  m.def(
      "kittens_opponent_posterior",
      [](const V& v, const std::vector<KittensTabularPolicy>& models, int worlds, std::uint64_t seed) {
        const KittensOpponentModel others(*v.rules, models);
        KittensPosteriorWorlds imagined(*v.rules, others, v.view, Rng{seed});
        std::vector<double> out(others.size());
        for (int i = 0; i < worlds; ++i) {
          std::size_t who;
          imagined.next(who);
          for (std::size_t each = 0; each < out.size(); ++each) out[each] += imagined.suspects()[each] / worlds;
        }
        return out;
      },
      "view"_a, "models"_a, "worlds"_a, "seed"_a,
      "How likely the other is each of those of core/kittens/opponent_model.hpp, by what it has done; over so many worlds.");

  using Small = KittensEquilibrium;
  const auto play = [](Small& small, const StrategyBySet& strategy) { return flat(small.tree(), strategy); };
  constexpr auto always = [] { return true; };
  nb::class_<Small>(m, "KittensEquilibrium", "All of a small game of Kittens: see core/kittens/equilibrium.hpp.")
      .def(nb::init<const Kittens&, std::size_t>(), "rules"_a, "most_positions"_a, nb::keep_alive<1, 2>())
      .def("__len__", &Small::size, "How many positions there are in which the match goes on.")
      .def_prop_ro("views", [](const Small& small) { return small.views().size(); },
                   "How many different views a seat with a choice can have.")
      .def("view",
           [](const Small& small, nb::object game, std::size_t number) {
             return V{game, nb::cast<const Kittens*>(game), small.views().at(number)};
           },
           "game"_a, "number"_a)
      .def("number", [](const Small& small, const V& v) { return small.number(v.view); }, "view"_a,
           "Which of the views this is; None: it does not occur, or its seat has no choice.")
      .def("iterate",
           [always](Small& small, int rounds) {
             const nb::gil_scoped_release unlocked;
             while (rounds-- > 0) small.cfr().iterate(always);
           },
           "rounds"_a)
      .def("average", [](Small& small) { return by_set(small.tree(), small.cfr().average_strategy()); },
           "For each view the chance of each legal action.")
      .def("chances",
           [](Small& small, std::size_t number) {
             std::vector<double> out(static_cast<std::size_t>(small.tree().sets.at(number).actions));
             small.cfr().average_strategy(number, out.data());
             return out;
           },
           "number"_a, "The average for one view.")
      .def("value", [play](Small& small, const StrategyBySet& strategy) { return small.cfr().value(play(small, strategy)); },
           "strategy"_a, "What seat 0 gets.")
      .def("best_reply",
           [play](Small& small, const StrategyBySet& strategy, int seat) {
             return small.cfr().best_response(checked_seat(seat), play(small, strategy));
           },
           "strategy"_a, "seat"_a, "What the best reply of a seat gets for it.")
      .def("exploitability",
           [play](Small& small, const StrategyBySet& strategy) {
             const CfrPlus::Strategy profile = play(small, strategy);
             return (small.cfr().best_response(0, profile) + small.cfr().best_response(1, profile)) / 2;
           },
           "strategy"_a, "What a seat gains by the best reply, on average.");
}

}  // namespace ludoteca
