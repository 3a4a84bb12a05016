"""A table of Dominoes as spectators see it: both hands and the boneyard face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.catalogues import Language
from ludoteca.games.dominoes.tiles import UNIT, chain, draw_line, draw_tile, lay_line
from ludoteca.games.picture import GRID, INK, SEATS, Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Seat

WIDE, NARROW, MARGIN = 700.0, 360.0, 16.0
ROW = 36 + 2 * UNIT + 12
"""The height of a row of hidden tiles with its text."""


class PublicTable(NamedTuple):
    """What both seats see. It has no field for a hand, so a picture of it cannot show one."""

    line: Sequence[tuple[int, Seat | None, int]]
    counts: tuple[int, int]
    boneyard: int


def draw_public(table: PublicTable, *, narrow: bool, language: Language) -> str:
    """Blue's tiles and the boneyard, the line, red's tiles, as SVG."""
    width = NARROW if narrow else WIDE
    below = ROW if narrow else 0.0  # the boneyard has a row of its own on a phone
    laid = lay_line(table.line, MARGIN, ROW + below + 12, width - 2 * MARGIN, 240)
    bottom = laid.bottom + 24
    picture = Picture(width, bottom + ROW, title=say("Dominoes table"), language=language)
    rooms = [width - 2 * MARGIN, width - 2 * MARGIN if narrow else 0.5 * width]
    for seat, count in enumerate(table.counts):
        text = joined([COLOURS[seat], say_count("{count} tile", "{count} tiles", count)], ": ")
        key, source = f"hand{seat}-", f"boneyard{table.boneyard}"
        _draw_hidden_row(picture, MARGIN, 0.0 if seat else bottom, text, count, SEATS[seat], rooms[seat], key, source)
    yard = say_count("boneyard: {count} tile", "boneyard: {count} tiles", table.boneyard)
    left, top, room = (MARGIN, ROW, rooms[0]) if narrow else (0.6 * width, 0.0, 0.4 * width - MARGIN)
    _draw_hidden_row(picture, left, top, yard, table.boneyard, GRID, room, "boneyard", ink=INK)
    names = " ".join(f"{each.left}-{each.right}" for each in chain(table.line))
    with picture.named(say("the line from left to right: {tiles}", tiles=names) if names else say("no tile yet")):
        sources = {seat: f"hand{seat}-{count}" for seat, count in enumerate(table.counts)}
        draw_line(picture, laid, table.line[-1][0] if table.line else None, sources)
    if not table.line:
        picture.label(width / 2, laid.y, say("no tile yet"), size=18)
    return picture.svg()


def _draw_hidden_row(
    picture: Picture, left: float, top: float, text: str, count: int, edge: str, room: float, key: str,
    source: str = "", *, ink: str | None = None,
) -> None:  # fmt: skip
    """Tiles face down, with a text above them; key: how the keys of these pieces begin."""
    picture.label(left, top + 20, text, size=16, text_anchor="start", fill=ink or edge, font_weight="bold")
    step = min(UNIT + 6, (room - UNIT) / max(1, count - 1))
    for place in range(count):
        with picture.piece(f"{key}{place}", source=source):
            draw_tile(picture, left + place * step, top + 36, None, edge)
