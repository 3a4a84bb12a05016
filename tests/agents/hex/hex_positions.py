"""Positions of Hex for the agents' tests."""

from __future__ import annotations

import random
from typing import NamedTuple

from ludoteca._core import HexView
from ludoteca.games.hex.game import Hex
from ludoteca.testing import random_actions

LAYOUTS = ("axial", "even-r", "odd-r")
ORIENTATIONS = ("left-right", "standard")


class Position(NamedTuple):
    view: HexView
    """What the seat on turn sees."""
    played: tuple[list[int], list[int]]
    """The moves of each seat, the latest last."""


def random_position(seed: int, sizes: tuple[int, int]) -> Position:
    """A position on the way through a random match, with any options; the same for the same seed."""
    chance = random.Random(seed)
    game = Hex(chance.randint(*sizes), chance.choice(ORIENTATIONS), chance.choice(LAYOUTS))  # type: ignore[arg-type]
    played = random_actions(game, chance.getrandbits(32))
    played = played[: chance.randrange(len(played))]
    return position(game, played)


def axial_position(seed: int, sizes: tuple[int, int]) -> Position:
    """A position of a random match in the layout that the programs know, with either orientation."""
    chance = random.Random(seed)
    game = Hex(chance.randint(*sizes), chance.choice(ORIENTATIONS))  # type: ignore[arg-type]
    played = random_actions(game, chance.getrandbits(32))
    return position(game, played[: chance.randrange(len(played))])


def position(game: Hex, played: list[int]) -> Position:
    state = game.deal(0)
    for action in played:
        state.apply(action)
    assert state.turn is not None
    return Position(state.view(state.turn), (played[::2], played[1::2]))


def named(game: Hex, names: str) -> Position:
    """The position after the actions of these names."""
    return position(game, [game.parse_action(name) for name in names.split()])
