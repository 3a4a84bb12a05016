"""``python -m bench.strength.coverage [--tries N]``: how often the 95% intervals hold the truth, by simulation.

Matches are made up, so that the truth is known. The results of each are as Davidson's model has them; the two matches
of a pair share a deal, which makes what an agent scores in them correlate: negatively where the deal decides who wins
in either seat, positively where it suits one of the agents. Strengths are drawn anew for every try around those of
a setting, because results are whole numbers and the coverage of a single strength jumps about. With `repeats` every
pair is played so many times over, as agents without chance do, and must count once.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludoteca.ratings.bradley_terry import rate
from ludoteca.ratings.elo import ELO, elo_difference, elo_of
from ludoteca.ratings.pairs import DistinctPairs, Pair, Result

FIRST_SEAT = 60.0
"""What sitting in seat 0 is worth, in Elo."""
AROUND = 30.0
"""How far the strengths of a try lie from those of the setting at most, in Elo."""


@dataclass(frozen=True)
class Setting:
    """What is simulated."""

    agents: int
    apart: float
    """Elo from one agent to the next."""
    pairs: int
    """Of every two agents."""
    correlation: float
    """Of what lies behind an agent's results in the two matches of a pair."""
    draw: float = 0.0
    """ν: equals draw ν / (2 + ν) of their matches."""
    repeats: int = 1

    def __str__(self) -> str:
        repeated = f", each {self.repeats} times" if self.repeats > 1 else ""
        drawn = f", equals draw {self.draw / (2 + self.draw):.0%}" if self.draw else ""
        return (
            f"{self.agents} agents {self.apart:g} apart, {self.pairs} pair{'s' * (self.pairs > 1)}{repeated}, "
            f"correlation {self.correlation:g}{drawn}"
        )


@dataclass(frozen=True)
class Covered:
    """In which share of the tries the interval held the truth."""

    elo: float | None
    """Of the Elo difference by score, which is known of two agents only."""
    rating: float
    """Of the rating of an agent, the weakest being the anchor; the mean over all others."""
    difference: float
    """Of the difference in rating between the strongest and the weakest."""
    first_seat: float

    @property
    def worst(self) -> float:
        """The share that lies furthest from 95%."""
        shares = [each for each in (self.elo, self.rating, self.difference) if each is not None]
        return max(shares, key=lambda share: abs(share - 0.95))


CORRELATIONS = (-0.6, 0.0, 0.6)
SETTINGS = [
    *(Setting(2, 50, pairs, each) for pairs in (20, 60) for each in CORRELATIONS),
    *(Setting(2, 50, 400, each) for each in (-0.9, 0.6)),
    *(Setting(2, 400, pairs, each) for pairs in (60, 200) for each in CORRELATIONS),
    *(Setting(2, 100, 30, each, draw=0.8) for each in CORRELATIONS),
    *(Setting(2, 50, 20, each, repeats=10) for each in (-0.6, 0.6)),
    *(Setting(6, 60, pairs, each, draw=0.5) for pairs in (1, 6) for each in CORRELATIONS),
    *(Setting(6, 200, pairs, each) for pairs in (10, 40) for each in (-0.6, 0.6)),
]


def coverage(setting: Setting, tries: int, seed: int, *, naive: bool = False) -> Covered:
    """Simulates the setting so often. naive: repeats are counted as if they were news."""
    chance = np.random.default_rng(seed)
    held: dict[str, list[bool]] = {"elo": [], "rating": [], "difference": [], "first_seat": []}
    for _ in range(tries):
        strengths = setting.apart * np.arange(setting.agents) + chance.uniform(-AROUND, AROUND, setting.agents)
        names = [f"a{number}" for number in range(setting.agents)]
        pairs = _pairs(setting, names, strengths, chance, naive)
        ratings = rate(pairs, anchors=names[:1])
        for name, truth in zip(names[1:], (strengths - strengths[0])[1:], strict=True):
            held["rating"].append(bool(ratings.agents[name].low <= truth <= ratings.agents[name].high))
        gap = ratings.difference(names[-1], names[0])
        held["difference"].append(bool(gap.low <= strengths[-1] - strengths[0] <= gap.high))
        held["first_seat"].append(ratings.first_seat.low <= FIRST_SEAT <= ratings.first_seat.high)
        if setting.agents == 2:
            estimate = elo_difference(_five(pairs))
            held["elo"].append(estimate.low <= _truth_by_score(strengths, setting.draw) <= estimate.high)
    means = {name: statistics.fmean(each) if each else None for name, each in held.items()}
    return Covered(**means)  # type: ignore[arg-type]


