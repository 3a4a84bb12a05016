from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca import InvalidOption
from ludoteca.play import clock
from ludoteca.play.clock import MOST_NODES, MOST_SECONDS, MatchLimit

SECONDS = st.none() | st.floats(0.000_001, MOST_SECONDS) | st.integers(1, MOST_SECONDS)
NODES = st.none() | st.integers(1, MOST_NODES)


def test_the_examples_in_docstrings_are_true() -> None:
    assert doctest.testmod(clock) == (0, 4)


@given(SECONDS, NODES, SECONDS, NODES, SECONDS)
def test_every_limit_is_read_as_it_is_written(
    seconds: float | None,
    nodes: int | None,
    match_seconds: float | None,
    match_nodes: int | None,
    increment: float | None,
) -> None:
    limit = MatchLimit(seconds, nodes, match_seconds, match_nodes, None if match_seconds is None else increment)
    assert MatchLimit.parse(str(limit)) == limit
    assert str(MatchLimit.parse(str(limit))) == str(limit)
    assert "e" not in str(limit).removesuffix("increment")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("0.05ms", "0.00005s"),
        ("1000000s", "1000000s"),
        ("1000000000ms", "1000000s"),
        ("0.001ms", "0.000001s"),
        ("1.50s", "1.5s"),
        ("100.0s", "100s"),
        ("2000n , 100n/match", "2000n,100n/match"),
        ("1000000000000000n", "1000000000000000n"),
    ],
)
def test_limits_have_one_form(text: str, written: str) -> None:
    assert str(MatchLimit.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1", "the limit '1' is not of the form 0.1s, 50ms, 2000n, 60s/match, 2s/increment or 9000n/match"),
        ("1e3s", "is not of the form"),
        ("-1s", "is not of the form"),
        ("60s/game", "is not of the form"),
        ("٣s", "is not of the form"),
        ("1s,", "is not of the form"),
        ("0s", "the limit of 0 seconds must be from 0.000001 to 1000000"),
        ("0.0000001s", "must be from 0.000001"),
        ("1000000.5s", "to 1000000"),
        ("99999999999999999999999999s", "to 1000000"),
        ("0n", "the limit of 0 nodes must be a whole number from 1"),
        ("1.5n", "must be a whole number of nodes"),
        ("1000000000000001n/match", "to 1000000000000000"),
        ("1s,2s", "gives seconds twice"),
        ("1s/match,2ms/match", "gives match seconds twice"),
        ("2s/increment", "an increment needs seconds for the match"),
        ("60s/match,5n/increment", "is not of the form"),
        ("60s/match,1s/increment,1s/increment", "gives increment twice"),
    ],
)
def test_what_is_no_limit_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint.replace(".", r"\.")):
        MatchLimit.parse(text)


@pytest.mark.parametrize("value", [math.nan, math.inf, 0.0, -1.0])
def test_no_way_leads_round_the_bounds(value: float) -> None:
    with pytest.raises(InvalidOption):
        MatchLimit(match_seconds=value)


def test_an_increment_comes_after_every_action_and_may_be_saved_up() -> None:
    kept = clock.Clock([MatchLimit.parse("10s/match,2s/increment")] * 2, margin=0.0)
    kept.spend(0, 9.5, 0)
    assert kept.left(0, 0.0) == 2.5 and kept.left(1, 0.0) == 10.0
    kept.spend(0, 0.5, 0)
    assert kept.left(0, 1.0) == 3.0
    assert kept.left(0, 4.0) == 0.0, "what comes after the action does not help during it"


def test_people_get_no_margin() -> None:
    kept = clock.Clock([MatchLimit.parse("5s")] * 2, margin=2.0, people=(True, False))
    assert (kept.next(0)[1], kept.next(1)[1]) == (5.0, 7.0)
