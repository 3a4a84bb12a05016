from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from ludoteca import InvalidOption
from ludoteca.ratings.bradley_terry import Ratings, rate_counts
from ludoteca.ratings.davidson import Davidson, fit
from ludoteca.ratings.elo import ELO, NORMAL_95

Results = dict[tuple[str, str], tuple[int, int, int]]

# Agresti, Categorical Data Analysis, 2nd edition (2002), table 10.10: the American League East of 1987. A row is a team
# at home, a column its guest, a cell the matches won and lost at home.
BASEBALL = """
Milwaukee  -   4-3 4-2 4-3 6-1 4-2 6-0
Detroit   3-3  -   4-2 4-3 6-0 6-1 4-3
Toronto   2-5 4-3  -   2-4 4-3 4-2 6-0
New-York  3-3 5-1 2-5  -   4-3 4-2 6-1
Boston    5-1 2-5 3-3 4-2  -   5-2 6-0
Cleveland 2-5 3-3 3-4 4-3 4-2  -   2-4
Baltimore 2-5 1-5 1-6 2-4 1-6 3-4  -
"""

# Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison experiments, Journal of the
# American Statistical Association 65 (1970), example 2: which of two chocolate puddings was preferred. A row is two
# brands, how often the first and the second one was preferred, and how often neither.
PUDDINGS = """
1 2 19 22 16  1 3 16 19 12  2 3 19 19 10  1 4 18 23 13  2 4 23 19  9
3 4 19 20 15  1 5 13 19 18  2 5 16 20 12  3 5 16 15 17  4 5 17 14 16
1 6 18 21 12  2 6 22 20 12  3 6 13 18 10  4 6 14 19 18  5 6 11 21 12
"""


def baseball() -> Results:
    rows = [line.split() for line in BASEBALL.split("\n") if line]
    teams = [row[0] for row in rows]
    return {
        (home, guest): (int(cell[0]), 0, int(cell[2]))
        for home, *cells in rows for guest, cell in zip(teams, cells, strict=True) if home != guest
    }  # fmt: skip


def both_ways(results: Results) -> Results:
    """Every result once more with sides swapped: then no seat has an advantage, and all errors shrink by √2."""
    return results | {(second, first): (lost, drawn, won) for (first, second), (won, drawn, lost) in results.items()}


def puddings() -> Results:
    numbers = PUDDINGS.split()
    rows = [numbers[at : at + 5] for at in range(0, len(numbers), 5)]
    return both_ways({(i, j): (int(won), int(tied), int(lost)) for i, j, won, lost, tied in rows})


def worths(ratings: Ratings[str]) -> dict[str, float]:
    """e^λ, scaled to a sum of 1, as the older papers have it."""
    raw = {name: math.exp(rating.elo / ELO) for name, rating in ratings.agents.items()}
    return {name: value / sum(raw.values()) for name, value in raw.items()}


def standard_error(margin: float) -> float:
    return margin / NORMAL_95 / ELO


def test_baseball_with_home_advantage_is_as_published() -> None:
    ratings = rate_counts(baseball(), anchors=["Baltimore"], prior=0)
    # Agresti's table 10.11, last column, and the text below it.
    published = {"Milwaukee": 0.220, "Detroit": 0.190, "Toronto": 0.164, "New-York": 0.157, "Boston": 0.137,
                 "Cleveland": 0.088, "Baltimore": 0.044}  # fmt: skip
    assert worths(ratings) == pytest.approx(published, abs=0.0005)
    assert ratings.first_seat.elo / ELO == pytest.approx(0.302, abs=0.0005)
    # Turner and Firth, Bradley-Terry Models in R, Journal of Statistical Software 48 (2012): the same fit.
    coefficients = {"Boston": (1.1438, 0.3378), "Cleveland": (0.7047, 0.3350), "Detroit": (1.4754, 0.3446),
                    "Milwaukee": (1.6196, 0.3474), "New-York": (1.2813, 0.3404),
                    "Toronto": (1.3271, 0.3403)}  # fmt: skip
    for name, (estimate, error) in coefficients.items():
        assert ratings.agents[name].elo / ELO == pytest.approx(estimate, abs=1e-4)
        assert standard_error(ratings.agents[name].margin) == pytest.approx(error, abs=1.5e-4)
    assert standard_error(ratings.first_seat.margin) == pytest.approx(0.1309, abs=1e-4)
    assert ratings.draw == 0


