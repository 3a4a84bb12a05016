from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

from ludoteca.messages import Speaker
from ludoteca.web.drawing.learning_curves import MOST_POINTS, Line, draw_chart, thinned, ticks


def flat(*values: float) -> tuple[tuple[float, float, float, float], ...]:
    return tuple((float(x), y, y, y) for x, y in enumerate(values))


def test_a_chart_has_lines_bands_labels_and_words() -> None:
    rates = Line("<v2>", ((0, 0.5, 0.4, 0.6), (1000, 0.95, 0.9, 0.98)))
    drawn = draw_chart(Speaker("en"), [rates, Line("none", ())], "Win rate & more", "matches", shares=True)
    tree = ET.fromstring(drawn)
    assert len(tree.findall(".//polyline")) == len(tree.findall(".//polygon")) == 1
    label = next(each.get("aria-label") for each in tree.iter("svg") if each.get("role") == "img")
    assert label == "Win rate & more. <v2>: 50% → 95% (1,000 matches)"
    assert {"40%", "100%"} <= {each.text for each in tree.iter("i")} and "1,000" in drawn
    assert [each.text or "" for each in tree.iter("li")] == [""] and "&lt;v2&gt;" in drawn
    assert draw_chart(Speaker("en"), [Line("none", ())], "Loss", "matches", shares=False) == ""


def test_everything_drawn_lies_in_the_plot() -> None:
    for values in [(0.0,), (0.0, 0.0), (1.0, 1.0), (-3.0, 2.0), (1e-12, 2e-12), (1e15, -1e15), (5.0,), (0.97, 0.99)]:
        for shares in (True, False):
            if shares and not all(0 <= value <= 1 for value in values):
                continue
            drawn = draw_chart(Speaker("en"), [Line("a", flat(*values))], "y", "x", shares=shares)
            numbers = re.findall(r"points='([^']*)'", drawn)[0].replace(" ", ",").split(",")
            xs, ys = [float(each) for each in numbers[::2]], [float(each) for each in numbers[1::2]]
            assert all(0 <= x <= 1000 for x in xs) and all(-1 <= y <= 301 for y in ys), (values, shares)


def test_many_points_are_thinned_and_the_last_stays() -> None:
    for count in (0, 1, 2, MOST_POINTS, MOST_POINTS + 1, 20_000):
        points = flat(*map(float, range(count)))
        found = thinned(points)
        assert len(found) <= MOST_POINTS and found == sorted(found)
        assert found[-1:] == list(points[-1:])


def test_ticks_are_few_and_round() -> None:
    for high in (1, 7, 0.3, 1e-9, 12_345, 1e15):
        found = ticks(0, high)
        assert 3 <= len(found) <= 6 and found[0] == 0 and found[-1] <= high * 1.001 and all(map(math.isfinite, found))
