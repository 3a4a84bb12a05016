"""The boards of matches as data: each picture element once, and for each frame only what changed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ludoteca.catalogues import Language
from ludoteca.games.picture import element
from ludoteca.play.match import Match
from ludoteca.protocols import Drawable

ELEMENT = re.compile(r"<[^>]*>[^<]*")
Frame = tuple[int, int, list[int]]
"""How many elements it keeps at the beginning and at the end of the frame before, and the elements between them."""


class Pieces:
    """The elements of all pictures of a site, each by its number.

    >>> pieces = Pieces()
    >>> pieces.numbers("<g><circle r='4'/></g>"), pieces.numbers("<g><circle r='5'/></g>")
    ([0, 1, 2], [0, 3, 2])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def numbers(self, picture: str) -> list[int]:
        """The pieces that a picture is made of."""
        return [self._numbers.setdefault(each, len(self._numbers)) for each in ELEMENT.findall(picture)]

    def script(self) -> str:
        """All elements as a script: a page opened from a file may load scripts but no data."""
        return f"var PIECES = {json.dumps([*self._numbers], ensure_ascii=False)};\n"


def frames_of(match: Match, pieces: Pieces, language: Language) -> list[Frame]:
    """The boards of a match from first to last, each as the seat on turn saw it."""
    frames: list[Frame] = []
    before: list[int] = []
    current = match.before(0)
    for place in range(len(match.actions) + 1):
        now = pieces.numbers(_picture(current, language))
        frames.append(_difference(before, now))
        before = now
        if place < len(match.actions):
            current.play(match.actions[place])
    return frames


def _picture(match: Match, language: Language) -> str:
    view = match.view(match.turn or 0)
    if isinstance(match.game, Drawable):
        return match.game.svg(view, language=language)
    return element("pre", match.game.text(view, language=language))


def _difference(before: Sequence[int], now: Sequence[int]) -> Frame:
    start = 0
    while start < min(len(before), len(now)) and before[start] == now[start]:
        start += 1
    end = 0
    while end < min(len(before), len(now)) - start and before[-1 - end] == now[-1 - end]:
        end += 1
    return start, end, list(now[start : len(now) - end])
