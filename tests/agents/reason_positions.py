"""Positions in which the reasons of agents are checked: a few in the usual tests, many with ``make reasons``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

from ludoteca.protocols import Action, Game, State

TIMES = int(os.environ.get("LUDOTECA_REASONS", "1"))
"""How many times as many seeds as usual."""


def seeds(few: int) -> range:
    """The seeds of a test; `few` in the usual tests."""
    return range(few * TIMES)


def positions(game: Game, seed: int) -> Iterator[tuple[State, list[Action]]]:
    """Each position of a random match with its legal actions. The state may be copied, not changed."""
    chance, state = Random(seed), game.deal(seed)
    while state.turn is not None:
        legal = state.view(state.turn).legal()
        yield state, legal
        state.apply(chance.choice(legal))
