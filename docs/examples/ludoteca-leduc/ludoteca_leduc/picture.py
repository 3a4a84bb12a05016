"""The picture: three cards, the chips that each seat has paid, and three buttons to click on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from ludoteca import Action
from ludoteca.catalogues import Language
from ludoteca.messages import say, translate

CAPTIONS = (say("yours"), say("public"), say("the other's"))
WIDTH, STEP = 84, 96


def draw(
    cards: Sequence[str],
    paid: tuple[int, int],
    names: Sequence[str],
    legal: Collection[Action],
    marked: Action | None,
    language: Language,
) -> str:
    """The SVG document. cards, names: letters and actions in order; paid: own chips first; marked: a button."""
    drawn = ['<rect width="300" height="230" rx="10" fill="#f6f1e5"/>']  # so that captions can be read on a dark page
    for place, (card, caption) in enumerate(zip(cards, CAPTIONS, strict=True)):
        left, paper = 12 + STEP * place, "#dde" if card == "?" else "#fff"
        drawn += [
            f'<rect x="{left}" y="12" width="{WIDTH}" height="110" rx="8" fill="{paper}" stroke="#333"/>',
            _text(left + WIDTH / 2, 80, 44, card),
            _text(left + WIDTH / 2, 140, 13, translate(caption, language)),
        ]
    chips = say("chips paid: you {own}, the other {other}", own=paid[0], other=paid[1])
    drawn.append(_text(150, 166, 14, translate(chips, language)))
    for action, name in enumerate(names):
        paper = "#ffd27f" if action == marked else "#eee"
        faint = "" if action in legal or action == marked else ' opacity="0.4"'
        drawn.append(
            f'<g{faint}><path d="{button(action)}" fill="{paper}" stroke="#333"/>'
            f"{_text(12 + WIDTH / 2 + STEP * action, 203, 16, translate(name, language))}</g>"
        )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 230">{"".join(drawn)}</svg>'


def button(action: Action) -> str:
    """The outline of an action's button, as SVG path data."""
    return f"M{12 + STEP * action} 178h{WIDTH}v40h-{WIDTH}z"


def _text(x: float, y: float, size: int, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle">{escape(text)}</text>'
