"""Knights and values put on a board of Horses by hand."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.catalogues import Language
from ludoteca.games.core_game import expect
from ludoteca.games.horses.game import KNIGHTS, Horses
from ludoteca.games.horses.pieces import draw_knight, draw_token, signed
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.protocols import ClickArea
from ludoteca.web.editing.board import BoardEditing
from ludoteca.web.editing.positions import Unplayable
from ludoteca.web.serving.allowed_specs import rules

__all__ = ["HorsesEditing"]


class HorsesEditing(BoardEditing):
    """A brush for each knight and each usual value."""

    brushes = (*KNIGHTS, *(f"{value:+}" for value in (10, 5, 4, 3, 1, -1, -3, -4, -5, -10)))
    sizes = range(5, 9)

    @property
    def _horses(self) -> Horses:
        return expect(self.game, Horses)

    @property
    def size(self) -> int:
        """Squares along a side of the board."""
        return self._horses.size

    def _areas(self) -> Sequence[ClickArea]:
        return self._horses.click_areas(self.game.deal(0).view(0))

    def put(self, cell: int, brush: str) -> None:
        """As in every board; a knight that stands elsewhere moves."""
        moved = {at for at, thing in self.things.items() if thing == brush and at != cell and brush in KNIGHTS}
        super().put(cell, brush)
        for at in moved:
            del self.things[at]

    def match(self) -> Match:
        """A match with this layout. Raises LudotecaError."""
        if not self.things:
            raise Unplayable(say("Put both knights, W and B, on the board."))
        game = self._horses
        options = f"size={game.size},penalty={game.penalty},charge={game.charge}"
        return Match(rules(f"horses:{options},layout={self._placed()}"), 0)

    def empty_board(self, language: Language) -> Picture:
        """The board without knights and values."""
        return self._horses.empty(language)

    def piece_name(self, brush: str) -> Message:
        """The knight by its colour, or the points."""
        if brush in KNIGHTS:
            return say("black knight") if KNIGHTS.index(brush) else say("white knight")
        return say("{points} points", points=signed(int(brush)))

    def draw_piece(self, picture: Picture, cell: int, brush: str) -> None:
        """A knight or a value on its square."""
        _draw(picture, *self._horses.corner(cell), self._horses.cell, brush)

    def draw_brush(self, picture: Picture, side: float, brush: str) -> None:
        """A knight or a value."""
        _draw(picture, 0, 0, side, brush)


def _draw(picture: Picture, x: float, y: float, side: float, brush: str) -> None:
    if brush in KNIGHTS:
        draw_knight(picture, KNIGHTS.index(brush), x + side * 0.08, y + side * 0.06, side * 0.84)
    else:
        draw_token(picture, x + side / 2, y + side / 2, side, int(brush))
