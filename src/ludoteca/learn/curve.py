"""The learning curve of a training: what it measured, when, and with which interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludoteca.messages import printable
from ludoteca.ratings.elo import score_interval

OPPONENTS, LOSSES = 24, 8
"""The most results and losses of a point that is read from a file."""
LONGEST_NAME = 120
LARGEST = 10**15


@dataclass(frozen=True)
class Result:
    """Matches of the network, without exploration, against one opponent."""

    wins: int
    draws: int
    losses: int
    low: float
    """The 95% interval of `score` goes from here …"""
    high: float
    """… to here."""

    @classmethod
    def of(cls, wins: int, draws: int, losses: int) -> Result:
        """A result of single matches, each on a deal of its own."""
        return cls(wins, draws, losses, *score_interval((wins, draws, losses)))

    @classmethod
    def of_pairs(cls, returns: Iterable[tuple[float, float]]) -> Result:
        """A result of pairs, each of two matches on one deal with sides swapped, by what the network got in both."""
        pairs = [[(value > 0) - (value < 0) for value in pair] for pair in returns]
        counts = Counter(map(sum, pairs))
        found = Counter(sign for pair in pairs for sign in pair)
        return cls(found[1], found[0], found[-1], *score_interval([counts[points] for points in range(-2, 3)]))

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Share of the points, a draw being half a point."""
        return (self.wins + self.draws / 2) / self.matches


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    at: int
    """How many matches or positions were learnt from."""
    seconds: float = field(compare=False)
    """How long the training had taken."""
    loss: Mapping[str, float]
    """By name, moving averages."""
    epsilon: float | None = None
    """Chance of a random action; None for a training that explores otherwise."""
    results: Mapping[str, Result] = field(default_factory=dict)
    """By opponent; empty where only the loss was written down."""

    def to_json(self) -> dict[str, Any]:
        """What a line of the curve's file holds."""
        results = {
            name: {**vars(found), "low": round(found.low, 5), "high": round(found.high, 5)}
            for name, found in self.results.items()
        }
        loss = {name: float(f"{value:.6g}") for name, value in self.loss.items() if math.isfinite(value)}
        found: dict[str, Any] = {"at": self.at, "seconds": round(self.seconds, 1), "loss": loss}
        if self.epsilon is not None:
            found["epsilon"] = round(self.epsilon, 5)
        return found | ({"results": results} if results else {})

    @classmethod
    def from_json(cls, found: object) -> Point:
        """Reads a line of the curve's file, which may hold anything. Raises ValueError, which names the field."""
        if not isinstance(found, dict):
            raise ValueError("{}")
        epsilon = found.get("epsilon")
        return cls(
            _count(found, "at"),
            _number(found, "seconds", 0, LARGEST),
            {name: _number(found["loss"], name, -LARGEST, LARGEST) for name in _names(found, "loss", LOSSES)},
            None if epsilon is None else _number(found, "epsilon", 0, 1),
            {name: _result(found["results"][name]) for name in _names(found, "results", OPPONENTS)},
        )


def _names(found: dict[str, Any], key: str, most: int) -> list[str]:
    """The names under a key that need not be there."""
    names = found.get(key, {})
    if not isinstance(names, dict) or len(names) > most:
        raise ValueError(key)
    if any(len(name) > LONGEST_NAME or printable(name) != name for name in names):
        raise ValueError(key)
    return list(names)


def _number(found: dict[str, Any], key: str, low: float, high: float) -> float:
    value = found.get(key)
    # NaN compares as False.
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(key)
    return float(value)


def _count(found: dict[str, Any], key: str) -> int:
    value = _number(found, key, 0, LARGEST)
    if not isinstance(found[key], int):
        raise ValueError(key)
    return int(value)


def _result(found: object) -> Result:
    if not isinstance(found, dict):
        raise ValueError("results")
    wins, draws, losses = (_count(found, key) for key in ("wins", "draws", "losses"))
    if not wins + draws + losses:
        raise ValueError("wins")
    return Result(wins, draws, losses, _number(found, "low", 0, 1), _number(found, "high", 0, 1))
