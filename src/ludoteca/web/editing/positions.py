"""Positions set up by hand, as matches that can be gone on with: what the editors of all games share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ludoteca.play.match import Match
from ludoteca.protocols import Game
from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables.match_request import fresh_seed

__all__ = ["Editing", "Unplayable", "read_seed"]


class Editing(Protocol):
    """What somebody has set up so far."""

    @property
    def game(self) -> Game:
        """What it is a position of."""

    def written(self) -> dict[str, str]:
        """What has been set up so far, as the fields of an address from which `read` makes it again."""

    def match(self) -> Match:
        """A match that has come to what was set up. Raises LudotecaError with the reason why none can."""


class Unplayable(InvalidTable):
    """What was set up cannot be played."""


def read_seed(fields: Mapping[str, str]) -> int:
    """The seed of an address, by which everything is drawn that is left open; a new one where it says none."""
    text = fields.get("seed", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else fresh_seed()
