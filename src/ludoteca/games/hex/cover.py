"""The cover of Hex: a corner of the fight, close up."""

from __future__ import annotations

import math
from functools import cache

from ludoteca.games.picture import CELL, COVER, GRID, INK, SEATS, Picture

RADIUS = 27.0
STEP = RADIUS * math.sqrt(3)
STONES = {
    0: ((0, 4), (1, 3), (2, 2), (3, 2), (4, 1), (6, 1), (5, 3)),
    1: ((1, 2), (2, 1), (2, 3), (2, 4), (4, 2), (5, 2)),
}
"""By seat the columns and rows of its stones."""


@cache
def cover() -> str:
    """The picture as SVG, without a word."""
    picture = Picture(*COVER)
    picture.add(
        "path",
        d="".join(_hexagon(c, r) for c in range(-1, 10) for r in range(-1, 6)),
        fill=CELL,
        stroke=GRID,
        stroke_width=2,
    )
    for seat, cells in STONES.items():
        for column, row in cells:
            x, y = _centre(column, row)
            picture.add("circle", cx=x, cy=y, r=RADIUS * 0.7, fill=SEATS[seat], stroke=INK, stroke_width=1.5)
    return picture.svg()


def _centre(column: int, row: int) -> tuple[float, float]:
    return STEP * (column + row / 2 - 1.55), RADIUS * (1.5 * row + 0.35)


def _hexagon(column: int, row: int) -> str:
    x, y = _centre(column, row)
    corners = [(x + RADIUS * math.sin(k * math.pi / 3), y + RADIUS * math.cos(k * math.pi / 3)) for k in range(6)]
    return "M" + " ".join(f"{a:.1f},{b:.1f}" for a, b in corners) + "z"
