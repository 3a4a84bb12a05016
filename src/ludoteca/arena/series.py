"""A series: pairs of matches between two agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture, Openings, Rounds, even, pairs, result_of_match, unreadable
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome, Run
from ludoteca.players.faults import FaultTally
from ludoteca.ratings.pairs import DistinctPairs
from ludoteca.ratings.returns import MeanReturn, ReturnTally
from ludoteca.ratings.sprt import Sprt, SprtVerdict


@dataclass
class SeriesTally:
    """A series so far, from the first agent's side. Pairs of equal matches count once."""

    sprt: Sprt | None = None
    stake: float | None = None
    """What a return of 1 stands for; None if only wins, draws and losses count."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs by what the first agent scored in both matches together: 0, ½, 1, 1½, 2."""
    returns: tuple[ReturnTally, ReturnTally] = field(default_factory=lambda: (ReturnTally(), ReturnTally()))
    """The returns of each agent, by pairs."""
    faults: tuple[FaultTally, FaultTally] = field(default_factory=lambda: (FaultTally(), FaultTally()))
    """The faults of each agent, in all matches."""
    verdict: SprtVerdict | None = None
    played: DistinctPairs[Identity] = field(default_factory=DistinctPairs)

    @property
    def count(self) -> int:
        """How many matches count."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first agent's share of the points; a half before the first match."""
        return (self.wins + self.draws / 2) / self.count if self.count else 0.5

    @property
    def mean_returns(self) -> tuple[MeanReturn, MeanReturn] | None:
        """Each agent's mean return per match, in the game's amounts; None in a game without stakes."""
        if self.stake is None:
            return None
        one, two = (tally.estimate.scaled(self.stake) for tally in self.returns)
        return one, two

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Count a match. True when the sequential test has decided, which it can after every pair."""
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
        one, two = fixture.agents[1], fixture.agents[0]  # of the pair's second match, in which the sides are swapped
        self.returns = self.played.returns[one, two], self.played.returns[two, one]
        if self.sprt is None:
            return False
        if self.stake is None:
            self.verdict = self.sprt.update(self.pairs)
        else:
            self.verdict = self.sprt.update_returns(self.returns[0], self.stake)
        return self.verdict.decision is not None


@dataclass(frozen=True)
class SeriesPlan:
    """Pairs of matches between two agents with sides swapped, each pair with its own deal or opening."""

    conditions: Conditions
    agents: tuple[Identity, Identity]
    count: int
    seed: int | None = None
    sprt: Sprt | None = None
    openings: str = "none"
    trust: tuple[str, ...] = ()
    """Agents that the operator lets play inside the referee's process."""

    def __post_init__(self) -> None:
        even("n", self.count)

    @property
    def total(self) -> int:
        """How many matches it has at most."""
        return self.count

    def key(self) -> dict[str, Any]:
        """Everything except the number of matches and the test: more matches continue the same run."""
        own = {"agents": [agent.to_json() for agent in self.agents], "seed": self.seed, "openings": self.openings}
        return {"kind": "series", **vars(self.conditions), **own} | ({"trust": list(self.trust)} if self.trust else {})

    def goal(self) -> dict[str, Any]:
        """The number of matches, and the test."""
        return {"count": self.count, "sprt": None if self.sprt is None else vars(self.sprt)}

    def start(self, secret: str, openings: Openings = ()) -> tuple[SeriesTally, Rounds]:
        """One round with all the matches."""
        return SeriesTally(self.sprt, self.conditions.stake), self._rounds(secret, openings)

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
