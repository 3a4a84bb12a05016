"""Pieces placed on a board by hand, for games whose position is the pieces on the cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self

from ludoteca.catalogues import Language
from ludoteca.games.picture import Picture
from ludoteca.messages import Message
from ludoteca.play.match import Match
from ludoteca.protocols import ClickArea, Game, Seat, View
from ludoteca.web.errors import InvalidTable


class BoardGame(Game, Protocol):
    """A game on a square board that it can draw empty."""

    size: int
    """Cells along a side of the board."""

    def empty(self, language: Language = "en") -> Picture:
        """The board without pieces."""

    def click_areas(self, view: View) -> list[ClickArea]:
        """See `Clickable.click_areas`."""


@dataclass
class BoardEditor(ABC):
    """The pieces on the board: by cell the name of the piece. A subclass knows its game."""

    game: BoardGame
    placed: dict[int, str] = field(default_factory=dict)
    narrow: bool = False
    """Whether the board is drawn for a phone, where the game can draw that."""
    pieces: ClassVar[Sequence[str]]
    """The pieces that can be placed."""
    sizes: ClassVar[range]
    """The board sizes that are offered."""

    @classmethod
    def read(cls, game: BoardGame, fields: Mapping[str, str]) -> Self:
        """Reads an address such as ``at=0@c3/1@d4``. Raises LudotecaError."""
        editor = cls(game)
        for item in filter(None, fields.get("at", "").split("/")):
            piece, at, name = item.partition("@")
            cell = game.parse_action(name)
            if not at or not piece or cell in editor.placed:
                raise InvalidTable("{item!r} is not a piece on a free cell", item=item[:40])
            editor.put(cell, piece)
        return editor

    def fields(self) -> dict[str, str]:
        """The position as the fields that `read` takes."""
        return {"game": self.game.spec, "at": self._layout()}

    def _layout(self) -> str:
        return "/".join(f"{piece}@{self.game.action_name(cell)}" for cell, piece in sorted(self.placed.items()))

    def put(self, cell: int, piece: str) -> None:
        """Places a piece; the same piece again, or an empty one, clears the cell.

        Raises InvalidTable for a cell or piece that does not exist.
        """
        if not 0 <= cell < self.game.size**2 or piece not in (*self.pieces, ""):
            raise InvalidTable("{what!r} cannot be put on {cell}", what=piece[:20], cell=cell)
        if not piece or self.placed.get(cell) == piece:
            self.placed.pop(cell, None)
        else:
            self.placed[cell] = piece

    def empty(self, language: Language) -> Picture:
        """The board without pieces."""
        return self.game.empty(language)

    def cells(self) -> list[ClickArea]:
        """The click area of each cell."""
        return [area for area in self.game.click_areas(self.game.deal(0).view(0)) if area.action < self.game.size**2]

    @abstractmethod
    def match(self) -> Match:
        """A match that has reached the position. Raises LudotecaError when none can."""

    def advised_seat(self) -> Seat | None:
        """The one on turn."""
        return None

    @abstractmethod
    def piece_name(self, piece: str) -> Message:
        """The name of a piece: ``red stone``, ``+5 points``."""

    @abstractmethod
    def draw_piece(self, picture: Picture, cell: int, piece: str) -> None:
        """Draws a piece on a cell of `picture`."""

    @abstractmethod
    def draw_icon(self, picture: Picture, side: float, piece: str) -> None:
        """Draws a piece in a square picture with this side."""
