"""A table of Kittens as spectators see it: both hands and the deck face down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.catalogues import Language
from ludoteca.games.kittens.cards import CARDS
from ludoteca.games.kittens.picture import FACES, draw_card, draw_icon
from ludoteca.games.picture import CELL, GRID, INK, PAPER, SEATS, Picture
from ludoteca.games.side_names import COLOURS
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Seat

WIDE, NARROW, MARGIN = 700.0, 360.0, 16.0
CARD = 48.0
"""The width of a card of a hand."""


class PublicTable(NamedTuple):
    """What both seats see. It has no field for a hand or for what a seat knows of the deck."""

    deck: int
    bombs: int
    hands: tuple[int, int]
    played: Sequence[Sequence[int]]
    """By seat the cards that it has played, counted in the order of CARDS."""
    owed: int
    over: bool
    bomb: Seat | None = None
    """The seat that has just drawn a bomb: it puts the bomb back, or has lost."""


def draw_public(table: PublicTable, *, narrow: bool, language: Language) -> str:
    """Blue's cards, the deck with its bombs, what both have played, red's cards, as SVG."""
    width = NARROW if narrow else WIDE
    played = (MARGIN, 300.0) if narrow else (300.0, 124.0)
    bottom = played[1] + 2 * 78 + 40 if narrow else 330.0
    picture = Picture(width, bottom + 1.4 * CARD + 20, title=say("Kittens table"), language=language)
    for seat, count in enumerate(table.hands):
        top = 20.0 if seat else bottom - 18
        text = joined([COLOURS[seat], say_count("{count} card", "{count} cards", count)], ": ")
        picture.label(MARGIN, top, text, size=14, text_anchor="start", fill=SEATS[seat], font_weight="bold")
        for place in range(count):
            step = min(CARD + 6, (width - 2 * MARGIN - CARD) / count)
            with picture.piece(f"hand{seat}-{place}", source="deck"):
                draw_card(picture, MARGIN + place * step, top + 14, CARD, PAPER, SEATS[seat])
    _draw_deck(picture, table)
    for seat, cards in enumerate(table.played):
        source = f"hand{seat}-{table.hands[seat]}"
        _draw_played(picture, seat, cards, source, played[0], played[1] + 78 * (1 - seat), width - played[0] - MARGIN)
    return picture.svg()


def _draw_deck(picture: Picture, table: PublicTable) -> None:
    for depth in range(min(table.deck, 8), 1, -1):
        draw_card(picture, MARGIN + 8 + 2 * depth, 124 + 2 * depth, 84, "#a597ad", "#6b5b73")
    if table.deck:
        with picture.piece("deck"):
            draw_card(picture, MARGIN + 10, 126, 84, "#a597ad", "#6b5b73")
    fill = "#fffdf8" if table.deck else INK
    picture.label(MARGIN + 52, 184, str(table.deck), size=34, fill=fill, font_weight="bold")
    cards = say_count("{count} card", "{count} cards", table.deck)
    bombs = say_count("{count} bomb", "{count} bombs", table.bombs)
    contents = say("deck: {cards}, {bombs}", cards=cards, bombs=bombs)
    picture.paragraph(MARGIN + 124, 140, contents, size=13, width=150, fill=INK)
    for place in range(table.bombs):
        draw_icon(picture, 0, MARGIN + 134 + min(22.0, 140 / table.bombs) * place, 184, 0.5)
    if table.bomb is not None:
        text = (
            say("{side} drew a bomb and had no Defuse.", side=COLOURS[table.bomb])
            if table.over
            else say("{side} drew a bomb and used a Defuse.", side=COLOURS[table.bomb])
        )
        draw_card(picture, MARGIN + 124, 204, 44, FACES[0])
        draw_icon(picture, 0, MARGIN + 144, 236, 0.8)
        picture.paragraph(MARGIN + 178, 218, text, size=14, width=130, lines=4, font_weight="bold")
    elif not table.over:
        owed = say("cards to draw: {count}", count=table.owed)
        picture.label(MARGIN + 124, 214, owed, size=13, text_anchor="start", font_weight="bold")


def _draw_played(
    picture: Picture, seat: Seat, counts: Sequence[int], source: str, x: float, y: float, width: float
) -> None:
    """The cards that a seat has played, in a box of its colour; source: the piece from which a new one comes."""
    cards = [(card, copy) for card, count in enumerate(counts) for copy in range(count)]
    names = joined(CARDS[card] for card, _ in cards) if cards else "–"
    picture.add("rect", x=x, y=y, width=width, height=70, rx=8, fill=CELL, stroke=GRID)
    picture.add("rect", x=x, y=y, width=6, height=70, rx=3, fill=SEATS[seat])
    picture.label(x + 16, y + 15, COLOURS[seat], size=13, text_anchor="start", fill=SEATS[seat])
    with picture.named(say("played: {cards}", cards=names)):
        for place, (card, copy) in enumerate(cards):
            left = x + 16 + min(26.0, (width - 44) / len(cards)) * place
            with picture.piece(f"played{seat}-{card}-{copy}", source=source, turned=True):
                draw_card(picture, left, y + 30, 24, FACES[card])
                draw_icon(picture, card, left + 12, y + 47, 0.36)
