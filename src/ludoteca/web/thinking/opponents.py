"""Opponents as people choose them: by name, with their strength in a word and a measured rating.

Ratings count from an agent that plays at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ludoteca import agents
from ludoteca.agents.descriptions import describe, refusal
from ludoteca.agents.engine_options import LEVELS
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.protocols import Game
from ludoteca.reports.ladder import ANCHOR, Ladder, ladders
from ludoteca.web.serving.allowed_specs import agents_of
from ludoteca.web.thinking.agent_titles import agent_title

ENGINE = "engine"
TAUGHT = "zero"
"""Plays only the board layout that its network was trained on."""
WORDS = (
    # Translators: strengths of opponents, from the weakest to the strongest
    say("gentle"), say("easy"), say("fair"), say("solid"), say("strong"), say("very strong"), say("strongest"),
)  # fmt: skip
"""From the weakest opponent of a game to the strongest: a place among the others, not a claim across games."""
CHANCE = say("plays at random")
MIDDLE = 0.45
"""The share of the best rating that the opponent offered to a newcomer should have."""


@dataclass(frozen=True)
class Opponent:
    """An agent to play against."""

    spec: str
    name: str
    """Its title, to be translated."""
    strength: str = ""
    """In a word, to be translated; empty if not measured."""
    elo: float | None = None
    """Points above random play; None if not measured."""


def opponents(game: str, ladder: Ladder | None = None) -> list[Opponent]:
    """A short list of opponents, the weakest first; for a game without a ladder all its agents, without ratings.

    game: a spec. ladder: by default the published one of this spec, or else that of the game's name.
    """
    return _rated(ladder) if ladder else [*_offered(game, tuple(agents.names()))[0]]


@lru_cache(maxsize=256)
def measured_opponents(game: str) -> Mapping[str, float]:
    """By agent its rating in exactly this game, points above random play; empty if the game was not measured.

    Only of those that a page offers, as their specs are written there.
    """
    ladder = next((each for each in ladders(_name(game)) if each.game == game), None)
    return {} if ladder is None else {each.spec: each.elo for each in _rated(ladder) if each.elo is not None}


def other_agents(game: str) -> list[Opponent]:
    """The agents of a game, and levels of its engine, that are not among its `opponents`; without ratings."""
    return [*_offered(game, tuple(agents.names()))[1]]


@lru_cache(maxsize=256)
def _offered(game: str, installed: tuple[str, ...]) -> tuple[Sequence[Opponent], Sequence[Opponent]]:
    """The opponents of a game and its other agents."""
    name = _name(game)
    known = [Opponent(each, agent_title(each)) for each in _all_agents(name)]
    published = ladders(name)
    if not published:
        return known, []
    rated = _rated(next((each for each in published if each.game == game), published[0]))
    listed = {agents.canonical(each.spec) for each in rated}
    return rated, [each for each in known if each.spec not in listed]


def _rated(ladder: Ladder) -> list[Opponent]:
    """The opponents of a ladder, the weakest first."""
    ratings = {agents.canonical(rung.agent): rung.elo for rung in ladder.rungs if not rung.chance}
    listed = sorted(ladder.opponents, key=lambda spec: ratings[agents.canonical(spec)])
    agents_with_words = [spec for spec in listed if spec != ANCHOR]
    last = max(len(agents_with_words) - 1, 1)
    words = {spec: WORDS[place * (len(WORDS) - 1) // last] for place, spec in enumerate(agents_with_words)}
    return [
        Opponent(spec, agent_title(spec), words.get(spec, CHANCE), ratings[agents.canonical(spec)]) for spec in listed
    ]


def obstacle(agent: str, game: Game) -> str:
    """Why an agent cannot play a game with these options, to be translated; empty when it can.

    The agent would say so itself, but only once its network is loaded.
    """
    if _name(agent) == TAUGHT and getattr(game, "layout", "axial") != "axial":
        return say("zero cannot play {game}: its network knows Hex only with layout=axial", game=game.spec)
    if not details_of(game).can_sample and _name(agent) in agents_of(game.name) and describe(_name(agent)).samples:
        return refusal(agent, game).message
    return ""


def default_opponent(game: str, ladder: Ladder | None = None) -> str:
    """The opponent for a newcomer: the engine's level, or else the agent, nearest to medium strength."""
    known = [each for each in opponents(game, ladder) if each.spec != ANCHOR]
    levels = [each for each in known if each.spec.startswith(f"{ENGINE}:")] or known
    if not levels:
        return ANCHOR
    best = max(each.elo or 0.0 for each in known)
    return min(levels, key=lambda each: abs((each.elo or 0.0) - MIDDLE * best)).spec


def _all_agents(name: str) -> list[str]:
    """The agents of the game of this name with default options, and all levels of its engine."""
    known = agents_of(name)
    return [*known, *(f"{ENGINE}:level={level}" for level in range(1, LEVELS + 1))] if ENGINE in known else [*known]


def _name(spec: str) -> str:
    return spec.partition(":")[0]
