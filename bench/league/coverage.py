"""``python -m bench.league.coverage [--runs N]``: how often the 95% intervals of a league hold the truth.

A league chooses its pairs by the results so far, so its intervals might be too narrow. Here the pairing and the ratings
are those of a real league, and only the matches are made up, so that the truth is known. Students hand in new versions
now and then, mostly better ones. The two matches of a pair share a deal, so their results correlate. With
`peculiarity` every two versions suit each other better or worse than their strengths say, as rock suits paper: such
players are not transitive, and no rating can express it.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ludoteca.league.playing.matchmaking import PRIOR_SPREAD, Contestants
from ludoteca.ratings.bradley_terry import Ratings, rate
from ludoteca.ratings.davidson import Davidson, fit
from ludoteca.ratings.elo import ELO, NORMAL_95
from ludoteca.ratings.pairs import Pair

BASELINES = (0.0, 300.0, 600.0, 900.0)
"""The strengths of the baselines, in Elo."""
MIDDLE, SPREAD = 500.0, 250.0
"""Of the first versions of the students."""
PROGRESS = (60.0, 80.0)
"""The mean and the standard deviation of what a new version gains."""
FIRST_SEAT = 40.0
"""What sitting in seat 0 is worth."""
RATE_EVERY = 300
"""Pairs between two full ratings."""
ENDLESS = 1_000_000
"""Matches of every two in a round robin whose ratings are the truth."""
FEWEST = 5
"""Versions with fewer pairs have hardly a rating yet and are not counted."""


@dataclass(frozen=True)
class Setting:
    """What is simulated."""

    students: int = 40
    matches: int = 60
    """For each student, over all of their versions."""
    versions: int = 4
    """Of each student, on average."""
    correlation: float = 0.3
    """How much the deal decides: 0.3 makes the results of the two matches of a pair tend to cancel out. Below 0 a deal
    suits one of the players from either seat."""
    peculiarity: float = 0.0
    """The standard deviation of how well two versions suit each other, in Elo."""

    def __str__(self) -> str:
        kind = f"not transitive by {self.peculiarity:g} Elo" if self.peculiarity else "transitive"
        versions = f"{self.versions} version{'s' * (self.versions > 1)}"
        deals = ", deals that suit one player" if self.correlation < 0 else ""
        return f"{self.students} students, {versions}, {self.matches} matches each, {kind}{deals}"


SETTINGS = (
    Setting(),
    Setting(peculiarity=80.0),
    Setting(versions=1),
    Setting(versions=1, peculiarity=80.0),
    Setting(versions=1, matches=150, peculiarity=80.0),
    Setting(correlation=-0.3),
)


@dataclass(frozen=True)
class Covered:
    """What the intervals of all versions of all runs were worth."""

    share: float
    """Of the intervals that held the truth."""
    width: float
    """The median width, in Elo."""
    bias: float
    """The median of rating minus truth."""
    versions: int
    """How many intervals."""


class SimulatedLeague:
    """A league whose matches are made up."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self._setting, self._rng, self._chance = setting, random.Random(seed), np.random.default_rng(seed)
        self._contestants = Contestants()
        self.truth: list[float] = []
        """By row, in Elo."""
        self.pairs: Counter[int] = Counter()
        self._results: Counter[tuple[tuple[int, int], tuple[float, float]]] = Counter()
        self._suits: dict[tuple[int, int], float] = {}
        self._standing: dict[int, int] = {}
        for elo in BASELINES:
            self._contestants.join(None, 0.0)
            self.truth.append(elo)
        for student in range(setting.students):
            self._hand_in(student)

    def play(self) -> Ratings[int]:
        """Play to the end; the last full rating, in which the mean of the baselines is 0."""
        setting = self._setting
        total = setting.students * setting.matches // 2
        later = setting.students * (setting.versions - 1)
        due = total // (later + 1)
        for number in range(1, total + 1):
            if later and number % due == 0:
                self._hand_in(int(self._chance.integers(setting.students)))
            pair = self._contestants.next_pair(self._rng)
            assert pair is not None
            self._contestants.give(*pair)
            self._contestants.learn(*pair, sum(self._play_pair(*pair)))
            self._contestants.finish(*pair)
            if number % RATE_EVERY == 0:
                self._take_over(self._rate())
        return self._rate()

    def round_robin(self) -> list[float]:
        """By row the rating that an endless round robin between all versions would give: the truth.

        For transitive players these are the strengths.
        """
        if not self._setting.peculiarity:
            return self.truth
        rows = range(len(self.truth))
        counts: dict[tuple[int, int], tuple[int, int, int]] = {}
        for first, second in itertools.permutations(rows, 2):
            gap = self.truth[first] - self.truth[second] + self._suit(first, second) + FIRST_SEAT
            won = round(ENDLESS / (1 + math.exp(-gap / ELO)))
            counts[first, second] = (won, 0, ENDLESS - won)
        found: list[float] = (ELO * fit(Davidson(rows, counts, 1.0))[: len(rows)]).tolist()
        return found

    def _hand_in(self, student: int) -> None:
        """A new version, whose first opponents are sought where a scheduler seeks them."""
        contestants = self._contestants
        last = self._standing.get(student)
        if last is None:
            self.truth.append(float(self._chance.normal(MIDDLE, SPREAD)))
            expected = statistics.fmean(contestants.strength)
        else:
            self.truth.append(self.truth[last] + float(self._chance.normal(*PROGRESS)))
            contestants.active[last], expected = False, contestants.strength[last]
        self._standing[student] = contestants.join(str(student), expected)

    def _play_pair(self, first: int, second: int) -> tuple[float, float]:
        gap = self.truth[first] - self.truth[second] + self._suit(first, second)
        shared, own = self._chance.normal(size=2)
        correlation = self._setting.correlation
        luck = (shared, -correlation * shared + math.sqrt(1 - correlation**2) * own)
        one, two = (
            float(statistics.NormalDist().cdf(z) < 1 / (1 + math.exp(-(gap + seat) / ELO)))
            for z, seat in zip(luck, (FIRST_SEAT, -FIRST_SEAT), strict=True)
        )
        if first < second:
            self._results[(first, second), (one, two)] += 1
        else:
            self._results[(second, first), (1 - two, 1 - one)] += 1
        self.pairs.update((first, second))
        return one, two

    def _suit(self, first: int, second: int) -> float:
        key = (min(first, second), max(first, second))
        if key not in self._suits:
            self._suits[key] = float(self._chance.normal(0.0, self._setting.peculiarity))
        return self._suits[key] if first < second else -self._suits[key]

    def _rate(self) -> Ratings[int]:
        anchors = [row for row in range(len(BASELINES)) if self.pairs[row]]
        return rate([Pair(agents, scores, count) for (agents, scores), count in self._results.items()], anchors=anchors)

    def _take_over(self, ratings: Ratings[int]) -> None:
        for row, rating in ratings.agents.items():
            error = rating.margin / NORMAL_95 / ELO
            self._contestants.strength[row] = rating.elo / ELO
            self._contestants.variance[row] = 1 / (1 / max(error, 1e-3) ** 2 + 1 / PRIOR_SPREAD**2)


