"""The cover of Horses: two knights, values and squares that are gone, close up."""

from __future__ import annotations

from functools import cache

from ludoteca.games.horses.pieces import draw_knight, draw_token
from ludoteca.games.picture import COVER, INK, Picture, Shade

SIDE = 54.0
SQUARES = (Shade("light", "#f3e8d3"), Shade("dark", "#ddc9a6"), Shade("ruin", "#6f675e"))
GONE = ((0, 2), (3, 0), (3, 3), (5, 1))
TOKENS = {(1, 2): 10, (2, 2): -5, (4, 1): 3, (2, 0): 4}


@cache
def cover() -> str:
    """The picture as SVG, without a word."""
    picture = Picture(*COVER)
    for column in range(6):
        for row in range(4):
            gone = (column, row) in GONE
            x, y = _corner(column, row)
            picture.add("rect", x=x, y=y, width=SIDE, height=SIDE, fill=SQUARES[2 if gone else (column + row) % 2])
            if gone:
                lines = "".join(f"M{x + k:.0f} {y:.0f}l{-SIDE:.0f} {SIDE:.0f}" for k in (18, 36, 54, 72, 90))
                clip = (
                    f"<clipPath id='c{column}{row}'><rect x='{x}' y='{y}' width='{SIDE}' height='{SIDE}'/></clipPath>"
                )
                picture.put(f"{clip}<g clip-path='url(#c{column}{row})'>")
                picture.add("path", d=lines, stroke=INK, stroke_width=1.5, stroke_opacity=0.45)
                picture.put("</g>")
    for (column, row), value in TOKENS.items():
        x, y = _corner(column, row)
        draw_token(picture, x + SIDE / 2, y + SIDE / 2, SIDE, value)
    for seat, square in enumerate(((1, 1), (4, 2))):
        x, y = _corner(*square)
        draw_knight(picture, seat, x - SIDE * 0.1, y - SIDE * 0.14, SIDE * 1.2)
    return picture.svg()


def _corner(column: int, row: int) -> tuple[float, float]:
    return (COVER[0] - 6 * SIDE) / 2 + column * SIDE, (COVER[1] - 4 * SIDE) / 2 + row * SIDE
