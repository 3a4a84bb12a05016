"""Ladders: the measured strengths of our agents, for each game one or more, from matches of all against all.

``python -m bench.strength.ladder`` plays the matches and writes the files in ``ladders``; pages and documents read them
here. Beside each ladder are some matches to replay, between neighbours of the ladder: ``python -m
bench.strength.ladder_matches`` plays them. The ratings come from other and many more matches.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidGame
from ludoteca.play.record import Record
from ludoteca.ratings.bradley_terry import Ratings
from ludoteca.ratings.chart import ChartRow, interval_chart
from ludoteca.ratings.elo import Interval
from ludoteca.spec import split

FOLDER = Path(__file__).parent / "ladders"
MATCHES = ".matches.gz"
"""The suffix of a file of matches, after the name of their ladder."""
ANCHOR = "random"
"""The agent whose rating is 0."""


@dataclass(frozen=True)
class Rung:
    """The rating of one agent, in Elo above the anchor. An end of its interval is None where there is no limit."""

    agent: str
    """Its spec."""
    chance: float
    """The share of its actions that were played at random: not 0 only for agents that fill a gap."""
    elo: float
    low: float | None
    """The lower end of the 95% interval."""
    high: float | None
    """The upper end."""
    matches: int
    score: float
    """Its share of the points."""

    @property
    def interval(self) -> Interval:
        """The rating with its interval; an end is infinite where the matches set no limit."""
        low, high = -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high
        return Interval(self.elo, low, high)


@dataclass(frozen=True)
class Ladder:
    """The agents of one game, the strongest first, and how they were measured."""

    game: str
    """The spec of the game."""
    limit: str
    """The limit, as on the command line."""
    per_pairing: int
    """How many matches each two agents played."""
    openings: bool
    """Whether every pair of matches began from its own opening."""
    seed: int
    date: str
    """When it was measured."""
    command: str
    """The command that measures it again."""
    opponents: tuple[str, ...]
    """The specs of those that a page offers to people, each measured: a short list from gentle to strongest."""
    slow: dict[str, str]
    """By agent the lower limit of all its matches, where the common one would take too long."""
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
    def name(self) -> str:
        """The name of its file without the suffix, such as ``kittens-original``."""
        return ladder_name(self.game)

    @property
    def matches(self) -> int:
        """How many matches it rests on."""
        return sum(rung.matches for rung in self.rungs) // 2

    def of_agent(self, name: str) -> list[Rung]:
        """The rungs of the agent with this name, with any options, without those that play partly at random."""
        return [rung for rung in self.rungs if split(rung.agent, InvalidGame)[0] == name and not rung.chance]

    def _repr_svg_(self) -> str:
        """For a notebook."""
        return interval_chart([ChartRow(_name(rung), rung.interval) for rung in self.rungs]).svg()

    def to_json(self) -> str:
        """Readable JSON; `from_json` reads it back."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Ladder:
        """The ladder that `to_json` wrote."""
        fields = json.loads(text)
        rungs = tuple(Rung(**rung) for rung in fields["rungs"])
        return cls(**fields | {"rungs": rungs, "opponents": tuple(fields["opponents"])})


def ladder_name(game: str) -> str:
    """The name of the ladder of a game; game: its spec."""
    return game.replace(":", "-").replace("rules=", "").replace("=", "-")


def _name(rung: Rung) -> str:
    return f"{rung.agent} ({rung.chance:.0%} at random)" if rung.chance else rung.agent


def _finite(elo: float) -> float | None:
    return round(elo, 1) if abs(elo) < 1e6 else None


@cache
def all_ladders() -> tuple[Ladder, ...]:
    """Every ladder, by the game's name, that of its default options first."""
    found = (Ladder.from_json(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json"))
    return tuple(sorted(found, key=lambda each: each.game))


@cache
def ladders(game: str) -> list[Ladder]:
    """The ladders of a game by its name, that of the default options first; none for a game that is not ours."""
    return [each for each in all_ladders() if split(each.game, InvalidGame)[0] == game]


@lru_cache(maxsize=8)
def ladder_matches(name: str) -> tuple[Record, ...]:
    """The matches that come with the ladder of this name, those of its strongest agents first; they may be none."""
    path = FOLDER / f"{name}{MATCHES}"
    if not path.exists():
        return ()
    return tuple(map(Record.from_json, gzip.decompress(path.read_bytes()).decode().splitlines()))


def write_matches(path: Path, records: Iterable[Record]) -> None:
    """Writes matches for `ladder_matches`: compressed, without scores, and with times in milliseconds."""
    kept = (
        replace(
            record,
            seconds=tuple(round(each, 3) for each in record.seconds),
            decisions=tuple(each and replace(each, scores={}) for each in record.decisions),
            usage=(),
        )
        for record in records
    )
    text = "".join(f"{record.to_json()}\n" for record in kept)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
