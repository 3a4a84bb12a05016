"""Pieces put on a board by hand, in any game whose position is what lies on its cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

from ludoteca.catalogues import Language
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.protocols import ClickArea, Game
from ludoteca.web.errors import InvalidTable

__all__ = ["BoardEditing"]


@dataclass
class BoardEditing(ABC):
    """The board so far: by cell the name of the brush that put what lies there. A subclass knows its game."""

    game: Game
    things: dict[int, str] = field(default_factory=dict)
    brushes: ClassVar[Sequence[str]]
    """What can be put."""
    sizes: ClassVar[range]
    """The sizes of board that are offered."""

    @classmethod
    def read(cls, game: Game, fields: Mapping[str, str]) -> Self:
        """What an address says, such as ``at=0@c3/1@d4``. Raises LudotecaError."""
        editing = cls(game)
        for item in filter(None, fields.get("at", "").split("/")):
            brush, at, name = item.partition("@")
            cell = game.parse_action(name)
            if not at or not brush or cell in editing.things:
                raise InvalidTable(say("{item!r} is nothing on a cell of its own", item=item[:40]))
            editing.put(cell, brush)
        return editing

    def written(self) -> dict[str, str]:
        """As `read` takes it."""
        return {"game": self.game.spec, "at": self._placed()}

    def _placed(self) -> str:
        return "/".join(f"{thing}@{self.game.action_name(cell)}" for cell, thing in sorted(self.things.items()))

    def put(self, cell: int, brush: str) -> None:
        """Puts something on a cell, or takes away what is there with the same brush or an empty one.

        Raises InvalidTable for what does not exist.
        """
        if not 0 <= cell < self.size**2 or brush not in (*self.brushes, ""):
            raise InvalidTable(say("{what!r} cannot be put on {cell}", what=brush[:20], cell=cell))
        if not brush or self.things.get(cell) == brush:
            self.things.pop(cell, None)
        else:
            self.things[cell] = brush

    def cells(self) -> list[ClickArea]:
        """Where each cell is clicked."""
        return [area for area in self._areas() if area.action < self.size**2]

    @property
    @abstractmethod
    def size(self) -> int:
        """Cells along a side of the board."""

    @abstractmethod
    def _areas(self) -> Sequence[ClickArea]:
        """See `Clickable.click_areas`."""

    @abstractmethod
    def match(self) -> Match:
        """A match that has come to what was set up. Raises LudotecaError with the reason why none can."""

    @abstractmethod
    def empty_board(self, language: Language) -> Picture:
        """The board without any piece, to be drawn on."""

    @abstractmethod
    def piece_name(self, brush: str) -> Message:
        """What a brush puts: ``red stone``, ``+5 points``."""

    @abstractmethod
    def draw_piece(self, picture: Picture, cell: int, brush: str) -> None:
        """Draws what a brush has put on a cell of `picture`."""

    @abstractmethod
    def draw_brush(self, picture: Picture, side: float, brush: str) -> None:
        """Draws what a brush puts, in a square picture with this side."""
