"""Intervals hold when the two matches of a pair are not independent. tests/bench/test_coverage.py simulates it."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import pytest

from ludoteca import InvalidOption
from ludoteca.ratings.bradley_terry import Ratings, rate, rate_counts
from ludoteca.ratings.pairs import Pair, Scores

Results: TypeAlias = dict[Scores, int]


def two(results: Results) -> Ratings[str]:
    return rate([Pair(("a", "b"), scores, count) for scores, count in results.items()], anchors=["b"])


def independent(results: Results) -> Ratings[str]:
    """The same matches, each alone."""
    seats = {("a", "b"): [0, 0, 0], ("b", "a"): [0, 0, 0]}
    for (first, second), count in results.items():
        assert second is not None
        seats["a", "b"][[1, 0.5, 0].index(first)] += count
        seats["b", "a"][[1, 0.5, 0].index(1 - second)] += count
    return rate_counts(seats, anchors=["b"])


SPLIT: Results = {(1.0, 0.0): 45, (0.0, 1.0): 45, (1.0, 1.0): 5, (0.0, 0.0): 5}
SWEPT: Results = {(1.0, 0.0): 5, (0.0, 1.0): 5, (1.0, 1.0): 45, (0.0, 0.0): 45}
MIXED: Results = {(1.0, 0.0): 25, (0.0, 1.0): 25, (1.0, 1.0): 25, (0.0, 0.0): 25}


def test_deals_that_decide_make_ratings_surer_and_agents_that_sweep_make_them_less_sure() -> None:
    margins = [two(results).agents["a"].margin for results in (SPLIT, MIXED, SWEPT)]
    assert margins[1] == pytest.approx(independent(MIXED).agents["a"].margin, rel=0.02)
    # The variance of a pair's score is a tenth, a half and nine tenths of its most; shrunk a little to the middle.
    assert margins[0] / margins[1] == pytest.approx(math.sqrt(0.2), rel=0.1)
    assert margins[2] / margins[1] == pytest.approx(math.sqrt(1.8), rel=0.1)
    assert two(SPLIT).first_seat.margin > two(MIXED).first_seat.margin > two(SWEPT).first_seat.margin
    assert two(SPLIT).agents["a"].elo == pytest.approx(0, abs=1e-6)


def test_pairs_that_all_say_the_same_are_not_taken_for_certainty() -> None:
    few, many = (two({(1.0, 0.0): count, (0.0, 1.0): count}).agents["a"] for count in (3, 30))
    assert few.margin > many.margin > 10
    assert few.margin > independent({(1.0, 0.0): 3, (0.0, 1.0): 3}).agents["a"].margin / 2


def test_who_won_everything_is_as_sure_as_independent_matches_make_it() -> None:
    swept = two({(1.0, 1.0): 10})
    assert swept.agents["a"].high == math.inf
    assert swept.agents["a"].low == pytest.approx(independent({(1.0, 1.0): 10}).agents["a"].low, abs=25)


def test_it_does_not_matter_who_of_a_pair_is_named_first() -> None:
    given = [Pair(("a", "b"), (1.0, 0.5), 7), Pair(("a", "b"), (0.0, 0.0), 3), Pair(("b", "c"), (1.0, 0.0), 4)]
    turned = [Pair(("b", "a"), (0.5, 0.0), 7), Pair(("b", "a"), (1.0, 1.0), 3), Pair(("c", "b"), (1.0, 0.0), 4)]
    one, other = rate(given), rate(turned)
    for name, rating in one.agents.items():
        assert (rating.elo, rating.margin) == pytest.approx((other.agents[name].elo, other.agents[name].margin))


def test_lone_matches_are_taken_as_the_model_has_them() -> None:
    alone = rate(
        [Pair(("a", "b"), (1.0, None), 14), Pair(("a", "b"), (0.5, None), 2), Pair(("b", "a"), (0.0, None), 9)]
    )
    counted = rate_counts({("a", "b"): (14, 2, 0), ("b", "a"): (0, 0, 9)})
    assert alone.agents["a"].low == pytest.approx(counted.agents["a"].low)


def test_wild_results_have_real_intervals() -> None:
    """However few, unequal or one-sided they are, no variance is negative or not a number."""
    chance = np.random.default_rng(8)
    for _ in range(150):
        names = [f"a{number}" for number in range(int(chance.integers(2, 8)))]
        bias = float(10 ** chance.uniform(-2, 2))
        results = []
        for i, one in enumerate(names):
            for j, other in enumerate(names):
                if i < j and chance.random() < 0.8:
                    weights = np.array([1, 0.5, bias]) if chance.random() < 0.5 else np.array([1, 0, bias * (j - i)])
                    first, second = chance.choice([0.0, 0.5, 1.0], 2, p=weights / weights.sum()).tolist()
                    results.append(Pair((one, other), (first, second), int(chance.integers(1, 40))))
        ratings = rate(results)
        for one in ratings.agents:
            for other in ratings.agents:
                gap = ratings.difference(one, other)
                assert gap.low <= gap.elo <= gap.high
        assert not math.isnan(ratings.first_seat.margin)


@pytest.mark.parametrize(
    ("pair", "complaint"),
    [
        (Pair(("a", "b"), (0.7, 0.0)), "must be what the first scored: 1, 0.5 or 0 each"),
        (Pair(("a", "b"), (1.0, 0.0), -1), "-1 for .* is not a count"),
    ],
)
def test_wrong_pairs_are_refused(pair: Pair[str], complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        rate([pair])
