"""The picture of a table of Kittens, in a wide and a narrow layout.

::

    wide   other's cards                  narrow   other's cards
           deck  what is known  played             deck  what is known
           what happened, what to do               played by both
           own hand                                what happened, what to do
                                                   own hand, in rows

A bomb is shown large in a panel over the table; where this seat hides it is chosen there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ludoteca import _core
from ludoteca.games.kittens.cards import CARD_ACTIONS, CARDS, FIRST_HAND, PLACE_AT
from ludoteca.games.kittens.news import Bomb, place_short_name
from ludoteca.games.picture import CELL, GRID, HOT, INK, MARK, ON, PAPER, SEATS, Picture, Shade, box, warmth
from ludoteca.games.side_names import COLOURS as SIDES
from ludoteca.messages import Message, say
from ludoteca.protocols import Action, ClickArea, Decision

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
FIRST_NAMES = tuple(CARDS[card] for card in FIRST_HAND)
DASHES = (None, "7 4", "2 4")
"""The frames of the first, the second and the third reason."""
HEIGHT = 1.4
"""The height of a card, in widths."""
SLOT = 44.0
"""The least side of a place for a bomb: large enough for a thumb."""


class TableTexts(NamedTuple):
    """The texts of the picture, to be translated."""

    other: Message
    deck: Message
    risk: Message
    news: str
    """What happened last, and what to do now; in the language of the picture."""
    bomb: Bomb | None
    """A bomb that has been drawn, shown large."""
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
    """Where everything is drawn; corners as (x, y), boxes as (x, y, width, height)."""

    width: float
    other: tuple[float, float]
    """The corner of the other's first card, and the width of a card."""
    deck: tuple[float, float, float]
    """The corner of the deck, and the width of a card."""
    texts: tuple[float, float]
    played: tuple[float, float, float, float]
    """The box of both seats' played cards; next to each other in the narrow layout."""
    panel: tuple[float, float, float, float]
    """Where this seat chooses the place of a bomb."""
    event: tuple[float, float, float, float]
    """Where a bomb is shown that leaves this seat nothing to choose."""
    news: tuple[float, float, float]
    """The left end and the height of the first line, and the size of the text."""
    hand: tuple[float, float]
    card: tuple[float, float]
    """Width and height of a card of the hand."""
    per_row: int
    narrow: bool


WIDE = Layout(
    700, (34, 40), (22, 100, 112), (160, 118), (408, 96, 274, 184), (8, 90, 684, 214), (400, 90, 292, 196),
    (16, 320, 17), (10, 358), (92, 122), 7, False,
)  # fmt: skip
NARROW = Layout(
    360, (48, 32), (14, 102, 86), (124, 114), (8, 268, 344, 70), (4, 94, 352, 306), (118, 92, 236, 156),
    (10, 356, 14), (8, 402), (80, 96), 4, True,
)  # fmt: skip


