"""The difference in strength between two agents, from their results alone.

Results are counted in one of two ways. **Three counts** are the matches that were won, drawn and lost. **Five counts**
are pairs of matches on the same deal with the seats swapped, by what the pair scored: 0, ½, 1, 1½ and 2 points.
Pairs are better where there are any: two matches on one deal are not independent, and luck of the deal cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ludoteca.errors import InvalidOption
from ludoteca.messages import say_count

ELO = 400 / math.log(10)
"""Elo points in one unit of log-odds: 400 points are odds of ten to one."""

NORMAL_95 = 1.959963984540054
"""Half the width of a 95% interval, in standard errors."""

POINTS = {3: (1.0, 0.5, 0.0), 5: (0.0, 0.25, 0.5, 0.75, 1.0)}
"""The share of the points that each count stands for."""


@dataclass(frozen=True)
class Interval:
    """A value in Elo points with its 95% interval; an end is infinite where the results set no limit."""

    elo: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def ends(self) -> str:
        """The two ends as text, such as ``−30 … +120``."""
        return f"{show_elo(self.low)} … {show_elo(self.high)}"

    def __str__(self) -> str:
        return f"{show_elo(self.elo)} [{show_elo(self.low)}, {show_elo(self.high)}]"


@dataclass(frozen=True)
class Estimate(Interval):
    """A difference in strength between two agents."""

    superiority: float
    """The likelihood of superiority: the probability, from 0 to 1, that the first agent is stronger."""


def expected_score(elo: float) -> float:
    """The expected share of the points, from 0 to 1, of an agent that is this much stronger.

    >>> expected_score(0), round(expected_score(100), 4)
    (0.5, 0.6401)
    """
    return 0.5 * (1 + math.tanh(elo / (2 * ELO)))


def elo_of(score: float) -> float:
    """The difference in strength with this expected share of the points: the inverse of `expected_score`."""
    return -math.inf if score <= 0 else math.inf if score >= 1 else ELO * math.log(score / (1 - score))


def show_elo(value: float) -> str:
    """Whole points with a sign, as ``+35``, ``−120``, ``0`` or ``+∞``."""
    text = "∞" if math.isinf(value) else f"{abs(value):.0f}"
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


def elo_difference(counts: Sequence[int]) -> Estimate:
    """How much stronger an agent is than its opponent, from three or five counts of its results.

    The interval is Wilson's, extended to draws and pairs: it holds every difference at which the results are not too
    unlikely, with the most likely spread of results for that difference. So it works where the usual formula fails: an
    agent that won everything gets an infinite estimate, but a finite lower end that grows with its matches. Without
    matches the result is 0 with an infinite interval. Raises InvalidOption.

    >>> print(elo_difference((60, 30, 10)))
    +191 [+129, +251]
    >>> print(elo_difference((10, 0, 0)))
    +∞ [+166, +∞]
    >>> print(elo_difference((2, 8, 40, 30, 20)))
    +104 [+68, +140]
    """
    outcomes = Outcomes(counts)
    if not outcomes.total:
        return Estimate(0.0, -math.inf, math.inf, 0.5)
    return Estimate(
        elo_of(outcomes.score),
        elo_of(outcomes.limit(towards=0.0)),
        elo_of(outcomes.limit(towards=1.0)),
        0.5 * math.erfc(-outcomes.deviation(0.5) / math.sqrt(2)),
    )


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """The 95% interval of an expected share of the points, from three counts or five: that of `elo_difference`.

    Three counts are right only for matches that share neither deal nor opening. Raises InvalidOption.

    >>> [round(end, 3) for end in score_interval((20, 0, 20))]  # forty matches
    [0.352, 0.648]
    >>> [round(end, 3) for end in score_interval((0, 0, 20, 0, 0))]  # as twenty pairs that were all split
    [0.419, 0.581]
    """
    outcomes = Outcomes(counts)
    return (outcomes.limit(towards=0.0), outcomes.limit(towards=1.0)) if outcomes.total else (0.0, 1.0)


class Outcomes:
    """Counted results, and how well they fit an expected score. Raises InvalidOption."""

    def __init__(self, counts: Sequence[int]) -> None:
        if len(counts) not in POINTS:
            raise InvalidOption(
                say_count(
                    "({counts}) is {count} count; there must be 3 (won, drawn, lost) "
                    "or 5 (pairs that scored 0, ½, 1, 1½, 2)",
                    "({counts}) are {count} counts; there must be 3 (won, drawn, lost) "
                    "or 5 (pairs that scored 0, ½, 1, 1½, 2)",
                    len(counts),
                    counts=tuple(counts),
                )
            )
        for count in counts:
            if count != int(count) or count < 0:
                raise InvalidOption(
                    "({counts}): {number!r} is not a count; counts are whole numbers from 0",
                    counts=tuple(counts),
                    number=count,
                )
        self.total = int(sum(counts))
        """Matches, or pairs of them."""
        self.seen = [(points, int(n)) for points, n in zip(POINTS[len(counts)], counts, strict=True) if n]
        """The results that occurred: the share of the points, and how often."""
        self.score = math.fsum(points * n for points, n in self.seen) / self.total if self.total else 0.5
        """The mean share of the points."""

    def surprise(self, mean: float) -> float:
        """By how much the log-likelihood falls if the expected score must be `mean`, strictly between 0 and 1.

        Whatever distribution of results has that mean may be the true one; the likeliest of them is taken.
        """
        tilt = self._tilt(mean)
        return math.fsum(n * math.log1p(tilt * (points - mean)) for points, n in self.seen)

    def deviation(self, mean: float) -> float:
        """How many standard errors the score lies above `mean`, the spread being that of the likeliest distribution."""
        tilt = self._tilt(mean)
        shares = [(points, n / self.total / (1 + tilt * (points - mean))) for points, n in self.seen]
        # What the likeliest distribution has left over, it puts on a result that was never seen.
        rest = max(0.0, 1 - math.fsum(share for _, share in shares))
        shares.append((0.0 if tilt > 0 else 1.0, rest))
        variance = math.fsum(share * (points - mean) ** 2 for points, share in shares)
        difference = self.score - mean
        return difference / math.sqrt(variance / self.total) if difference else 0.0

    def limit(self, towards: float) -> float:
        """The expected score furthest towards 0 or 1 that lies within the 95% interval."""
        inside, outside = self.score, towards
        if inside == towards:
            return towards
        for _ in range(50):
            middle = (inside + outside) / 2
            if abs(self.deviation(middle)) > NORMAL_95:
                outside = middle
            else:
                inside = middle
        return outside

    def _tilt(self, mean: float) -> float:
        """The Lagrange multiplier of the constraint on the mean.

        Under it the likeliest distribution gives a result of `points` the share (n / total) / (1 + tilt·(points −
        mean)). It is where the sum of n·(points − mean) / (1 + tilt·(points − mean)), which falls as the tilt grows,
        becomes zero; or at the end of the range in which no share is negative, and then the extreme result takes
        what is left.
        """
        low, high = -1 / (1 - mean), 1 / mean
        steps = [(points - mean, n) for points, n in self.seen]

        def slope(tilt: float) -> tuple[float, float]:
            first = second = 0.0
            for step, n in steps:
                weight = 1 + tilt * step
                first += n * step / weight
                second += n * (step / weight) ** 2
            return first, second

        extremes = {points for points, _ in self.seen}
        if 0.0 not in extremes and (not steps or slope(high)[0] >= 0):
            return high if steps else 0.0
        if 1.0 not in extremes and slope(low)[0] <= 0:
            return low
        tilt = 0.0
        for _ in range(200):
            first, second = slope(tilt)
            low, high = (tilt, high) if first > 0 else (low, tilt)
            following = tilt + first / second  # Newton, kept within what is known by halving
            if not low < following < high:
                following = (low + high) / 2
            if abs(following - tilt) <= 1e-13 * (1 + abs(tilt)):
                break
            tilt = following
        return tilt
