"""What a file format is: how to recognise it, read it and write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ludoteca.adapters.formats.hex_orientation import Orientation
from ludoteca.play.match_tree import MatchTree

Dialect: TypeAlias = Literal["hexgui", "littlegolem"]
"""Of SGF: see `sgf`."""
WHITE = re.compile(r"\s*")


@dataclass(frozen=True)
class Format:
    """One file format. Installed under the entry points ``ludoteca.formats``, every command knows it.

    See docs/extending.md for a format from nothing.
    """

    name: str
    """What ``--to`` and ``--from`` call it."""
    endings: tuple[str, ...]
    """File name endings, such as ``.sgf``, in lower case."""
    looks_like: Callable[[str], bool]
    """Whether a text is in this format, by its beginning; for a given text at most one format says so."""
    read: Callable[[str, Orientation], list[MatchTree]]
    """The matches in a text, each replayed by the rules. Raises InvalidFile with the line and the reason.

    The second argument is the orientation to give to Hex; formats of other games ignore it.
    """
    write: Callable[[Sequence[MatchTree], Dialect], str]
    """The matches as text. Raises InvalidGame for a game that the format cannot express. Only SGF uses the dialect."""
    comments: bool = False
    """Whether it has a place for comments on the actions of the match."""
    variations: bool = False
    """Whether it has a place for variations, with comments in them."""


def after_white(text: str, at: int) -> int:
    """The next place in a text that is no white space."""
    found = WHITE.match(text, at)
    assert found is not None
    return found.end()
