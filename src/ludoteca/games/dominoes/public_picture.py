"""A table of Dominoes as spectators see it: both hands and the boneyard face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.catalogues import Language
from ludoteca.games.dominoes.tiles import UNIT, chain, draw_tile, places
from ludoteca.games.picture import GRID, INK, SEATS, Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Seat

__all__ = ["PublicTable", "draw_public"]

WIDE, NARROW, MARGIN = 700.0, 360.0, 16.0


class PublicTable(NamedTuple):
    """What both seats see. It has no field for a hand, so a picture of it cannot show one."""

    line: Sequence[tuple[int, Seat | None, int]]
    counts: tuple[int, int]
    boneyard: int


def draw_public(table: PublicTable, *, narrow: bool, language: Language) -> str:
    """Blue's tiles and the boneyard, the line, red's tiles, as SVG."""
    width = NARROW if narrow else WIDE
    placed = list(places(table.line, width / 2 - MARGIN))
    above = max([2 * UNIT, *(-place.y for place in placed)])
    below = max([2 * UNIT, *(place.y + place.height for place in placed)])
    middle = 200 + above
    bottom = middle + below + 40
    picture = Picture(width, bottom + 2 * UNIT + 16, title=say("Dominoes table"), language=language)
    tops = {1: 20.0, 0: bottom - 18}
    for seat, count in enumerate(table.counts):
        text = joined([COLOURS[seat], say_count("{count} tile", "{count} tiles", count)], ": ")
        _draw_hidden_row(picture, tops[seat], text, count, SEATS[seat], width)
    yard = say_count("boneyard: {count} tile", "boneyard: {count} tiles", table.boneyard)
    _draw_hidden_row(picture, 112.0, yard, table.boneyard, GRID, width, ink=INK)
    laid = " ".join(f"{each.left}-{each.right}" for each in chain(table.line))
    with picture.named(say("the line from left to right: {tiles}", tiles=laid) if laid else say("no tile yet")):
        for place in placed:
            edge = GRID if place.seat is None else SEATS[place.seat]
            newest = place.tile == table.line[-1][0]
            x, y = width / 2 + place.x, middle + place.y
            draw_tile(picture, x, y, place.shown, edge, across=place.across, bold=newest)
    if not placed:
        picture.label(width / 2, middle, say("no tile yet"), size=18)
    return picture.svg()


def _draw_hidden_row(
    picture: Picture, top: float, text: str, count: int, edge: str, width: float, *, ink: str | None = None
) -> None:
    """Tiles face down, with a text above them."""
    picture.label(MARGIN, top, text, size=14, text_anchor="start", fill=ink or edge, font_weight="bold")
    step = min(UNIT + 6, (width - 2 * MARGIN - UNIT) / max(1, count))
    for place in range(count):
        draw_tile(picture, MARGIN + place * step, top + 14, None, edge)
