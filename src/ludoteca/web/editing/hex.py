"""A Hex position set up by hand."""

from __future__ import annotations

from collections.abc import Mapping

from ludoteca.catalogues import Language
from ludoteca.games.hex.game import Hex
from ludoteca.games.hex.picture import draw_stone
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, ClickArea, Seat
from ludoteca.web.editing.board import BoardEditor
from ludoteca.web.editing.positions import Unplayable


class HexEditor(BoardEditor):
    """Stones of both seats."""

    game: Hex
    pieces = ("0", "1")
    sizes = range(2, 20)

    def match(self) -> Match:
        """A match with these stones. Raises Unplayable."""
        return Match(self.game, 0, hex_actions(self.game, {cell: int(seat) for cell, seat in self.placed.items()}))

    def piece_name(self, piece: str) -> Message:
        """The stone by its colour."""
        return say("blue stone") if int(piece) else say("red stone")

    def empty(self, language: Language) -> Picture:
        """The board without a stone."""
        return self.game.empty(language, narrow=self.narrow)

    def cells(self) -> list[ClickArea]:
        """The click area of each cell."""
        return self.game.click_areas(self.game.deal(0).view(0), narrow=self.narrow)

    def draw_piece(self, picture: Picture, cell: int, piece: str) -> None:
        """A stone on its cell."""
        draw_stone(picture, *self.game.centre(cell, narrow=self.narrow), int(piece))

    def draw_icon(self, picture: Picture, side: float, piece: str) -> None:
        """A stone."""
        draw_stone(picture, side / 2, side / 2, int(piece))


def hex_actions(game: Hex, stones: Mapping[int, Seat]) -> list[Action]:
    """Actions, in turn, that place exactly these stones. Raises Unplayable when no match can reach them.

    Their order does not matter: if all stones together connect nothing, no part of them does.
    """
    own = [[cell for cell in sorted(stones) if stones[cell] == seat] for seat in (0, 1)]
    if len(own[0]) - len(own[1]) not in (0, 1):
        raise Unplayable(
            "Seat 0 has {first} stones and seat 1 has {second}; seat 0 must have as many, or one more.",
            first=len(own[0]),
            second=len(own[1]),
        )
    actions = [own[turn % 2][turn // 2] for turn in range(len(stones))]
    match = Match(game, 0)
    for action in actions:
        if match.turn is None:
            raise Unplayable(say("These stones connect two sides: the match is over."))
        match.play(action)
    return actions
