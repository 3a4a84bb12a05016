"""What a beginner likes in Dominoes: to get rid of the heaviest tile."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers
from ludoteca.protocols import Action, View


def preferences(view: View) -> dict[Action, float]:
    """The pips of the tile."""
    table = expect(view, _core.DominoesView)
    if len(legal := table.legal()) == 1:
        return dict.fromkeys(legal, 0.0)
    return {action: sum(numbers(action // 2)) for action in legal}
