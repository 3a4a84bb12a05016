"""What statistics are made of: pairs of matches, each counted once.

Both matches of a pair begin alike, from one deal or one opening, with the seats exchanged. They share its luck, so they
are not independent: a pair is one observation. And where neither chance nor the agents make a difference the same
matches are played again and again: a pair that repeats an earlier one says nothing new, and is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

__all__ = ["Agent", "Comparable", "DistinctPairs", "Pair", "Result", "Scores"]


class Comparable(Protocol):
    """What agents are counted by: values that can be hashed and put in order."""

    def __hash__(self) -> int: ...
    def __lt__(self, other: Any, /) -> bool: ...


Agent = TypeVar("Agent", bound=Comparable)
"""What the caller knows agents by: identities, or names in an example."""

Scores: TypeAlias = tuple[float, float | None]
"""What an agent scored in seat 0 and then in seat 1: 1, ½ or 0 each; None where that match was not played."""


@dataclass(frozen=True, slots=True)
class Result(Generic[Agent]):
    """One match, as far as statistics need it."""

    agents: tuple[Agent, Agent]
    """By seat."""
    score: float
    """What seat 0 scored: 1, ½ or 0."""
    beginning: str = ""
    """What only the two matches of a pair share: their deal or opening, or the number of the pair."""
    digest: str = ""
    """Equal for matches in which the same agents played the same; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[Agent]):
    """Equal results of so many pairs of matches between two agents, as the first of the two sees them."""

    agents: tuple[Agent, Agent]
    scores: Scores
    count: int = 1


@dataclass
class DistinctPairs(Generic[Agent]):
    """Counts matches pair by pair, and equal pairs once. It is given them in the order in which they were planned.

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
    """All that it was given."""
    _unknown: int = 0
    _digests: set[str] = field(default_factory=set, repr=False)
    _seen: set[tuple[str, str]] = field(default_factory=set, repr=False)
    _counts: Counter[tuple[tuple[Agent, Agent], Scores]] = field(default_factory=Counter, repr=False)
    _waiting: Result[Agent] | None = None

    @classmethod
    def of(cls, results: Iterable[Result[Agent]]) -> DistinctPairs[Agent]:
        """All these results, counted."""
        counted: DistinctPairs[Agent] = cls()
        for result in results:
            counted.add(result)
        return counted

    @property
    def distinct(self) -> int:
        """How many of the matches differ from all others; one without a digest is taken to differ."""
        return len(self._digests) + self._unknown

    def add(self, result: Result[Agent]) -> tuple[float, float] | None:
        """Counts a match. Where it completes a pair that is new: what the first agent of the pair scored in both."""
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
        return scores

    def pairs(self) -> list[Pair[Agent]]:
        """What counts, equal results together. A match whose pair is not complete counts alone."""
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
