"""The cover of Dominoes: the line, and a tile about to be laid."""

from __future__ import annotations

from functools import cache

from ludoteca.games.dominoes.tiles import draw_tile
from ludoteca.games.picture import COVER, HOT, SEATS, Picture

SIDE = 38.0
"""Of half a tile."""


@cache
def cover() -> str:
    """The picture as SVG, without a word."""
    picture = Picture(*COVER)
    y = 34.0
    draw_tile(picture, 21, y, (3, 5), SEATS[1], across=True, unit=SIDE)
    draw_tile(picture, 101, y - SIDE / 2, (5, 5), SEATS[0], unit=SIDE)
    draw_tile(picture, 143, y, (5, 6), SEATS[1], across=True, unit=SIDE)
    draw_tile(picture, 223, y, (6, 2), SEATS[0], unit=SIDE)
    for turn, x, shown in ((-8, 76, (4, 1)), (0, 131, (2, 3)), (8, 186, (0, 4))):
        picture.put(f"<g transform='rotate({turn} {x + SIDE / 2:.0f} 240)'>")
        draw_tile(picture, x, 124, shown, HOT if not turn else SEATS[0], bold=not turn, unit=SIDE)
        picture.put("</g>")
    return picture.svg()
