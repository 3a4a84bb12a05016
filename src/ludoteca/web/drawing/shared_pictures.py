"""The pictures by which a match is shared: a preview with the result, one position, and all of them in motion.

A hidden hand is drawn only when the match is over; before that the table as spectators see it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from ludoteca.catalogues import Language
from ludoteca.games.details import details_of
from ludoteca.games.picture import INK, PAPER
from ludoteca.play.match import Match
from ludoteca.protocols import View
from ludoteca.web.drawing.board import still_picture

WIDTH, HEIGHT = 1200, 630
"""Of a preview: what programs that show previews expect."""
MARGIN, BESIDE = 36, 480
"""Around everything, and the width of the texts."""
MOST_FRAMES = 60
"""Of an animation; a longer match is shown in larger steps."""
HEAD = re.compile(r"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ([\d.]+) ([\d.]+)'[^>]*?(?= font-family|>)")


@dataclass(frozen=True)
class PreviewTexts:
    """What a preview says beside the board, in the language of its reader."""

    title: str
    players: tuple[str, str]
    result: str
    turning: str = ""
    """Where the match turned; empty if unknown."""


def position_svg(match: Match, ply: int, language: Language = "en") -> str:
    """The position before an action, as everybody may see it; empty for a game that does not draw itself."""
    here = match.before(ply)
    details, view = details_of(match.game), here.view(0)
    if details.hidden_information and match.turn is not None:
        return details.public_svg(view, language=language)
    picture = still_picture(view, language=language)
    return f"{picture.removesuffix('</svg>')}{_overlay(view)}</svg>" if picture else ""


OVERLAY_STYLE = (
    "<style>.chain{fill:none;stroke:#fffdf8;stroke-width:5;stroke-linecap:round;stroke-linejoin:round}"
    ".chain-stone{fill:#fffdf8;stroke:#2f2a26;stroke-width:1}</style>"
)
"""What style.css says of these marks on a page."""


def _overlay(view: View) -> str:
    marks = details_of(view.game).end_overlay(view) if view.turn is None else ""
    return OVERLAY_STYLE + marks if marks else ""


def frames(match: Match, language: Language = "en") -> list[str]:
    """The positions of a match, at most MOST_FRAMES, the first and the last among them."""
    count = len(match.actions)
    steps = min(count, MOST_FRAMES - 1)
    plies = sorted({round(place * count / steps) for place in range(steps + 1)} if steps else {0})
    return [position_svg(match, ply, language) for ply in plies]


def preview_svg(match: Match, texts: PreviewTexts, turning: int | None = None, language: Language = "en") -> str:
    """The end of a match with its result, and a small board of where it turned.

    turning: the number of the action by which it turned.
    """
    board = position_svg(match, len(match.actions), language)
    left, top, tall = WIDTH - BESIDE, MARGIN, HEIGHT - 2 * MARGIN
    parts = [
        f"<rect width='{WIDTH}' height='{HEIGHT}' fill='#faf6ee'/>",
        _placed(board, MARGIN, top, left - 2 * MARGIN, tall),
        _text(left, top + 44, 40, texts.title, bold=True),
    ]
    colours = details_of(match.game).seat_colours
    for seat, player in enumerate(texts.players):
        y = top + 84 + 46 * seat
        parts.append(f"<rect x='{left}' y='{y}' width='10' height='34' rx='3' fill='{colours[seat]}' stroke='{INK}'/>")
        parts.append(_text(left + 24, y + 27, 28, player))
    parts.append(_text(left, top + 226, 32, texts.result, bold=True, colour="#8a4b2a"))
    if texts.turning and turning is not None:
        parts.append(_text(left, top + 276, 24, texts.turning))
        small = position_svg(match, turning + 1, language)
        parts.append(_placed(small, left, top + 296, BESIDE - MARGIN, HEIGHT - top - 296 - MARGIN))
    parts.append(_text(WIDTH - MARGIN, HEIGHT - 14, 20, "Ludoteca", colour="#6f655a", anchor="end"))
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}' "
        f"font-family='DejaVu Sans'>{''.join(parts)}</svg>"
    )


def _placed(picture: str, x: float, y: float, width: float, height: float) -> str:
    """A picture within another, as large as fits there."""
    found = HEAD.match(picture)
    if found is None:
        return f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='12' fill='{PAPER}'/>"
    box = f"viewBox='0 0 {found[1]} {found[2]}' x='{x}' y='{y}' width='{width}' height='{height}'"
    return f"<svg {box} preserveAspectRatio='xMidYMid meet'{picture[found.end() :]}"


def _text(
    x: float, y: float, size: int, text: str, *, bold: bool = False, colour: str = INK, anchor: str = "start"
) -> str:
    """A line of text, made narrower or cut off where it would not fit."""
    most = int(1.6 * (BESIDE - MARGIN) / size * 1.3)
    text = "".join(each for each in text if each.isprintable())
    text = text if len(text) <= most else text[: most - 1] + "…"
    needed = len(text) * size * (0.68 if bold else 0.6)
    squeezed = size * min(1.0, (BESIDE - MARGIN) / needed) if needed else size
    weight = " font-weight='bold'" if bold else ""
    return (
        f"<text x='{x}' y='{y}' font-size='{squeezed:.1f}' fill='{colour}' text-anchor='{anchor}'{weight}>"
        f"{escape(text)}</text>"
    )
