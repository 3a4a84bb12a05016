"""The engine of Dominoes, its double-dummy solver and its worlds, against plain search and counting."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.dominoes.engine import DominoesEngine
from ludoteca.agents.engine_options import EngineOptions
from ludoteca.agents.networks.view_networks import shipped
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.protocols import Decision, Limit
from tests.games.dominoes.checks import exact_worlds

SPECS = [
    "dominoes:pips=4,hand=4",
    "dominoes:pips=4,hand=4,scoring=points",
    "dominoes:pips=3,hand=3,blocked=draw",
    "dominoes:pips=5,hand=5,variant=block",
    "dominoes:pips=5,hand=5,variant=block,scoring=points",
    "dominoes:pips=5,hand=5,variant=block,blocked=draw",
]


def make(spec: str) -> Dominoes:
    return cast(Dominoes, ludoteca.game(spec))


def positions(spec: str, matches: int, tiles: int) -> Iterator[_core.DominoesState]:
    """Rounds under way in which the hands and what can be drawn are at most so many tiles."""
    game = make(spec)
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            left = sum(view.counts) + (view.boneyard if game.variant == "draw" else 0)
            if view.ends is not None and left <= tiles:
                yield state.copy()
                break
            state.apply(chance.choice(state.legal()))


def best_play(state: _core.DominoesState, seat: int) -> float:
    """What the seat gets when both see all tiles: every line to its end."""
    if state.turn is None:
        return state.returns()[seat]
    values = []
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        values.append(best_play(after, seat))
    return max(values) if state.turn == seat else min(values)


@pytest.mark.parametrize("spec", SPECS)
def test_double_dummy_finds_what_plain_search_finds(spec: str) -> None:
    found = list(positions(spec, 60, 9))
    assert len(found) > 30
    for state in found:
        assert state.turn is not None
        assert _core.dominoes_double_dummy(state) == pytest.approx(best_play(state, state.turn))


def ask(view: _core.DominoesView, limit: Limit | None = None, **options: int) -> Decision:
    return DominoesEngine(view.game, view.seat, 1, EngineOptions(**options)).act(view, limit or Limit())


def test_where_all_hands_are_few_its_scores_are_their_mean() -> None:
    """Nothing was chosen before, so every hand weighs the same."""
    game = make("dominoes:pips=3,hand=3,variant=block")
    view = next(view for view in map(_second_turn, map(game.deal, range(100))) if len(view.legal()) > 1)
    first = view.line[0][0]
    # The other has two tiles more; with the highest double to start, none of them is a higher one.
    above = {tile for tile in view.unseen if _rank(tile) > _rank(first)}
    hands = list(itertools.combinations(set(view.unseen) - above, view.counts[1 - view.seat]))
    sums = dict.fromkeys(view.legal(), 0.0)
    for hand in hands:
        for action in view.legal():
            after = _world(view, hand)
            after.apply(action)
            sums[action] += often_wrong(after, view.seat)
    decision = ask(view, level=8)
    assert dict(decision.scores) == pytest.approx({action: sums[action] / len(hands) for action in view.legal()})
    assert "deals" in decision.note and str(len(hands)) in decision.note


def often_wrong(state: _core.DominoesState, seat: int) -> float:
    """What the seat gets if the other's choice, where it is its turn now, is half of the time any, else the best."""
    while state.turn is not None and len(state.legal()) == 1 and state.turn != seat:
        state.apply(state.legal()[0])
    if state.turn in (None, seat):
        return best_play(state, seat)
    replies = []
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        replies.append(best_play(after, seat))
    return min(replies) / 2 + sum(replies) / len(replies) / 2


def _second_turn(state: _core.DominoesState) -> _core.DominoesView:
    state.apply(state.legal()[0])
    assert state.turn is not None
    return state.view(state.turn)


