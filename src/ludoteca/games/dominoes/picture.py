"""The picture of a table of Dominoes, in a wide and a narrow layout.

::

    other's hand        boneyard
    the line, wrapped into rows      Its tiles are as large as the room allows.
    captions, what to do now
    own hand                         Lit tiles can be laid. An arrow above a tile: at the left end; below: at the right.

The height does not depend on the position, unless a hand or a line is longer than it ever is with the usual options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ludoteca import _core
from ludoteca.games.dominoes.tiles import FACE, chain, draw_line, draw_tile, lay_line, numbers
from ludoteca.games.picture import GRID, HOT, INK, SEATS, Picture, box, warmth
from ludoteca.messages import Message, joined, say
from ludoteca.protocols import Action, ClickArea

ARROWS = 22.0
"""Room above and below each tile of the hand, for an arrow."""
LEAST_LINE = 120.0
"""The height that is left for the line, at least."""


class Layout(NamedTuple):
    """The measures of a picture."""

    width: float
    height: float
    margin: float
    size: float
    """Of the text."""
    top: float
    """The upper end of the other's hand and of the boneyard."""
    hidden: float
    """The side of half a tile in these two."""
    captions: float
    """The height of the texts above the hand."""
    slots: tuple[float, float]
    """The widest and the narrowest room for a tile of the hand."""
    unit: float
    """The largest side of half a tile of the hand."""

    @property
    def narrow(self) -> bool:
        """Whether texts have rows of their own."""
        return self.width < 500

    @property
    def room(self) -> float:
        """The width without margins."""
        return self.width - 2 * self.margin


WIDE = Layout(760, 500, 20, 16, 34, 22, 58, (64, 40), 40)
NARROW = Layout(360, 520, 10, 13, 46, 20, 76, (64, 42), 38)


class Caption(NamedTuple):
    """The text about a seat."""

    who: Message
    lacks: Message | None
    """The numbers that it cannot have."""


