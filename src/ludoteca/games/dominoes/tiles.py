"""The tiles of Dominoes, the geometry of their line, and how they are drawn."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from ludoteca.errors import InvalidPosition
from ludoteca.games.picture import GRID, INK, SEATS, Picture, Shade
from ludoteca.messages import say
from ludoteca.protocols import Action, Seat

Numbers: TypeAlias = tuple[int, int]
"""A tile by its two numbers, in any order."""
UNIT = 24.0
"""The side of half a tile, unless another one is given."""
GAP = 0.125
"""The gap between two tiles of the line, in sides of half a tile."""
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
    unit: float
    """The side of half a tile."""

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return 2 * self.unit if self.across else self.unit

    @property
    def height(self) -> float:
        """The vertical extent."""
        return 3 * self.unit - self.width

    def turned(self) -> Place:
        """The place after half a turn around the middle of the first tile."""
        x, y = -self.x - self.width, -self.y - self.height
        return self._replace(x=x, y=y, shown=(self.shown[1], self.shown[0]))


Line: TypeAlias = Sequence[tuple[int, Seat | None, int]]
"""As `DominoesView.line` has it."""


def places(line: Line, reach: tuple[float, float], unit: float) -> Iterator[Place]:
    """The places of a line. The arms turn at this distance to the left and right of the first tile: up and down."""
    if not line:
        return
    laid = chain(line)
    at = [each.tile for each in laid].index(line[0][0])
    first = laid[at]
    half = unit / 2 if first.left == first.right else unit
    place = Place(-half, half - 1.5 * unit, half == unit, (first.left, first.right), first.tile, first.seat, unit)
    yield place
    left, right = reach
    yield from _arm(laid[at + 1 :], half + GAP * unit, (right, left), unit)
    others = [each._replace(left=each.right, right=each.left) for each in reversed(laid[:at])]
    yield from (place.turned() for place in _arm(others, half + GAP * unit, (left, right), unit))


def _arm(tiles: Sequence[Chained], x: float, reach: tuple[float, float], unit: float) -> Iterator[Place]:
    """Rows to the right and to the left in turn; doubles lie crosswise, except where a row starts.

    reach: how far it goes to the right and to the left.

    ::

        ──────────┐    A tile that leaves no room for another stands at the corner,
        ──────────┘    and the next row starts below it.
    """
    row, way, fresh, gap = 0.0, 1, False, GAP * unit
    for left, right, tile, seat in tiles:
        across = fresh or left != right
        length = 2 * unit if across else unit
        corner = way * x + length + gap + unit > (reach[0] if way > 0 else reach[1])
        if corner:
            across, length = False, unit
        shown = (left, right) if way > 0 or corner else (right, left)
        top = row - (unit / 2 if across or corner else unit)
        yield Place(x if way > 0 else x - length, top, across, shown, tile, seat, unit)
        if corner:
            x, row, way, fresh = x + way * unit, row + 2 * unit + gap, -way, True
        else:
            x, fresh = x + way * (length + gap), False


class LaidLine(NamedTuple):
    """A line in a picture: the middle of its first tile, and the places relative to it."""

    x: float
    y: float
    placed: Sequence[Place]
    bottom: float
    """The lower end of the room that the line takes: what was offered, or more if that was too little."""

    def corner(self, place: Place) -> tuple[float, float]:
        """The top left corner of a tile in the picture."""
        return self.x + place.x, self.y + place.y


def lay_line(line: Line, left: float, top: float, width: float, height: float) -> LaidLine:
    """Lays a line into a box, its tiles as large as fit, but not smaller than SMALLEST."""
    laid = chain(line)
    at = [each.tile for each in laid].index(line[0][0]) if line else 0
    unit = LARGEST
    while True:
        lengths = [sum(_length(each, unit) for each in arm) for arm in (laid[:at], laid[at:])]
        # The first tile lies so that both arms have room by their lengths, and in the middle if there is enough.
        free = max(0.0, width - sum(lengths)) / 2
        before = min(max(free + lengths[0], 3 * unit), width - 3 * unit)
        if sum(lengths) > width:
            before = min(max(width * lengths[0] / sum(lengths), 3 * unit), width - 3 * unit)
        placed = list(places(line, (before, width - before), unit))
        above = max((-place.y for place in placed), default=0.0)
        below = max((place.y + place.height for place in placed), default=0.0)
        if above + below <= height or unit <= SMALLEST:
            spare = max(0.0, height - above - below) / 2
            return LaidLine(left + before, top + spare + above, placed, top + max(height, above + below))
        unit -= 1.0


def _length(tile: Chained, unit: float) -> float:
    return (unit if tile.left == tile.right else 2 * unit) + GAP * unit


LARGEST, SMALLEST = 44.0, 13.0
"""The sides of half a tile of the line."""


def draw_line(picture: Picture, laid: LaidLine, last: int | None, sources: Mapping[Seat, str]) -> None:
    """Draws the tiles of a line; last: the tile to mark. sources: by seat the piece from which a new tile comes."""
    for place in laid.placed:
        edge = GRID if place.seat is None else SEATS[place.seat]
        x, y = laid.corner(place)
        turn = (0, 180) if not place.across else (270, 90)
        key, source = f"tile{place.tile}", "" if place.seat is None else sources.get(place.seat, "")
        with picture.piece(key, turn=turn[place.shown != numbers(place.tile)], source=source, turned=bool(source)):
            draw_tile(picture, x, y, place.shown, edge, across=place.across, bold=place.tile == last, unit=place.unit)


def draw_tile(
    picture: Picture,
    x: float,
    y: float,
    shown: tuple[int, int] | None,
    edge: str,
    *,
    across: bool = False,
    bold: bool = False,
    unit: float = UNIT,
    **attributes: object,
) -> None:
    """A tile with its top left corner at (x, y), upright or across; face down if `shown` is None."""
    dx, dy = (unit, 0.0) if across else (0.0, unit)
    frame = {
        "fill": FACE if shown else BACK,
        "stroke": edge,
        "stroke_width": 4 if bold else 1.8,
        "data_last": "true" if bold else None,
    }
    picture.add("rect", x=x, y=y, width=unit + dx, height=unit + dy, rx=unit / 6, **frame, **attributes)
    if shown is None:
        return
    rim = unit / 6
    (x1, x2), (y1, y2) = ((d, d) if d else (rim, unit - rim) for d in (dx, dy))
    picture.add("line", x1=x + x1, y1=y + y1, x2=x + x2, y2=y + y2, stroke=GRID, stroke_width=unit / 16, **attributes)
    for half, number in enumerate(shown):
        for a, b in PIPS[number]:
            column, row = (b, a) if across else (a, b)  # pips turn with the tile
            cx, cy = x + unit / 2 + half * dx, y + unit / 2 + half * dy
            picture.add(
                "circle", cx=cx + column * unit / 4, cy=cy + row * unit / 4, r=unit * 0.096, fill=INK, **attributes
            )


@cache
def tile_svg(tile: int) -> str:
    """A tile alone, across, its higher number on the left."""
    picture = Picture(2 * UNIT + 4, UNIT + 4)
    draw_tile(picture, 2, 2, numbers(tile), INK, across=True)
    return f"<svg viewBox='0 0 {2 * UNIT + 4:g} {UNIT + 4:g}' aria-hidden='true'>{picture.inside()}</svg>"


def lined_up(line: Sequence[Numbers]) -> list[Action]:
    """Actions that play a line from its middle, so that it is drawn in the middle. Raises InvalidPosition."""
    if not line:
        return []
    ways = [_turned(line, first) for first in (line[0], line[0][::-1])]
    lying = max(ways, key=len)  # prefers the first tile as it is written
    if len(lying) < len(line):
        wrong, end = line[len(lying)], lying[-1][1]
        tile, left = f"{wrong[0]}-{wrong[1]}", f"{lying[-1][0]}-{end}"
        if len(lying) == 1:
            what = say(
                "line: {tile} does not match either number of {left}, which lies left of it", tile=tile, left=left
            )
        else:
            what = say(
                "line: {tile} does not match the {end} of {left}, which lies left of it", tile=tile, end=end, left=left
            )
        raise InvalidPosition(what)
    middle = len(lying) // 2
    tiles = [tile_of(*pair) for pair in lying]
    first = 2 * tiles[middle] + (lying[middle][0] < lying[middle][1])
    return [first, *(2 * tile + 1 for tile in tiles[middle + 1 :]), *(2 * tile for tile in reversed(tiles[:middle]))]


def _turned(line: Sequence[Numbers], first: Numbers) -> list[Numbers]:
    """The tiles turned to match, beginning with `first`, up to the first one that does not match."""
    lying = [first]
    for one, other in line[1:]:
        end = lying[-1][1]
        if end not in (one, other):
            break
        lying.append((end, one + other - end))
    return lying