def test_puddings_with_ties_are_as_published() -> None:
    ratings = rate_counts(puddings(), prior=0)
    # Davidson's own estimates, with the digits and the errors around the mean that Turner, van Etten, Firth and
    # Kosmidis print (Modelling rankings in R, Computational Statistics 35, 2020); all stop after seven iterations.
    published = {"1": 0.13880, "2": 0.17300, "3": 0.16174, "4": 0.16539, "5": 0.15868, "6": 0.20239}
    assert worths(ratings) == pytest.approx(published, abs=3e-5)
    assert ratings.draw == pytest.approx(0.74681, abs=3e-5)
    errors = {"1": 0.121949, "2": 0.121818, "3": 0.126823, "4": 0.122003, "5": 0.127054, "6": 0.126594}
    for name, error in errors.items():
        assert standard_error(ratings.agents[name].margin) * math.sqrt(2) == pytest.approx(error, abs=2e-6)
    assert ratings.first_seat.elo == pytest.approx(0, abs=1e-9)


def test_half_a_win_and_half_a_loss_in_advance_are_as_published() -> None:
    # The toy example of Turner and others for the same prior: D never won. Doubled by both_ways, so is the prior.
    toy = both_ways({("A", "B"): (1, 0, 1), ("C", "A"): (1, 0, 0), ("A", "D"): (1, 0, 0), ("B", "C"): (1, 0, 0)})
    ratings = rate_counts(toy, anchors=["A"], prior=2)
    published = {"A": 0, "B": 0.5184185, "C": 0.1354707, "D": -1.1537565}
    assert {name: rating.elo / ELO for name, rating in ratings.agents.items()} == pytest.approx(published, abs=2e-6)


def test_two_agents_by_hand() -> None:
    # Chosen to fit without remainder: with 2 ln 2 at first and 0 after the exchange, λ = δ = ln 2, and ν = 1.
    ratings = rate_counts({("a", "b"): (40, 20, 10), ("b", "a"): (10, 10, 10)}, anchors=["b"], prior=0)
    assert ratings.agents["a"].elo == pytest.approx(400 * math.log10(2))
    assert ratings.first_seat.elo == pytest.approx(400 * math.log10(2))
    assert ratings.draw == pytest.approx(1)
    assert ratings.draw_rate == pytest.approx(1 / 3)
    assert ratings.expected("a", "b") == pytest.approx(50 / 70)
    assert ratings.expected("b", "a") == pytest.approx(1 / 2)


def test_the_error_of_two_agents_by_hand() -> None:
    # Without draws, and either seat worth the same: λ = ln(w/l), and its variance is 1/w + 1/l.
    ratings = rate_counts({("a", "b"): (30, 0, 10), ("b", "a"): (10, 0, 30)}, anchors=["b"], prior=0)
    a = ratings.agents["a"]
    assert a.elo == pytest.approx(ELO * math.log(3))
    assert a.margin == pytest.approx(NORMAL_95 * ELO * math.sqrt(1 / 60 + 1 / 20))
    assert ratings.first_seat.margin == pytest.approx(a.margin)


def test_expected_points_are_the_points_made() -> None:
    results = simulated(np.random.default_rng(1), np.array([0.6, 0.1, 0.0, -0.7]), 0.3, 0.8, 25)
    ratings = rate_counts(results, prior=0)
    for name in ratings.agents:
        made = expected = 0.0
        for (first, second), (won, drawn, lost) in results.items():
            if name in (first, second):
                share = ratings.expected(first, second)
                points = won + drawn / 2
                n = won + drawn + lost
                made += points if name == first else n - points
                expected += n * (share if name == first else 1 - share)
        assert made == pytest.approx(expected)
        assert made / ratings.agents[name].matches == pytest.approx(ratings.agents[name].score)


