"""Opponents as people choose them: by name, with their strength in words and, where it was measured, in numbers.

Measured ratings count from an agent that plays at random. How far the best agent is above it differs from game to game,
since luck matters more in some, so the words say how much of that distance an agent has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ludoteca import agents
from ludoteca import spec as specs
from ludoteca.agents.engine_options import LEVELS
from ludoteca.agents.identity import Identity, short_names, short_spec
from ludoteca.errors import InvalidAgent
from ludoteca.messages import joined, say
from ludoteca.protocols import Game
from ludoteca.reports.ladder import ANCHOR, Ladder, Rung, ladders
from ludoteca.web.serving.allowed_specs import agent_options, agents_of

__all__ = ["Opponent", "agent_title", "default_opponent", "obstacle", "opponents"]

ENGINE = "engine"
TAUGHT = "zero"
"""Plays only the board layout that its network was trained on."""
WORDS = (
    (0.2, say("beginner")),
    (0.4, say("casual player")),
    (0.6, say("practised player")),
    (0.8, say("strong")),
    (1.0, say("very strong")),
)
"""Each word with the share of the distance from random play to the best up to which it is used."""
BEST, CHANCE, UNKNOWN = say("the strongest we have"), say("plays at random"), say("not measured yet")
MIDDLE = 0.45
"""The share that the opponent offered to a newcomer should have."""


@dataclass(frozen=True)
class Opponent:
    """An agent to play against."""

    spec: str
    name: str
    """Its title, to be translated."""
    strength: str
    """In words, to be translated."""
    elo: float | None
    """Points above random play; None if not measured."""
    part: float | None
    """Share of the distance from random play to the best, measured or, for a level of the engine, estimated."""
    like: str = ""
    """The spec with which it was measured, if that has other options; else empty."""


def agent_title(spec: str) -> str:
    """An agent's title, to be translated. Takes any text; of a file's path only the last folder stays.

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
    # Only installed agents: asking a dotted name for its options would import it.
    known = {each.name: each for each in agent_options(name)} if given and name in agents.names() else {}
    if not given or not set(given) <= set(known):
        return spec
    if name == ENGINE and set(given) == {"level"}:
        return say("{agent}, level {level}", agent=name, level=given["level"])
    described = (joined([known[key].title, known[key].value_title(value)], ": ") for key, value in given.items())
    return say("{agent} ({options})", agent=name, options=joined(described))


def opponents(game: str, measured: Sequence[Ladder] | None = None) -> list[Opponent]:
    """The agents of a game with default options, and the engine at all its levels; the weakest first.

    game: a spec. Strengths come from the ladder of this spec, or else from that of the game's name. measured: the
    ladders to use instead of the published ones.
    """
    name = specs.split(game, InvalidAgent)[0]
    known = ladders(name) if measured is None else measured
    ladder = next((each for each in known if each.game == game), known[0] if known else None)
    offered = [each for each in agents_of(name) if each != ENGINE]
    if ENGINE in agents_of(name):
        offered += [f"{ENGINE}:level={level}" for level in range(1, LEVELS + 1)] + [ENGINE]
    rungs = [rung for rung in ladder.rungs if not rung.chance and rung.agent != ANCHOR] if ladder else []
    rated = {each: rung for each in offered if (rung := _nearest(each, rungs))}
    found = [_opponent(each, rated) for each in offered]
    return sorted(found, key=lambda each: (each.part is None, each.part or 0.0))


def obstacle(agent: str, game: Game) -> str:
    """Why an agent cannot play a game with these options, to be translated; empty when it can.

    The agent would say so itself, but only once its network is loaded.
    """
    if _name(agent) == TAUGHT and getattr(game, "layout", "axial") != "axial":
        return say("zero cannot play {game}: its network knows Hex only with layout=axial", game=game.spec)
    return ""


def default_opponent(game: str, measured: Sequence[Ladder] | None = None) -> str:
    """The opponent for a newcomer: the engine's level, or else the agent, nearest to medium strength."""
    known = [each for each in opponents(game, measured) if each.spec != ANCHOR]
    levels = [each for each in known if each.spec.startswith(f"{ENGINE}:")] or known
    rated = [each for each in levels if each.part is not None]
    if not levels:
        return ANCHOR
    return min(rated, key=lambda each: abs((each.part or 0.0) - MIDDLE)).spec if rated else levels[0].spec


def _nearest(spec: str, rungs: Sequence[Rung]) -> Rung | None:
    """The rung that says most about an agent's strength: that with the same options, or with the fewest differences.

    Of several the strongest, since by default an agent plays at full strength. An engine level that was not measured
    has none: its neighbours say more.
    """
    name, given = specs.split(spec, InvalidAgent)
    same = [(rung, specs.split(rung.agent, InvalidAgent)) for rung in rungs]
    differing = {rung: len({*given.items()} ^ {*options.items()}) for rung, (agent, options) in same if agent == name}
    if name == ENGINE and given and 0 not in differing.values():
        return None
    return min(differing, key=lambda rung: (differing[rung], -rung.elo), default=None)


def _opponent(spec: str, rated: Mapping[str, Rung]) -> Opponent:
    """rated: the measured agents among those offered."""
    title = agent_title(spec)
    best = max(rated.values(), key=lambda rung: rung.elo, default=None)
    if spec == ANCHOR:
        return Opponent(spec, title, CHANCE, None, 0.0)
    if spec in rated and best is not None and best.elo > 0:
        rung = rated[spec]
        part = max(0.0, rung.elo / best.elo)
        # While the engine is not measured, the best of the others is not the best there is. And where one of its levels
        # is on top, the engine at full strength counts as equally strong.
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
    """A level of the engine; full strength counts as one more than the last."""
    return int(specs.split(engine, InvalidAgent)[1].get("level", LEVELS + 1))


def _estimated(level: int, measured: Mapping[int, float]) -> float:
    """The share of a level that was not measured, interpolated between its measured neighbours."""
    known: dict[int, float] = {0: 0.0, LEVELS + 1: 1.0, **measured}
    below = max(each for each in known if each <= level)
    above = min(each for each in known if each >= level)
    if below == above:
        return known[below]
    return known[below] + (known[above] - known[below]) * (level - below) / (above - below)


def _word(part: float) -> str:
    return next((word for most, word in WORDS if part < most), WORDS[-1][1])
