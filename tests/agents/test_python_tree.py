"""The tree in Python behaves as the core's does, on games that both can search."""

from __future__ import annotations

import random
import time
from collections.abc import Generator
from typing import Any, cast

import pytest

import ludoteca
from ludoteca import Limit
from ludoteca.agents.python_tree import Found, Tree
from ludoteca.protocols import State
from tests.agents.test_mcts import after, decide


def search(state: State, simulations: int, **options: Any) -> Found:
    assert state.turn is not None
    *_, last = Tree(1.0, seed=1, **options).search(state.view(state.turn), simulations)
    return last


@pytest.mark.parametrize("spec", ["hex:size=3", "horses:size=5", "dominoes:pips=3,hand=3,variant=block", "kittens"])
@pytest.mark.parametrize("seed", [1, 2])
def test_both_trees_say_the_same(spec: str, seed: int) -> None:
    """The same values for the actions that both tried a lot, but for chance."""
    state = after(spec, seed, 3)
    slow, fast = search(state, 3000), decide(state, 3000)
    assert fast.value is not None and slow.value is not None
    assert abs(slow.value - fast.value) < 0.2
    assert abs(slow.scores[fast.action] - fast.value) < 0.2
    assert slow.nodes == 3000


def test_an_evaluation_takes_the_place_of_playouts() -> None:
    """One that knows who wins is as good as many simulations."""
    state: Any = after("hex:size=4", 1, 5)

    def solved(position: State, chance: random.Random) -> tuple[float, float]:
        value = _winner(position)
        return (1.0, -1.0) if value == 0 else (-1.0, 1.0)

    with_evaluation = search(state, 60, evaluate=solved)
    won = state.copy()
    won.apply(with_evaluation.action)
    assert (_winner(won) == state.turn) == (_winner(state) == state.turn)
    assert with_evaluation.value == (1.0 if _winner(state) == state.turn else -1.0) or len(with_evaluation.scores) > 1


def _winner(state: State) -> int:
    if state.turn is None:
        return 0 if state.returns()[0] > 0 else 1
    for action in state.legal():
        after_it = state.copy()
        after_it.apply(action)
        if _winner(after_it) == state.turn:
            return state.turn
    return 1 - state.turn


def test_it_says_where_it_stands_and_obeys() -> None:
    state = after("hex:size=7", 1)
    assert state.turn is not None
    thoughts = cast("Generator[Found, None, None]", Tree(1.0).search(state.view(state.turn)))
    begun = time.monotonic()
    first = next(thoughts)
    assert time.monotonic() - begun < 5  # it would go on for ever
    assert next(thoughts).nodes > first.nodes
    thoughts.close()
    assert [each.nodes for each in Tree(1.0).search(state.view(state.turn), None, Limit(seconds=0))] == [0]


def test_a_full_memory_only_stops_the_growth() -> None:
    state = after("kittens", 1)
    assert state.turn is not None
    tree = Tree(1.0, memory=1)
    *_, last = tree.search(state.view(state.turn), 600)
    assert last.nodes == 600
    assert len(tree._nodes) == tree._most_nodes == 256


def test_a_small_game_in_python_needs_no_core() -> None:
    """What is decided does not hang on which of equal objects a view is."""
    state = ludoteca.game("hex:size=3").deal(1)
    assert search(state, 500) == search(state.copy(), 500)
