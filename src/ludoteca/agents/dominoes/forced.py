"""What both players of Dominoes do where there is nothing to decide."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.protocols import Decision

__all__ = ["forced"]


def forced(table: _core.DominoesView) -> Decision | None:
    """The decision where there is nothing to decide."""
    legal = table.legal()
    if len(legal) > 1:
        return None
    words = {
        table.game.draw_action: "nothing fits: draws",
        table.game.pass_action: "nothing fits and nothing can be drawn: passes",
    }
    return Decision(legal[0], note=words.get(legal[0], "forced: the only legal action"))