def coverage(setting: Setting, runs: int, seed: int = 0) -> Covered:
    """Play so many leagues, and compare the interval of every student's version with the truth."""
    held, widths, errors = [], [], []
    for run in range(runs):
        league = SimulatedLeague(setting, 1000 * seed + run)
        ratings = league.play()
        truths = league.round_robin()
        zero = statistics.fmean(truths[row] for row in ratings.anchors)
        for row, rating in ratings.agents.items():
            if row >= len(BASELINES) and league.pairs[row] >= FEWEST:
                truth = truths[row] - zero
                held.append(rating.low <= truth <= rating.high)
                widths.append(rating.high - rating.low)
                errors.append(rating.elo - truth)
    return Covered(statistics.fmean(held), statistics.median(widths), statistics.median(errors), len(held))


def main() -> None:
    """Print a line of a table for every setting."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.coverage", description="Do 95% intervals hold 95%?")
    parser.add_argument("--runs", type=int, default=12, help="leagues of each setting (12)")
    given = parser.parse_args()
    start = time.monotonic()
    print("| league | coverage | median width | median error | intervals |\n|---|---:|---:|---:|---:|")
    for number, setting in enumerate(SETTINGS):
        found = coverage(setting, given.runs, number)
        print(
            f"| {setting} | {found.share:.1%} | {found.width:.0f} | {found.bias:+.0f} | {found.versions} |", flush=True
        )
    print(f"\n{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
