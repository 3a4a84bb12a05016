"""Calibration: from an agent's value to a chance to win: among positions called 70%, seven in ten are won.

A chance is an expected score: a draw counts as half a win. So the chances of both sides add up to 1.

The positions of a match share its result, and the two matches of a pair share their deal. So a pair is one cluster:
fitting counts clusters, intervals are those of clusters, and no cluster is used for both fit and test.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludoteca.ratings.elo import NORMAL_95
from ludoteca.ratings.wilson import ClusteredMean

CLUSTERS_PER_KNOT = 4
"""There is a knot for so many clusters; since a match passes through many values, each knot rests on more of them."""
MOST_KNOTS = 10
PRIOR = 1.0
"""Clusters of even score that are added at each knot: no chance is 0 or 1 because of a few matches."""
TEST_SHARE = 3
"""One deal or opening in so many is left out of the fit, to test it."""


class Observation(NamedTuple):
    """One position of a match: what the agent said and how the match ended for it."""

    value: float
    """The agent's value for its own seat, in [-1, 1]."""
    score: float
    """1 for a win of that seat, ½ for a draw, 0 for a loss."""
    cluster: str
    """Equal for positions whose results are not independent: those of one match, and of both matches of a pair."""
    beginning: str = ""
    """Equal for clusters with the same deal or opening, which a split keeps together; by default the cluster's own."""


class Forecast(NamedTuple):
    """A chance that was stated, and the score that followed."""

    chance: float
    score: float
    cluster: str


@dataclass(frozen=True)
class Calibration:
    """A rising map from values to chances: straight lines between knots, level outside them.

    >>> Calibration((-1.0, 0.0, 1.0), (0.1, 0.5, 0.8)).chance(0.5)
    0.65
    """

    values: tuple[float, ...]
    """Ascending."""
    chances: tuple[float, ...]
    """For each value the chance to win; never falling."""

    def __post_init__(self) -> None:
        rises = all(low < high for low, high in itertools.pairwise(self.values))
        never_falls = all(low <= high for low, high in itertools.pairwise(self.chances))
        if not (self.values and len(self.values) == len(self.chances) and rises and never_falls):
            raise ValueError(f"not a rising map: {self.values} to {self.chances}")
        if not 0 <= self.chances[0] <= self.chances[-1] <= 1:
            raise ValueError(f"chances lie between 0 and 1, not {self.chances}")

    def chance(self, value: float) -> float:
        """The chance to win of the seat for which an agent gives this value."""
        above = bisect_right(self.values, value)
        if above == 0 or above == len(self.values):
            return self.chances[0 if above == 0 else -1]
        (low, high), (under, over) = self.values[above - 1 : above + 1], self.chances[above - 1 : above + 1]
        return under + (over - under) * (value - low) / (high - low)


def fit(observations: Iterable[Observation]) -> Calibration:
    """The map that fits these positions: isotonic regression over groups of positions with similar values.

    Positions are grouped by value so that each group rests on enough clusters; positions of equal value stay together.
    Raises ValueError without observations.
    """
    ordered = sorted(observations)
    if not ordered:
        raise ValueError("there is nothing to fit")
    clusters = len({each.cluster for each in ordered})
    knots = max(1, min(MOST_KNOTS, clusters // CLUSTERS_PER_KNOT))
    points = []
    for group in _groups(ordered, knots):
        weight = len({each.cluster for each in group})
        score = math.fsum(each.score for each in group) / len(group)
        mean = math.fsum(each.value for each in group) / len(group)
        points.append((mean, (weight * score + PRIOR / 2) / (weight + PRIOR), weight + PRIOR))
    chances = _isotonic([chance for _, chance, _ in points], [weight for *_, weight in points])
    return Calibration(tuple(value for value, *_ in points), tuple(chances))


def _groups(ordered: Sequence[Observation], number: int) -> list[Sequence[Observation]]:
    """Up to so many runs of about equal length; equal values are never divided."""
    ends, length = [0], len(ordered)
    for place in range(1, number + 1):
        end = max(round(place * length / number), ends[-1] + 1)
        while end < length and ordered[end].value == ordered[end - 1].value:
            end += 1
        if ends[-1] < end <= length:
            ends.append(end)
    return [ordered[start:end] for start, end in itertools.pairwise(ends)]


def _isotonic(scores: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The closest sequence that never falls, by weighted least squares (pool adjacent violators)."""
    blocks: list[tuple[float, float, int]] = []
    for score, weight in zip(scores, weights, strict=True):
        mean, total, count = score, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, heavy, many = blocks.pop()
            mean, total, count = (before * heavy + mean * total) / (heavy + total), heavy + total, many + count
        blocks.append((mean, total, count))
    return [mean for mean, _, count in blocks for _ in range(count)]


def split(observations: Iterable[Observation]) -> tuple[list[Observation], list[Observation]]:
    """Those to fit and those to test with, deal by deal: two clusters with one beginning are on the same side."""
    parts: tuple[list[Observation], list[Observation]] = ([], [])
    for each in observations:
        digest = hashlib.sha256((each.beginning or each.cluster).encode()).digest()
        parts[digest[0] % TEST_SHARE == 0].append(each)
    return parts


class Estimate(NamedTuple):
    """A mean over positions with its 95% interval, which counts clusters and not positions."""

    mean: float
    low: float
    high: float
    positions: int
    clusters: int


def brier_score(forecasts: Iterable[Forecast]) -> Estimate:
    """The mean squared difference of chance and score: 0 is perfect, ¼ is what "50%" always gets without draws."""
    found = [((each.chance - each.score) ** 2, each.cluster) for each in forecasts]
    mean, error, clusters = ClusteredMean.of(found)
    return Estimate(mean, max(0.0, mean - NORMAL_95 * error), min(1.0, mean + NORMAL_95 * error), len(found), clusters)


def observed_score(forecasts: Iterable[Forecast]) -> Estimate:
    """The mean score, with the Wilson interval of as many independent matches as would have this standard error."""
    found = [(each.score, each.cluster) for each in forecasts]
    clustered = ClusteredMean.of(found)
    return Estimate(clustered.mean, *clustered.interval(clustered.clusters), len(found), clustered.clusters)
