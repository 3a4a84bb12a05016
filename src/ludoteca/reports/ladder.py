"""Measured strengths that come with Ludoteca: for each game one ladder or more, from matches of all against all.

``python -m bench.strength.ladder`` plays the matches and writes the files in ``ladders``; pages and documents read them
here.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidGame
from ludoteca.ratings.bradley_terry import Ratings
from ludoteca.ratings.chart import ChartRow, interval_chart
from ludoteca.ratings.elo import Interval
from ludoteca.spec import split

__all__ = ["ANCHOR", "FOLDER", "Ladder", "Rung", "ladders"]

FOLDER = Path(__file__).parent / "ladders"
ANCHOR = "random"
"""The agent whose rating is 0."""


@dataclass(frozen=True)
class Rung:
    """The strength of one agent, in Elo points above the anchor; None where the matches set no limit to that side."""

    agent: str
    """Its spec."""
    chance: float
    """The share of its actions that it was made to play at random: 0 but for those who only fill a gap."""
    elo: float
    low: float | None
    """The lower end of the 95% interval."""
    high: float | None
    """The upper end."""
    matches: int
    score: float
    """The share of the points that it made of them."""

    @property
    def interval(self) -> Interval:
        """The rating with its interval; an end is infinite where the matches set no limit."""
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        return Interval(self.elo, low, high)


@dataclass(frozen=True)
class Ladder:
    """Agents of one game by strength, the strongest first, and how that was found out."""

    game: str
    """The spec of the game."""
    limit: str
    """What each agent might use, as on the command line."""
    per_pairing: int
    """Matches of every two agents."""
    openings: bool
    """Whether every pair of matches began from an opening of its own, as where all deals are the same."""
    seed: int
    date: str
    """When it was measured."""
    command: str
    """What measures it again."""
    rungs: tuple[Rung, ...]

    @classmethod
    def of(
        cls, ratings: Ratings[Identity], chances: dict[Identity, float], names: dict[Identity, str], **how: Any
    ) -> Ladder:
        """The ladder of these ratings; `chances` and `names` by the identities with which agents played."""
        rungs = [
            Rung(
                agent=names[name],
                chance=chances[name],
                elo=round(each.elo, 1),
                low=_finite(each.low),
                high=_finite(each.high),
                matches=each.matches,
                score=round(each.score, 4),
            )
            for name, each in ratings.agents.items()
        ]
        return cls(rungs=tuple(rungs), **how)

    @property
    def matches(self) -> int:
        """How many were played for it."""
        return sum(rung.matches for rung in self.rungs) // 2

    def of_agent(self, name: str) -> list[Rung]:
        """The rungs of the agent of this name with whatever options, without those that were made to play at random."""
        return [rung for rung in self.rungs if split(rung.agent, InvalidGame)[0] == name and not rung.chance]

    def _repr_svg_(self) -> str:
        """For a notebook."""
        return interval_chart([ChartRow(_name(rung), rung.interval) for rung in self.rungs]).svg()

    def to_json(self) -> str:
        """A text that a person can read too, and from which `from_json` makes an equal ladder."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Ladder:
        """What `to_json` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"rungs": tuple(Rung(**rung) for rung in fields["rungs"])})


def _name(rung: Rung) -> str:
    return f"{rung.agent} ({rung.chance:.0%} at random)" if rung.chance else rung.agent


def _finite(elo: float) -> float | None:
    return round(elo, 1) if abs(elo) < 1e6 else None


@cache
def ladders(game: str) -> list[Ladder]:
    """The ladders of the game of this name, that of its default options first; none for a game that is not ours."""
    found = [Ladder.from_json(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return sorted((each for each in found if split(each.game, InvalidGame)[0] == game), key=lambda each: len(each.game))
