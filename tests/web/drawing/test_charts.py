from __future__ import annotations

import math
import re

from ludoteca.ratings.elo import Interval
from ludoteca.web.drawing.charts import crosstable, rating_table

INF = math.inf


def places(table: str) -> list[tuple[float, float, float]]:
    """Of each drawn bar its left end, its width and its dot, in per cents."""
    found = re.findall(r'x1="([\d.]+)%" x2="([\d.]+)%" y1="50%".*?cx="([\d.]+)%"', table)
    return [(float(left), float(right) - float(left), float(dot)) for left, right, dot in found]


def test_bars_lie_on_one_scale() -> None:
    bars = [Interval(100, 50, 150), Interval(0, 0, 0), Interval(-100, -150, -50)]
    rows: list[list[str | Interval]] = [["name", "", bar] for bar in bars]
    table = rating_table(["Agent", "Elo", "Interval"], rows)
    (left, width, dot), (zero, none, middle), (low, wide, other) = places(table)
    assert left < dot < left + width and low < other < low + wide
    assert zero == middle == 50 and none == 0
    assert math.isclose(dot - 50, 50 - other) and math.isclose(width, wide)
    assert "+50 … +150" in table and "−150 … −50" in table


def test_open_ends_reach_the_border_and_nothing_divides_by_zero() -> None:
    bars = [Interval(10, -INF, INF), Interval(10, 10, INF), Interval(10, -INF, 10)]
    rows: list[list[str | Interval]] = [["name", "", bar] for bar in bars]
    table = rating_table(["Agent", "Elo", "Interval"], rows)
    (left, width, _), (begins, reaches, _), (start, ends, _) = places(table)
    assert (left, left + width) == (0, 100) and begins + reaches == 100 and (start, start + ends) == (0, begins)
    assert table.count("<path") == 4, "an arrow for each open end"
    assert "−∞ … +∞" in table
    assert places(rating_table(["Agent", "Interval"], [])) == []


def test_foreign_names_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    assert "<script>" not in rating_table([evil, "Elo", evil], [[evil, evil, Interval(0, 0, 0)]])
    assert "<script>" not in crosstable([evil, "b"], [[None, (1, 0, 0)], [(0, 0, 1), None]])


def test_the_crosstable_counts_from_the_rows_side() -> None:
    table = crosstable(["a", "b"], [[None, (3, 1, 0)], [(0, 1, 3), None]])
    cells = re.findall(r"<b>(\d+%)</b><small>([^<]*)</small>", table)
    assert cells == [("88%", "+3 =1 −0"), ("12%", "+0 =1 −3")]
