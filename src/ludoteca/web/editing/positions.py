"""What the editors of all games share: a position set up by hand, as a match to continue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ludoteca.play.match import Match
from ludoteca.protocols import Game, Seat
from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables.match_request import fresh_seed


class PositionEditor(Protocol):
    """A position that is being set up."""

    @property
    def game(self) -> Game:
        """The game of the position."""

    def fields(self) -> dict[str, str]:
        """The position as the fields of an address, from which `read` restores it."""

    def match(self) -> Match:
        """A match that has reached the position. Raises LudotecaError when none can."""

    def advised_seat(self) -> Seat | None:
        """The seat whose hand was set up, to be advised from here; None: the one on turn, or none with hidden hands."""


class Unplayable(InvalidTable):
    """A position that cannot be played."""


def read_seed(fields: Mapping[str, str]) -> int:
    """The seed of an address, which deals what was not set up; a new one if it has none."""
    text = fields.get("seed", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else fresh_seed()
