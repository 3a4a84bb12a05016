"""The tiles of Dominoes, the geometry of their line, and how they are drawn."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ludoteca.games.picture import GRID, INK, Picture, Shade
from ludoteca.protocols import Seat

__all__ = ["Chained", "Place", "chain", "draw_tile", "numbers", "places", "tile_name", "tile_of"]

UNIT, GAP = 24.0, 3.0
"""The side of half a tile, and the gap between tiles."""
PITCH = 2 * UNIT + GAP
"""From one row of the line to the next: a tile across, and a gap."""
FACE, BACK = Shade("face", "#fffdf8"), Shade("back", "#d9cfbb")
CELLS = ("", "4", "08", "048", "0268", "02468", "035268", "0352684", "03526817", "012345678")
PIPS = [[(int(cell) % 3 - 1, int(cell) // 3 - 1) for cell in cells] for cells in CELLS]
"""The pips of each number, in thirds of half an upright tile, from its middle."""


class Chained(NamedTuple):
    """A tile in the line: its numbers from left to right, and its seat; None in a start set up by hand."""

    left: int
    right: int
    tile: int
    seat: Seat | None


def numbers(tile: int) -> tuple[int, int]:
    """The two numbers of a tile, the higher one first.

    >>> numbers(27)
    (6, 6)
    """
    high = (math.isqrt(8 * tile + 1) - 1) // 2
    return high, tile - high * (high + 1) // 2


def tile_of(one: int, other: int) -> int:
    """The tile with these two numbers, in any order."""
    high, low = max(one, other), min(one, other)
    return high * (high + 1) // 2 + low


def chain(line: Iterable[tuple[int, Seat | None, int]]) -> list[Chained]:
    """The tiles of `DominoesView.line`, which is in the order of play, from left to right."""
    laid: deque[Chained] = deque()
    for tile, seat, side in line:
        high, low = numbers(tile)
        if not laid:  # its high number is on the left, except in a start set up by hand
            laid.append(Chained(*((low, high) if side else (high, low)), tile, seat))
        elif side == 0:
            end = laid[0].left
            laid.appendleft(Chained(high + low - end, end, tile, seat))
        else:
            end = laid[-1].right
            laid.append(Chained(end, high + low - end, tile, seat))
    return list(laid)


def tile_name(tile: int) -> str:
    """A tile in our notation, the higher number first: ``6-4``."""
    return "{}-{}".format(*numbers(tile))


class Place(NamedTuple):
    """The place of a tile of the line, relative to the middle of the first one, and its numbers as they are shown."""

    x: float
    y: float
    across: bool
    shown: tuple[int, int]
    tile: int
    seat: Seat | None

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return 2 * UNIT if self.across else UNIT

    @property
    def height(self) -> float:
        """The vertical extent."""
        return 3 * UNIT - self.width

    def turned(self) -> Place:
        """The place after half a turn around the middle of the first tile."""
        x, y = -self.x - self.width, -self.y - self.height
        return self._replace(x=x, y=y, shown=(self.shown[1], self.shown[0]))


def places(line: Sequence[tuple[int, Seat | None, int]], reach: float) -> Iterator[Place]:
    """The places of a line. At this distance from the first tile the right arm turns down, the left one up."""
    if not line:
        return
    laid = chain(line)
    at = [each.tile for each in laid].index(line[0][0])
    first = laid[at]
    half = UNIT / 2 if first.left == first.right else UNIT
    yield Place(-half, half - 1.5 * UNIT, half == UNIT, (first.left, first.right), first.tile, first.seat)
    yield from _arm(laid[at + 1 :], half + GAP, reach)
    left = [each._replace(left=each.right, right=each.left) for each in reversed(laid[:at])]
    yield from (place.turned() for place in _arm(left, half + GAP, reach))


def _arm(tiles: Sequence[Chained], x: float, reach: float) -> Iterator[Place]:
    """Rows to the right and to the left in turn; doubles lie crosswise, except where a row starts.

    ::

        ──────────┐    A tile that leaves no room for another stands at the corner,
        ──────────┘    and the next row starts below it.
    """
    row, way, fresh = 0.0, 1, False
    for left, right, tile, seat in tiles:
        across = fresh or left != right
        length = 2 * UNIT if across else UNIT
        corner = way * x + length + GAP + UNIT > reach
        if corner:
            across, length = False, UNIT
        shown = (left, right) if way > 0 or corner else (right, left)
        top = row - (UNIT / 2 if across or corner else UNIT)
        yield Place(x if way > 0 else x - length, top, across, shown, tile, seat)
        if corner:
            x, row, way, fresh = x + way * UNIT, row + PITCH, -way, True
        else:
            x, fresh = x + way * (length + GAP), False


def draw_tile(
    picture: Picture,
    x: float,
    y: float,
    shown: tuple[int, int] | None,
    edge: str,
    *,
    across: bool = False,
    bold: bool = False,
) -> None:
    """A tile with its top left corner at (x, y), upright or across; face down if `shown` is None."""
    dx, dy = (UNIT, 0.0) if across else (0.0, UNIT)
    frame = {
        "fill": FACE if shown else BACK,
        "stroke": edge,
        "stroke_width": 4 if bold else 1.8,
        "data_last": "true" if bold else None,
    }
    picture.add("rect", x=x, y=y, width=UNIT + dx, height=UNIT + dy, rx=4, **frame)
    if shown is None:
        return
    (x1, x2), (y1, y2) = ((d, d) if d else (4, UNIT - 4) for d in (dx, dy))
    picture.add("line", x1=x + x1, y1=y + y1, x2=x + x2, y2=y + y2, stroke=GRID, stroke_width=1.5)
    for half, number in enumerate(shown):
        for a, b in PIPS[number]:
            column, row = (b, a) if across else (a, b)  # pips turn with the tile
            cx, cy = x + UNIT / 2 + half * dx, y + UNIT / 2 + half * dy
            picture.add("circle", cx=cx + column * 6, cy=cy + row * 6, r=2.3, fill=INK)
