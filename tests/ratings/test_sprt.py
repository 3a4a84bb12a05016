from __future__ import annotations

import math

import numpy as np
import pytest

from ludoteca import InvalidOption
from ludoteca.ratings.elo import expected_score
from ludoteca.ratings.sprt import Sprt


def test_without_draws_it_is_walds_test_of_two_coins() -> None:
    wins, losses = 61, 39
    p0, p1 = expected_score(0), expected_score(50)
    by_hand = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    verdict = Sprt(0, 50).update((wins, 0, losses))
    assert verdict.llr == pytest.approx(by_hand)
    assert (verdict.lower, verdict.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_with_draws_it_is_what_a_hand_computes() -> None:
    wins, draws, losses = 25, 50, 15
    # At a score of ½ the likeliest has as many wins as losses: 20, 50 and 20 of 90.
    at_half = wins * math.log(25 / 20) + losses * math.log(15 / 20)
    # At a score of ⅔ the multiplier solves 25·⅓/(1+t/3) − 50·⅙/(1−t/6) − 15·⅔/(1−2t/3) = 0, which is 4t² − 7t − 12 = 0.
    t = (7 - math.sqrt(241)) / 8
    at_two_thirds = wins * math.log(1 + t / 3) + draws * math.log(1 - t / 6) + losses * math.log(1 - 2 * t / 3)
    verdict = Sprt(0, 400 * math.log10(2)).update((wins, draws, losses))
    assert verdict.llr == pytest.approx(at_half - at_two_thirds)


def test_all_pairs_won_by_hand() -> None:
    assert Sprt(0, 100).update((0, 0, 0, 0, 6)).llr == pytest.approx(6 * math.log(expected_score(100) / 0.5))


def test_all_drawn_by_hand() -> None:
    # To expect ½ + x with nothing but draws seen, wins must have been likely by 2x, and none came.
    x = expected_score(20) - 0.5
    assert Sprt(0, 20).update((0, 80, 0)).llr == pytest.approx(80 * math.log(1 - 2 * x))


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_nothing_played_decides_nothing(counts: tuple[int, ...]) -> None:
    verdict = Sprt(0, 10).update(counts)
    assert verdict.llr == 0 and verdict.decision is None
    assert str(verdict) == "undecided: LLR 0.00 in (-2.94, 2.94)"


def test_it_decides_both_ways_and_only_by_the_counts() -> None:
    test = Sprt(0, 20)
    assert test.update((300, 100, 200)).decision == "accept"
    assert test.update((200, 100, 300)).decision == "reject"
    assert test.update((300, 100, 290)).decision is None
    assert test.update((300, 100, 200)) == test.update([300, 100, 200])


def test_h0_and_h1_trade_places_when_the_agents_do() -> None:
    counts = (3, 11, 40, 30, 9)
    assert Sprt(-30, 5).update(counts[::-1]).llr == pytest.approx(-Sprt(-5, 30).update(counts).llr)


def errors(sprt: Sprt, truth: float, spread: tuple[float, ...], runs: int, seed: int) -> float:
    """How often the test decides wrongly when pairs come from `spread`, tilted so that `truth` is the strength."""
    points = np.linspace(0, 1, 5)
    low, high = -50.0, 50.0
    while high - low > 1e-12:
        tilt = (low + high) / 2
        shares = np.array(spread) * np.exp(tilt * points)
        shares /= shares.sum()
        low, high = (tilt, high) if shares @ points < expected_score(truth) else (low, tilt)
    chance = np.random.default_rng(seed)
    wrong = 0
    for _ in range(runs):
        counts = [0] * 5
        decision = None
        while decision is None:
            for outcome in chance.choice(5, size=4, p=shares):
                counts[outcome] += 1
            decision = sprt.update(counts).decision
        wrong += decision != ("reject" if truth == sprt.h0 else "accept")
    return wrong / runs


@pytest.mark.parametrize(
    "spread", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.25, 0, 0.5, 0, 0.25), (0.05, 0.15, 0.6, 0.15, 0.05)],
    ids=["some draws", "no draws", "many draws"],
)  # fmt: skip
@pytest.mark.parametrize("truth", [0, 60], ids=["h0 is true", "h1 is true"])
def test_errors_are_as_rare_as_promised(truth: float, spread: tuple[float, ...]) -> None:
    # With 200 runs the number of errors has a standard deviation of about one and a half per cent.
    assert errors(Sprt(0, 60), truth, spread, runs=200, seed=11) <= 0.085
    assert errors(Sprt(0, 60, alpha=0.2, beta=0.2), truth, spread, runs=200, seed=12) == pytest.approx(0.17, abs=0.09)


def test_it_is_read_from_a_command_line() -> None:
    assert Sprt.parse("-5,5") == Sprt(-5, 5)
    assert Sprt.parse("0,10,0.01,0.1") == Sprt(0, 10, 0.01, 0.1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("10", "'10' is not of the form H0,H1"),
        ("0,ten", "'0,ten' is not of the form H0,H1"),
        ("0,10,0.05", "is not of the form"),
        ("10,0", "10 must be less than 0"),
        ("0,inf", "0 must be less than inf"),
        ("0,10,0,0.05", "alpha=0 must lie between 0 and 0.5"),
        ("0,10,0.05,0.7", "beta=0.7 must lie between 0 and 0.5"),
    ],
)
def test_wrong_tests_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        Sprt.parse(text)
