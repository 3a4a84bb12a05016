"""Openings: where every deal is the same, each pair of matches begins from actions of its own."""

from __future__ import annotations

import random

from ludoteca.protocols import Action, Game

__all__ = ["needs_openings", "openings_for"]

DEALS = 8
"""Deals that are compared to see whether a game has any chance in it."""


def needs_openings(game: Game) -> bool:
    """Whether all deals of a game are the same, so that agents without chance would play one match over and over."""
    views = {bytes(state.view(seat)) for state in map(game.deal, range(DEALS)) for seat in (0, 1)}
    return len(views) <= 2


def openings_for(game: Game, count: int, given: str | None = None) -> list[tuple[Action, ...]]:
    """So many openings, distinct as long as the game has enough of them."""
    chance, found = random.Random(game.spec), dict[tuple[Action, ...], None]()
    for _ in range(20 * count):
        state, line = game.deal(0), list[Action]()
        for _ in range(2):
            line.append(chance.choice(state.legal()))
            state.apply(line[-1])
        if state.turn is not None:
            found[tuple(line)] = None
        if len(found) == count:
            break
    return list(found)
