from __future__ import annotations

import doctest
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from ludoteca import InvalidOption
from ludoteca.ratings import bradley_terry as ratings
from ludoteca.ratings import elo, sprt
from ludoteca.ratings.elo import NORMAL_95, Outcomes, elo_difference, elo_of, expected_score, show_elo

COUNTS = st.lists(st.integers(0, 40), min_size=3, max_size=3) | st.lists(st.integers(0, 40), min_size=5, max_size=5)


@pytest.mark.parametrize("module", [elo, ratings, sprt])
def test_the_examples_in_docstrings_are_true(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted and not result.failed


def test_scores_and_elo_are_inverse_to_each_other() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert [elo_of(expected_score(value)) for value in (-500, 0, 3, 700)] == pytest.approx([-500, 0, 3, 700])
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize(("value", "text"), [(34.6, "+35"), (-120, "−120"), (-0.3, "0"), (math.inf, "+∞")])
def test_elo_is_shown_in_whole_points(value: float, text: str) -> None:
    assert show_elo(value) == text


def test_without_draws_the_interval_is_wilsons() -> None:
    wins, losses = 52, 31
    n, p, z = wins + losses, wins / (wins + losses), NORMAL_95
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    found = elo_difference((wins, 0, losses))
    assert (found.elo, found.low, found.high) == pytest.approx(
        (elo_of(p), elo_of(middle - half), elo_of(middle + half))
    )


def test_superiority_is_the_usual_formula() -> None:
    wins, draws, losses = 60, 25, 45
    usual = 0.5 * (1 + math.erf((wins - losses) / math.sqrt(2 * (wins + losses))))
    assert elo_difference((wins, draws, losses)).superiority == pytest.approx(usual)


def test_many_results_have_the_usual_interval() -> None:
    counts = np.array([400, 2100, 4800, 2300, 400])
    points = np.linspace(0, 1, 5)
    mean = counts @ points / counts.sum()
    error = math.sqrt(counts @ (points - mean) ** 2) / counts.sum()
    found = elo_difference(counts.tolist())
    assert found.low == pytest.approx(elo_of(mean - NORMAL_95 * error), abs=0.1)
    assert found.high == pytest.approx(elo_of(mean + NORMAL_95 * error), abs=0.1)


def test_pairs_know_more_than_their_matches() -> None:
    # The first seat always wins: every pair is split, so the agents are certainly equal.
    single, paired = elo_difference((50, 0, 50)), elo_difference((0, 0, 50, 0, 0))
    assert single.elo == paired.elo == 0
    assert paired.high < single.high / 2
    # The seat with the good cards wins both: the two matches of a pair count as one.
    assert elo_difference((25, 0, 0, 0, 25)).high > 1.3 * single.high


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_no_matches_say_nothing(counts: tuple[int, ...]) -> None:
    found = elo_difference(counts)
    assert (found.elo, found.low, found.high, found.superiority) == (0, -math.inf, math.inf, 0.5)


def test_who_won_everything_is_as_strong_as_the_matches_show() -> None:
    z2 = NORMAL_95**2
    for n in (1, 10, 1000):
        found = elo_difference((n, 0, 0))
        assert (found.elo, found.high) == (math.inf, math.inf)
        assert found.low == pytest.approx(elo_of(n / (n + z2)))  # Wilson's lower end for n out of n
        assert found.superiority == pytest.approx(0.5 * math.erfc(-math.sqrt(n / 2)))
        mirrored = elo_difference((n, 0, 0, 0, 0))
        assert (mirrored.elo, mirrored.low) == (-math.inf, -math.inf)
        assert mirrored.high == pytest.approx(-found.low)


def test_nothing_but_draws_is_equality_the_surer_the_more_there_are() -> None:
    few, many = elo_difference((0, 10, 0)), elo_difference((0, 1000, 0))
    for found in (few, many):
        assert found.elo == 0 and found.superiority == 0.5
        assert found.high == pytest.approx(-found.low)
    # By hand: at a score of ½ + x the likeliest has wins 2x, draws the rest; x² = z²/n · 2x(1 − 2x)/4.
    k = NORMAL_95**2 / 20
    assert few.high == pytest.approx(elo_of(0.5 + k / (1 + 2 * k)))
    assert many.high < 2 < few.high


@given(COUNTS)
def test_intervals_hold_the_value_and_mirror(counts: list[int]) -> None:
    found, mirrored = elo_difference(counts), elo_difference(counts[::-1])
    assert found.low <= found.elo <= found.high
    assert found.low < found.high
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low), abs=1e-6)
    assert found.superiority + mirrored.superiority == pytest.approx(1)
    if sum(counts):
        assert (found.low > 0) == (found.superiority > 0.975)


@given(COUNTS.filter(any), st.floats(0.02, 0.98))
def test_the_likeliest_distribution_is_what_an_optimiser_finds(counts: list[int], mean: float) -> None:
    points = np.linspace(1, 0, 3) if len(counts) == 3 else np.linspace(0, 1, 5)
    n = np.array(counts)

    def likelihood(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        return float(n[n > 0] @ np.log(np.maximum(shares[n > 0], 1e-300)))

    # On a grid of feasible mixtures: no distribution with this mean may be likelier than the claimed optimum.
    claimed = likelihood(n / n.sum()) - Outcomes(counts).surprise(mean)
    chance = np.random.default_rng(0)
    low, high = points.argmin(), points.argmax()
    for _ in range(50):
        shares = chance.dirichlet(n + 0.1)
        shift = mean - shares @ points
        end = high if shift > 0 else low  # mixing with an extreme moves the mean to where it must be
        weight = shift / (points[end] - shares @ points)
        mixed = (1 - weight) * shares
        mixed[end] += weight
        assert mixed @ points == pytest.approx(mean)
        assert likelihood(mixed) <= claimed + 1e-6


def test_the_likeliest_distribution_is_attained() -> None:
    counts, mean = np.array([2, 8, 40, 30, 20]), 0.5
    points = np.linspace(0, 1, 5)
    best = optimize.minimize(
        lambda p: -counts @ np.log(p), np.full(5, 0.2), method="SLSQP", bounds=[(1e-9, 1)] * 5,
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ points - mean}],
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    top = counts @ np.log(counts / counts.sum())
    assert Outcomes(counts.tolist()).surprise(mean) == pytest.approx(top + best.fun, abs=1e-6)


@pytest.mark.parametrize("size", [15, 60])
@pytest.mark.parametrize("shares", [(0.05, 0.1, 0.5, 0.2, 0.15), (0.3, 0, 0.2, 0, 0.5), (0, 0.02, 0.1, 0.2, 0.68)])
def test_intervals_cover_the_truth_as_often_as_they_say(shares: tuple[float, ...], size: int) -> None:
    truth = elo_of(float(np.array(shares) @ np.linspace(0, 1, 5)))
    chance = np.random.default_rng(5)
    tries = Counter(tuple(row.tolist()) for row in chance.multinomial(size, shares, size=200))
    found = {row: elo_difference(row) for row in tries}
    covered = sum(count for row, count in tries.items() if found[row].low <= truth <= found[row].high) / tries.total()
    assert 0.9 <= covered <= 0.99


@pytest.mark.parametrize(
    ("counts", "complaint"),
    [((1, 2), "2 counts; there must be 3"), ((1, -2, 3), "-2 is not a count"), ((1, 0.5, 0), "0.5 is not a count")],
)
def test_wrong_counts_are_refused(counts: tuple[int, ...], complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        elo_difference(counts)