def _pairs(
    setting: Setting, names: list[str], strengths: NDArray[np.float64], chance: np.random.Generator, naive: bool
) -> list[Pair[str]]:
    played = DistinctPairs[str]()
    for i, first in enumerate(names):
        for j, second in enumerate(names[i + 1 :], start=i + 1):
            scores = _scores((strengths[i] - strengths[j]) / ELO, setting, chance)
            for number, (one, two) in enumerate(scores * setting.repeats):
                digest = "" if naive else f"{first} {second} {number % setting.pairs}"
                played.add(Result((first, second), one, f"{first} {number}", digest and f"{digest} 0"))
                played.add(Result((second, first), 1 - two, f"{first} {number}", digest and f"{digest} 1"))
    return played.pairs()


def _scores(gap: float, setting: Setting, chance: np.random.Generator) -> list[tuple[float, float]]:
    """What the first agent scores in seat 0 and in seat 1: normal numbers that correlate, cut where results part."""
    shared, own = chance.normal(size=(2, setting.pairs))
    luck = (shared, setting.correlation * shared + math.sqrt(1 - setting.correlation**2) * own)
    cuts = (_shares(gap + FIRST_SEAT / ELO, setting.draw), _shares(gap - FIRST_SEAT / ELO, setting.draw))
    normal = statistics.NormalDist()
    scores = []
    for numbers, (win, _, loss) in zip(luck, cuts, strict=True):
        low, high = normal.inv_cdf(loss), normal.inv_cdf(1 - win)
        scores.append(np.where(numbers > high, 1.0, np.where(numbers > low, 0.5, 0.0)).tolist())
    return list(zip(*scores, strict=True))


def _shares(gap: float, draw: float) -> tuple[float, float, float]:
    """How often the first of two wins, draws and loses, in seat 0 with `gap` in its favour or in seat 1."""
    win, loss = math.exp(gap / 2), math.exp(-gap / 2)
    total = win + draw + loss
    return win / total, draw / total, loss / total


def _five(pairs: list[Pair[str]]) -> list[int]:
    """Pairs by what the second agent scored, which is the stronger one."""
    five = [0] * 5
    for pair in pairs:
        assert pair.scores[1] is not None
        five[round(4 - 2 * (pair.scores[0] + pair.scores[1]))] += pair.count
    return five


def _truth_by_score(strengths: NDArray[np.float64], draw: float) -> float:
    gap = float(strengths[1] - strengths[0]) / ELO
    shares = [_shares(gap + advantage, draw) for advantage in (FIRST_SEAT / ELO, -FIRST_SEAT / ELO)]
    return elo_of(statistics.fmean(win + drawn / 2 for win, drawn, _ in shares))


def _rows(tries: int) -> Iterator[tuple[Setting, Covered]]:
    for number, setting in enumerate(SETTINGS):
        yield setting, coverage(setting, tries if setting.agents == 2 else tries // 2, seed=number)


def main() -> None:
    """Prints a line of a table for every setting."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.coverage", description="Do 95% intervals hold 95%?")
    parser.add_argument("--tries", type=int, default=2000, help="for each setting of two agents, half for six (2000)")
    given = parser.parse_args()
    start = time.monotonic()
    print("| setting | Elo by score | rating | strongest to weakest | first seat |\n|---|---:|---:|---:|---:|")
    worst = 0.95
    for setting, found in _rows(given.tries):
        shares = [found.elo, found.rating, found.difference, found.first_seat]
        cells = " | ".join("" if each is None else f"{each:.1%}" for each in shares)
        print(f"| {setting} | {cells} |", flush=True)
        worst = max(worst, found.worst, key=lambda share: abs(share - 0.95))
    print(f"\nfurthest from 95%: {worst:.1%}; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
