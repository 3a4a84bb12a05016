"""The picture of a table of Kittens, in a wide and a narrow layout.

::

    wide   other's cards             narrow   other's cards
           deck  what is known  played        deck  what is known
           own hand                           played
                                              own hand, in rows
                                              where a bomb may go
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ludoteca import _core
from ludoteca.games.kittens.cards import CARD_ACTIONS, CARDS, PLACE_AT
from ludoteca.games.picture import CELL, GRID, HOT, INK, ON, PAPER, SEATS, Picture, Shade, box, warmth
from ludoteca.games.side_names import COLOURS as SIDES
from ludoteca.messages import Message, say
from ludoteca.protocols import Action, ClickArea

__all__ = ["NARROW", "WIDE", "KittensPicture", "Layout", "TableTexts", "draw_icon"]

COLOURS = ("#2f2a26", "#3d7a3a", "#2f6f96", "#b5473c", "#7a5aa6", "#7d6130", "#46696f", "#8f5d10")
FACES = tuple(Shade(f"card{card}", colour) for card, colour in enumerate(COLOURS))
"""One colour per card, dark enough for text."""
TRACK = Shade("track", "#e4dccb")
ICONS = (
    "M-3 4 m-13 0 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0 M5 -8 q4 -8 12 -6 M17 -19 v9 M12.5 -14.5 h9",
    "M0 -18 l15 5 v9 q0 14 -15 21 q-15 -7 -15 -21 v-9 z M-7 -2 l5 6 l9 -11",
    "M-14 -13 l13 13 l-13 13 M2 -13 l13 13 l-13 13",
    "M4 -19 l-15 22 h10 l-4 17 l16 -23 h-10 z",
    "M-19 0 q19 -22 38 0 q-19 22 -38 0 z M-6 0 a6 6 0 1 0 12 0 a6 6 0 1 0 -12 0",
    "M-14 -16 h28 M-14 -9 h28 M0 18 v-19 M-8 6 l8 -8 l8 8",
    "M-17 -9 h8 q6 0 9 9 q3 9 9 9 h7 M12 5 l5 4 l-5 4 M-17 9 h8 q6 0 9 -9 q3 -9 9 -9 h7 M12 -13 l5 4 l-5 4",
    "M-15 -2 l-1 -16 l10 6 q6 -2 12 0 l10 -6 l-1 16 q1 17 -15 17 q-16 0 -15 -17 z M-6 1 v3 M6 1 v3 M-3 9 h6",
)
FACE = 80.0  # the width of a card of the hand
HAND_STEP, HAND_ROW = 86.0, 122.0
PLACE = 46.0  # the area for a place of a bomb in the narrow layout: wide enough for a thumb


class TableTexts(NamedTuple):
    """The texts of the picture, to be translated."""

    other: Message
    deck: Message
    risk: Message
    status: Message
    known: Sequence[tuple[str, int]]
    """The known cards of the deck: depth and card."""
    suspected: Message | None
    """Where the other may have put a bomb."""
    last: Sequence[str | None]
    """By seat: its last action."""
    played: Sequence[Message]
    """By seat: the cards that it has played."""
    gone: Message
    """The cards that are out of play."""


class Layout(NamedTuple):
    """Where everything is drawn; corners as (x, y)."""

    width: float
    deck: tuple[float, float]
    texts: tuple[float, float]
    played: tuple[float, float]
    played_width: float
    status: tuple[float, float]
    hand: tuple[float, float]
    per_row: int
    narrow: bool


WIDE = Layout(660, (42, 120), (176, 126), (398, 116), 246, (521, 282), (24, 308), 7, False)
NARROW = Layout(360, (24, 120), (152, 126), (12, 304), 336, (180, 474), (10, 496), 4, True)


class KittensPicture:
    """One view with its layout."""

    def __init__(self, table: _core.KittensView, layout: Layout) -> None:
        self.table, self.layout = table, layout
        self.placing = table.legal() if table.placing and table.turn == table.seat else []

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        return self._below_hand + (self._place_rows * PLACE + 8 if self.layout.narrow else 0)

    @property
    def _below_hand(self) -> float:
        kinds = max(1, sum(map(bool, self.table.hand)))
        rows = -(-kinds // self.layout.per_row)
        return self.layout.hand[1] + rows * HAND_ROW

    @property
    def _per_place_row(self) -> int:
        return int((self.layout.width - 20) / PLACE)

    @property
    def _place_rows(self) -> int:
        return -(-len(self.placing) // self._per_place_row)

    def click_areas(self) -> list[ClickArea]:
        """See `Clickable.click_areas`."""
        if self.placing and self.layout.narrow:
            return [
                ClickArea(action, box(*self._place_corner(action), PLACE - 4, PLACE - 4)) for action in self.placing
            ]
        x, y = self.layout.deck
        if self.placing:
            high = min(24.0, 132 / len(self.placing))
            return [ClickArea(action, box(6, self.spot(action)[1] - high / 2, 130, high)) for action in self.placing]
        areas = [ClickArea(0, box(x, y, 104, 138))]
        for action, card in CARD_ACTIONS.items():
            if self.table.hand[card]:
                areas.append(ClickArea(action, box(*self._hand_place(card), FACE, 1.4 * FACE)))
        return areas

    def spot(self, action: Action) -> tuple[float, float]:
        """The place of an action's mark: on the deck, beside it, or on a card of the hand."""
        x, y = self.layout.deck
        if action == 0:
            return x + 30, y + 24
        if action in CARD_ACTIONS:
            x, y = self._hand_place(CARD_ACTIONS[action])
            return x + 14, y + 14
        if self.layout.narrow and action in self.placing:
            x, y = self._place_corner(action)
            return x + 10, y + 10
        depth = (action - 3) / 2 if action < PLACE_AT else (action - PLACE_AT) / max(self.table.deck_size, 1)
        return max(20.0, x - 16), y + 14 + 112 * depth

    def _place_corner(self, action: Action) -> tuple[float, float]:
        row, column = divmod(self.placing.index(action), self._per_place_row)
        return 12 + column * PLACE, self._below_hand + row * PLACE

    def _hand_place(self, card: int) -> tuple[float, float]:
        """The corner of a card in the hand; for a card not held, that after the last one."""
        held = [each for each, count in enumerate(self.table.hand) if count]
        row, column = divmod(held.index(card) if card in held else len(held), self.layout.per_row)
        x, y = self.layout.hand
        return x + HAND_STEP * column, y + HAND_ROW * row

    def draw(self, picture: Picture, texts: TableTexts) -> None:
        """Draws everything but the marks."""
        self._draw_other(picture, texts)
        self._draw_deck(picture, texts)
        self._draw_played(picture, texts)
        self._draw_hand(picture)
        if self.layout.narrow:
            for action in self.placing:
                x, y = self._place_corner(action)
                picture.add("rect", x=x, y=y, width=PLACE - 4, height=PLACE - 4, rx=6, fill=CELL, stroke=GRID)
                picture.label(x + PLACE / 2 - 2, y + PLACE / 2 - 2, _depth(action), size=14, font_weight="bold")

    def _draw_other(self, picture: Picture, texts: TableTexts) -> None:
        other, width = 1 - self.table.seat, self.layout.width
        count = self.table.hand_sizes[other]
        for i in range(count):
            draw_card(picture, 16 + min(26.0, (width - 80) / count) * i, 12, 44, PAPER, SEATS[other])
        picture.paragraph(16, 88, texts.other, size=13, width=width - 32, fill=SEATS[other], font_weight="bold")

    def _draw_deck(self, picture: Picture, texts: TableTexts) -> None:
        table, (x, y), size = self.table, self.layout.deck, self.table.deck_size
        for i in range(min(size, 8), 0, -1):
            draw_card(picture, x + 2.0 * i, y + 2.0 * i, 84, "#a597ad", "#6b5b73")
        picture.label(x + 44, y + 60, str(size), size=34, fill="#fffdf8" if size else INK, font_weight="bold")
        if size:
            picture.add("rect", x=x + 4, y=y + 144, width=96, height=8, rx=4, fill=TRACK)
            picture.add("rect", x=x + 4, y=y + 144, width=96 * table.bomb_chance(0), height=8, rx=4, fill=SEATS[0])
            _note(picture, x + 4, y + 166, texts.risk, size=12)
        x, y = self.layout.texts
        _note(picture, x, y, texts.deck)
        for i in range(table.bombs):
            draw_icon(picture, 0, x + 8 + min(20.0, 190 / table.bombs) * i, y + 22, 0.5)
        known = texts.known[:4]
        for row, (depth, card) in enumerate(known):
            at = y + 48 + 23 * row
            picture.label(x + 46, at, depth, size=12, text_anchor="end")
            picture.add("rect", x=x + 54, y=at - 10, width=96, height=20, rx=5, fill=FACES[card])
            picture.label(x + 102, at, CARDS[card], size=12, fill=ON)
        if texts.suspected is not None:
            at, fill = y + 48 + 23 * len(known), SEATS[1 - table.seat]
            picture.paragraph(x, at, texts.suspected, size=12, width=200, fill=fill)

    def _draw_played(self, picture: Picture, texts: TableTexts) -> None:
        table, (x, top), width = self.table, self.layout.played, self.layout.played_width
        for row, seat in enumerate((1 - table.seat, table.seat)):
            y = top + 74 * row
            picture.add("rect", x=x, y=y, width=width, height=66, rx=8, fill=CELL, stroke=GRID)
            picture.add("rect", x=x, y=y, width=6, height=66, rx=3, fill=SEATS[seat])
            _note(picture, x + 16, y + 14, SIDES[seat], fill=SEATS[seat])
            last = texts.last[seat]
            if last is not None:
                text = say("last: {action}", action=last)
                picture.label(x + width - 10, y + 14, text, size=13, text_anchor="end", font_weight="bold")
            cards = [card for card, count in enumerate(table.played[seat]) for _ in range(count)]
            with picture.named(say("played: {cards}", cards=texts.played[seat])):
                for i, card in enumerate(cards):
                    left = x + 16 + min(22.0, (width - 40) / len(cards)) * i
                    draw_card(picture, left, y + 28, 20, FACES[card])
                    draw_icon(picture, card, left + 10, y + 42, 0.3)
        gone = [(card, count) for card, count in enumerate(table.gone) if count]
        if gone:
            _note(picture, x, top + 152, say("out of play"), size=12)
            step = min(28.0, (width - 104) / len(gone))
            with picture.named(texts.gone):
                for place, (card, count) in enumerate(gone):
                    draw_icon(picture, card, x + 112 + step * place, top + 151, 0.28)
                    _note(picture, x + 119 + step * place, top + 152, str(count), size=12)
        picture.label(*self.layout.status, texts.status, size=14, font_weight="bold")

    def _draw_hand(self, picture: Picture) -> None:
        for card, count in enumerate(self.table.hand):
            if not count:
                continue
            x, y = self._hand_place(card)
            for i in range(min(count, 3) - 1, -1, -1):
                draw_card(picture, x + 3 * i, y - 3 * i, FACE, FACES[card])
            draw_icon(picture, card, x + FACE / 2, y + 48, 1.0)
            picture.label(x + FACE / 2, y + 94, CARDS[card], size=12, fill=FACES[card], font_weight="bold")
            if count > 1:
                picture.add("circle", cx=x + FACE - 12, cy=y + 14, r=11, fill=FACES[card])
                picture.label(x + FACE - 12, y + 14, str(count), size=13, fill=ON, font_weight="bold")

    def mark(
        self, picture: Picture, heat: Mapping[Action, float] | None, last: Action | None, line: Sequence[Action]
    ) -> None:
        """Draws heat for scores, arrows where a bomb may go, a ring for `last`, numbers for a plan."""
        for action, warm in warmth(heat).items():
            x, y = self.spot(action)
            picture.add("circle", cx=x, cy=y, r=9 + 9 * warm, fill=HOT, fill_opacity=0.25 + 0.65 * warm)
        if not self.layout.narrow:
            for action in self.placing:
                x, y = self.spot(action)
                picture.add("path", d=f"M{x + 8:.1f} {y:.1f} l-12 -6 v12 z", fill=INK)
        if last is not None:
            x, y = self.spot(last)
            picture.add("circle", cx=x, cy=y, r=13, fill="none", stroke=INK, stroke_width=3)
        for order, action in enumerate(line, start=1):
            x, y = self.spot(action)
            picture.add("circle", cx=x, cy=y, r=10, fill=CELL, fill_opacity=0.9, stroke=INK)
            picture.label(x, y, str(order), size=12, font_weight="bold")


def _depth(action: Action) -> str:
    """The depth of a bomb as a short label."""
    return "⤒↕⤓"[action - 3] if action < PLACE_AT else str(action - PLACE_AT)


def _note(picture: Picture, x: float, y: float, text: str, *, size: float = 13, fill: str = INK) -> None:
    picture.label(x, y, text, size=size, text_anchor="start", fill=fill)


def draw_card(picture: Picture, x: float, y: float, width: float, edge: str, back: str = CELL) -> None:
    """An empty card, or its back in a colour."""
    place = {"x": x, "y": y, "width": width, "height": 1.4 * width, "rx": width / 10}
    picture.add("rect", **place, fill=back, stroke=edge, stroke_width=min(2.0, width / 20))


def draw_icon(picture: Picture, card: int, x: float, y: float, scale: float) -> None:
    """The sign of a card with its middle at (x, y)."""
    colour = FACES[card]
    where = f"translate({x:.1f} {y:.1f}) scale({scale})"
    style = {"stroke_width": 2.6, "stroke_linecap": "round", "stroke_linejoin": "round"}
    fill = colour if card == 0 else "none"
    picture.add("path", d=ICONS[card], transform=where, fill=fill, stroke=colour, **style)
