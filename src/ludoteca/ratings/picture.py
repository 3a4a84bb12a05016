"""Strengths with their 95% intervals as a picture, for notebooks; the report's larger ones are in `reports.plots`."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ludoteca.games.picture import GRID, INK, SEATS, Picture
from ludoteca.messages import say
from ludoteca.ratings.elo import show_elo

__all__ = ["intervals_svg"]

ROW, PLOT, LETTER, MARGIN = 26.0, 320.0, 7.5, 14.0
LONGEST = 40
"""Letters of a name before it is cut."""
LEAST = 50.0
"""Elo that the scale spans to either side at least, so that a small difference does not look like a large one."""


def intervals_svg(strengths: Mapping[str, tuple[float, float, float]]) -> str:
    """A row for each name: its Elo as a dot, the interval from low to high as a line that leaves where it has no end.

    >>> "engine" in intervals_svg({"engine": (120.0, 90.0, float("inf")), "random": (0.0, 0.0, 0.0)})
    True
    """
    ends = [end for values in strengths.values() for end in values if math.isfinite(end)]
    low, high = min([-LEAST, *ends]), max([LEAST, *ends])
    low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)
    left = MARGIN + LETTER * min(LONGEST, max(map(len, strengths), default=0)) + 10
    bottom = MARGIN + ROW * len(strengths)
    picture = Picture(left + PLOT + 150 + MARGIN, bottom + 26, title=say("Elo with 95% intervals"))

    def at(elo: float) -> float:
        return left + PLOT * (max(low, min(high, elo)) - low) / (high - low)

    picture.add("line", x1=at(0), y1=MARGIN, x2=at(0), y2=bottom, stroke=GRID, stroke_width=1)
    picture.label(at(0), bottom + 12, "0", size=11)
    for place, (name, (elo, least, most)) in enumerate(strengths.items()):
        y = MARGIN + ROW * (place + 0.5)
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        picture.label(left - 10, y, shown, size=13, text_anchor="end")
        picture.add("line", x1=at(least), y1=y, x2=at(most), y2=y, stroke=SEATS[1], stroke_width=3)
        for end, inwards in ((least, 7), (most, -7)):
            if math.isinf(end):
                x = at(end)
                arrow = f"M{x + inwards:.1f} {y - 5:.1f}L{x:.1f} {y:.1f}L{x + inwards:.1f} {y + 5:.1f}"
                picture.add("path", d=arrow, fill="none", stroke=SEATS[1], stroke_width=2)
        if math.isfinite(elo):
            picture.add("circle", cx=at(elo), cy=y, r=5, fill=SEATS[1], stroke=INK, stroke_width=0.5)
        text = f"{show_elo(elo)}  [{show_elo(least)}, {show_elo(most)}]"
        picture.label(left + PLOT + 150, y, text, size=12, text_anchor="end")
    return picture.svg()
