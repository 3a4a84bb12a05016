// Kittens as Python sees it.
#include "bind/bind.hpp"
#include "kittens/observation.hpp"
#include "kittens/belief/opponent_hand.hpp"
#include "kittens/rules.hpp"

namespace ludoteca {

void bind_kittens(nb::module_& m) {
  using K = Kittens;
  using V = BoundView<K>;
  using Softmax = KittensSoftmaxPolicy;
  nb::class_<Softmax>(m, "KittensSoftmaxPolicy", "A policy of the opponent: see core/kittens/belief/softmax_policy.hpp.")
      .def("__init__",
           [](Softmax* self, const std::array<std::array<double, Softmax::kInputs>, Softmax::kPlayed>& weights,
              bool wasteful) { new (self) Softmax{weights, wasteful}; },
           "weights"_a, "wasteful"_a);
  auto [rules, view] = bind_game<K>(m, "Kittens");
  rules.def(nb::init<std::array<int, K::kCards>, bool, bool, bool, int>(), "counts"_a, "original"_a, "stack"_a,
            "anywhere"_a, "max_turns"_a)
      .def("deck_of",
           [](const K&, const BoundState<K>& s) {
             std::vector<int> out;
             for (std::size_t i = s.state.pub.deck; i-- > 0;) out.push_back(s.state.hidden.deck[i]);
             return out;
           },
           "state"_a, "The truth: the cards of the deck from the top.")
      .def("arrange_cards",
           [](nb::object self, std::optional<std::vector<int>> deck, std::array<std::vector<int>, 2> hands,
              std::array<int, 2> more, int turn, int owed, std::uint64_t seed) {
             BoundState<K> out{self, nb::cast<const K*>(self), {}};
             out.rules->arrange({std::move(deck), std::move(hands), more, checked_seat(turn), owed}, Rng{seed}, out.state);
             return out;
           },
           "deck"_a.none(), "hands"_a, "more"_a, "turn"_a, "owed"_a, "seed"_a,
           "A position set up by hand. Raises ValueError for an impossible one; `Kittens.arrange` explains why.\n\n"
           "deck: from the top; None: all remaining cards, shuffled. more: how many random cards each hand gets.")
      .def_prop_ro("max_deck", &K::max_deck, "How many cards the deck of a position set up by hand can have.")
      .def_prop_ro("max_owed", &K::max_owed, "How many draws can be owed in it.");
  view.def_prop_ro("hand", [](const V& v) { return std::vector<int>(v.view.own.hand.begin(), v.view.own.hand.end()); },
                   "Cards of each kind in this seat's hand.")
      .def_prop_ro("holds",
                   [](const V& v) { return std::vector<int>(v.view.own.holds.begin(), v.view.own.holds.end()); },
                   "Cards of each kind that the opponent holds for certain.")
      .def_prop_ro("deck_size", [](const V& v) { return static_cast<int>(v.view.pub.deck); })
      .def_prop_ro("bombs", [](const V& v) { return static_cast<int>(v.view.pub.bombs); }, "In the deck.")
      .def_prop_ro("hand_sizes",
                   [](const V& v) {
                     return std::tuple<int, int>{v.view.pub.hand[0], v.view.pub.hand[1]};
                   })
      .def_prop_ro("gone", [](const V& v) { return std::vector<int>(v.view.pub.gone.begin(), v.view.pub.gone.end()); },
                   "Cards of each kind that were left out when the position was set up by hand.")
      .def_prop_ro("counted",
                   [](const V& v) -> std::optional<std::tuple<int, int>> {
                     if (!v.rules->original) return std::nullopt;
                     return std::tuple<int, int>{v.view.pub.counted[0], v.view.pub.counted[1]};
                   },
                   "rules=original: the number of Defuse, Skip, Attack and Safe cards in each hand, which is public; else None.")
      .def_prop_ro("owed", [](const V& v) { return static_cast<int>(v.view.pub.owed); },
                   "Draws that the seat on turn still owes.")
      .def_prop_ro("placing", [](const V& v) { return v.view.pub.placing != 0; },
                   "Whether the seat on turn must put a bomb back.")
      .def_prop_ro("turns", [](const V& v) { return static_cast<int>(v.view.pub.turns); }, "How many have ended.")
      .def_prop_ro("loser", [](const V& v) { return seat_or_none(v.view.pub.loser); }, "The seat that exploded.")
      .def_prop_ro("last",
                   [](const V& v) {
                     const auto last = [&](std::size_t seat) -> std::optional<int> {
                       if (v.view.pub.last[seat] < 0) return std::nullopt;
                       return v.view.pub.last[seat];
                     };
                     return std::tuple{last(0), last(1)};
                   },
                   "Each seat's last action as the opponent saw it, without places.")
      .def_prop_ro("played",
                   [](const V& v) {
                     const auto& p = v.view.pub.played;
                     return std::tuple{std::vector<int>(p[0].begin(), p[0].end()),
                                       std::vector<int>(p[1].begin(), p[1].end())};
                   },
                   "Cards of each kind that each seat has played.")
      .def_prop_ro("known",
                   [](const V& v) {
                     std::vector<std::tuple<int, int>> out;
                     for (int i = v.view.pub.deck - 1; i >= 0; --i) {
                       const int code = v.view.own.deck_knowledge.known_at(i);
                       if (code) out.emplace_back(v.view.pub.deck - 1 - i, code - 1);
                     }
                     return out;
                   },
                   "(depth, card) of each card whose place this seat knows.")
      .def_prop_ro("suspects",
                   [](const V& v) {
                     std::vector<int> out;
                     for (int i = v.view.pub.deck - 1; i >= 0; --i) {
                       if (v.view.own.deck_knowledge.bomb_candidates >> i & 1) out.push_back(v.view.pub.deck - 1 - i);
                     }
                     return out;
                   },
                   "Depths at which the bomb that the opponent put back last may lie; empty when nothing is open.")
      .def_prop_ro("log",
                   [](const V& v) {
                     std::vector<std::tuple<int, int, std::vector<int>, std::optional<int>, std::optional<bool>>> out;
                     for (std::size_t i = 0; i < v.view.pub.events; ++i) {
                       const int entry = v.view.pub.log[i], event = (entry & ~K::kUncounted) / 2;
                       int seen = v.view.own.seen[i];
                       std::optional<int> depth;
                       std::optional<bool> counted;
                       if (v.rules->original && (event == K::kDrew || event == K::kBottomDrew)) {
                         counted = !(entry & K::kUncounted);
                       }
                       if (event >= K::kDrew && event <= K::kBottomDrewBomb) {
                         if (seen / 16) depth = seen / 16 - 1;
                         seen &= 15;
                       }
                       std::vector<int> cards;
                       for (; seen; seen >>= 4) cards.push_back((seen & 15) - 1);
                       out.emplace_back(entry & 1, event, cards, depth, counted);
                     }
                     return out;
                   },
                   "(seat, event, cards seen, depth chosen, counted or not); `Kittens.events` puts it into words.")
      .def_prop_ro("seed_observation",
                   [](const V& v) {
                     const auto numbers = v.rules->seed_observation(v.view);
                     return std::vector<double>(numbers.begin(), numbers.end());
                   },
                   "The eleven inputs of the original network.")
      .def("after",
           [](const V& v, GivenAction given, std::vector<int> cards, int defuses) -> std::optional<std::tuple<V, int>> {
             for (const int card : cards) {
               if (card < 0 || card >= K::kCards) throw nb::value_error("a card that does not exist");
             }
             const auto seen = KittensObservation(*v.rules).after(v.view, given.action, cards, std::clamp(defuses, 0, 99));
             if (!seen) return std::nullopt;
             return std::tuple{V{v.game, v.rules, seen->view}, seen->used};
           },
           "action"_a, "cards"_a, "defuses"_a = 0,
           "What this seat sees after an action of the seat on turn that draws or shows these cards, and how many were\n"
           "drawn or shown; None if the rules forbid it.\n\n"
           "defuses: how many of its bombs the other can defuse. See core/kittens/observation.hpp.")
      .def_prop_ro("possible", [](const V& v) { return KittensObservation(*v.rules).possible(v.view); },
                   "Whether some order of the deck and some choices of the other show this view.")
      .def("held_chances",
           [](const V& v, int card) {
             if (card < 1 || card >= K::kCards) throw nb::value_error("a card that cannot be held");
             return KittensObservation(*v.rules).held(v.view, card);
           },
           "card"_a,
           "The probability of each number of cards of this kind in the other's hand, if its choices are no evidence.")
      .def("held_by_policies",
           [](const V& v, const std::vector<Softmax>& policies, std::size_t max_table) {
             if (policies.empty()) throw nb::value_error("no policies");
             const KittensOpponentHand hand(*v.rules, v.view, policies, max_table);
             std::vector<std::pair<std::vector<double>, double>> kinds;
             for (const auto& kind : hand.kinds) kinds.emplace_back(kind.chances, kind.error);
             return std::tuple{kinds, hand.policies, hand.exact};
           },
           "policies"_a, "max_table"_a = KittensOpponentHand::kMaxTable,
           "What the other holds if it plays by one of these policies: by card, the probability of each number of cards\n"
           "and the standard error of the chance to hold one; the probability of each policy; whether that is exact.\n\n"
           "max_table: with more hands than fit in such a table they are sampled.")
      .def_prop_ro("opponent_choices",
                   [](const V& v) {
                     std::vector<std::tuple<int, std::vector<double>>> out;
                     for (const KittensChoice& each : KittensChoices::of(KittensHistory(*v.rules, v.view))) {
                       out.emplace_back(each.card, std::vector<double>(each.features.begin(), each.features.end()));
                     }
                     return out;
                   },
                   "Each choice of the other between a draw (0) and a card, with what both seats knew then.")
      .def("bomb_chance", [](const V& v, int depth) { return v.rules->bomb_chance(v.view, depth); }, "depth"_a = 0,
           "The probability that a bomb lies at this depth, over all worlds that this view allows.");
}

}  // namespace ludoteca
