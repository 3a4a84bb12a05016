"""What people call the two seats of a game, and what each of them is after: the same words on page and terminal.

>>> from ludoteca.games import game
>>> print(goal(game("hex"), 0))
You are red: connect left and right.
>>> print(goal(game("horses"), 1))
You are black: gather more points than white.

A game of somebody else's says so itself, if it likes, with methods ``side(seat)`` and ``aim(seat)`` that give texts
like those here; a game that has none is played by player 1 and player 2.
"""

from __future__ import annotations

from typing import Protocol, TypeGuard, runtime_checkable

from ludoteca.catalogues import languages
from ludoteca.errors import InvalidOption
from ludoteca.messages import say, say_as, translate
from ludoteca.protocols import Game, Seat

__all__ = ["COLOURS", "Sided", "aim", "goal", "seat_called", "side"]

COLOURS = (say_as("side", "red"), say_as("side", "blue"))
"""As `picture.SEATS` paints them."""
COATS = (say_as("side", "white"), say_as("side", "black"))
PLAYERS = (say_as("side", "player 1"), say_as("side", "player 2"))
SIDES = {"hex": COLOURS, "horses": COATS, "dominoes": COLOURS, "kittens": COLOURS}


@runtime_checkable
class Sided(Protocol):
    """A game that names its own sides."""

    def side(self, seat: Seat) -> str:
        """What whoever sits there is called within a sentence, such as ``red``."""

    def aim(self, seat: Seat) -> str:
        """What that side is after, to follow ``You are red:``; without a full stop."""


def _is_sided(game: Game) -> TypeGuard[Sided]:
    """As `isinstance` with a protocol, which takes twenty times as long: a page asks for sides all the time."""
    return hasattr(game, "side") and hasattr(game, "aim")


def side(game: Game, seat: Seat) -> str:
    """What a seat is called within a sentence: ``red``, ``black``, ``player 2``. To be translated."""
    return game.side(seat) if _is_sided(game) else SIDES.get(game.name, PLAYERS)[seat]


def aim(game: Game, seat: Seat) -> str:
    """What that side is after, such as ``connect left and right``; empty where nobody has said. To be translated."""
    if _is_sided(game):
        return game.aim(seat)
    if game.name == "hex":
        return say("connect left and right") if seat == getattr(game, "across", 0) else say("connect top and bottom")
    other = side(game, 1 - seat)
    return {
        "horses": say("gather more points than {other}", other=other),
        "dominoes": say("be the first without a tile"),
        "kittens": say("let {other} draw the bomb", other=other),
    }.get(game.name, "")


def goal(game: Game, seat: Seat) -> str:
    """A whole sentence for whoever sits there: ``You are red: connect left and right.`` To be translated."""
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
        say("{text!r} is no side of {game}: {first} or {second}", text=text, game=game.spec, first=first, second=second)
    )
