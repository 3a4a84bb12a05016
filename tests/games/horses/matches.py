"""What the tests of Horses share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import ludoteca
from ludoteca import _core
from ludoteca.games.horses.game import Horses

TURNS_ROUND = "W@e2/B@d3/-1@b3/+5@c1"  # on 5×5; the two penalty rules give the match below to different seats
TURNS_ROUND_MATCH = ["c3", "c5", "a2", "b3", "c1", "a1", "pass", "c2", "pass", "e1"]


def make(spec: str) -> Horses:
    return cast(Horses, ludoteca.game(spec))


def play(game: Horses, state: _core.HorsesState, names: Sequence[str]) -> _core.HorsesState:
    for name in names:
        state.apply(game.parse_action(name))
    return state