class DominoesPicture:
    """One view with its layout."""

    def __init__(self, table: _core.DominoesView, layout: Layout, tiles: int) -> None:
        self.table, self.layout = table, layout
        count = max(1, len(table.hand))
        per_row = max(1, min(count, int(layout.room / layout.slots[1])))
        rows = -(-count // per_row)
        self.per_row = -(-count // rows)
        self.slot = min(layout.slots[0], layout.room / self.per_row)
        # Two rows are lower, so that the line keeps its room.
        self.unit = min(layout.unit, (self.slot - 8) * 0.9, layout.unit if rows == 1 else 0.55 * layout.unit + 2)
        self.row = 2 * self.unit + 2 * ARROWS
        self.line_top = layout.top + 2 * layout.hidden + 12
        height = layout.height + (180 if tiles > 28 else 0)
        under = layout.captions + rows * self.row + 4
        room = max(LEAST_LINE, height - self.line_top - under)
        self.line = lay_line(table.line, layout.margin, self.line_top, layout.room, room)
        self.captions = self.line.bottom
        self.hand = self.captions + layout.captions + ARROWS
        """The top of the first tile of the hand."""
        self.height = max(height, self.captions + under)

    def click_areas(self, draw_action: Action) -> list[ClickArea]:
        """The tiles of the hand and the boneyard.

        A tile that fits both ends has two areas, the upper one for the left end. Any other tile is one area: for its
        legal action, or for the left end if it has none.
        """
        legal = set(self.table.legal())
        areas = []
        for at, tile in enumerate(self.table.hand):
            x, y = self.hand_place(at)
            x, y, high = x - (self.slot - self.unit) / 2, y - ARROWS + 1, self.row - 2
            sides = [side for side in (0, 1) if 2 * tile + side in legal]
            for part, side in enumerate(sides or [0]):
                share = high / max(1, len(sides))
                areas.append(ClickArea(2 * tile + side, box(x + 0.5, y + part * share, self.slot - 1, share)))
        if self.table.boneyard:
            areas.append(ClickArea(draw_action, box(*self._boneyard_box())))
        return areas

    def hand_place(self, at: int) -> tuple[float, float]:
        """The corner of a tile of the hand."""
        row, column = divmod(at, self.per_row)
        left = (self.layout.width - self.per_row * self.slot) / 2
        return left + column * self.slot + (self.slot - self.unit) / 2, self.hand + row * self.row

    def frame_of(self, action: Action, draw_action: Action) -> tuple[float, float, float, float] | None:
        """x, y, width and height of an action's tile in the hand or in the line, or of the boneyard; None elsewhere."""
        if action == draw_action:
            return self._boneyard_box() if self.table.boneyard else None
        tile = action // 2
        if tile in self.table.hand:
            return *self.hand_place(self.table.hand.index(tile)), self.unit, 2 * self.unit
        for place in self.line.placed:
            if place.tile == tile:
                return *self.line.corner(place), place.width, place.height
        return None

    def _boneyard(self, at: int) -> float:
        """The left side of a tile of the boneyard, counted from the right."""
        layout = self.layout
        step = min(0.6 * layout.hidden, (0.38 * layout.room - layout.hidden) / max(1, self.table.boneyard))
        return layout.width - layout.margin - layout.hidden - 4 - at * step

    def _boneyard_box(self) -> tuple[float, float, float, float]:
        """x, y, width and height."""
        layout = self.layout
        right = layout.width - layout.margin
        left = min(self._boneyard(self.table.boneyard - 1) - 4, right - 48)
        return left, layout.top - 4, right - left, 2 * layout.hidden + 8

    def draw(
        self,
        picture: Picture,
        captions: Sequence[Caption],
        news: Message,
        last: Action | None,
        plan: Sequence[Action],
        draw_action: Action,
    ) -> None:
        """Draws everything but the heat. captions: by seat; news: what to do now, or the result."""
        table, layout = self.table, self.layout
        self._draw_hidden(picture, captions[1 - table.seat], lit=draw_action in table.legal())
        laid = " ".join(f"{each.left}-{each.right}" for each in chain(table.line))
        with picture.named(say("the line from left to right: {tiles}", tiles=laid) if laid else say("no tile yet")):
            other = 1 - table.seat
            draw_line(picture, self.line, None if last is None else last // 2, {other: f"other{table.counts[other]}"})
        if not table.line:
            middle = (self.line_top + self.line.bottom) / 2
            picture.label(layout.width / 2, middle, say("no tile yet"), size=18)
        legal = set(table.legal())
        self._draw_ends(picture, legal)
        mine = captions[table.seat]
        self._write(picture, self.captions + layout.size, _all(mine, layout.narrow), SEATS[table.seat])
        if layout.narrow and mine.lacks:
            self._write(picture, self.captions + layout.size, mine.lacks, SEATS[table.seat], end=True)
        picture.paragraph(
            layout.margin, self.captions + 2.5 * layout.size, news, size=layout.size + 1, width=0.9 * layout.room,
            font_weight="bold", data_task="true",
        )  # fmt: skip
        self._draw_hand(picture, legal, plan)

    def _draw_hand(self, picture: Picture, legal: set[Action], plan: Sequence[Action]) -> None:
        """The own tiles: lit if they can be laid, pale if only others can."""
        table, unit = self.table, self.unit
        for at, tile in enumerate(table.hand):
            x, y = self.hand_place(at)
            sides = [side for side in (0, 1) if 2 * tile + side in legal]
            if sides:
                glow = {"fill": HOT, "data_lit": tile}
                picture.add("rect", x=x - 4, y=y - 4, width=unit + 8, height=2 * unit + 8, rx=unit / 6 + 3, **glow)
            pale = 0.5 if legal and not sides else None
            with picture.piece(f"tile{tile}", source=f"boneyard{table.boneyard}", turned=True):
                draw_tile(picture, x, y, numbers(tile), SEATS[table.seat], unit=unit, opacity=pale)
            for side in sides if table.line else ():
                _arrow(picture, *self._arrow_place(at, side), side, None)
            if orders := [n for n, action in enumerate(plan, 1) if action // 2 == tile]:
                picture.add("circle", cx=x + unit + 6, cy=y - 11, r=10, fill=FACE, stroke=INK)
                picture.label(x + unit + 6, y - 11, str(orders[0]), size=13, font_weight="bold")

    def warm(self, picture: Picture, heat: Mapping[Action, float] | None, draw_action: Action) -> None:
        """Draws arrows on the tiles of the hand by score, and a frame around the boneyard."""
        warm = warmth(heat)
        for at, tile in enumerate(self.table.hand):
            for side in (0, 1):
                if 2 * tile + side in warm:
                    _arrow(picture, *self._arrow_place(at, side), side, warm[2 * tile + side])
        if draw_action in warm and self.table.boneyard:
            x, y, width, height = self._boneyard_box()
            style = {"fill": HOT, "fill_opacity": 0.1 + 0.5 * warm[draw_action]}
            picture.add("rect", x=x, y=y, width=width, height=height, rx=6, **style)

    def _arrow_place(self, at: int, side: int) -> tuple[float, float]:
        x, y = self.hand_place(at)
        return x + self.unit / 2, y - ARROWS / 2 - 2 if side == 0 else y + 2 * self.unit + ARROWS / 2 + 2

    def _draw_ends(self, picture: Picture, legal: set[Action]) -> None:
        """Where the line goes on: lit if a tile fits there, with an invisible circle for tiles that are dragged."""
        laid = chain(self.table.line)
        by_tile = {place.tile: place for place in self.line.placed}
        for side, end in enumerate((laid[0], laid[-1]) if laid else ()):
            place = by_tile[end.tile]
            x, y = self.line.corner(place)
            number = end.left if side == 0 else end.right
            if any(2 * tile + side in legal for tile in self.table.hand):
                _light(picture, x, y, place.width, place.height, [each == number for each in place.shown], place.across)
            cx, cy = x + place.width / 2, y + place.height / 2
            picture.add("circle", cx=cx, cy=cy, r=1.2 * place.unit, fill="none", data_end=side)

    def _draw_hidden(self, picture: Picture, caption: Caption, *, lit: bool) -> None:
        """The other seat's hand, face down until the end, and the boneyard."""
        table, layout = self.table, self.layout
        other, unit = 1 - table.seat, layout.hidden
        first = layout.size + 1
        self._write(picture, first, _all(caption, layout.narrow), SEATS[other])
        if layout.narrow and caption.lacks:
            self._write(picture, first + 18, caption.lacks, SEATS[other])
        hand: Sequence[int | None] = table.revealed[other] if table.revealed else [None] * table.counts[other]
        step = min(unit + 6, (0.58 * layout.room - unit) / max(1, len(hand) - 1))
        if table.revealed:  # face up: they must not lie upon each other
            unit = min(unit, 0.58 * layout.room / max(1, len(hand)) - 3)
            step = unit + 3
        for at, tile in enumerate(hand):
            key, source = (f"other{at}", f"boneyard{table.boneyard}") if tile is None else (f"tile{tile}", f"other{at}")
            with picture.piece(key, source=source, turned=tile is not None):
                shown = None if tile is None else numbers(tile)
                draw_tile(picture, layout.margin + at * step, layout.top, shown, SEATS[other], unit=unit)
        yard = say("boneyard ({count})", count=table.boneyard)
        self._write(picture, first + 18 if layout.narrow else first, yard, INK, end=True)
        if lit:
            x, y, width, height = self._boneyard_box()
            picture.add("rect", x=x, y=y, width=width, height=height, rx=6, fill=HOT, data_lit="boneyard")
        for at in range(table.boneyard):
            with picture.piece(f"boneyard{at}"):
                draw_tile(picture, self._boneyard(at), layout.top, None, INK if lit else GRID, unit=layout.hidden)

    def _write(self, picture: Picture, y: float, text: str | None, colour: str, *, end: bool = False) -> None:
        if text:
            layout = self.layout
            x, anchor = (layout.width - layout.margin, "end") if end else (layout.margin, "start")
            picture.label(x, y, text, size=layout.size, text_anchor=anchor, fill=colour, font_weight="bold")


def _all(caption: Caption, narrow: bool) -> Message:
    """The caption in one line; in the narrow layout `lacks` has a place of its own."""
    return caption.who if narrow or caption.lacks is None else joined([caption.who, caption.lacks], " · ")


def _light(
    picture: Picture, x: float, y: float, width: float, height: float, halves: Sequence[bool], across: bool
) -> None:
    """A frame around the open half of an end of the line; around the whole tile if that is a double."""
    if all(halves):
        frame = (x, y, width, height)
    elif across:
        frame = (x + (0 if halves[0] else width / 2), y, width / 2, height)
    else:
        frame = (x, y + (0 if halves[0] else height / 2), width, height / 2)
    style = {"fill": "none", "stroke": HOT, "stroke_width": 5, "data_lit": "end"}
    picture.add("rect", x=frame[0], y=frame[1], width=frame[2], height=frame[3], rx=5, **style)


def _arrow(picture: Picture, x: float, y: float, side: int, warm: float | None) -> None:
    """An arrow at a tile of the hand: it fits that end, or how good it is there."""
    way = 2 * side - 1
    points = " ".join(f"{x + way * dx:.1f},{y + dy:.1f}" for dx, dy in ((9, 0), (-7, -7), (-7, 7)))
    fill: dict[str, object] = (
        {"fill": GRID, "data_lit": "arrow"} if warm is None else {"fill": HOT, "fill_opacity": 0.1 + 0.9 * warm}
    )
    picture.add("polygon", points=points, stroke=INK, **fill)
