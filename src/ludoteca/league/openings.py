"""The openings of a league: so many that two versions seldom meet in the same one twice."""

from __future__ import annotations

from functools import lru_cache

from ludoteca.games import game as game_of
from ludoteca.play.openings import needs_openings, openings_for
from ludoteca.protocols import Action

OPENINGS = 200
"""Openings of a game whose deals are all the same; two versions begin to repeat them after so many meetings."""


@lru_cache(maxsize=4)
def openings_of(spec: str) -> tuple[tuple[Action, ...], ...]:
    """The openings of a game, in their order; none for a game whose deals differ."""
    game = game_of(spec)
    return tuple(openings_for(game, OPENINGS)) if needs_openings(game) else ()


def opening_name(spec: str, number: int) -> str:
    """The moves of an opening; empty for a game without openings."""
    openings, game = openings_of(spec), game_of(spec)
    return " ".join(map(game.action_name, openings[number % len(openings)])) if openings else ""
