"""What a run is to play, as a value: the same plan always asks for the same matches."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludoteca.arena.fixture import Fixture, pairs
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.play.conditions import Conditions
from ludoteca.play.old_keys import current_key
from ludoteca.play.store import Outcome, Run
from ludoteca.players.faults import Ending
from ludoteca.ratings.sprt import Sprt, Verdict

__all__ = ["Plan", "Rounds", "SeriesPlan", "SeriesTally", "Tally", "even"]

Rounds = Generator[Iterable[Fixture], Sequence[Outcome], None]
"""Yields the matches of a round, and is sent their outcomes in the same order before the next round."""


class Tally(Protocol):
    """What is known so far of a run; matches are told to it in the order of their indexes."""

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Counts a match. True when no more are needed."""


class Plan(Protocol):
    """A run to be played."""

    @property
    def conditions(self) -> Conditions:
        """What all its matches share."""

    @property
    def total(self) -> int:
        """How many matches it has, or will have at most."""

    def key(self) -> dict[str, Any]:
        """What the run is known by: two plans with equal keys ask for the same matches at the same places."""

    def goal(self) -> dict[str, Any]:
        """How far to go; another goal with the same key goes on with the same run."""

    def start(self) -> tuple[Tally, Rounds]:
        """An empty tally, and the rounds that it is to count."""


def even(name: str, count: int) -> int:
    """`count` if it is a positive even number. Raises InvalidOption."""
    if count < 2 or count % 2:
        near = f"{count - 1} or {count + 1}" if count > 2 else "2"
        raise InvalidOption(f"{name}={count}: every deal is played twice with the seats exchanged, so take {near}")
    return count


@dataclass
class SeriesTally:
    """A series between two agents so far, as the first of them sees it."""

    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs by what the first agent scored in both matches together: 0, ½, 1, 1½, 2."""
    faults: tuple[dict[Ending, int], dict[Ending, int]] = field(default_factory=lambda: ({}, {}))
    """For each of the two agents its faults by kind."""
    verdict: Verdict | None = None
    _half: float = 0.0

    @property
    def count(self) -> int:
        """How many matches are counted."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first agent's share of the points, a half while there are none."""
        return (self.wins + self.draws / 2) / self.count if self.count else 0.5

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Counts a match. True when the sequential test has decided, which it can after every pair."""
        swapped = fixture.index % 2
        points = 1 - outcome.score if swapped else outcome.score
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if outcome.fault is not None:
            faults = self.faults[outcome.fault ^ swapped]
            faults[outcome.ending] = faults.get(outcome.ending, 0) + 1
        if not swapped:
            self._half = points
            return False
        self.pairs[round(2 * (self._half + points))] += 1
        if self.sprt is None:
            return False
        self.verdict = self.sprt.update(self.pairs)
        return self.verdict.decision is not None


@dataclass(frozen=True)
class SeriesPlan:
    """Seat-swapped pairs of matches between two agents, on the same deal each."""

    conditions: Conditions
    agents: tuple[str, str]
    count: int
    seed: int = 1
    sprt: Sprt | None = None

    @classmethod
    def of(
        cls, conditions: Conditions, agents: tuple[str, str], count: int, seed: int = 1, sprt: str | None = None
    ) -> SeriesPlan:
        """The plan in its canonical form. Raises what is wrong with the agents or numbers."""
        first, second = (conditions.admit(agent) for agent in agents)
        test = None if sprt is None else Sprt.parse(sprt)
        return cls(conditions, (first, second), even("n", count), seed, test)

    @property
    def total(self) -> int:
        """How many matches there are at most."""
        return self.count

    def key(self) -> dict[str, Any]:
        """Everything but the number of matches and where a test may stop: more of them continue the same run."""
        return {"kind": "series", **vars(self.conditions), "agents": list(self.agents), "seed": self.seed}

    def goal(self) -> dict[str, Any]:
        """The number of matches, and the test."""
        return {"count": self.count, "sprt": None if self.sprt is None else vars(self.sprt)}

    def start(self) -> tuple[SeriesTally, Rounds]:
        """One round with all the matches."""
        return SeriesTally(self.sprt), self._rounds()

    def _rounds(self) -> Rounds:
        yield pairs(*self.agents, self.seed, 0, self.count)

    @classmethod
    def from_run(cls, run: Run) -> SeriesPlan:
        """The plan of a stored run. Raises InvalidStore."""
        try:
            key, goal = current_key(run.key), run.goal
            names = ("game", "limit", "memory", "margin")
            conditions = Conditions(**{name: key[name] for name in names})
            test = goal.get("sprt")
            first, second = key["agents"]
            return cls(conditions, (first, second), goal["count"], key["seed"], test and Sprt(**test))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidStore(f"run {run.id} has a description that cannot be read: {run.key}") from error
