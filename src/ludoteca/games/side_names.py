"""What the two sides of a game are called, and what each has to do: the same words on page and terminal.

>>> from ludoteca.games import game
>>> print(goal(game("hex"), 0))
You are red: connect left and right.
>>> print(goal(game("horses"), 1))
You are black: gather more points than white.

A game names its sides with `GameDetails.side` and `GameDetails.aim`.
"""

from __future__ import annotations

from ludoteca.catalogues import languages
from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.messages import say, say_as, translate
from ludoteca.protocols import Game, Seat

# Translators: a player, by the colour of the stones; it stands alone or within a sentence
COLOURS = (say_as("side", "red"), say_as("side", "blue"))
"""As `picture.SEATS` paints them."""


def side(game: Game, seat: Seat) -> str:
    """The name of a side within a sentence: ``red``, ``black``, ``player 2``. To be translated."""
    return details_of(game).side(seat)


def aim(game: Game, seat: Seat) -> str:
    """What that side has to do, such as ``connect left and right``; empty if unknown. To be translated."""
    return details_of(game).aim(seat)


def goal(game: Game, seat: Seat) -> str:
    """A whole sentence for the person in that seat: ``You are red: connect left and right.`` To be translated."""
    name, what = side(game, seat), aim(game, seat)
    return say("You are {side}: {aim}.", side=name, aim=what) if what else say("You are {side}.", side=name)


def seat_called(game: Game, text: str) -> Seat:
    """The seat that a person means by ``red``, ``rojo``, ``0`` or another name of a side. Raises InvalidOption."""
    word = text.strip().lower()
    for seat in (0, 1):
        name = side(game, seat)
        if word in {str(seat), str(name).lower()} | {translate(name, language).lower() for language in languages()}:
            return seat
    first, second = side(game, 0), side(game, 1)
    raise InvalidOption(
        "{text!r} is no side of {game}: {first} or {second}", text=text, game=game.spec, first=first, second=second
    )