def _rank(tile: int) -> tuple[bool, int, int]:
    high = next(n for n in range(10) if (n + 1) * (n + 2) // 2 > tile)
    low = tile - high * (high + 1) // 2
    return (high == low, high + low, high)


def _world(view: _core.DominoesView, hand: tuple[int, ...]) -> _core.DominoesState:
    """The one world of many samples in which the other holds these tiles."""
    for seed in itertools.count():
        state = view.sample(seed)
        if set(state.view(1 - view.seat).hand) == set(hand):
            return state
    raise AssertionError


@pytest.mark.parametrize("variant", ["block", "draw"])
def test_the_same_seed_and_nodes_give_the_same_decision_and_no_node_more(variant: str) -> None:
    game = make(f"dominoes:variant={variant},start=seat")
    view = game.deal(3).view(0)
    for nodes in (1, 100, 20_000):
        decision = ask(view, Limit(nodes=nodes))
        assert decision == ask(view, Limit(nodes=nodes))
        assert decision.nodes == nodes
        assert decision.action in view.legal()


def test_with_the_network_an_action_is_worth_what_plain_sampling_says() -> None:
    """The mean over worlds, weighed by how the network would have played the other's hand, up to the next choice."""
    game = make("dominoes:variant=block,start=seat")
    network = shipped(game)
    assert network is not None
    state, chance = game.deal(11), random.Random(2)
    while len(state.view(0).log) < 6 or state.turn != 0 or len(state.legal()) < 2:
        assert state.turn is not None
        state.apply(chance.choice(state.legal()))
    view = state.view(0)

    def policy_of(now: _core.DominoesState, seat: int) -> dict[int, float]:
        return network.ask(now.view(seat)).policy

    def weight(world: _core.DominoesState) -> float:
        laid = [[action // 2 for who, action in view.log if who == seat and action < 56] for seat in (0, 1)]
        hands = [[*world.view(seat).hand, *laid[seat]] for seat in (0, 1)]
        start, likely = game.arrange_tiles([], (hands[0], hands[1]), (0, 0), 0, 1), 1.0
        for seat, action in view.log:
            if seat == 1 and len(start.legal()) > 1:
                likely *= 0.95 * policy_of(start, 1)[action] + 0.05 / len(start.legal())
            start.apply(action)
        return likely

    def value(now: _core.DominoesState) -> float:
        """What seat 0 gets on average, over all answers of the other."""
        if now.turn is None:
            return now.returns()[0]
        if len(legal := now.legal()) > 1 and now.turn == 0:
            return network.ask(now.view(0)).value
        answers = policy_of(now, 1) if len(legal) > 1 else {legal[0]: 1.0}
        total = 0.0
        for action, share in answers.items():
            after = now.copy()
            after.apply(action)
            total += share * value(after)
        return total

    sums, weights = dict.fromkeys(view.legal(), 0.0), 0.0
    for seed in range(300):
        world = view.sample(seed)
        weights += (weighed := weight(world))
        for action in sums:
            after = world.copy()
            after.apply(action)
            sums[action] += weighed * value(after)
    decision = ask(view, Limit(seconds=60))
    assert decision.value is not None
    assert decision.value == pytest.approx(sums[decision.action] / weights, abs=0.12)
    assert str(decision.note).startswith("searched 400 possible deals")
    for action, score in decision.scores.items():
        assert score == pytest.approx(min(decision.value, sums[action] / weights), abs=0.12)


def test_positions_set_up_by_hand_are_not_for_the_network() -> None:
    """It would weigh hands by choices that were never made; PIMC decides, as it does for other sets."""
    game = make("dominoes:variant=block")
    state = game.arrange_tiles([], ([0, 1, 2, 3], [5, 6]), (0, 4), 0, 1)
    assert str(ask(state.view(0)).note).startswith("searched 200 possible deals")


def test_several_threads_find_what_one_finds() -> None:
    """Worlds are dealt out to them and added up in their order."""
    view = make("dominoes:variant=block,start=seat").deal(3).view(0)
    alone, together = ask(view), ask(view, threads=3)
    assert dict(together.scores) == dict(alone.scores)
    assert together.action == alone.action


def test_several_threads_with_a_tree_each_find_the_same_again() -> None:
    view = make("dominoes:start=seat").deal(3).view(0)
    found = ask(view, threads=3)
    assert found == ask(view, threads=3)
    assert dict(found.scores) != dict(ask(view).scores)


@pytest.mark.no_sanitize
@pytest.mark.parametrize(
    ("spec", "level", "limit", "least"),
    [
        ("dominoes:variant=block,start=seat", 8, Limit(), 0.15),
        ("dominoes", 0, Limit(nodes=200), 0.2),
        ("dominoes:pips=9,start=seat,scoring=points", 0, Limit(nodes=50), 0.0),
    ],
)
def test_it_wins_against_chance(spec: str, level: int, limit: Limit, least: float) -> None:
    game = make(spec)
    won = 0.0
    for seed, seat in itertools.product(range(60), (0, 1)):
        state, chance = game.deal(seed), random.Random(seed)
        engine = DominoesEngine(game, seat, seed, EngineOptions(level))
        while (turn := state.turn) is not None:
            state.apply(engine.act(state.view(seat), limit).action if turn == seat else chance.choice(state.legal()))
        won += state.returns()[seat]
    assert won / 120 > least


@pytest.mark.parametrize("start", ["line: 6-6 6-4 4-1; 0: 5-5 3-1 4-2; turn: 0", "0: 5-5 3-1 4-2; 1: 9; turn: 0"])
def test_with_drawing_it_searches_positions_set_up_by_hand(start: str) -> None:
    state = make("dominoes").deal_from(start, 1)
    while state.turn != 0 or len(state.legal()) < 2:
        state.apply(state.legal()[0])
    view = state.view(0)
    decision = ask(view, Limit(nodes=300))
    assert decision.nodes == 300 and set(decision.scores) <= set(view.legal())


@pytest.mark.parametrize("variant", ["block", "draw"])
def test_the_hands_are_counted_as_the_deals_are(variant: str) -> None:
    game = make(f"dominoes:pips=3,hand=3,variant={variant}")
    views = uneven = 0
    for seed in range(80):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if view.ends is not None and view.legal()[0] < game.draw_action:
                exact = exact_worlds(game, view)
                hands = _core.dominoes_hands(view, 1000)
                assert hands is not None
                found = {frozenset(numbers(tile) for tile in hand): deals for hand, deals in hands}
                scale = sum(exact.values()) / sum(found.values())
                assert {hand: deals * scale for hand, deals in found.items()} == pytest.approx(dict(exact))
                views += 1
                uneven += len(set(found.values())) > 1
            state.apply(chance.choice(state.legal()))
    assert views > 100
    assert uneven >= 3 or variant == "block"


def test_where_the_other_hand_is_known_it_says_that_the_value_is_proven() -> None:
    proven = 0
    for state in positions("dominoes:pips=3,hand=5,variant=block", 60, 8):
        assert state.turn is not None
        view = state.view(state.turn)
        if len(view.legal()) > 1:
            decision = ask(view)
            assert decision.proven
            assert decision.value == pytest.approx(best_play(state, state.turn), abs=0.02)
            proven += 1
    assert proven > 10
