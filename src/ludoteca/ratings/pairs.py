"""Pairs of matches, which all statistics count; equal pairs count once.

Both matches of a pair start from the same deal or opening with sides swapped. They share its luck, so they are not
independent: a pair is one observation. If neither the deals nor the agents are random, matches repeat; a pair that
repeats an earlier one tells nothing new and is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ludoteca.ratings.returns import ReturnTally


class Comparable(Protocol):
    """A key for agents: it can be hashed and sorted."""

    def __hash__(self) -> int: ...
    def __lt__(self, other: Any, /) -> bool: ...


Agent = TypeVar("Agent", bound=Comparable)
"""The key of an agent: its identity, or a name in an example."""

Scores: TypeAlias = tuple[float, float | None]
"""The scores of an agent in seat 0 and in seat 1: 1, ½ or 0; None if that match was not played."""


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses of one agent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """How many matches."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, a half for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The share of the points; a half without matches."""
        return self.points / self.matches if self.matches else 0.5

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True, slots=True)
class Result(Generic[Agent]):
    """The result of one match."""

    agents: tuple[Agent, Agent]
    """By seat."""
    score: float
    """The score of seat 0: 1, ½ or 0."""
    beginning: str = ""
    """Equal only for the two matches of a pair: their deal or opening, or the number of the pair."""
    digest: str = ""
    """Equal for equal matches of the same agents; empty if unknown."""
    returns: tuple[float, float] = (0.0, 0.0)
    """By seat; see `ludoteca.ratings.returns`."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[Agent]):
    """`count` pairs of matches with equal results, from the first agent's side."""

    agents: tuple[Agent, Agent]
    scores: Scores
    count: int = 1


@dataclass
class DistinctPairs(Generic[Agent]):
    """Counts matches by pairs, and equal pairs once. Matches must come in the order of their plan.

    >>> seen = DistinctPairs()
    >>> for digest in ("x", "y", "x", "y"):  # the second pair repeats the first
    ...     agents = ("ada", "bob") if digest == "x" else ("bob", "ada")
    ...     scores = seen.add(Result(agents, 1.0, digest=digest))
    >>> seen.pairs()
    [Pair(agents=('ada', 'bob'), scores=(1.0, 0.0), count=1)]
    >>> seen.matches, seen.distinct
    (4, 2)
    """

    matches: int = 0
    """How many matches were added."""
    _unknown: int = 0
    _digests: set[str] = field(default_factory=set, repr=False)
    _seen: set[tuple[str, str]] = field(default_factory=set, repr=False)
    _counts: Counter[tuple[tuple[Agent, Agent], Scores]] = field(default_factory=Counter, repr=False)
    returns: dict[tuple[Agent, Agent], ReturnTally] = field(default_factory=dict, repr=False)
    """``returns[a, b]`` are the returns of a against b, by the pairs that count."""
    _waiting: Result[Agent] | None = None

    @classmethod
    def of(cls, results: Iterable[Result[Agent]]) -> DistinctPairs[Agent]:
        """Count all these results."""
        counted: DistinctPairs[Agent] = cls()
        for result in results:
            counted.add(result)
        return counted

    @property
    def distinct(self) -> int:
        """How many different matches; one without a digest counts as different."""
        return len(self._digests) + self._unknown

    def add(self, result: Result[Agent]) -> tuple[float, float] | None:
        """Count a match. If it completes a new pair, returns the scores of the pair's first agent in both."""
        self.matches += 1
        if result.digest:
            self._digests.add(result.digest)
        else:
            self._unknown += 1
        first, self._waiting = self._waiting, None
        if first is None or not _belong_together(first, result):
            self._flush(first)
            self._waiting = result
            return None
        key = (first.digest, result.digest)
        if all(key):
            if key in self._seen:
                return None
            self._seen.add(key)
        scores = (first.score, 1 - result.score)
        self._counts[first.agents, scores] += 1
        for seat, agents in enumerate((first.agents, result.agents)):
            value = (first.returns[seat] + result.returns[1 - seat]) / 2
            self.returns.setdefault(agents, ReturnTally()).add(value)
        return scores

    def returns_of(self, agent: Agent) -> ReturnTally:
        """The returns of an agent against all others together."""
        return sum((tally for (one, _), tally in self.returns.items() if one == agent), ReturnTally())

    def pairs(self) -> list[Pair[Agent]]:
        """The pairs that count, equal results together. A match without its partner counts alone."""
        counts = self._counts
        if self._waiting is not None:
            counts = counts.copy()
            self._count_alone(self._waiting, counts)
        return [Pair(agents, scores, count) for (agents, scores), count in counts.items()]

    def _flush(self, alone: Result[Agent] | None) -> None:
        if alone is not None:
            self._count_alone(alone, self._counts)

    def _count_alone(self, alone: Result[Agent], counts: Counter[tuple[tuple[Agent, Agent], Scores]]) -> None:
        key = (alone.digest, "")
        if alone.digest:
            if key in self._seen:
                return
            if counts is self._counts:
                self._seen.add(key)
        counts[alone.agents, (alone.score, None)] += 1


def _belong_together(first: Result[Agent], second: Result[Agent]) -> bool:
    return first.beginning == second.beginning and first.agents == (second.agents[1], second.agents[0])
