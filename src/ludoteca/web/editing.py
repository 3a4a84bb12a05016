"""Positions set up by hand, as matches that can be gone on with: what the editors of all games share."""

from __future__ import annotations

from typing import Protocol

from ludoteca.play.match import Match
from ludoteca.protocols import Game
from ludoteca.web.table import InvalidTable

__all__ = ["EDITABLE", "Editing", "Unplayable"]

EDITABLE = ("hex", "horses", "dominoes", "kittens")


class Editing(Protocol):
    """What somebody has set up so far."""

    @property
    def game(self) -> Game:
        """What it is a position of."""

    def match(self) -> Match:
        """A match that has come to what was set up. Raises LudotecaError with the reason why none can."""


class Unplayable(InvalidTable):
    """What was set up cannot be played."""
