"""What a run is to play, as a value: the same plan always asks for the same matches."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludoteca.agents.identity import Identity
from ludoteca.arena.fixture import Fixture, pairs
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.messages import say
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome, Run
from ludoteca.players.faults import FaultTally
from ludoteca.protocols import Action
from ludoteca.ratings.pairs import DistinctPairs, Result
from ludoteca.ratings.sprt import Sprt, Verdict

__all__ = [
    "Openings",
    "Plan",
    "Rounds",
    "SeriesPlan",
    "SeriesTally",
    "Tally",
    "even",
    "result_of_match",
    "unreadable",
]

Openings = Sequence[tuple[Action, ...]]
"""The actions that a pair of matches begins with, pair by pair."""
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

    def start(self, secret: str, openings: Openings = ()) -> tuple[Tally, Rounds]:
        """An empty tally, and the rounds that it is to count: their seeds come from the run's secret.

        openings: of the pairs in their order; without any, matches begin as the game does.
        """

    @property
    def openings(self) -> str:
        """Where pairs begin: ``none``, ``suite`` for the game's own suite, or a file's name and digest."""

    @property
    def seed(self) -> int | None:
        """The explicit seed of an experiment; None for a run whose secret is random."""


def even(name: str, count: int) -> int:
    """`count` if it is a positive even number. Raises InvalidOption."""
    if count < 2 or count % 2:
        near = say("{low} or {high}", low=count - 1, high=count + 1) if count > 2 else "2"
        raise InvalidOption(
            say(
                "{name}={count}: every deal is played twice with the seats exchanged, so take {near}",
                name=name,
                count=count,
                near=near,
            )
        )
    return count


@dataclass
class SeriesTally:
    """A series between two agents so far, as the first of them sees it. Pairs of equal matches count once."""

    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs by what the first agent scored in both matches together: 0, ½, 1, 1½, 2."""
    faults: tuple[FaultTally, FaultTally] = field(default_factory=lambda: (FaultTally(), FaultTally()))
    """Those of each of the two agents, in all matches."""
    verdict: Verdict | None = None
    played: DistinctPairs[Identity] = field(default_factory=DistinctPairs)

    @property
    def count(self) -> int:
        """How many matches count."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first agent's share of the points, a half while there are none."""
        return (self.wins + self.draws / 2) / self.count if self.count else 0.5

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Counts a match. True when the sequential test has decided, which it can after every pair."""
        if outcome.fault is not None:
            self.faults[outcome.fault ^ fixture.index % 2].add(outcome.ending, outcome.message)
        scores = self.played.add(result_of_match(fixture, outcome))
        if scores is None:
            return False
        for score in scores:
            self.wins += score == 1
            self.draws += score == 0.5
            self.losses += score == 0
        self.pairs[round(2 * sum(scores))] += 1
        if self.sprt is None:
            return False
        self.verdict = self.sprt.update(self.pairs)
        return self.verdict.decision is not None


def result_of_match(fixture: Fixture, outcome: Outcome) -> Result[Identity]:
    """A match of a run, as far as statistics need it."""
    return Result(fixture.agents, outcome.score, str(fixture.index // 2), outcome.digest)


@dataclass(frozen=True)
class SeriesPlan:
    """Seat-swapped pairs of matches between two agents, each on a deal or from an opening of its own."""

    conditions: Conditions
    agents: tuple[Identity, Identity]
    count: int
    seed: int | None = None
    sprt: Sprt | None = None
    openings: str = "none"
    trust: tuple[str, ...] = ()
    """Agents that the operator let play inside the referee's process."""

    def __post_init__(self) -> None:
        even("n", self.count)

    @property
    def total(self) -> int:
        """How many matches there are at most."""
        return self.count

    def key(self) -> dict[str, Any]:
        """Everything but the number of matches and where a test may stop: more of them continue the same run."""
        own = {"agents": [agent.to_json() for agent in self.agents], "seed": self.seed, "openings": self.openings}
        return {"kind": "series", **vars(self.conditions), **own} | ({"trust": list(self.trust)} if self.trust else {})

    def goal(self) -> dict[str, Any]:
        """The number of matches, and the test."""
        return {"count": self.count, "sprt": None if self.sprt is None else vars(self.sprt)}

    def start(self, secret: str, openings: Openings = ()) -> tuple[SeriesTally, Rounds]:
        """One round with all the matches."""
        return SeriesTally(self.sprt), self._rounds(secret, openings)

    def _rounds(self, secret: str, openings: Openings) -> Rounds:
        yield pairs(*self.agents, secret, 0, self.count, openings)

    @classmethod
    def from_run(cls, run: Run) -> SeriesPlan:
        """The plan of a stored run. Raises InvalidStore."""
        try:
            key, goal = run.key, run.goal
            test = goal.get("sprt")
            first, second = map(Identity.from_json, key["agents"])
            return cls(
                Conditions.from_key(key), (first, second), goal["count"], key.get("seed"), test and Sprt(**test),
                key.get("openings", "none"), tuple(key.get("trust", ())),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(run) from error


def unreadable(run: Run) -> InvalidStore:
    """What is said of a run whose description is of no known form."""
    return InvalidStore(say("run {run} has a description that cannot be read: {key}", run=run.id, key=run.key))
