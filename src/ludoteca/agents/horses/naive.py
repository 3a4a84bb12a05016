"""What a beginner likes in Horses: points now."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.protocols import Action, View


def preferences(view: View) -> dict[Action, float]:
    """The points of the square."""
    board = expect(view, _core.HorsesView)
    found: dict[Action, float] = {}
    for action in board.legal():
        after = board.sample(0)
        after.apply(action)
        found[action] = after.view(board.seat).scores[board.seat]
    return found
