"""Calibration maps: rising, fitted on clusters, and close to the truth where it is known."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from ludoteca.ratings.calibration import (
    Calibration,
    Forecast,
    Observation,
    _isotonic,
    brier_score,
    fit,
    observed_score,
    split,
)


def truth(value: float) -> float:
    """The chance that an over-confident agent's value stands for."""
    return 0.5 + 0.3 * value if value < 0 else 0.5 + 0.4 * value**2


def synthetic(matches: int, seed: int, positions: int = 8) -> list[Observation]:
    """Matches whose positions share a result; a tenth of them are draws."""
    dice = random.Random(seed)
    found = []
    for match in range(matches):
        value = dice.uniform(-1, 1)
        chance = truth(value)
        # A draw counts half a win and takes as much from wins as from losses, so the expected score stays the same.
        draw = 0.2 * min(chance, 1 - chance)
        roll = dice.random()
        score = 0.5 if roll < draw else float(roll < draw + chance - draw / 2)
        found += [Observation(value, score, str(match)) for _ in range(positions)]
    return found


def test_a_fitted_map_recovers_a_known_one() -> None:
    found = fit(synthetic(4000, seed=1))
    for value in np.linspace(-0.9, 0.9, 19):
        assert abs(found.chance(float(value)) - truth(float(value))) < 0.08


def test_a_fitted_map_never_falls_even_on_noise() -> None:
    dice = random.Random(2)
    for _ in range(50):
        clusters = dice.randrange(1, 60)
        noise = [
            Observation(round(dice.uniform(-1, 1), dice.choice((0, 1, 6))), dice.choice((0.0, 0.5, 1.0)), str(cluster))
            for cluster in range(clusters)
            for _ in range(dice.randrange(1, 9))
        ]
        found = fit(noise)
        chances = [found.chance(value / 50) for value in range(-60, 61)]
        assert chances == sorted(chances)
        assert 0 < chances[0] <= chances[-1] < 1


def test_pooling_is_isotonic_regression() -> None:
    dice = random.Random(3)
    for _ in range(100):
        scores = [dice.random() for _ in range(dice.randrange(1, 12))]
        weights = [dice.uniform(0.5, 5) for _ in scores]
        assert np.allclose(_isotonic(scores, weights), isotonic_regression(scores, weights=weights).x)


def test_many_positions_of_few_matches_do_not_make_a_confident_map() -> None:
    """The adversary: three won matches of a thousand positions each, counted as three thousand results."""
    long = [Observation(0.9, 1.0, str(match)) for match in range(3) for _ in range(1000)]
    assert fit(long).chance(0.9) < 0.9
    assert observed_score(Forecast(0.9, each.score, each.cluster) for each in long).low < 0.5


def test_a_split_never_divides_a_cluster() -> None:
    observations = synthetic(300, seed=4)
    fitted, tested = split(observations)
    assert {each.cluster for each in fitted}.isdisjoint(each.cluster for each in tested)
    assert 50 < len({each.cluster for each in tested}) < 150
    assert split(reversed(observations))[1] == tested[::-1]


def test_intervals_count_clusters_and_not_positions() -> None:
    once = [Forecast(0.5, float(match % 2), str(match)) for match in range(100)]
    often = [each for each in once for _ in range(20)]
    assert brier_score(often).high == pytest.approx(brier_score(once).high)
    assert observed_score(often)[:3] == pytest.approx(observed_score(once)[:3])
    assert (observed_score(often).positions, observed_score(often).clusters) == (2000, 100)


def test_the_interval_of_the_observed_score_covers_the_truth() -> None:
    inside = 0
    for seed in range(200):
        dice = random.Random(seed)
        forecasts = []
        for match in range(60):
            score = float(dice.random() < 0.7)
            forecasts += [Forecast(0.7, score, str(match))] * dice.randrange(1, 10)
        found = observed_score(forecasts)
        inside += found.low <= 0.7 <= found.high
    assert inside >= 180


@pytest.mark.parametrize(
    ("values", "chances"),
    [((), ()), ((0.0, 0.0), (0.1, 0.2)), ((0.0, 1.0), (0.6, 0.5)), ((0.0,), (1.2,)), ((0.0, 1.0), (0.5,))],
)
def test_a_map_that_does_not_rise_is_refused(values: tuple[float, ...], chances: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"map|between"):
        Calibration(values, chances)


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="nothing"):
        fit([])