def simulated(
    chance: np.random.Generator, strengths: np.ndarray[tuple[int], np.dtype[np.float64]], advantage: float, draw: float,
    matches: int,
) -> Results:  # fmt: skip
    """A round-robin as the model has it, with so many matches of every two agents in either order."""
    results: Results = {}
    for i, one in enumerate(strengths):
        for j, other in enumerate(strengths):
            if i != j:
                d = one - other + advantage
                weights = np.array([math.exp(d / 2), draw, math.exp(-d / 2)])
                won, drawn, lost = chance.multinomial(matches, weights / weights.sum()).tolist()
                results[f"a{i}", f"a{j}"] = (won, drawn, lost)
    return results


def test_known_strengths_are_recovered() -> None:
    strengths = np.array([-300.0, -120, -20, 40, 150, 250])
    ratings = rate_counts(simulated(np.random.default_rng(2), strengths / ELO, 35 / ELO, 0.6, 3000))
    found = [ratings.agents[f"a{i}"].elo for i in range(6)]
    assert found == pytest.approx((strengths - strengths.mean()).tolist(), abs=6)
    assert ratings.first_seat.elo == pytest.approx(35, abs=4)
    assert ratings.draw == pytest.approx(0.6, abs=0.02)
    assert list(ratings.agents) == ["a5", "a4", "a3", "a2", "a1", "a0"]


