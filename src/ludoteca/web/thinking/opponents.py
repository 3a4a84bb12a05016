"""Opponents as people choose them: by name, with their strength in words and, where it was measured, in numbers.

The measured ratings count from an agent that plays by chance. How many points the best has above it differs from game
to game, since luck decides more in some, so the words tell how much of that way somebody has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ludoteca import agents
from ludoteca import spec as specs
from ludoteca.agents.engine import LEVELS
from ludoteca.agents.identity import Identity, short_names, short_spec
from ludoteca.errors import InvalidAgent
from ludoteca.messages import joined, say
from ludoteca.protocols import Game
from ludoteca.reports.ladder import ANCHOR, Rung, ladders
from ludoteca.web.serving.allowed_specs import agent_options, agents_of

__all__ = ["Opponent", "agent_title", "default_opponent", "first_agent", "obstacle", "opponents"]

ENGINE = "engine"
TAUGHT = "zero"
"""Plays what its network was taught, and no other layout of the board."""
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
    like: str = ""
    """With which other options it was measured, as a spec; empty where it was with just these."""


def agent_title(spec: str) -> str:
    """What a person calls an agent, to be translated; any text will do, and of a file's folders only the last is told.

    >>> agent_title("engine:level=3"), agent_title("mcts:simulations=1000"), agent_title("ana/solution.py:Smart")
    ('engine, level 3', 'mcts (simulations: 1000)', 'ana/solution.py:Smart')
    """
    return _title_of(short_spec(spec))


def agent_titles(agents: Iterable[Identity]) -> dict[Identity, str]:
    """By agent what a person calls it, with its digest where two would read the same."""
    titles = {}
    for agent, name in short_names(agents).items():
        title, version = agent_title(agent.spec), name.removeprefix(short_spec(agent.spec))
        titles[agent] = joined([title, version], "") if version else title
    return titles


@lru_cache(maxsize=256)
def _title_of(spec: str) -> str:
    try:
        name, given = specs.split(spec, InvalidAgent)
    except InvalidAgent:
        return spec
    # Only those that are installed: to ask a dotted name for its options would import it.
    known = {each.name: each for each in agent_options(name)} if given and name in agents.names() else {}
    if not given or not set(given) <= set(known):
        return spec
    if name == ENGINE and set(given) == {"level"}:
        return say("{agent}, level {level}", agent=name, level=given["level"])
    told = (joined([known[key].title, known[key].value_title(value)], ": ") for key, value in given.items())
    return say("{agent} ({options})", agent=name, options=joined(told))


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
    rungs = [rung for rung in ladder.rungs if not rung.chance and rung.agent != ANCHOR] if ladder else []
    rated = {each: rung for each in offered if (rung := _nearest(each, rungs))}
    found = [_opponent(each, rated) for each in offered]
    return sorted(found, key=lambda each: (each.part is None, each.part or 0.0))


def obstacle(agent: str, game: Game) -> str:
    """Why an agent cannot play a game with just these options, to be translated; empty where it can.

    An agent says so itself when it is built, but that is late: a network is loaded by then.
    """
    if _name(agent) == TAUGHT and getattr(game, "layout", "axial") != "axial":
        return say("zero: a network cannot be shown {game}: Hex needs layout=axial", game=game.spec)
    return ""


def default_opponent(game: str) -> str:
    """The opponent for somebody who has not chosen: of the engine's levels, or else of all, the one in the middle."""
    known = [each for each in opponents(game) if each.spec != ANCHOR]
    levels = [each for each in known if each.spec.startswith(f"{ENGINE}:")] or known
    measured = [each for each in levels if each.part is not None]
    if not levels:
        return ANCHOR
    return min(measured, key=lambda each: abs((each.part or 0.0) - MIDDLE)).spec if measured else levels[0].spec


def first_agent(game: str) -> str:
    """The first agent of the game of this name that does not play by chance, or else that one."""
    known = agents_of(game)
    return next((each for each in known if each != ANCHOR), known[0])


def _nearest(spec: str, rungs: Sequence[Rung]) -> Rung | None:
    """The rung of an agent that says most of how strong it is: with the same options, or with those that differ least.

    Of several that differ as much the strongest: by default an agent holds nothing back. A level of the engine that
    nobody has measured has none, for its neighbours say more.
    """
    name, given = specs.split(spec, InvalidAgent)
    same = [(rung, specs.split(rung.agent, InvalidAgent)) for rung in rungs]
    differing = {rung: len({*given.items()} ^ {*options.items()}) for rung, (agent, options) in same if agent == name}
    if name == ENGINE and given and 0 not in differing.values():
        return None
    return min(differing, key=lambda rung: (differing[rung], -rung.elo), default=None)


def _opponent(spec: str, rated: Mapping[str, Rung]) -> Opponent:
    """rated: of all that are offered those of whom something was measured."""
    title = agent_title(spec)
    best = max(rated.values(), key=lambda rung: rung.elo, default=None)
    if spec == ANCHOR:
        return Opponent(spec, title, CHANCE, None, 0.0)
    if spec in rated and best is not None and best.elo > 0:
        rung = rated[spec]
        part = max(0.0, rung.elo / best.elo)
        # As long as nobody has measured the engine, the best of the others is not the best that there is. And where
        # one of its levels is on top, at full strength it is as strong, as far as anybody can tell.
        equal = spec == ENGINE and _name(best.agent) == ENGINE and (rung.high is None or rung.high >= best.elo)
        is_best = ENGINE in rated and (part == 1 or equal)
        like = "" if rung.agent == spec else rung.agent
        return Opponent(spec, title, BEST if is_best else _word(part), rung.elo, part, like)
    if _name(spec) == ENGINE:
        known = {_level(each): rung.elo for each, rung in rated.items() if _name(each) == ENGINE}
        way = best.elo if best is not None and best.elo > 0 else None
        part = _estimated(_level(spec), {level: max(0.0, elo / way) for level, elo in known.items()} if way else {})
        return Opponent(spec, title, BEST if spec == ENGINE else _word(part), None, part)
    return Opponent(spec, title, UNKNOWN, None, None)


def _name(spec: str) -> str:
    return spec.partition(":")[0]


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
