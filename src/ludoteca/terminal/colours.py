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
from ludoteca.protocols import View


def painted(view: View, language: Language) -> Text:
    """The text board of a view with its colours, the last action marked."""
    game, details = view.game, details_of(view.game)
    board = Text(game.text(view, language=language))
    names = [rf"(?i:\b{re.escape(translate(side(game, seat), language))}\b)" for seat in (0, 1)]
    for pattern, style in [*details.text_styles(language), *zip(names, details.seat_styles, strict=True)]:
        board.highlight_regex(re.compile(pattern), style)
    last = getattr(view, "last", None)
    at = details.text_offset(view, last) if isinstance(last, int) else None
    if at is not None:
        board.stylize("reverse", at, at + 1)
    return board
