"""The openings of a league: so many that two versions seldom meet in the same one twice."""

from __future__ import annotations

from ludoteca.games import game as game_of
from ludoteca.league.database import Database
from ludoteca.play.openings import needs_openings, openings_for
from ludoteca.protocols import Action

OPENINGS = 200
"""Openings of a game whose deals are all the same; two versions begin to repeat them after so many meetings."""


def openings_of(database: Database, spec: str) -> list[tuple[Action, ...]]:
    """The openings of a game, in their order; none for a game whose deals differ.

    They are made once, which takes a minute for a game in slow Python, and then kept in the league's file.
    """
    known, game = database.openings(spec), game_of(spec)
    if not known and needs_openings(game):
        known = openings_for(game, OPENINGS)
        database.keep_openings(spec, known)
    return known


def opening_name(database: Database, spec: str, number: int) -> str:
    """The moves of an opening; empty for a game without openings."""
    openings, game = database.openings(spec), game_of(spec)
    return " ".join(map(game.action_name, openings[number % len(openings)])) if openings else ""
