from __future__ import annotations

import math

import pytest

from ludoteca.ratings.elo import expected_score
from ludoteca.ratings.placing import place


def test_the_likeliest_strength_expects_the_points_that_were_made() -> None:
    results = [(0.0, 1.0), (200.0, 0.5), (500.0, 0.0), (500.0, 1.0)]
    found = place(results)
    expected = sum(expected_score(found.elo - other) for other, _ in results)
    assert expected == pytest.approx(2.5, abs=1e-6)
    assert found.low < found.elo < found.high


def test_more_matches_make_it_surer() -> None:
    few, many = ([(0.0, 1.0), (0.0, 0.0)] * count for count in (2, 20))
    assert place(few).elo == pytest.approx(place(many).elo, abs=1e-3) == pytest.approx(0, abs=1e-3)
    assert place(many).margin < place(few).margin / 2.5


def test_who_won_or_lost_everything_has_one_open_end() -> None:
    won, lost = place([(100.0, 1.0)] * 5), place([(100.0, 0.0)] * 5)
    assert won.elo == won.high == math.inf and 100 < won.low < math.inf
    assert lost.elo == lost.low == -math.inf and -math.inf < lost.high < 100
    assert place([]).low == -math.inf and place([]).high == math.inf
