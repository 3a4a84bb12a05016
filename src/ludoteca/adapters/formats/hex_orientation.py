"""The board of all Hex formats: axial, and the first player connects top and bottom."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ludoteca.errors import InvalidGame
from ludoteca.games import game as game_of
from ludoteca.games.core_game import expect
from ludoteca.games.details import details_of
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action

Orientation: TypeAlias = Literal["left-right", "standard"]


def axial_hex(spec: str, form: str) -> Hex:
    """The game, if Hex formats can express it. Raises InvalidGame, which names the format."""
    game = game_of(spec)
    if "sgf" not in details_of(game).extra_formats:
        raise InvalidGame(
            "{game} cannot be written as {format}, only Hex with layout=axial can; use JSON Lines or text",
            format=form,
            game=spec,
        )
    return expect(game, Hex)


def mirrored(game: Hex, action: Action) -> Action:
    """The cell on a board with orientation=standard, and back; a swap is unchanged."""
    return action if game.orientation == "standard" or action == game.swap else game.transposed(action)
