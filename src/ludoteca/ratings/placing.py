"""The rating of a new agent from a few matches against agents with known ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludoteca.ratings.elo import ELO, Interval, expected_score

LIKELY = 1.920729
"""How far the log-likelihood falls from its maximum to the ends of a 95% interval (half of 3.84)."""
FARTHEST = 4000.0
"""The search ends so many Elo points beyond all opponents; an end further out is infinite."""


def place(results: Sequence[tuple[float, float]]) -> Interval:
    """The most likely rating after results of (the opponent's Elo, score from 0 to 1), with its 95% interval.

    The opponents' ratings are taken as exact. An agent that won everything has an infinite rating with a finite lower
    end; one that lost everything the other way round. Without results the interval is infinite.

    >>> print(place([(0, 1), (800, 1), (800, 0), (1200, 0)]))
    +776 [+259, +1228]
    >>> print(place([(0, 1), (0, 1)]))
    +∞ [−83, +∞]
    """
    points = sum(score for _, score in results)
    if not results:
        return Interval(0.0, -math.inf, math.inf)
    low, high = min(elo for elo, _ in results) - FARTHEST, max(elo for elo, _ in results) + FARTHEST
    if 0 < points < len(results):
        best = _root(lambda elo: sum(score - expected_score(elo - other) for other, score in results), low, high)
    else:
        best = high if points else low
    drop = _likelihood(best, results) - LIKELY
    ends = [
        _root(lambda elo: _likelihood(elo, results) - drop, best, end) if _likelihood(end, results) < drop else end
        for end in (low, high)
    ]
    shown = [-math.inf if each <= low else math.inf if each >= high else each for each in (best, *ends)]
    return Interval(*shown)


def _likelihood(elo: float, results: Sequence[tuple[float, float]]) -> float:
    total = 0.0
    for other, score in results:
        d = (elo - other) / ELO
        total += score * d - max(d, 0.0) - math.log1p(math.exp(-abs(d)))
    return total


def _root(value: object, above: float, below: float) -> float:
    """The zero of a falling function between a point where it is positive and one where it is negative."""
    assert callable(value)
    for _ in range(80):
        middle = (above + below) / 2
        if value(middle) > 0:
            above = middle
        else:
            below = middle
    return (above + below) / 2
