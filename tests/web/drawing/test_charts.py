from __future__ import annotations

import math
import re

from ludoteca.web.drawing.charts import Bar, crosstable, rating_table

INF = math.inf


def places(table: str) -> list[tuple[float, float, float]]:
    """From each drawn bar its left end, its width and its dot, in per cents."""
    found = re.findall(r'left:([\d.]+)%;width:([\d.]+)%"></i><b style="left:([\d.]+)%', table)
    return [(float(left), float(width), float(dot)) for left, width, dot in found]


def test_bars_lie_on_one_scale() -> None:
    bars = [Bar(100, 50, 150), Bar(0, 0, 0), Bar(-100, -150, -50)]
    rows: list[list[str | Bar]] = [["name", "", bar] for bar in bars]
    table = rating_table(["Agent", "Elo", "Interval"], rows)
    (left, width, dot), (zero, none, middle), (low, wide, other) = places(table)
    assert left < dot < left + width and low < other < low + wide
    assert zero == middle == 50 and none == 0
    assert math.isclose(dot - 50, 50 - other) and math.isclose(width, wide)
    assert "+50 … +150" in table and "−150 … −50" in table


def test_open_ends_reach_the_border_and_nothing_divides_by_zero() -> None:
    bars = [Bar(10, -INF, INF), Bar(10, 10, INF), Bar(10, -INF, 10)]
    rows: list[list[str | Bar]] = [["name", "", bar] for bar in bars]
    table = rating_table(["Agent", "Elo", "Interval"], rows)
    (left, width, _), (begins, reaches, _), (start, ends, _) = places(table)
    assert (left, left + width) == (0, 100) and begins + reaches == 100 and (start, start + ends) == (0, begins)
    assert 'class="open-low open-high"' in table and "−∞ … +∞" in table
    assert places(rating_table(["Agent", "Interval"], [])) == []


def test_foreign_names_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    assert "<script>" not in rating_table([evil, "Elo", evil], [[evil, evil, Bar(0, 0, 0)]])
    assert "<script>" not in crosstable([evil, "b"], [[None, (1, 0, 0)], [(0, 0, 1), None]])


def test_the_crosstable_counts_from_the_rows_side() -> None:
    table = crosstable(["a", "b"], [[None, (3, 1, 0)], [(0, 1, 3), None]])
    cells = re.findall(r"<b>(\d+%)</b><small>([^<]*)</small>", table)
    assert cells == [("88%", "+3 =1 −0"), ("12%", "+0 =1 −3")]
