"""Positions that teach a game: pictures for its rules, and an exercise to try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Position:
    """A position of a match, as seat 0 sees it."""

    game: str
    """The spec of the game."""
    actions: tuple[str, ...] = ()
    """The names of the actions that led to it."""
    seed: int = 7
    """The seed of the deal."""
    start: str = ""
    """Set up by hand instead of dealt; see `ludoteca.protocols.Arrangeable`."""


@dataclass(frozen=True)
class Exercise:
    """A position with seat 0 on turn in which exactly one action wins."""

    position: Position
    task: str
    """What is to be found, to be translated."""
    answer: str
    """The name of the action that wins."""
    why: str
    """Why it wins, to be translated."""
