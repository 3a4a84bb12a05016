"""What a beginner likes in Kittens: to play every card as it comes, and to draw without one."""

from __future__ import annotations

from ludoteca.games.kittens.cards import ACTIONS
from ludoteca.protocols import Action, View

DRAW = ACTIONS.index("draw")


def preferences(view: View) -> dict[Action, float]:
    """Any card before a draw; a bomb goes back anywhere."""
    return {action: float(action != DRAW) for action in view.legal()}
