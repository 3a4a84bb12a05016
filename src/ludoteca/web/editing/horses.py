"""A Horses position set up by hand."""

from __future__ import annotations

from ludoteca.games.horses.game import KNIGHTS, SIZES, Horses
from ludoteca.games.horses.pieces import draw_knight, draw_token, signed
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.web.editing.board import BoardEditor
from ludoteca.web.editing.positions import Unplayable
from ludoteca.web.serving.allowed_specs import cached_game


class HorsesEditor(BoardEditor):
    """Both knights and the usual values."""

    game: Horses
    pieces = (*KNIGHTS, *(f"{value:+}" for value in (10, 5, 4, 3, 1, -1, -3, -4, -5, -10)))
    sizes = range(SIZES[0], SIZES[1] + 1)

    def put(self, cell: int, piece: str) -> None:
        """See `BoardEditor.put`; a knight that is elsewhere moves."""
        moved = {at for at, other in self.placed.items() if other == piece and at != cell and piece in KNIGHTS}
        super().put(cell, piece)
        for at in moved:
            del self.placed[at]

    def match(self) -> Match:
        """A match with this layout. Raises LudotecaError."""
        if not self.placed:
            raise Unplayable(say("Put both knights, W and B, on the board."))
        game = self.game
        options = f"size={game.size},penalty={game.penalty},charge={game.charge}"
        return Match(cached_game(f"horses:{options},layout={self._layout()}"), 0)

    def piece_name(self, piece: str) -> Message:
        """The knight by its colour, or the points."""
        if piece in KNIGHTS:
            return say("black knight") if KNIGHTS.index(piece) else say("white knight")
        return say("{points} points", points=signed(int(piece)))

    def draw_piece(self, picture: Picture, cell: int, piece: str) -> None:
        """A knight or a value on its square."""
        _draw(picture, *self.game.corner(cell), self.game.cell, piece)

    def draw_icon(self, picture: Picture, side: float, piece: str) -> None:
        """A knight or a value."""
        _draw(picture, 0, 0, side, piece)


def _draw(picture: Picture, x: float, y: float, side: float, piece: str) -> None:
    if piece in KNIGHTS:
        draw_knight(picture, KNIGHTS.index(piece), x + side * 0.08, y + side * 0.06, side * 0.84)
    else:
        draw_token(picture, x + side / 2, y + side / 2, side, int(piece))
