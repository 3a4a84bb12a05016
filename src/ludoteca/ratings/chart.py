"""The chart of ratings with their 95% intervals: for notebooks, and for reports as SVG or PNG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.games.drawing import Drawing
from ludoteca.games.picture import GRID, INK, SEATS
from ludoteca.messages import say
from ludoteca.ratings.elo import Interval, show_elo
from ludoteca.ratings.interval_scale import IntervalScale

MARGIN, ROW, LETTER = 18.0, 30.0, 8.0
"""Pixels around everything, from one row to the next, and for a letter of a name."""
PLOT, VALUES = 420.0, 170.0
"""Pixels for the scale, and for the numbers beside it."""
LONGEST = 44
"""Longer names are cut."""
PALE, FADED = "#e6dfd0", "#7d7263"


class ChartRow(NamedTuple):
    """A name and its interval."""

    name: str
    interval: Interval
    colour: str = SEATS[1]


def interval_chart(rows: Sequence[ChartRow | None], *, title: str = "", note: str = "") -> Drawing:
    """A row for each name on one scale; an arrow where an interval has no end. None draws a line between groups.

    >>> "engine" in interval_chart([ChartRow("engine", Interval(120.0, 90.0, float("inf")))]).svg()
    True
    """
    shown = [row for row in rows if row is not None]
    if not shown:
        empty = Drawing(240, 60, "No matches")
        empty.text(120, 30, "No matches yet", side="middle")
        return empty
    scale = IntervalScale([row.interval for row in shown])
    left = MARGIN + LETTER * max(len(cut(row.name)) for row in shown) + 28
    top = MARGIN + (56 if title else 0)
    bottom = top + ROW * len(rows)
    drawing = Drawing(left + PLOT + VALUES + MARGIN, bottom + 30 + MARGIN, title or say("Elo with 95% intervals"))
    if title:
        drawing.text(MARGIN, MARGIN + 10, title, size=16, bold=True)
        drawing.text(MARGIN, MARGIN + 31, note, size=11.5, colour=FADED)
    for tick in scale.ticks:
        x = left + PLOT * scale.at(tick)
        drawing.line(x, top, x, bottom, INK if tick == 0 else GRID, 1.2 if tick == 0 else 0.7)
        drawing.text(x, bottom + 16, show_elo(tick), size=11.5, side="middle", colour=FADED)
    for place, row in enumerate(rows):
        y = top + ROW * (place + 0.5)
        if row is None:
            drawing.line(MARGIN, y, drawing.width - MARGIN, y, PALE, 2)
            continue
        drawing.text(left - 16, y, cut(row.name), side="end", colour=INK if row.colour == SEATS[1] else FADED)
        _draw_interval(drawing, scale, row, left, y)
        drawing.text(left + PLOT + 62, y, show_elo(row.interval.elo), side="end", bold=True)
        drawing.text(left + PLOT + VALUES, y, row.interval.ends, size=11.5, side="end", colour=FADED)
    return drawing


def _draw_interval(drawing: Drawing, scale: IntervalScale, row: ChartRow, left: float, y: float) -> None:
    span = scale.span(row.interval)
    low, high = left + PLOT * span.low, left + PLOT * span.high
    drawing.line(low, y, high, y, row.colour, 3)
    for x, is_open, inwards in ((low, span.open_low, 8), (high, span.open_high, -8)):
        if is_open:
            drawing.line(x, y, x + inwards, y - 6, row.colour, 2.5)
            drawing.line(x, y, x + inwards, y + 6, row.colour, 2.5)
        elif span.elo is not None or 0 < (x - left) / PLOT < 1:
            drawing.line(x, y - 5, x, y + 5, row.colour, 2)
    if span.elo is not None:
        drawing.dot(left + PLOT * span.elo, y, 5.5, row.colour)


def cut(name: str) -> str:
    """A name, short enough for a drawing."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
