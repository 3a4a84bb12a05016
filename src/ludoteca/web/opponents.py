"""Opponents as people choose them: by name, with their strength in words and, where it was measured, in numbers.

The measured ratings count from an agent that plays by chance. How many points the best has above it differs from game
to game, since luck decides more in some, so the words tell how much of that way somebody has come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludoteca import spec as specs
from ludoteca.agents.engine import LEVELS
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say
from ludoteca.reports.ladder import ANCHOR, Rung, ladders
from ludoteca.web.asked import agents_of

__all__ = ["Opponent", "agent_title", "middling", "opponents"]

ENGINE = "engine"
WORDS = (
    (0.2, say("beginner")),
    (0.4, say("casual player")),
    (0.6, say("practised player")),
    (0.8, say("strong")),
    (1.0, say("very strong")),
)
"""Up to which part of the way from chance to the best each word goes."""
BEST, CHANCE, UNKNOWN = say("as strong as we have"), say("plays by chance"), say("not measured yet")
MIDDLE = 0.45
"""How strong, on the same way, whoever is offered to a stranger is to be."""


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against."""

    spec: str
    name: str
    """What it is called, to be translated."""
    strength: str
    """In words, to be translated."""
    elo: float | None
    """Points above chance; None where nobody has measured."""
    part: float | None
    """Of the way from chance to the best, measured or, for a level of the engine, estimated."""


def agent_title(spec: str) -> str:
    """What an agent is called in a sentence, to be translated: ``engine, level 3``, or else its spec."""
    name, options = specs.split(spec, InvalidAgent)
    if name == ENGINE and set(options) == {"level"}:
        return say("{agent}, level {level}", agent=name, level=options["level"])
    return spec


def opponents(game: str) -> list[Opponent]:
    """The agents that play the game of this name, as they come and the engine in all its levels; the weakest first.

    game: with its options, if there is a ladder for just these; else that of the game's name counts.
    """
    name = specs.split(game, InvalidAgent)[0]
    known = ladders(name)
    ladder = next((each for each in known if each.game == game), known[0] if known else None)
    offered = [each for each in agents_of(name) if each != ENGINE]
    if ENGINE in agents_of(name):
        offered += [f"{ENGINE}:level={level}" for level in range(1, LEVELS + 1)] + [ENGINE]
    rungs = {rung.agent: rung for rung in ladder.rungs if not rung.chance} if ladder else {}
    rated = {each: rungs[each] for each in offered if each in rungs and each != ANCHOR}
    found = [_opponent(each, rated) for each in offered]
    return sorted(found, key=lambda each: (each.part is None, each.part or 0.0))


def middling(game: str) -> str:
    """The opponent for somebody who has not chosen: of the engine's levels, or else of all, the one in the middle."""
    known = [each for each in opponents(game) if each.spec != ANCHOR]
    levels = [each for each in known if each.spec.startswith(f"{ENGINE}:")] or known
    measured = [each for each in levels if each.part is not None]
    if not levels:
        return ANCHOR
    return min(measured, key=lambda each: abs((each.part or 0.0) - MIDDLE)).spec if measured else levels[0].spec


def _opponent(spec: str, rated: Mapping[str, Rung]) -> Opponent:
    """rated: those who were measured of all that are offered."""
    title = agent_title(spec)
    best = max((rung.elo for rung in rated.values()), default=0.0)
    if spec == ANCHOR:
        return Opponent(spec, title, CHANCE, None, 0.0)
    if spec in rated and best > 0:
        rung = rated[spec]
        part = max(0.0, rung.elo / best)
        # As long as nobody has measured the engine, the best of the others is not the best that there is; and the
        # engine may be as strong as one of its levels, as far as anybody can tell.
        equal = spec == ENGINE and (rung.high is None or rung.high >= best)
        is_best = ENGINE in rated and (part == 1 or equal)
        return Opponent(spec, title, BEST if is_best else _word(part), rung.elo, part)
    if spec.partition(":")[0] == ENGINE:
        part = _estimated(_level(spec), {_level(each): max(0.0, rung.elo / best) for each, rung in rated.items()
                                         if each.partition(":")[0] == ENGINE} if best > 0 else {})  # fmt: skip
        return Opponent(spec, title, BEST if spec == ENGINE else _word(part), None, part)
    return Opponent(spec, title, UNKNOWN, None, None)


def _level(engine: str) -> int:
    """A level of the engine; at full strength it is one more than the last."""
    return int(specs.split(engine, InvalidAgent)[1].get("level", LEVELS + 1))


def _estimated(level: int, measured: Mapping[int, float]) -> float:
    """How far a level has come that nobody has measured: between its neighbours that somebody has."""
    known: dict[int, float] = {0: 0.0, LEVELS + 1: 1.0, **measured}
    below = max(each for each in known if each <= level)
    above = min(each for each in known if each >= level)
    if below == above:
        return known[below]
    return known[below] + (known[above] - known[below]) * (level - below) / (above - below)


def _word(part: float) -> str:
    return next((word for most, word in WORDS if part < most), WORDS[-1][1])
