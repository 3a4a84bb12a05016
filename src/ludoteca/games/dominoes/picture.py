"""The picture of a table of Dominoes, in a wide and a narrow layout.

::

    other's hand        boneyard     The narrow layout has the boneyard below the other's hand,
    the line, wrapped into rows      and wraps the line sooner.
    captions
    own hand, in rows                Above a tile that fits both ends: play it left; below: right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ludoteca import _core
from ludoteca.games.dominoes.tiles import FACE, GAP, PITCH, UNIT, Place, chain, draw_tile, numbers, places
from ludoteca.games.picture import GRID, HOT, INK, SEATS, Picture, box, warmth
from ludoteca.messages import Message, joined, say
from ludoteca.protocols import Action, ClickArea

__all__ = ["NARROW", "WIDE", "Caption", "DominoesPicture", "Layout"]

SLOT, ROW = 44.0, 2 * UNIT + 44
"""Steps of the hand from tile to tile and from row to row. Half a row is still high enough for a thumb."""


class Layout(NamedTuple):
    """The width, and where the upper half begins."""

    width: float
    margin: float
    boneyard: tuple[float, float]
    """The top of its text and of its tiles."""
    line: float
    """The top of the line."""

    @property
    def narrow(self) -> bool:
        """Whether texts have rows of their own."""
        return self.width < 500

    @property
    def per_row(self) -> int:
        """Tiles in a row of the hand."""
        return int((self.width - 2 * self.margin) / SLOT)


WIDE = Layout(760.0, 28.0, (26.0, 44.0), 118.0)
NARROW = Layout(360.0, 12.0, (124.0, 138.0), 206.0)


class Caption(NamedTuple):
    """The text about a seat."""

    who: Message
    lacks: Message | None
    """The numbers that it cannot have."""


class DominoesPicture:
    """One view with its layout."""

    def __init__(self, table: _core.DominoesView, layout: Layout, tiles: int) -> None:
        self.table, self.layout = table, layout
        self.placed = list(places(table.line, layout.width / 2 - layout.margin))
        # Room for the line to turn once or twice either way, or more if needed.
        usual = (2 if tiles > 28 else 1) * PITCH + UNIT
        above = max([usual, *(-place.y for place in self.placed)])
        below = max([usual, *(place.y + place.height for place in self.placed)])
        self.middle = layout.line + above
        self.hand = self.middle + below + (104 if layout.narrow else 90)
        """The top of the first tile of the hand."""
        rows = max(1, -(-len(table.hand) // layout.per_row))
        self.height = self.hand + rows * ROW - 12

    def click_areas(self, draw_action: Action) -> list[ClickArea]:
        """The tiles of the hand and the boneyard.

        A tile that fits both ends has two areas, the upper one for the left end. Any other tile is one area: for its
        legal action, or for the left end if it has none.
        """
        legal = set(self.table.legal())
        areas = []
        for at, tile in enumerate(self.table.hand):
            x, y = self._hand_place(at)
            x, y, high = x - (SLOT - UNIT) / 2, y - 20, 2 * UNIT + 40
            sides = [side for side in (0, 1) if 2 * tile + side in legal]
            for part, side in enumerate(sides or [0]):
                share = high / max(1, len(sides))
                areas.append(ClickArea(2 * tile + side, box(x + 1, y + part * share, SLOT - 2, share)))
        if self.table.boneyard:
            left, right = self._boneyard(self.table.boneyard - 1), self._boneyard(0) + UNIT
            wide = max(right - left + 8, SLOT)
            x = left - 4 if self.layout.narrow else right + 4 - wide
            areas.append(ClickArea(draw_action, box(x, self.layout.boneyard[1] - 4, wide, 2 * UNIT + 8)))
        return areas

    def _hand_place(self, at: int) -> tuple[float, float]:
        """The corner of a tile of the hand."""
        row, column = divmod(at, self.layout.per_row)
        return self.layout.margin + column * SLOT + (SLOT - UNIT) / 2, self.hand + row * ROW

    def _boneyard(self, at: int) -> float:
        """The left side of a tile of the boneyard, counted from the right."""
        layout = self.layout
        room = layout.width - 2 * layout.margin - UNIT if layout.narrow else 0.3 * layout.width
        step = min(14.0, room / max(1, self.table.boneyard))
        first = (
            layout.margin + (self.table.boneyard - 1) * step if layout.narrow else layout.width - layout.margin - UNIT
        )
        return first - at * step

    def draw(
        self,
        picture: Picture,
        captions: Sequence[Caption],
        news: Message,
        last: Action | None,
        plan: Sequence[Action],
        warm_draw: bool,
    ) -> None:
        """Draws everything but the heat. captions: by seat; news: the plan or the result."""
        table, layout = self.table, self.layout
        other = 1 - table.seat
        self._draw_hidden(picture, captions[other], warm_draw)
        laid = " ".join(f"{each.left}-{each.right}" for each in chain(table.line))
        with picture.named(say("the line from left to right: {tiles}", tiles=laid) if laid else say("no tile yet")):
            for place in self.placed:
                marked = last is not None and place.tile == last // 2
                x, y, edge = (
                    self._on_table(place),
                    self.middle + place.y,
                    GRID if place.seat is None else SEATS[place.seat],
                )
                draw_tile(picture, x, y, place.shown, edge, across=place.across, bold=marked)
        if not self.placed:
            picture.label(layout.width / 2, self.middle, say("no tile yet"), size=18)
        self._draw_ends(picture)
        top = self.hand - (86 if layout.narrow else 66)
        self._write(picture, top, _all(captions[table.seat], layout.narrow), SEATS[table.seat])
        if layout.narrow and captions[table.seat].lacks:
            self._write(picture, top + 18, captions[table.seat].lacks, SEATS[table.seat])
        self._write(picture, top + (36 if layout.narrow else 20), news, INK)
        legal = set(table.legal())
        for at, tile in enumerate(table.hand):
            x, y = self._hand_place(at)
            draw_tile(picture, x, y, numbers(tile), SEATS[table.seat])
            if {2 * tile, 2 * tile + 1} <= legal:
                for side in (0, 1):
                    _arrow(picture, *self._arrow_place(at, side), side, None)
            if orders := [n for n, action in enumerate(plan, 1) if action // 2 == tile]:
                picture.add("circle", cx=x + UNIT + 4, cy=y, r=9, fill=FACE, stroke=INK)
                picture.label(x + UNIT + 4, y, str(orders[0]), size=12, font_weight="bold")

    def warm(self, picture: Picture, heat: Mapping[Action, float] | None) -> None:
        """Draws arrows on the tiles of the hand by score: above for the left end, below for the right one."""
        warm = warmth(heat)
        for at, tile in enumerate(self.table.hand):
            for side in (0, 1):
                if 2 * tile + side in warm:
                    _arrow(picture, *self._arrow_place(at, side), side, warm[2 * tile + side])

    def _arrow_place(self, at: int, side: int) -> tuple[float, float]:
        x, y = self._hand_place(at)
        return x + UNIT / 2, y - 11 if side == 0 else y + 2 * UNIT + 11

    def _on_table(self, place: Place) -> float:
        return self.layout.width / 2 + place.x

    def _draw_ends(self, picture: Picture) -> None:
        """Invisible circles at the ends of the line, for tiles that are dragged there."""
        laid = chain(self.table.line)
        by_tile = {place.tile: place for place in self.placed}
        for side, end in enumerate((laid[0], laid[-1]) if laid else ()):
            place = by_tile[end.tile]
            cx, cy = self._on_table(place) + place.width / 2, self.middle + place.y + place.height / 2
            picture.add("circle", cx=cx, cy=cy, r=UNIT + GAP, fill="none", data_end=side)

    def _draw_hidden(self, picture: Picture, caption: Caption, chosen: bool) -> None:
        """The other seat's hand, face down until the end, and the boneyard."""
        table, layout = self.table, self.layout
        other = 1 - table.seat
        first = 20.0 if layout.narrow else 26.0
        self._write(picture, first, _all(caption, layout.narrow), SEATS[other])
        if layout.narrow and caption.lacks:
            self._write(picture, first + 18, caption.lacks, SEATS[other])
        hand: Sequence[int | None] = table.revealed[other] if table.revealed else [None] * table.counts[other]
        room = layout.width - 2 * layout.margin - UNIT if layout.narrow else 0.5 * layout.width
        step = min(UNIT + 8, room / max(1, len(hand)))
        top = 52.0 if layout.narrow else 44.0
        for at, tile in enumerate(hand):
            draw_tile(picture, layout.margin + at * step, top, None if tile is None else numbers(tile), SEATS[other])
        text, top = layout.boneyard
        self._write(picture, text, say("boneyard ({count})", count=table.boneyard), INK, end=not layout.narrow)
        for at in range(table.boneyard):
            draw_tile(picture, self._boneyard(at), top, None, HOT if chosen else GRID)

    def _write(self, picture: Picture, y: float, text: str | None, colour: str, *, end: bool = False) -> None:
        if text:
            margin = self.layout.margin
            x, anchor = (self.layout.width - margin, "end") if end else (margin, "start")
            picture.label(
                x, y, text, size=13 if self.layout.narrow else 14, text_anchor=anchor, fill=colour, font_weight="bold"
            )


def _all(caption: Caption, narrow: bool) -> Message:
    """The caption in one line; in the narrow layout `lacks` has a line of its own."""
    return caption.who if narrow or caption.lacks is None else joined([caption.who, caption.lacks], " · ")


def _arrow(picture: Picture, x: float, y: float, side: int, warm: float | None) -> None:
    """An arrow at a tile of the hand: it fits that end, or how good it is there."""
    way = 2 * side - 1
    points = " ".join(f"{x + way * dx:.1f},{y + dy:.1f}" for dx, dy in ((7, 0), (-5, -6), (-5, 6)))
    fill: dict[str, object] = {"fill": GRID} if warm is None else {"fill": HOT, "fill_opacity": 0.1 + 0.9 * warm}
    picture.add("polygon", points=points, stroke=INK, **fill)
