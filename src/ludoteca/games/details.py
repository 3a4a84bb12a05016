"""What a game may say beyond the protocol `Game`, and what holds for a game that does not say it.

Code outside the games asks ``details_of(game)``, never for the game's class or name. Every member is optional: a game
in pure Python implements those that it needs, by any class of its own.
"""

from __future__ import annotations

from ludoteca.protocols import Game

__all__ = ["GameDetails", "details_of"]


class GameDetails:
    """The optional members of a game with their defaults."""

    hidden_information = True
    """Whether anything is hidden from a seat. True by default: then nothing is shown by mistake."""


def details_of(game: Game) -> GameDetails:
    """The optional members of a game, with the default for each one that it does not have.

    >>> from ludoteca.games import game
    >>> details_of(game("hex")).hidden_information
    False
    """
    return game if isinstance(game, GameDetails) else _Completed(game)


class _Completed(GameDetails):
    """The members that a game has by itself, and the defaults for the others."""

    def __init__(self, game: Game) -> None:
        for name in vars(GameDetails):
            if not name.startswith("_") and hasattr(game, name):
                setattr(self, name, getattr(game, name))
