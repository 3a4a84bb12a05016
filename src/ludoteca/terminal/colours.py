"""Text boards in colour: stones, knights, tiles and cards as the page paints them.

Rich leaves the colours out where the output is no terminal, and where NO_COLOR is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.text import Text

from ludoteca.catalogues import Language
from ludoteca.games.kittens.game import CARDS
from ludoteca.games.side_names import COLOURS, side
from ludoteca.messages import translate
from ludoteca.protocols import Game, Seat, View

__all__ = ["painted", "seat_style"]

SEATS = ("bold red", "bold blue")
KNIGHTS = ("bold black on bright_white", "bold bright_white on black")
CELLS = "●○·"
"""What stands on a cell of Hex."""
FACES = ("bold red", "green", "blue", "red", "magenta", "yellow", "cyan", "yellow")
"""One colour per card, about as it is painted."""


def seat_style(game: Game, seat: Seat) -> str:
    """In which colour a seat is written."""
    return KNIGHTS[seat] if game.name == "horses" else SEATS[seat]


def painted(view: View, language: Language) -> Text:
    """The text board of a view with its colours."""
    game = view.game
    board = Text(game.text(view, language=language))
    for pattern, style in _styles(game, language):
        board.highlight_regex(re.compile(pattern), style)
    _mark_last(board, view)
    return board


def _styles(game: Game, language: Language) -> Iterator[tuple[str, str]]:
    """What is found in the text of a game, and how it is painted."""
    if game.name == "hex":
        yield "·", "dim"
        yield from zip("●○", SEATS, strict=True)
    elif game.name == "horses":
        yield "[#·]", "dim"
        yield r"(?<= )\+\d+", "green"
        yield r"(?<= )-\d+", "magenta"
        yield from zip((r"\bW\b", r"\bB\b"), KNIGHTS, strict=True)
    elif game.name == "dominoes":
        yield r"\[\d\|\d\]|\b\d-\d\b", "bold"
        yield "▒+", "dim"
    elif game.name == "kittens":
        for card, style in zip(CARDS, FACES, strict=True):
            yield rf"\b{re.escape(translate(card, language))}\b", style
    for seat in (0, 1):
        if (name := side(game, seat)) in COLOURS:
            yield rf"(?i:\b{re.escape(translate(name, language))}\b)", SEATS[seat]


def _mark_last(board: Text, view: View) -> None:
    """Turns the stone round that was put last, so that it is found at a glance."""
    last = getattr(view, "last", None)
    if view.game.name != "hex" or not isinstance(last, int):
        return
    cells = [at for at, sign in enumerate(board.plain) if sign in CELLS]
    if board.plain[cells[last] : cells[last] + 1] in ("●", "○"):  # a swap is no cell
        board.stylize("reverse", cells[last], cells[last] + 1)
