"""What everybody may see of a match with hidden hands, drawn for those who only look on.

Drawn from `Dominoes` and `Kittens` below, which have no field for a hand; they are filled from attributes of a view
that are the same from both seats. A game that is not known here shows nothing but its list of actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.games.dominoes.tiles import UNIT, chain, draw_tile, places
from ludoteca.games.kittens.cards import CARDS
from ludoteca.games.kittens.picture import FACES, draw_card, draw_icon
from ludoteca.games.picture import CELL, GRID, INK, PAPER, SEATS, Picture
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, joined, say, say_count
from ludoteca.play.match import Match
from ludoteca.protocols import Game, Seat

__all__ = ["public_board"]

WIDE, NARROW, MARGIN = 700.0, 360.0, 16.0
CARD = 44.0
"""A card of a hand, across."""


class Dominoes(NamedTuple):
    """A table of Dominoes without its hands."""

    line: Sequence[tuple[int, Seat | None, int]]
    counts: tuple[int, int]
    boneyard: int


class Kittens(NamedTuple):
    """A table of Kittens without its hands and without what anybody knows of the deck."""

    deck: int
    bombs: int
    hands: tuple[int, int]
    played: Sequence[Sequence[int]]
    """By seat the cards that it has played, counted in the order of CARDS."""
    owed: int
    over: bool


def public_board(speaker: Speaker, match: Match, *, narrow: bool = False) -> str:
    """The table as SVG, without any hand; narrow: for a phone."""
    view, width = match.view(0), NARROW if narrow else WIDE
    if isinstance(view, _core.DominoesView):
        return _dominoes(match.game, Dominoes(view.line, view.counts, view.boneyard), width, speaker.language)
    if isinstance(view, _core.KittensView):
        over = view.turn is None
        table = Kittens(view.deck_size, view.bombs, view.hand_sizes, view.played, view.owed, over)
        return _kittens(match.game, table, width, speaker.language)
    return f"<p>{escape(speaker.say('This game shows nothing to those who look on.'))}</p>"


def _dominoes(game: Game, table: Dominoes, width: float, language: Language) -> str:
    """Blue's tiles and the boneyard, the line, red's tiles; all but the line face down."""
    placed = list(places(table.line, width / 2 - MARGIN))
    above = max([2 * UNIT, *(-place.y for place in placed)])
    below = max([2 * UNIT, *(place.y + place.height for place in placed)])
    middle = 200 + above
    bottom = middle + below + 40
    picture = Picture(width, bottom + 2 * UNIT + 16, title=say("Dominoes table"), language=language)
    tops = {1: 20.0, 0: bottom - 18}
    for seat, count in enumerate(table.counts):
        text = joined([side(game, seat), say_count("{count} tile", "{count} tiles", count)], ": ")
        _row_of_tiles(picture, tops[seat], text, count, SEATS[seat], width)
    yard = say_count("boneyard: {count} tile", "boneyard: {count} tiles", table.boneyard)
    _row_of_tiles(picture, 112.0, yard, table.boneyard, GRID, width, ink=INK)
    laid = " ".join(f"{each.left}-{each.right}" for each in chain(table.line))
    with picture.named(say("the line from left to right: {tiles}", tiles=laid) if laid else say("no tile yet")):
        for place in placed:
            edge = GRID if place.seat is None else SEATS[place.seat]
            newest = place.tile == table.line[-1][0]
            x, y = width / 2 + place.x, middle + place.y
            draw_tile(picture, x, y, place.shown, edge, across=place.across, bold=newest)
    if not placed:
        picture.label(width / 2, middle, say("no tile yet"), size=18)
    return _to_be_read(picture)


def _row_of_tiles(
    picture: Picture, top: float, text: str, count: int, edge: str, width: float, *, ink: str | None = None
) -> None:
    """Tiles face down with what is to be said of them above."""
    picture.label(MARGIN, top, text, size=14, text_anchor="start", fill=ink or edge, font_weight="bold")
    step = min(UNIT + 6, (width - 2 * MARGIN - UNIT) / max(1, count))
    for place in range(count):
        draw_tile(picture, MARGIN + place * step, top + 14, None, edge)


def _kittens(game: Game, table: Kittens, width: float, language: Language) -> str:
    """Blue's cards, the deck with its bombs, what both have played, red's cards."""
    narrow = width < WIDE
    played = (MARGIN, 300.0) if narrow else (300.0, 124.0)
    bottom = played[1] + 2 * 78 + 40 if narrow else 330.0
    picture = Picture(width, bottom + 1.4 * CARD + 20, title=say("Kittens table"), language=language)
    for seat, count in enumerate(table.hands):
        top = 20.0 if seat else bottom - 18
        text = joined([side(game, seat), say_count("{count} card", "{count} cards", count)], ": ")
        picture.label(MARGIN, top, text, size=14, text_anchor="start", fill=SEATS[seat], font_weight="bold")
        for place in range(count):
            step = min(CARD + 6, (width - 2 * MARGIN - CARD) / count)
            draw_card(picture, MARGIN + place * step, top + 14, CARD, PAPER, SEATS[seat])
    _draw_deck(picture, table)
    for seat, cards in enumerate(table.played):
        _draw_played(picture, game, seat, cards, played[0], played[1] + 78 * (1 - seat), width - played[0] - MARGIN)
    return _to_be_read(picture)


def _draw_deck(picture: Picture, table: Kittens) -> None:
    for depth in range(min(table.deck, 8), 0, -1):
        draw_card(picture, MARGIN + 8 + 2 * depth, 124 + 2 * depth, 84, "#a597ad", "#6b5b73")
    fill = "#fffdf8" if table.deck else INK
    picture.label(MARGIN + 52, 184, str(table.deck), size=34, fill=fill, font_weight="bold")
    cards = say_count("{count} card", "{count} cards", table.deck)
    bombs = say_count("{count} bomb", "{count} bombs", table.bombs)
    told = say("deck: {cards}, {bombs}", cards=cards, bombs=bombs)
    picture.paragraph(MARGIN + 124, 140, told, size=13, width=150, fill=INK)
    for place in range(table.bombs):
        draw_icon(picture, 0, MARGIN + 134 + min(22.0, 140 / table.bombs) * place, 184, 0.5)
    if not table.over:
        owed = say("draws owed: {count}", count=table.owed)
        picture.label(MARGIN + 124, 214, owed, size=13, text_anchor="start", font_weight="bold")


def _draw_played(
    picture: Picture, game: Game, seat: Seat, counts: Sequence[int], x: float, y: float, width: float
) -> None:
    """The cards that a seat has played, in a box of its colour."""
    cards = [card for card, count in enumerate(counts) for _ in range(count)]
    names = joined(CARDS[card] for card in cards) if cards else "–"
    picture.add("rect", x=x, y=y, width=width, height=70, rx=8, fill=CELL, stroke=GRID)
    picture.add("rect", x=x, y=y, width=6, height=70, rx=3, fill=SEATS[seat])
    picture.label(x + 16, y + 15, side(game, seat), size=13, text_anchor="start", fill=SEATS[seat])
    with picture.named(say("played: {cards}", cards=names)):
        for place, card in enumerate(cards):
            left = x + 16 + min(26.0, (width - 44) / len(cards)) * place
            draw_card(picture, left, y + 30, 24, FACES[card])
            draw_icon(picture, card, left + 12, y + 47, 0.36)


def _to_be_read(picture: Picture) -> str:
    """So that its parts are read out one by one."""
    return f"<svg role='group'{picture.svg().removeprefix('<svg')}"
