"""Perfect play in small rounds of Dominoes: best responses against a slow reference, bounds that close, a proof."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import TypeAlias

import pytest

from ludoteca import _core
from ludoteca.agents.dominoes.engine import ITERATIONS, DominoesEngine
from ludoteca.agents.dominoes.solver import EXACT, solve
from ludoteca.errors import InvalidOption
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import tile_of
from ludoteca.protocols import Limit
from tests.games.dominoes.checks import boneyard_of, dominoes

Worlds: TypeAlias = list[tuple[_core.DominoesState, float]]
LINE = [(3, 3), (3, 2), (2, 2), (2, 1)]


def best_response(worlds: Worlds, seat: int) -> float:
    """What `seat` gets, times the weights, of worlds that it cannot tell apart, if the other plays at random."""
    gained, going = 0.0, []
    for state, weight in worlds:
        if state.turn is None:
            gained += weight * state.returns()[seat]
        else:
            going.append((state, weight))
    if not going:
        return gained
    if going[0][0].turn != seat:
        return gained + apart([part for world in going for part in after_any(*world)], seat)
    return gained + max(
        apart([(after(state, action), weight) for state, weight in going], seat) for action in going[0][0].legal()
    )


def apart(worlds: Worlds, seat: int) -> float:
    """The same for worlds that it can tell apart by what it sees."""
    seen = defaultdict(list)
    for state, weight in worlds:
        seen[bytes(state.view(seat))].append((state, weight))
    return sum(best_response(each, seat) for each in seen.values())


def after(state: _core.DominoesState, action: int) -> _core.DominoesState:
    copy = state.copy()
    copy.apply(action)
    return copy


def after_any(state: _core.DominoesState, weight: float) -> Worlds:
    legal = state.legal()
    return [(after(state, action), weight / len(legal)) for action in legal]


def all_worlds(game: Dominoes, line: list[tuple[int, int]], hand: int) -> Worlds:
    """Every way to fill the hands and, where it is drawn from, to order the boneyard; seat 0 is on turn."""
    free = [tile for tile in range(game.num_tiles) if tile not in {tile_of(*pair) for pair in line}]
    first = [2 * tile_of(*pair) + (at > 0) for at, pair in enumerate(line)]
    found = []
    for zero in itertools.combinations(free, hand):
        for one in itertools.combinations([tile for tile in free if tile not in zero], hand):
            left = len(free) - 2 * hand
            orders = {}
            for seed in itertools.count():
                state = game.arrange_tiles(first, (list(zero), list(one)), (0, 0), 0, seed)
                orders[tuple(boneyard_of(state))] = state
                if len(orders) == (math.factorial(left) if game.variant == "draw" else 1):
                    break
            found += [state for state in orders.values() if state.turn is not None]
    return [(state, 1 / len(found)) for state in found]


def test_a_best_response_gains_what_a_slow_search_finds() -> None:
    game = dominoes("dominoes:pips=3,hand=2,variant=block,start=seat")
    equilibrium = _core.DominoesEquilibrium(game, 64, 0.0)
    assert equilibrium.prepare_deals()
    worlds = all_worlds(game, [], 2)
    slow = [apart(worlds, seat) for seat in (0, 1)]
    strategy = [[1 / len(view.legal())] * len(view.legal()) for view in equilibrium.views]
    assert equilibrium.best_responses(strategy) == pytest.approx(slow)
    assert slow[0] + slow[1] > 0.1


@pytest.mark.parametrize("variant", ["block", "draw"])
def test_it_knows_what_may_have_been_dealt_in_a_start(variant: str) -> None:
    """Only one line of 4 tiles is given, of the hands only how many tiles they have."""
    game = dominoes(f"dominoes:pips=3,hand=2,variant={variant}")
    worlds = all_worlds(game, LINE, 2)
    view = next(state.view(0) for state, _ in worlds if len(state.legal()) > 1)
    equilibrium = _core.DominoesEquilibrium(game, 64, 0.0)
    assert equilibrium.prepare(view)
    strategy = [[1 / len(each.legal())] * len(each.legal()) for each in equilibrium.views]
    slow = [apart(worlds, seat) for seat in (0, 1)]
    assert equilibrium.best_responses(strategy) == pytest.approx(slow)


@pytest.mark.no_sanitize
@pytest.mark.parametrize("spec", ["dominoes:pips=3,hand=3,variant=block,start=seat", "dominoes:pips=3,hand=4"])
def test_the_iterations_of_the_engine_leave_little_to_gain(spec: str) -> None:
    game = dominoes(spec)
    equilibrium = _core.DominoesEquilibrium(game, 256, 0.001)
    assert equilibrium.prepare_deals()
    gains = []
    for _ in range(2):
        equilibrium.iterate(ITERATIONS // 2)
        gains.append(equilibrium.exploitability())
    assert gains[1] < gains[0] < 0.01
    assert gains[1] < 0.003


def choice_in(game: Dominoes) -> _core.DominoesView:
    """The first view of a choice, among deals."""
    for seed in itertools.count():
        state = game.deal(seed)
        while state.turn is not None and len(state.legal()) == 1:
            state.apply(state.legal()[0])
        if state.turn is not None:
            return state.view(state.turn)
    raise AssertionError


@pytest.mark.no_sanitize
def test_the_engine_plays_as_often_as_perfect_play_does() -> None:
    game = dominoes("dominoes:pips=3,hand=2,variant=block,start=seat")
    equilibrium = _core.DominoesEquilibrium(game, 64, 0.001)
    assert equilibrium.prepare_deals()
    equilibrium.iterate(ITERATIONS)
    mixed = max(equilibrium.views, key=lambda view: -max(equilibrium.action_probabilities(view)))
    shares = dict(zip(mixed.legal(), equilibrium.action_probabilities(mixed), strict=True))
    assert max(shares.values()) < 0.7
    engine = [DominoesEngine(game, mixed.seat, seed) for seed in range(30)]
    decided = [each.act(mixed, Limit()) for each in engine]
    assert {each.action for each in decided} >= {action for action, share in shares.items() if share > 0.2}
    assert {each.action for each in decided} <= {action for action, share in shares.items() if share > 0.0001}
    assert decided[0].scores == decided[1].scores


def test_a_solver_closes_its_bounds_and_says_when_it_is_done() -> None:
    game = dominoes("dominoes:pips=3,hand=3,variant=block")
    view = choice_in(game)
    decisions = list(solve(game, view))
    assert [each.proven for each in decisions] == [False] * (len(decisions) - 1) + [True]
    last = decisions[-1]
    assert set(last.scores) == set(view.legal())
    assert last.value == pytest.approx(max(last.scores.values()), abs=50 * EXACT)
    assert last.action in view.legal()


def test_what_cannot_be_solved_is_said_at_once() -> None:
    small, large = dominoes("dominoes:pips=3,hand=3"), dominoes("dominoes")
    with pytest.raises(InvalidOption, match="too large"):
        solve(large, choice_in(large))
    with pytest.raises(InvalidOption, match="too large"):
        solve(small, choice_in(small), memory=1)
    with pytest.raises(InvalidOption, match="best play by both"):
        solve(small, choice_in(small), against="random")


def test_where_all_tiles_are_known_it_is_proven_at_once() -> None:
    game = dominoes("dominoes:pips=3,hand=5,variant=block,start=seat")
    *_, last = solve(game, choice_in(game))
    assert last.proven
    assert last.value in (-1, 0, 1)
