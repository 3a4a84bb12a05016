"""What a beginner likes in Hex: its own shortest path, stone by stone, whatever the opponent does."""

from __future__ import annotations

import math

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Action, View


def preferences(view: View) -> dict[Action, float]:
    """A cell on its shortest path, best one beside a stone of its own. It never swaps."""
    board = expect(view, _core.HexView)
    game, stones = expect(board.game, Hex), board.stones
    found: dict[Action, float] = {}
    for action in board.legal():
        if action >= len(stones):
            found[action] = -math.inf
            continue
        after = board.sample(0)
        after.apply(action)
        distance = _core.hex_distance(after.view(board.seat), board.seat)
        touches = any(stones[near] == board.seat for near in game.neighbours(action))
        found[action] = -math.inf if distance is None else touches / 2 - distance
    return found
