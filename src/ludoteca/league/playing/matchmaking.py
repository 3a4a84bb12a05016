"""Who meets whom next in a league: the pair of matches that narrows the ratings most, while everyone keeps playing.

The choice is a pure function of what is known: an estimate of each contestant's strength with its variance, in
log-odds, and how often each two have met. One more pair between i and j has the information 2p(1 − p), where p is the
expected score. Two contestants may suit each other in a way that no rating can express, so pairs between the same two
tell less and less: n of them have the information 1 / (1 / n·2p(1 − p) + τ²), with τ the usual size of such a
peculiarity.

Every fourth pair goes to the contestant that has waited longest, so nobody starves, however well they are known.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludoteca.ratings.elo import ELO

PRIOR_SPREAD = 400 / ELO
"""The standard deviation of a newcomer's strength, in log-odds, before its first match."""
PECULIARITY = 100 / ELO
"""τ: how far the score between two contestants usually lies from what their ratings say, in log-odds."""
TURN = 0.25
"""The share of pairs that go to the contestant that has waited longest."""
LEAST_NOISE = 0.2
"""Gains are multiplied by a random number from here to 1.

Pairing that always follows the estimates repeats their errors: the 95% intervals of simulated leagues cover 92.5% with
0.8, and 93.7% with 0.2, at the same width.
"""

Vector = NDArray[np.float64]


@dataclass
class Contestants:
    """What matchmaking knows. Rows are contestants; add one with `join`, and never remove one: set it inactive."""

    owners: list[str | None] = field(default_factory=list)
    """Two contestants of one owner never meet, so a dummy cannot lift its owner. None: a baseline; they do not meet."""
    active: list[bool] = field(default_factory=list)
    strength: list[float] = field(default_factory=list)
    variance: list[float] = field(default_factory=list)
    last_pair: list[int] = field(default_factory=list)
    """The number of the last pair that each was given; -1 before the first."""
    met: list[dict[int, int]] = field(default_factory=list)
    """For each, how many pairs it was given with each other."""
    unfinished: list[int] = field(default_factory=list)
    """How many pairs each was given whose results are not known yet."""
    given: int = 0
    """How many pairs were given in all."""

    def join(self, owner: str | None, strength: float, variance: float = PRIOR_SPREAD**2) -> int:
        """Add a contestant; returns its row."""
        self.owners.append(owner)
        self.active.append(True)
        self.strength.append(strength)
        self.variance.append(variance)
        self.last_pair.append(-1)
        self.met.append({})
        self.unfinished.append(0)
        return len(self.owners) - 1

    def next_pair(self, rng: random.Random, *, newcomers_only: bool = False) -> tuple[int, int] | None:
        """Two contestants that should meet now; None if no two may. newcomers_only: one has had no pair yet."""
        variance = self._expected_variance()
        rows = [
            row
            for row, active in enumerate(self.active)
            if active and not (newcomers_only and self.last_pair[row] >= 0)
        ]
        if rng.random() < TURN:
            rows.sort(key=lambda row: (self.last_pair[row], -variance[row]))
        else:
            rows.sort(key=lambda row: (-variance[row], self.last_pair[row]))
        for row in rows:
            opponent = self._opponent(row, variance, rng)
            if opponent is not None:
                return row, opponent
        return None

    def give(self, first: int, second: int) -> None:
        """Count a pair that was given to these two."""
        for row, other in ((first, second), (second, first)):
            self.met[row][other] = self.met[row].get(other, 0) + 1
            self.last_pair[row] = self.given
            self.unfinished[row] += 1
        self.given += 1

    def finish(self, first: int, second: int) -> None:
        """Count that a pair which was given to these two is over."""
        for row in (first, second):
            self.unfinished[row] -= 1

    def learn(self, first: int, second: int, score: float) -> None:
        """Move both strengths by the result of a pair: `score` of the first, from 0 to 2.

        This is one step of a Gaussian filter. It only has to hold until the next full rating.
        """
        for row, other, points in ((first, second, score), (second, first, 2 - score)):
            expected = _expected(self.strength[row] - self.strength[other], self.variance[row] + self.variance[other])
            information = 2 * expected * (1 - expected)
            information /= 1 + information * self.variance[other]
            self.variance[row] = 1 / (1 / self.variance[row] + information)
            self.strength[row] += self.variance[row] * (points - 2 * expected) / (1 + 2 * self.variance[other])

    def _expected_variance(self) -> Vector:
        """[contestants] the variances once the pairs that were given are played, if each has the most information."""
        return 1 / (1 / np.array(self.variance) + np.array(self.unfinished) / 2)

    def _opponent(self, row: int, variance: Vector, rng: random.Random) -> int | None:
        owner = self.owners[row]
        may = np.array(self.active) & np.array([other != owner for other in self.owners])
        may[row] = False
        if not may.any():
            return None
        met = np.zeros(len(self.owners))
        met[list(self.met[row])] = list(self.met[row].values())
        gains = self._gains(row, variance, met)
        gains[may] *= [LEAST_NOISE + (1 - LEAST_NOISE) * rng.random() for _ in range(int(may.sum()))]
        gains[~may] = -1.0
        return int(gains.argmax())

    def _gains(self, row: int, variance: Vector, met: Vector) -> Vector:
        """[contestants] by how much one more pair with each would lower the two variances together."""
        strength = np.array(self.strength)
        scale = np.sqrt(1 + math.pi * (variance[row] + variance) / 8)
        expected = 1 / (1 + np.exp(-(strength[row] - strength) / scale))
        single = np.maximum(2 * expected * (1 - expected), 1e-12)
        before = np.where(met > 0, 1 / (1 / (np.maximum(met, 1) * single) + PECULIARITY**2), 0.0)
        more = 1 / (1 / ((met + 1) * single) + PECULIARITY**2) - before
        own = variance[row] - 1 / (1 / variance[row] + more)
        gains: Vector = own + variance - 1 / (1 / variance + more)
        return gains


def _expected(gap: float, variance: float) -> float:
    """The expected score of a match whose gap in strength is known up to this variance."""
    return 1 / (1 + math.exp(-gap / math.sqrt(1 + math.pi * variance / 8)))
