"""What all formats of the Hex world share: an axial board on which the first player connects top and bottom."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ludoteca.errors import InvalidGame
from ludoteca.games import game as game_of
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Action

__all__ = ["Orientation", "axial_hex", "mirrored"]

Orientation: TypeAlias = Literal["left-right", "standard"]


def axial_hex(spec: str, form: str) -> Hex:
    """The game, if the Hex world's formats can say it. Raises InvalidGame, which names the format."""
    game = game_of(spec)
    if not isinstance(game, Hex):
        why = say("only Hex is written as {format}, not {game}; use JSON Lines or text", format=form, game=spec)
        raise InvalidGame(why)
    if game.layout != "axial":
        raise InvalidGame(
            say(
                "Hex as {format} has an axial board, and {game} has layout={layout}; use JSON Lines or text",
                format=form,
                game=spec,
                layout=game.layout,
            )
        )
    return game


def mirrored(game: Hex, action: Action) -> Action:
    """The same cell on the board of the other orientation, if this one's is not the world's; a swap as it is."""
    if game.orientation == "standard" or action == game.swap:
        return action
    row, column = divmod(action, game.size)
    return column * game.size + row
