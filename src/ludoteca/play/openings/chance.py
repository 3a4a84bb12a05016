"""Whether a game has any chance in it."""

from __future__ import annotations

import random

from ludoteca.protocols import Game, State

__all__ = ["needs_openings"]

DEALS, LINES, LONGEST = 8, 4, 200
"""Deals that are compared, lines of play along which they are, and actions of a line."""

_known: dict[str, bool] = {}


def needs_openings(game: Game) -> bool:
    """Whether all deals of a game are the same, so that agents without chance would play one match over and over.

    Two deals are the same if they look the same to both seats along whatever is played: in some games what differs is
    only seen when it is drawn.
    """
    if game.spec not in _known:
        _known[game.spec] = all(_alike(game, random.Random(line)) for line in range(LINES))
    return _known[game.spec]


def _alike(game: Game, chance: random.Random) -> bool:
    states = [game.deal(seed) for seed in range(DEALS)]
    for _ in range(LONGEST):
        if len({_shown(state) for state in states}) > 1:
            return False
        if states[0].turn is None:
            return True
        action = chance.choice(states[0].legal())
        for state in states:
            state.apply(action)
    return True


def _shown(state: State) -> tuple[object, ...]:
    return state.turn, bytes(state.view(0)), bytes(state.view(1)), tuple(state.legal())
