"""95% intervals hold the truth as often as they say, in a few settings; `bench.strength.coverage` measures more."""

from __future__ import annotations

import pytest

from bench.strength.coverage import Setting, coverage

SETTINGS = [
    Setting(2, 50, 30, -0.6),
    Setting(2, 100, 30, 0.6, draw=0.8),
    Setting(2, 50, 15, 0.0, repeats=4),
    Setting(4, 100, 5, -0.6),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_intervals_cover_the_truth_as_often_as_they_say(setting: Setting) -> None:
    """Three standard errors of so few tries to either side of 95%."""
    found = coverage(setting, tries=200, seed=1)
    for covered in (found.elo, found.rating, found.difference):
        assert covered is None or 0.905 <= covered <= 0.99, found


def test_intervals_that_take_repeats_for_news_do_not_cover_the_truth() -> None:
    """What the rule is for: without it the same setting fails badly."""
    setting = next(each for each in SETTINGS if each.repeats > 1)
    assert coverage(setting, tries=100, seed=1, naive=True).difference < 0.8
