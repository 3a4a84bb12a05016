"""Every deal of a small game, for algorithms that go through all of them: CFR, best responses, exploitability.

A deal is a state from `Game.deal`, with all chance to come. A game lists its deals in its method `deals`; see
`ludoteca.games.details.GameDetails.deals`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.protocols import Game, State

MOST: Final = 20_000
"""Deals that are listed, at most."""

Deals = Sequence[tuple[State, float]]
"""States with their probabilities."""


def every_deal(game: Game) -> Deals:
    """The deals of a game with their probabilities, which add up to 1.

    Raises InvalidOption for a game that does not list them, or has too many.

    >>> from ludoteca.games import game
    >>> len(every_deal(game("kittens:deck=bomb1+safe2")))
    3
    """
    listed = details_of(game).deals()
    check_count(game, len(listed))
    total = math.fsum(probability for _, probability in listed)
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        raise InvalidOption(
            "{game}: the probabilities of its deals add up to {total:g}, not to 1", game=game.spec, total=total
        )
    return listed


def check_count(game: Game, count: int) -> None:
    """Raises InvalidOption if a game has too many deals to list."""
    if count > MOST:
        raise InvalidOption(
            "{game} has {count} deals, and at most {most} are listed", game=game.spec, count=count, most=MOST
        )


def distinct_deals(game: Game, count: int, key: Callable[[State], Any] | None = None) -> Deals:
    """The deals of a game with `count` equally likely ones, by a key that differs between them and can be sorted.

    Seeds are tried until every deal has been found. key: by default what the two seats see. Raises InvalidOption if
    there are too many deals.
    """
    check_count(game, count)
    found: dict[Any, State] = {}
    seed = 0
    while len(found) < count:
        state = game.deal(seed)
        found.setdefault(_seen(state) if key is None else key(state), state)
        seed += 1
    return [(found[each], 1 / count) for each in sorted(found)]


def _seen(state: State) -> tuple[bytes, bytes]:
    return bytes(state.view(0)), bytes(state.view(1))
