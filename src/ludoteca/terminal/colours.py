"""Text boards in colour.

Rich leaves out the colours when the output is not a terminal, and when NO_COLOR is set.
"""

from __future__ import annotations

import re

from rich.text import Text

from ludoteca.catalogues import Language
from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.messages import translate
from ludoteca.protocols import Game, Seat, View

__all__ = ["painted", "seat_style"]

SEATS = ("bold red", "bold blue")
STYLES = {"white": "bold black on bright_white", "black": "bold bright_white on black"}
"""The style of a side whose name is not the colour that `SEATS` gives it."""


def seat_style(game: Game, seat: Seat) -> str:
    """The style in which a seat's name is written."""
    return STYLES.get(str(side(game, seat)), SEATS[seat])


def painted(view: View, language: Language) -> Text:
    """The text board of a view with its colours, the last action marked."""
    game, details = view.game, details_of(view.game)
    board = Text(game.text(view, language=language))
    names = [(rf"(?i:\b{re.escape(translate(side(game, seat), language))}\b)", seat) for seat in (0, 1)]
    for pattern, style in [*details.text_styles(language), *((name, seat_style(game, seat)) for name, seat in names)]:
        board.highlight_regex(re.compile(pattern), style)
    last = getattr(view, "last", None)
    at = details.text_offset(view, last) if isinstance(last, int) else None
    if at is not None:
        board.stylize("reverse", at, at + 1)
    return board
