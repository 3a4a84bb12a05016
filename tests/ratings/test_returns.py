"""Mean returns by pairs: their intervals, and the sequential test on them."""

from __future__ import annotations

import math
import random
import statistics

from hypothesis import given
from hypothesis import strategies as st

from ludoteca.ratings.returns import ReturnTally
from ludoteca.ratings.sprt import Sprt

VALUES = st.lists(st.floats(-1, 1), min_size=0, max_size=20)


def tally_of(values: list[float]) -> ReturnTally:
    tally = ReturnTally()
    for value in values:
        tally.add(value)
    return tally


@given(VALUES, VALUES)
def test_sums_are_those_of_all_values(first: list[float], second: list[float]) -> None:
    both, joined = first + second, tally_of(first) + tally_of(second)
    assert joined.pairs == len(both)
    if both:
        assert math.isclose(joined.mean, statistics.fmean(both), abs_tol=1e-12)
        assert math.isclose(joined.squares / len(both), statistics.pvariance(both), abs_tol=1e-12)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    chance, held, tries = random.Random(5), 0, 1000
    for _ in range(tries):
        found = tally_of([chance.choice([-1.0, 0.1, 0.1, 0.8]) for _ in range(12)]).estimate
        held += found.low <= 0 <= found.high
    assert 0.92 < held / tries < 0.98


def test_one_pair_says_nothing_of_the_spread() -> None:
    found = tally_of([0.5]).estimate
    assert (found.mean, found.low, found.high) == (0.5, -math.inf, math.inf)


def test_the_sequential_test_is_wrong_as_rarely_as_promised() -> None:
    sprt, chance = Sprt(0, 1), random.Random(3)
    for truth, right in ((0.0, "reject"), (1.0, "accept")):
        wrong, tries = 0, 150
        for _ in range(tries):
            tally, decision = ReturnTally(), None
            while decision is None:
                tally.add((truth + chance.gauss(0, 3)) / 13)
                decision = sprt.update_returns(tally, 13).decision
            wrong += decision != right
        assert wrong / tries < 0.1


def test_equal_pairs_decide_nothing() -> None:
    assert Sprt(0, 1).update_returns(tally_of([1.0] * 50), 13).decision is None
