"""The engine of Kittens: whole matches, limits, and no look at what is hidden."""

from __future__ import annotations

from typing import Any

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.kittens.engine import KittensEngine
from ludoteca.agents.kittens.policies import policies
from ludoteca.agents.networks.view_networks import shipped
from ludoteca.errors import InvalidOption
from ludoteca.games.kittens.cards import CARDS
from ludoteca.protocols import Decision, Limit

SPECS = ["kittens", "kittens:rules=original", "kittens:deck=rich,stack=true,place=any", "kittens:deck=bomb2+safe2"]
FEW = Limit(nodes=200)


def act(view: Any, seed: int = 1, limit: Limit = FEW, **options: int) -> Decision:
    return KittensEngine(view.game, view.seat, seed, EngineOptions(**options)).act(view, limit)


@pytest.mark.parametrize("spec", SPECS)
def test_plays_whole_matches_in_both_seats(spec: str) -> None:
    game: Any = ludoteca.game(spec)
    for seed in range(3):
        state = game.deal(seed)
        while state.turn is not None:
            decision = act(state.view(state.turn), seed)
            assert decision.nodes <= 200
            state.apply(decision.action)
        assert sum(state.returns()) == 0


@pytest.mark.parametrize("spec", SPECS)
def test_equal_views_give_equal_decisions_whatever_is_hidden(spec: str) -> None:
    game: Any = ludoteca.game(spec)
    state = game.deal(5)
    for _ in range(6):
        if state.turn is None:
            break
        view = state.view(state.turn)
        first = act(view)
        for seed in range(3):
            world = view.sample(seed)
            again = act(world.view(view.seat))
            assert (again.action, again.scores, again.nodes) == (first.action, first.scores, first.nodes)
        state.apply(first.action)


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    view: Any = ludoteca.game("kittens").deal(3).view(0)
    assert [act(view, limit=Limit(nodes=nodes)).nodes for nodes in (1, 10, 101)] == [1, 10, 101]
    original: Any = ludoteca.game("kittens:rules=original").deal(3).view(0)
    assert act(original, limit=Limit(nodes=500)).nodes == 500


@pytest.mark.parametrize(("other", "stays"), [("v2", True), ("mcts:simulations=20", False)])
def test_responds_to_v2_only_as_long_as_the_other_may_be_v2(other: str, stays: bool) -> None:
    game: Any = ludoteca.game("kittens:rules=original")
    opponent: Any = ludoteca.agent(other)(game, 1, 4)
    notes = set()
    for seed in range(8 if stays else 2):
        state = game.deal(seed)
        while state.turn is not None:
            view = state.view(state.turn)
            decision = opponent.act(view, Limit()) if view.seat else act(view)
            if not view.seat and len(view.log) > 8:  # by then it has shown itself
                notes.add("playout" in decision.note)
            state.apply(decision.action)
    assert notes == {not stays}


def test_gets_around_a_bomb_that_it_put_on_top() -> None:
    game: Any = ludoteca.game("kittens:deck=v2")
    state = game.deal_from("deck: bomb safe safe safe safe safe; 0: defuse skip; 1: 4; turn: 0; owed: 2", 1)
    state.apply(0)
    state.apply(game.parse_action("top"))
    assert game.action_name(act(state.view(0), limit=Limit(nodes=2000)).action) == "skip"


def test_small_games_are_played_by_their_equilibrium() -> None:
    view: Any = ludoteca.game("kittens:deck=bomb2+safe2").deal(0).view(0)
    decision = act(view, limit=Limit())
    assert sum(decision.scores.values()) == pytest.approx(1)
    assert {act(view, seed, Limit()).action for seed in range(20)} <= {a for a, p in decision.scores.items() if p > 0}


def test_thinking_aloud_ends_with_what_acting_gives() -> None:
    view: Any = ludoteca.game("kittens").deal(4).view(0)
    *_, last = KittensEngine(view.game, 0, 1).think(view, FEW)
    assert (last.action, last.scores) == (act(view).action, act(view).scores)


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_count_nodes_exactly_and_find_the_same_again(threads: int) -> None:
    view: Any = ludoteca.game("kittens").deal(4).view(0)
    for nodes in (1, 100, 301):
        first = act(view, limit=Limit(nodes=nodes), threads=threads)
        assert first.nodes == nodes
        assert first == act(view, limit=Limit(nodes=nodes), threads=threads)
    assert first.scores != act(view, limit=Limit(nodes=301)).scores  # each has worlds of its own


@pytest.mark.parametrize(("name", "number"), [("v2", 4), ("random", 1)])
def test_learns_whom_it_plays_against_from_what_the_other_does(name: str, number: int) -> None:
    """The opponent types: the rollout policy, random, v1, v1:variant=program, v2."""
    game: Any = ludoteca.game("kittens")
    first, last = 0.0, 0.0
    for seed in range(20):
        state = game.deal(seed)
        agents = [ludoteca.agent("random")(game, 0, seed), ludoteca.agent(name)(game, 1, seed)]
        view = state.view(0)
        first += _core.kittens_opponent_posterior(view, policies(), None, 50, 1)[number]
        while state.turn is not None:
            if state.turn == 0:
                view = state.view(0)
            decision: Any = agents[state.turn].act(state.view(state.turn), FEW)
            state.apply(decision.action if isinstance(decision, Decision) else decision)
        posterior = _core.kittens_opponent_posterior(view, policies(), None, 200, 1)
        assert sum(posterior) == pytest.approx(1)
        last += posterior[number]
    assert last > 1.5 * first


