"""Positions that teach a game: pictures for its rules, an exercise to try, and a guided first match."""

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


@dataclass(frozen=True)
class GuideStep:
    """A position with seat 0 on turn, and something to try there."""

    position: Position
    task: str
    """What to try, to be translated."""
    answers: tuple[str, ...]
    """The names of the actions that do it; empty: every legal action does."""
    done: str
    """What has happened then, to be translated."""
    wrong: str = ""
    """A hint after any other action, to be translated."""
    replies: tuple[str, ...] = ()
    """What is played after the answer, if that is still legal."""


@dataclass(frozen=True)
class Guide:
    """A first match, step by step."""

    steps: tuple[GuideStep, ...]
    match: str
    """The spec of the game for the real match at the end."""