@pytest.mark.parametrize(("draw", "matches"), [(0.5, 20), (0.0, 6)], ids=["draws", "few without draws"])
def test_intervals_cover_the_truth_as_often_as_they_say(draw: float, matches: int) -> None:
    chance = np.random.default_rng(3)
    strengths = np.linspace(-200, 200, 6)
    covered: dict[str, list[bool]] = {"rating": [], "seat": [], "difference": []}
    for _ in range(200):
        ratings = rate_counts(simulated(chance, strengths / ELO, 40 / ELO, draw, matches))
        for i, truth in enumerate(strengths):
            rating = ratings.agents[f"a{i}"]
            covered["rating"].append(rating.low <= truth <= rating.high)
        gap = ratings.difference("a4", "a1")
        covered["difference"].append(gap.low <= strengths[4] - strengths[1] <= gap.high)
        covered["seat"].append(ratings.first_seat.low <= 40 <= ratings.first_seat.high)
    assert np.mean(covered["rating"]) == pytest.approx(0.95, abs=0.02)
    assert np.mean(covered["difference"]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(covered["seat"]) == pytest.approx(0.95, abs=0.035)


def models() -> Iterator[Davidson]:
    chance = np.random.default_rng(4)
    for prior in (0.0, 1.0, 3.0):
        for draw in (0.0, 0.7):
            results = simulated(chance, chance.normal(size=4), 0.2, draw, 5)
            yield Davidson([f"a{i}" for i in range(4)], results, prior)


def test_derivatives_are_those_of_the_likelihood() -> None:
    chance = np.random.default_rng(5)
    for model in models():
        at = chance.normal(size=model.parameters)
        slope = optimize.approx_fprime(at, lambda x, model=model: model.loss(x)[0], 1e-7)
        curvature = optimize.approx_fprime(at, lambda x, model=model: model.loss(x)[1], 1e-7)
        assert model.loss(at)[1] == pytest.approx(slope, abs=1e-6)
        assert model.curvature(at) == pytest.approx(curvature, abs=1e-6)


def test_the_fit_is_where_the_slope_vanishes_even_for_wild_results() -> None:
    chance = np.random.default_rng(6)
    for _ in range(40):
        strengths = chance.normal(0, 10 ** chance.uniform(-1, 1), int(chance.integers(2, 9)))
        draw = 0.0 if chance.random() < 0.3 else 10 ** chance.uniform(-3, 2)
        results = simulated(chance, strengths, 0.3, draw, int(10 ** chance.uniform(0, 5)))
        model = Davidson(sorted({name for pair in results for name in pair}), results, 1.0)
        at = fit(model)
        assert np.abs(model.loss(at)[1]).max() * model.total < 1e-3


def test_the_mean_of_several_anchors_is_zero() -> None:
    results = {("a", "b"): (6, 1, 3), ("b", "c"): (5, 0, 5), ("c", "a"): (2, 2, 6)}
    ratings = rate_counts(results, anchors=["a", "c"])
    assert ratings.agents["a"].elo + ratings.agents["c"].elo == pytest.approx(0)
    assert ratings.agents["a"].margin > 0
    assert ratings.difference("a", "b").elo == pytest.approx(rate_counts(results).difference("a", "b").elo)


def test_the_anchor_is_zero_and_differences_stay() -> None:
    results = simulated(np.random.default_rng(7), np.array([0.6, 0.1, -0.7]), 0.3, 0.8, 25)
    free, anchored = rate_counts(results), rate_counts(results, anchors=["a1"])
    assert sum(rating.elo for rating in free.agents.values()) == pytest.approx(0, abs=1e-6)
    assert anchored.agents["a1"].elo == anchored.agents["a1"].margin == 0
    assert anchored.anchors == ("a1",)
    gap, same = free.difference("a0", "a1"), anchored.difference("a0", "a1")
    assert (gap.elo, gap.low, gap.high) == pytest.approx((same.elo, same.low, same.high))
    assert anchored.agents["a0"].elo == pytest.approx(gap.elo)
    assert anchored.agents["a0"].low == pytest.approx(gap.low)
    assert free.difference("a1", "a0").superiority == pytest.approx(1 - gap.superiority)
    assert anchored.first_seat.elo == pytest.approx(free.first_seat.elo)
    assert free.difference("a1", "a1").elo == 0


def test_who_won_or_lost_everything_is_rated_without_a_limit_on_that_side() -> None:
    results: Results = {("good", "fair"): (10, 0, 0), ("fair", "good"): (0, 0, 10),
                        ("fair", "poor"): (6, 1, 3), ("poor", "fair"): (4, 0, 6),
                        ("fair", "broken"): (10, 0, 0), ("broken", "poor"): (0, 0, 10)}  # fmt: skip
    ratings = rate_counts(results)
    assert list(ratings.agents) == ["good", "fair", "poor", "broken"]
    good, fair, poor, broken = ratings.agents.values()
    assert math.isfinite(good.elo) and good.elo > fair.high and good.high == math.inf and math.isfinite(good.low)
    assert math.isfinite(broken.elo) and broken.elo < poor.low and broken.low == -math.inf
    # The zero is the mean of those between whom points went both ways.
    assert fair.elo + poor.elo == pytest.approx(0)
    assert fair.margin < 200
    # However many matches broken agents lose, they hardly move the others.
    more = rate_counts(results | {("fair", "worse"): (500, 0, 0), ("worse", "fair"): (0, 0, 500)})
    assert more.agents["fair"].elo == pytest.approx(fair.elo, abs=5)
    assert more.agents["fair"].margin == pytest.approx(fair.margin, abs=5)
    # Differences are open to the side where the results set no limit, and only there.
    assert ratings.difference("good", "broken").high == math.inf
    assert ratings.difference("good", "broken").low > 0
    assert ratings.difference("broken", "fair").low == -math.inf
    assert ratings.difference("broken", "fair").high < 0
    gap = ratings.difference("fair", "poor")
    assert math.isfinite(gap.low) and math.isfinite(gap.high)


def test_more_matches_lost_say_more() -> None:
    few, many = (rate_counts({("a", "b"): (n, 0, 0), ("b", "a"): (0, 0, n)}, anchors=["b"]) for n in (5, 50))
    assert few.agents["a"].low < many.agents["a"].low
    assert few.agents["a"].elo < many.agents["a"].elo
    assert few.agents["a"].high == many.agents["a"].high == math.inf


def test_groups_without_a_match_between_them_are_not_compared() -> None:
    ratings = rate_counts({("a", "b"): (6, 0, 4), ("c", "d"): (2, 1, 7), ("d", "e"): (5, 0, 5)}, anchors=["a"])
    assert ratings.groups == [["d", "e", "c"], ["a", "b"]] or ratings.groups == [["e", "d", "c"], ["a", "b"]]
    assert ratings.agents["a"].elo == 0
    assert sum(ratings.agents[name].elo for name in "cde") == pytest.approx(0, abs=1e-6)
    vague = ratings.difference("a", "d")
    assert (vague.elo, vague.low, vague.high, vague.superiority) == (0, -math.inf, math.inf, 0.5)


def test_a_match_linking_two_groups_makes_them_one() -> None:
    apart: Results = {("a", "b"): (6, 0, 4), ("c", "d"): (2, 1, 7)}
    assert len(rate_counts(apart).groups) == 2
    assert len(rate_counts(apart | {("a", "d"): (1, 0, 1)}).groups) == 1


@pytest.mark.parametrize(
    ("results", "first"),
    [
        ({("a", "b"): (0, 10, 0), ("b", "a"): (0, 10, 0)}, 0),
        ({("a", "b"): (10, 0, 0), ("b", "a"): (10, 0, 0)}, 1),
        ({("a", "b"): (0, 0, 10), ("b", "a"): (0, 0, 10)}, -1),
    ],
    ids=["all drawn", "seat 0 always won", "seat 1 always won"],
)
def test_results_that_do_not_tell_agents_apart_leave_them_equal(results: Results, first: int) -> None:
    ratings = rate_counts(results)
    for rating in ratings.agents.values():
        assert rating.elo == pytest.approx(0, abs=1e-6)
        assert 100 < rating.margin < 1000
    assert np.sign(round(ratings.first_seat.elo, 6)) == first
    assert (ratings.first_seat.high == math.inf) == (first > 0)
    assert (ratings.first_seat.low == -math.inf) == (first < 0)


def test_an_agent_that_only_met_itself_counts_for_the_seats_alone() -> None:
    ratings = rate_counts({("a", "a"): (70, 0, 30)})
    assert ratings.agents["a"].elo == 0
    assert (ratings.agents["a"].low, ratings.agents["a"].high) == (-math.inf, math.inf)
    assert ratings.agents["a"].matches == 200
    assert ratings.agents["a"].score == 0.5
    assert ratings.first_seat.elo == pytest.approx(ELO * math.log(70.5 / 30.5))


@pytest.mark.parametrize("results", [{}, {("a", "b"): (0, 0, 0)}])
def test_no_matches_give_no_ratings(results: Results) -> None:
    ratings = rate_counts(results)
    assert ratings.agents == {} and ratings.groups == [] and ratings.table() == []
    assert ratings.first_seat.margin == math.inf


def test_plain_likelihood_is_refused_where_it_has_no_maximum() -> None:
    hopeless: list[Results] = [
        {("a", "b"): (5, 0, 0), ("b", "a"): (0, 0, 5)},
        {("a", "b"): (0, 5, 0), ("b", "a"): (0, 5, 0)},
        {("a", "b"): (5, 0, 0), ("b", "a"): (5, 0, 0)},
        {("a", "b"): (3, 0, 2)},
    ]
    for results in hopeless:
        with pytest.raises(InvalidOption, match="with prior=0 these results have no finite ratings"):
            rate_counts(results, prior=0)


@pytest.mark.parametrize(
    ("results", "options", "complaint"),
    [
        ({("a", "b"): (1, 2)}, {}, r"\(1, 2\) for a, b must be three counts"),
        ({("a", "b"): (1, -2, 0)}, {}, "must be three counts"),
        ({("adam", "bob"): (1, 2, 1)}, {"anchors": ["adma"]}, "'adma' played no match; .* did you mean 'adam'?"),
        ({("a", "b"): (1, 2, 1)}, {"prior": -1}, "prior=-1 must be a number of matches"),
    ],
)
def test_mistakes_are_named(results: Results, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        rate_counts(results, **options)


def test_an_unknown_agent_is_named() -> None:
    with pytest.raises(InvalidOption, match="'c' is not rated; the rated agents are"):
        rate_counts({("a", "b"): (1, 2, 1)}).difference("a", "c")


def test_tables_are_plain_values() -> None:
    rows = rate_counts({("a", "b"): (7, 2, 1), ("b", "a"): (3, 3, 4)}).table()
    assert [row["agent"] for row in rows] == ["a", "b"]
    assert all(type(value) in (int, float, str) for row in rows for value in row.values())
    assert rows[0] | {"elo": 0, "low": 0, "high": 0} == {
        "rank": 1, "agent": "a", "elo": 0, "low": 0, "high": 0, "matches": 20, "score": 0.675, "group": 0,
    }  # fmt: skip