@pytest.mark.parametrize("rules", ["clean", "original"])
def test_weighs_each_choice_of_the_other_once(rules: str) -> None:
    """In the original rules a turn is one choice and all its draws follow; a card that is not held is a draw.

    Without See, Bottom and Shuffle the other hand is known, so the odds of random play against v2 can be computed from
    what the other really chose.
    """
    game: Any = ludoteca.game(f"kittens:rules={rules},deck=bomb2+safe14")
    uniform, v2 = 1, 4
    turns, draws_after_attack, plain_draws = 0, 0, 0
    for seed in range(12):
        state, chosen_by = game.deal(seed), ludoteca.agent("v2")
        me, other = seed % 2, 1 - seed % 2
        reader: Any = chosen_by(game, other, seed)
        agents: Any = {me: ludoteca.agent("random")(game, me, seed), other: ludoteca.agent("random")(game, other, seed)}
        odds = 0.1 / (0.9 * 0.4 / 3)  # of the priors
        while state.turn is not None:
            view = state.view(state.turn)
            if state.turn == me:
                posterior = _core.kittens_opponent_posterior(view, policies(), None, 3, seed)
                assert posterior[uniform] / posterior[v2] == pytest.approx(odds, rel=1e-4)
                turns += 1
            action = agents[state.turn].act(view, FEW)
            action = action.action if isinstance(action, Decision) else action
            if state.turn == other:
                if view.placing:
                    break  # from here on the place of the bomb is unknown
                hand = view.hand
                held = {0: True, 1: hand[CARDS.index("Skip")], 2: hand[CARDS.index("Attack")]}
                seen = action if held.get(action) else 0
                alike = [each for each in view.legal() if (each if held.get(each) else 0) == seen]
                share = len(alike) / len(view.legal())
                odds *= share / (0.02 * share + 0.98 * sum(reader.act(view, FEW).scores[each] for each in alike))
                draws_after_attack += view.owed == 2
                plain_draws += action != seen
            state.apply(action)
    assert turns > 30 and draws_after_attack > 2
    assert bool(plain_draws) == (rules == "original")


def test_does_not_stay_deceived_by_one_that_pretends_to_be_weak() -> None:
    """An adversary that makes its first six choices as v2, to be taken for it, and all others as mmd."""
    game: Any = ludoteca.game("kittens")
    network = shipped(game)
    assert network is not None
    deceived, undeceived = [], []  # how sure the engine is of a sensible player, after the sixth choice and at the end
    for seed in range(12):
        state = game.deal(seed)
        mine, pretended, own = (
            ludoteca.agent(name)(game, seat, seed) for name, seat in (("mmd", 0), ("v2", 1), ("mmd", 1))
        )
        choices, sensible = 0, {}
        while state.turn is not None:
            view = state.view(state.turn)
            if state.turn == 0:
                sensible[choices] = _core.kittens_opponent_posterior(view, policies(), network.core, 60, 1)[0]
            decision: Any = (mine if state.turn == 0 else pretended if choices < 6 else own).act(view, FEW)
            choices += state.turn
            state.apply(decision.action)
        if 6 in sensible and max(sensible) >= 10:
            deceived.append(sensible[6])
            undeceived.append(sensible[max(sensible)])
    assert len(deceived) >= 3
    assert max(deceived) < 0.36  # the prior
    assert min(undeceived) > 0.7


@pytest.mark.no_sanitize
def test_exploits_the_documents_opponent_but_risks_nothing_before_it_has_shown_itself() -> None:
    """A bomb on top beats v2; in the first turn, when the other may be anybody, a sensible player puts none there."""
    game: Any = ludoteca.game("kittens")
    top = game.parse_action("top")
    wins = 0
    first_turn: list[bool] = []  # whether its bombs went on top where mmd puts none
    later: list[bool] = []
    for seed in range(60):
        state = game.deal(seed)
        agents = [KittensEngine(game, 0, seed), ludoteca.agent("v2")(game, 1, seed)]
        sensible: Any = ludoteca.agent("mmd")(game, 0, seed)
        while state.turn is not None:
            view = state.view(state.turn)
            decision: Any = agents[state.turn].act(view, FEW)
            if state.turn == 0 and top in view.legal() and not sensible.action_probabilities(view, FEW).get(top):
                (first_turn if len(view.log) == 1 else later).append(decision.action == top)
            state.apply(decision.action)
        wins += state.returns()[0] > 0
    assert wins >= 53  # the network alone, which does not exploit errors, would win some 48
    assert len(first_turn) >= 5 and not any(first_turn)
    assert len(later) >= 2 and all(later)


def test_levels_are_from_0_to_8() -> None:
    view: Any = ludoteca.game("kittens").deal(0).view(0)
    with pytest.raises(InvalidOption, match="level"):
        act(view, level=9)


def test_of_equal_best_responses_it_plays_what_the_network_prefers() -> None:
    """What makes no difference against v2 may make one against somebody else."""
    game: Any = ludoteca.game("kittens:rules=original")
    network = shipped(game)
    assert network is not None
    equal = 0
    for seed in range(40):
        state = game.deal(seed)
        agents: Any = [ludoteca.agent("mmd")(game, 0, seed), ludoteca.agent("v2")(game, 1, seed)]
        engine = KittensEngine(game, 0, seed)
        while state.turn is not None:
            view = state.view(state.turn)
            if state.turn == 0 and view.deck_size <= 16 and len(view.legal()) > 1:  # from here on soon searched
                decision = engine.act(view, Limit(nodes=200_000))
                best = max(decision.scores.values(), default=0)
                tied = [action for action, score in decision.scores.items() if score > best - 0.001]
                policy = network.ask(view).policy
                assert policy[decision.action] == max([policy[action] for action in tied] or [policy[decision.action]])
                equal += len(tied) > 1
            state.apply(agents[state.turn].act(view, FEW).action)
    assert equal >= 3