class KittensPicture:
    """One view with its layout. Its height does not depend on the position, only on the cards of the game."""

    def __init__(self, table: _core.KittensView, layout: Layout) -> None:
        self.table, self.layout = table, layout
        self.placing = table.legal() if table.placing and table.turn == table.seat else []
        kinds = sum(bool(count) or name in FIRST_NAMES for name, count in list(table.game.counts.items())[1:])
        self.rows = -(-max(1, kinds) // layout.per_row)
        held = max(1, sum(map(bool, table.hand)))
        self.per_row = layout.per_row
        self.card = layout.card
        if self.rows > 1 and held <= layout.per_row:  # one row takes the room of both
            self.per_row = max(3, held)
            width = (layout.width - 2 * layout.hand[0]) / self.per_row - 8
            self.card = width, min(HEIGHT * width, self.rows * (layout.card[1] + 8) - 8)

    @property
    def height(self) -> float:
        """The height of the whole picture."""
        lowest = max((y + high for _, y, _, high in map(self._place_box, self.placing)), default=0.0)
        return max(self.layout.hand[1] + self.rows * (self.layout.card[1] + 8) + 4, lowest + 8)

    def click_areas(self) -> list[ClickArea]:
        """See `Clickable.click_areas`."""
        if self.placing:
            return [ClickArea(action, box(*self._place_box(action))) for action in self.placing]
        areas = [ClickArea(0, box(*self._deck_box()))]
        for action, card in CARD_ACTIONS.items():
            if self.table.hand[card]:
                areas.append(ClickArea(action, box(*self._hand_place(card), *self.card)))
        return areas

    def frame_of(self, action: Action) -> tuple[float, float, float, float] | None:
        """The box of what an action is played with: the deck, a card of the hand, a place of a bomb; None elsewhere."""
        if self.placing:
            return self._place_box(action) if action in self.placing else None
        if action == 0:
            return self._deck_box()
        card = CARD_ACTIONS.get(action)
        return None if card is None or not self.table.hand[card] else (*self._hand_place(card), *self.card)

    def _deck_box(self) -> tuple[float, float, float, float]:
        x, y, width = self.layout.deck
        return x, y, width + 16, HEIGHT * width + 14

    def _place_box(self, action: Action) -> tuple[float, float, float, float]:
        """The box of a place for the bomb in the panel."""
        x, y, width, _ = self.layout.panel
        left, room = (x + 8, width - 16) if self.layout.narrow else (x + 132, width - 144)
        top = y + (126 if self.layout.narrow else 90)
        count = len(self.placing)
        per_row = 3 if count <= 3 else min(count, int(room / (SLOT if self.layout.narrow else 42)))
        row, column = divmod(self.placing.index(action), per_row)
        high = (160.0 if self.layout.narrow else 110.0) if count <= 3 else SLOT - 2 if self.layout.narrow else 40.0
        rows = -(-count // per_row)
        if not self.layout.narrow and rows > 2:
            high = 32.0
        return left + column * room / per_row + 1, top + row * high, room / per_row - 2, high - 2

    def spot(self, action: Action) -> tuple[float, float]:
        """The place of an action's mark; an action that the picture does not offer has its mark beside the deck."""
        frame = self.frame_of(action)
        if frame is not None:
            return frame[0] + 14, frame[1] + 14
        if action in CARD_ACTIONS:
            x, y = self._hand_place(CARD_ACTIONS[action])
            return x + 14, y + 14
        x, y, width = self.layout.deck
        depth = (action - 3) / 2 if action < PLACE_AT else (action - PLACE_AT) / max(self.table.deck_size, 1)
        return x + 4, y + 14 + (HEIGHT * width - 28) * min(1.0, max(0.0, depth))

    def _hand_place(self, card: int) -> tuple[float, float]:
        """The corner of a card in the hand; for a card not held, that after the last one."""
        held = [each for each, count in enumerate(self.table.hand) if count]
        row, column = divmod(held.index(card) if card in held else len(held), self.per_row)
        (x, y), (width, height) = self.layout.hand, self.card
        step = (self.layout.width - 2 * x) / self.per_row
        return x + step * column + (step - width) / 2, y + (height + 8) * row + 4

    def draw(self, picture: Picture, texts: TableTexts) -> None:
        """Draws everything but the marks."""
        self._draw_other(picture, texts)
        self._draw_deck(picture, texts)
        self._draw_played(picture, texts)
        x, y, size = self.layout.news
        width = 0.92 * (self.layout.width - 2 * x)
        picture.paragraph(x, y, texts.news, size=size, width=width, lines=3 if self.layout.narrow else 2,
                          font_weight="bold", data_task="true")  # fmt: skip
        self._draw_hand(picture)
        if texts.bomb is not None:
            self._draw_bomb(picture, texts.bomb)

    def _draw_other(self, picture: Picture, texts: TableTexts) -> None:
        other, width = 1 - self.table.seat, self.layout.width
        count = self.table.hand_sizes[other]
        top, card = self.layout.other
        y, size, lines = (16.0, 13.0, 2) if self.layout.narrow else (16.0, 15.0, 1)
        if picture.lines(texts.other, size=size, width=0.9 * width) > lines:
            y, size, lines = (10, 12, 3) if self.layout.narrow else (9, 12, 2)
        picture.paragraph(
            14, y, texts.other, size=size, width=0.9 * width, lines=lines, fill=SEATS[other], font_weight="bold"
        )
        step = min(card + 6, (width - 28 - card) / max(1, count - 1))
        for i in range(count):
            with picture.piece(f"other{i}", source="deck"):
                draw_card(picture, 14 + step * i, top, card, PAPER, SEATS[other], height=1.25)

    def _draw_deck(self, picture: Picture, texts: TableTexts) -> None:
        table, (x, y, width), size = self.table, self.layout.deck, self.table.deck_size
        for i in range(min(size, 8), 1, -1):
            draw_card(picture, x + 2.0 * i, y + 2.0 * i - 2, width, "#a597ad", "#6b5b73")
        if size:
            with picture.piece("deck"):
                draw_card(picture, x + 2.0, y, width, "#a597ad", "#6b5b73")
        middle = x + width / 2 + 2
        label = {"fill": "#fffdf8" if size else INK, "font_weight": "bold"}
        picture.label(middle, y + 0.7 * width, str(size), size=0.4 * width, **label)
        if size:
            bar, chance = {"x": x + 2, "y": y + HEIGHT * width + 16, "height": 8, "rx": 4}, table.bomb_chance(0)
            picture.add("rect", width=width + 12, fill=TRACK, **bar)
            picture.add("rect", width=(width + 12) * chance, fill=SEATS[0], **bar)
            _note(picture, x, y + HEIGHT * width + 36, texts.risk, size=12 if self.layout.narrow else 14)
        x, y = self.layout.texts
        wide = 0 if self.layout.narrow else 1
        _note(picture, x, y, texts.deck, size=13 + 2 * wide)
        for i in range(table.bombs):
            draw_icon(picture, 0, x + 10 + min(24.0, 190 / table.bombs) * i, y + 26, 0.6)
        known = texts.known[: 4 + wide]
        for row, (depth, card) in enumerate(known):
            at = y + 56 + 25 * row
            picture.label(x + 52, at, depth, size=13, text_anchor="end")
            with picture.piece(f"known{row}", source="deck", turned=True):
                picture.add("rect", x=x + 60, y=at - 11, width=112, height=22, rx=5, fill=FACES[card])
                picture.label(x + 116, at, CARDS[card], size=13, fill=ON)
        if texts.suspected is not None and not self.placing:
            at, fill = y + 56 + 25 * len(known), SEATS[1 - table.seat]
            picture.paragraph(x, at, texts.suspected, size=13, width=220, fill=fill)

    def _draw_played(self, picture: Picture, texts: TableTexts) -> None:
        table, (left, top, width, height) = self.table, self.layout.played
        narrow = self.layout.narrow
        wide, high = (width / 2 - 4, height) if narrow else (width, height / 2 - 4)
        for place, seat in enumerate((1 - table.seat, table.seat)):
            x, y = (left + place * (wide + 8), top) if narrow else (left, top + place * (high + 8))
            picture.add("rect", x=x, y=y, width=wide, height=high, rx=8, fill=CELL, stroke=GRID)
            picture.add("rect", x=x, y=y, width=6, height=high, rx=3, fill=SEATS[seat])
            _note(picture, x + 14, y + 15, SIDES[seat], fill=SEATS[seat])
            last = texts.last[seat]
            if last is not None:
                text = last if narrow else say("last: {action}", action=last)
                picture.label(x + wide - 8, y + 15, text, size=13, text_anchor="end", font_weight="bold")
            cards = [(card, copy) for card, count in enumerate(table.played[seat]) for copy in range(count)]
            own = seat == table.seat
            card_width = 24.0 if narrow else 34.0
            step = min(card_width + 4, (wide - 24 - card_width) / max(1, len(cards) - 1))
            with picture.named(say("played: {cards}", cards=texts.played[seat])):
                for i, (card, copy) in enumerate(cards):
                    at = x + 14 + step * i
                    source = f"card{card}-{table.hand[card]}" if own else f"other{table.hand_sizes[seat]}"
                    with picture.piece(f"played{seat}-{card}-{copy}", source=source, turned=not own):
                        draw_card(picture, at, y + 28, card_width, FACES[card])
                        draw_icon(picture, card, at + card_width / 2, y + 28 + 0.7 * card_width, card_width / 66)
        gone = [(card, count) for card, count in enumerate(table.gone) if count]
        if gone:
            beside = self.layout.deck[0] + picture.text_width(texts.risk, 12) + 10  # the chance of a bomb
            x, y = (max(124.0, beside), 254.0) if narrow else (left, top + height + 12)
            # Translators: short: on a phone it stands between "top card: 25% bomb" and a row of signs
            label = say("out of play")
            first, end = x + picture.text_width(label, 12) + 14, left + width
            crowded = (end - 20 - first) / max(1, len(gone) - 1) < 24
            _note(picture, x, y - 17 if crowded else y, label, size=12)
            first = x + 8 if crowded else first
            step = min(28.0, (end - 20 - first) / max(1, len(gone) - 1))
            with picture.named(texts.gone):
                for place, (card, count) in enumerate(gone):
                    draw_icon(picture, card, first + step * place, y - 1, 0.28)
                    _note(picture, first + 7 + step * place, y, str(count), size=12)

    def _draw_hand(self, picture: Picture) -> None:
        width, height = self.card
        legal = set(self.table.legal())
        playable = {card for action, card in CARD_ACTIONS.items() if action in legal}
        for card, count in enumerate(self.table.hand):
            if not count:
                continue
            x, y = self._hand_place(card)
            for i in range(min(count, 3) - 1, -1, -1):
                with picture.piece(f"card{card}-{count - 1 - i}", source="deck", turned=True):
                    edge = HOT if card in playable and i == 0 else FACES[card]
                    frame = {"stroke": edge, "stroke_width": 4 if edge is HOT else 2, "rx": 8, "fill": CELL}
                    picture.add("rect", x=x + 3 * i, y=y - 3 * i, width=width, height=height, **frame)
                    if i == 0:
                        self._draw_face(picture, card, x, y)

    def _draw_face(self, picture: Picture, card: int, x: float, y: float) -> None:
        """The icon, the name and the number of cards of one kind in the hand."""
        (width, height), count = self.card, self.table.hand[card]
        draw_icon(picture, card, x + width / 2, y + 0.42 * height, height / 90)
        label = {"fill": FACES[card], "font_weight": "bold"}
        picture.label(x + width / 2, y + height - 14, CARDS[card], size=12 if self.layout.narrow else 14, **label)
        if count > 1:
            picture.add("circle", cx=x + width - 13, cy=y + 14, r=11, fill=FACES[card])
            picture.label(x + width - 13, y + 14, str(count), size=14, fill=ON, font_weight="bold")

    def _draw_bomb(self, picture: Picture, bomb: Bomb) -> None:
        """A bomb that has been drawn, large, in a panel over the table; below it the places where it may go."""
        chosen = bool(self.placing)
        x, y, width, height = self.layout.panel if chosen else self.layout.event
        if chosen:
            height = max(height, max(top + high for _, top, _, high in map(self._place_box, self.placing)) - y + 8)
        style = {"fill": CELL, "stroke": SEATS[0], "stroke_width": 4, "data_event": "bomb"}
        with picture.piece("bomb", source="deck"):
            picture.add("rect", x=x + 2, y=y + 2, width=width - 4, height=height - 4, rx=12, **style)
            self._draw_bomb_text(picture, bomb, (x, y, width), chosen=chosen)
        for action in self.placing:
            self._draw_place(picture, action)

    def _draw_bomb_text(self, picture: Picture, bomb: Bomb, panel: tuple[float, float, float], *, chosen: bool) -> None:
        """The card and the texts of the panel; panel: its corner and width."""
        x, y, width = panel
        narrow = self.layout.narrow
        card = 76.0 if narrow else 108.0 if chosen else 92.0
        draw_card(picture, x + 14, y + 14, card, FACES[0])
        draw_icon(picture, 0, x + 14 + card / 2, y + 10 + 0.7 * card, card / 56)
        left, room = x + card + 26, width - card - 40
        size = 15 if narrow else 18
        title = {"fill": SEATS[0], "font_weight": "bold"}
        below = picture.paragraph(left, y + 24, bomb.title, size=size + 1, width=0.86 * room, lines=3, **title)
        picture.paragraph(left, below + 2, bomb.text, size=size - 2, width=0.95 * room, lines=6)

    def _draw_place(self, picture: Picture, action: Action) -> None:
        """A place for the bomb: the deck seen from the side, with a gap at this depth, or its number."""
        x, y, width, height = self._place_box(action)
        back = {"fill": "#6b5b73", "stroke": HOT, "stroke_width": 2.5}
        picture.add("rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, rx=6, **back)
        few = len(self.placing) <= 3
        size = 16 if few else 14
        label = {"fill": "#fffdf8", "font_weight": "bold"}
        picture.label(x + width / 2, y + height - 16 if few else y + height / 2, place_short_name(action), size=size,
                      **label)  # fmt: skip
        if few:
            at = action - self.placing[0]
            for row in range(3):
                line = {"stroke": HOT if row == at else "#a597ad", "stroke_width": 7 if row == at else 4}
                side = 0.34 * width if row == at else 0.26 * width
                middle, level = x + width / 2, y + height * (0.18 + 0.18 * row)
                picture.add("line", x1=middle - side, x2=middle + side, y1=level, y2=level, **line)

    def mark(
        self, picture: Picture, heat: Mapping[Action, float] | None, last: Action | None, line: Sequence[Action]
    ) -> None:
        """Draws heat for scores, a ring for `last`, numbers for a plan."""
        for action, warm in warmth(heat).items():
            x, y = self.spot(action)
            picture.add("circle", cx=x, cy=y, r=9 + 9 * warm, fill=HOT, fill_opacity=0.25 + 0.65 * warm)
        if last is not None:
            x, y = self.spot(last)
            picture.add("circle", cx=x, cy=y, r=13, fill="none", stroke=INK, stroke_width=3)
        for order, action in enumerate(line, start=1):
            x, y = self.spot(action)
            picture.add("circle", cx=x, cy=y, r=11, fill=CELL, fill_opacity=0.9, stroke=INK)
            picture.label(x, y, str(order), size=13, font_weight="bold")

    def mark_reasons(self, picture: Picture, decision: Decision) -> None:
        """Draws frames where the reasons are; on the deck how likely its top card is a bomb."""
        for rank, reason in reversed(list(enumerate(decision.reasons))):
            for action in dict.fromkeys(reason.places):
                if (frame := self.frame_of(action)) is None:
                    continue
                x, y, width, height = frame
                place = {"x": x - 1, "y": y - 1, "width": width + 2, "height": height + 2, "rx": 9, "fill": "none"}
                picture.add("rect", stroke=CELL, stroke_width=8, **place)
                dash = DASHES[rank % len(DASHES)]
                picture.add("rect", stroke=MARK, stroke_width=5, stroke_dasharray=dash, data_place=action, **place)
                if action == 0 and self.table.deck_size:
                    self._draw_chance(picture)

    def _draw_chance(self, picture: Picture) -> None:
        """A bomb and its chance, on the deck."""
        x, y, width = self.layout.deck
        top = y + HEIGHT * width - 44
        style = {"fill": CELL, "stroke": MARK, "stroke_width": 3}
        picture.add("rect", x=x + 4, y=top, width=width + 6, height=38, rx=10, **style)
        draw_icon(picture, 0, x + 26, top + 19, 0.7)
        chance = f"{self.table.bomb_chance(0):.0%}"
        picture.label(x + width / 2 + 20, top + 20, chance, size=20, fill=MARK, font_weight="bold")


def _note(picture: Picture, x: float, y: float, text: str, *, size: float = 13, fill: str = INK) -> None:
    picture.label(x, y, text, size=size, text_anchor="start", fill=fill)


def draw_card(
    picture: Picture, x: float, y: float, width: float, edge: str, back: str = CELL, *, height: float = HEIGHT
) -> None:
    """An empty card, or its back in a colour; height: in widths."""
    place = {"x": x, "y": y, "width": width, "height": height * width, "rx": width / 10}
    picture.add("rect", **place, fill=back, stroke=edge, stroke_width=min(2.0, width / 20))


def draw_icon(picture: Picture, card: int, x: float, y: float, scale: float) -> None:
    """The sign of a card with its middle at (x, y)."""
    colour = FACES[card]
    where = f"translate({x:.1f} {y:.1f}) scale({scale})"
    style = {"stroke_width": 2.6, "stroke_linecap": "round", "stroke_linejoin": "round"}
    fill = colour if card == 0 else "none"
    picture.add("path", d=ICONS[card], transform=where, fill=fill, stroke=colour, **style)


@cache
def card_svg(card: int) -> str:
    """The sign of a card alone."""
    picture = Picture(48, 48)
    draw_icon(picture, card, 0, 0, 1)
    return f"<svg viewBox='-24 -24 48 48' aria-hidden='true'>{picture.inside()}</svg>"
