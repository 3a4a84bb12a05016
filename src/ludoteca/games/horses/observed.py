"""Horses followed while it is played elsewhere. The start is the layout: ``layout: W@b1 B@g8 +10@c3 -5@f6``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ludoteca.errors import InvalidOption, InvalidPosition
from ludoteca.games.observed import Detail, OpenObserver
from ludoteca.games.start_notation import read_start
from ludoteca.messages import say
from ludoteca.protocols import Seat, View

if TYPE_CHECKING:
    from ludoteca.games.horses.game import Horses


class HorsesObserver(OpenObserver):
    """Follows Horses: the board has to be described first, unless the game has a layout."""

    def __init__(self, game: Horses) -> None:
        super().__init__(game)
        self.horses = game

    def start_form(self, seat: Seat, said: Mapping[str, Sequence[str]]) -> Sequence[Detail]:
        """The layout."""
        if self.horses.options["layout"]:
            return ()
        return (Detail(say("Where are the knights and the points? Write W@b1 B@g8 +10@c3 -5@f6"), key="layout"),)

    def first_view(self, seat: Seat, start: str) -> View:
        """The board of this layout. Raises InvalidPosition."""
        if self.horses.options["layout"]:
            return super().first_view(seat, start)
        layout = "/".join(read_start(start, ("layout",)).get("layout", []))
        if not layout:
            raise InvalidPosition(say("where are the knights and the points? write layout: W@b1 B@g8 +10@c3 -5@f6"))
        try:
            game = type(self.horses)(**{**self.horses.options, "layout": layout})
        except InvalidOption as error:
            raise InvalidPosition(error.message) from None
        return game.deal(0).view(seat)
