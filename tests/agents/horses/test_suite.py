"""Tactical and endgame positions of Horses whose answer is proven: the engine finds it within its nodes.

suite.json: a position is a deal and the actions from there; `best` are the only actions that keep the `result` of best
play by both, and the expert takes none of them; `nodes` are what the engine may search to prove it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.horses.engine import HorsesEngine
from ludoteca.agents.horses.solver import solve
from ludoteca.games.horses.game import Horses
from ludoteca.protocols import Decision, Limit
from tests.agents.horses.brute import Brute, after

SUITE: list[dict[str, Any]] = json.loads((Path(__file__).parent / "suite.json").read_text(encoding="utf-8"))
EACH = pytest.mark.parametrize("entry", SUITE, ids=lambda entry: f"{entry['game']}-{entry['deal']}")
PLAYED_OUT = 16
"""Squares left up to which every line is played to its end; beyond, the solver is asked about every action."""


def position(entry: dict[str, Any]) -> _core.HorsesView:
    """What the seat on turn sees there."""
    game = cast(Horses, ludoteca.game(entry["game"]))
    state = game.deal(entry["deal"])
    for name in entry["actions"].split():
        state.apply(game.parse_action(name))
    assert state.turn is not None
    return state.view(state.turn)


def best(entry: dict[str, Any], view: _core.HorsesView) -> set[int]:
    return {view.game.parse_action(name) for name in entry["best"].split()}


def result(state: _core.HorsesState, seat: int, brute: Brute | None) -> float:
    """What best play by both gives to a seat."""
    if state.turn is None:
        return state.returns()[seat]
    if brute is not None:
        lead = brute.lead(state) * (1 - 2 * seat)
        return (lead > 0) - (lead < 0)
    view = state.view(state.turn)
    for decision in solve(view.game, view):
        if decision.proven:
            break
    assert decision.proven and decision.value is not None
    return decision.value * (1 if view.seat == seat else -1)


@EACH
def test_the_answer_is_true(entry: dict[str, Any]) -> None:
    view = position(entry)
    brute = Brute() if view.destroyed.count(False) <= PLAYED_OUT else None
    results = {action: result(after(view.sample(0), action), view.seat, brute) for action in view.legal()}
    assert max(results.values()) == entry["result"]
    assert {action for action, each in results.items() if each == entry["result"]} == best(entry, view)


@EACH
def test_the_engine_proves_it_within_its_nodes(entry: dict[str, Any]) -> None:
    view = position(entry)
    decision = HorsesEngine(view.game, view.seat, 0).act(view, Limit(nodes=entry["nodes"]))
    assert decision.action in best(entry, view)
    assert (decision.value, decision.proven) == (entry["result"], True)


@EACH
def test_the_expert_misses_it(entry: dict[str, Any]) -> None:
    """So that there is something to be found."""
    view = position(entry)
    expert = ludoteca.agent("minimax:level=expert")(view.game, view.seat, 0).act(view, Limit())
    assert isinstance(expert, Decision)
    assert expert.action not in best(entry, view)


def test_the_suite_is_of_many_kinds() -> None:
    assert len(SUITE) >= 12
    assert {position(entry).game.size for entry in SUITE} == {5, 6, 7, 8}
    assert {entry["result"] for entry in SUITE} >= {0, 1}
