from __future__ import annotations

import doctest
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.ratings import pairs
from ludoteca.ratings.bradley_terry import count_seats
from ludoteca.ratings.pairs import DistinctPairs, Pair, Result

SCORES = st.sampled_from([0.0, 0.5, 1.0])


def played(scores: Iterable[tuple[float, float]], digests: Iterable[tuple[str, str]]) -> DistinctPairs[str]:
    """Pairs of ada and bob by what ada scored, each with the digests of its two matches."""
    results = []
    for number, ((first, second), (one, other)) in enumerate(zip(scores, digests, strict=True)):
        results.append(Result(("ada", "bob"), first, str(number), one))
        results.append(Result(("bob", "ada"), 1 - second, str(number), other))
    return DistinctPairs.of(results)


def test_the_examples_in_docstrings_are_true() -> None:
    assert doctest.testmod(pairs).failed == 0


def test_a_pair_counts_once_however_often_it_is_repeated() -> None:
    counted = played([(1.0, 0.5)] * 10, [("x", "y")] * 10)
    assert counted.pairs() == [Pair(("ada", "bob"), (1.0, 0.5), 1)]
    assert (counted.matches, counted.distinct) == (20, 2)


def test_a_pair_is_new_if_one_of_its_matches_is() -> None:
    counted = played([(1.0, 0.0), (1.0, 1.0)], [("x", "y"), ("x", "z")])
    assert sum(pair.count for pair in counted.pairs()) == 2
    assert counted.distinct == 3


def test_matches_of_which_nothing_is_known_all_count() -> None:
    counted = played([(1.0, 0.0)] * 3, [("", "")] * 3)
    assert counted.pairs() == [Pair(("ada", "bob"), (1.0, 0.0), 3)]
    assert counted.distinct == counted.matches == 6


def test_what_was_played_by_others_or_from_elsewhere_makes_no_pair() -> None:
    strangers = DistinctPairs.of([Result(("ada", "bob"), 1.0, "7"), Result(("cat", "ada"), 1.0, "7")])
    assert [pair.scores for pair in strangers.pairs()] == [(1.0, None), (1.0, None)]
    elsewhere = DistinctPairs.of([Result(("ada", "bob"), 1.0, "7"), Result(("bob", "ada"), 1.0, "8")])
    assert [pair.agents for pair in elsewhere.pairs()] == [("ada", "bob"), ("bob", "ada")]
    same_seats = DistinctPairs.of([Result(("ada", "bob"), 1.0, "7")] * 2)
    assert same_seats.pairs() == [Pair(("ada", "bob"), (1.0, None), 2)]


def test_a_match_alone_counts_alone_and_not_after_it_has_found_its_other_half() -> None:
    counted = DistinctPairs[str]()
    assert counted.add(Result(("ada", "bob"), 1.0, "0", "x")) is None
    assert counted.pairs() == [Pair(("ada", "bob"), (1.0, None))]
    assert counted.add(Result(("bob", "ada"), 1.0, "0", "y")) == (1.0, 0.0)
    assert counted.pairs() == [Pair(("ada", "bob"), (1.0, 0.0))]
    repeated = DistinctPairs.of([Result(("ada", "bob"), 1.0, str(number), "x") for number in range(5)])
    assert repeated.pairs() == [Pair(("ada", "bob"), (1.0, None))]


@given(st.lists(st.tuples(SCORES, SCORES, st.integers(0, 3)), max_size=30))
def test_repeats_change_nothing(tries: list[tuple[float, float, int]]) -> None:
    """Whatever is repeated, how often and in between what, the counts are those of the pairs without repeats."""
    scores = [(first, second) for first, second, _ in tries]
    digests = [(f"{first}{second}{kind}a", f"{first}{second}{kind}b") for first, second, kind in tries]
    once = dict(zip(digests, scores, strict=True))
    all_of_them, without = played(scores, digests), played(once.values(), once.keys())
    assert sorted(map(str, all_of_them.pairs())) == sorted(map(str, without.pairs()))
    assert all_of_them.distinct == without.distinct == 2 * len(once)


@pytest.mark.parametrize("order", [("ada", "bob"), ("bob", "ada")])
def test_seats_are_counted_as_they_were_taken(order: tuple[str, str]) -> None:
    first, second = order
    counts = count_seats([Pair(order, (1.0, 0.5), 2), Pair(order, (0.0, None), 3)])
    assert counts == {(first, second): (2, 0, 3), (second, first): (0, 2, 0)}
