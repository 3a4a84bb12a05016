"""What both players of Dominoes do where there is nothing to decide."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.messages import say
from ludoteca.protocols import Decision

__all__ = ["forced"]


def forced(table: _core.DominoesView) -> Decision | None:
    """The decision where there is nothing to decide."""
    legal = table.legal()
    if len(legal) > 1:
        return None
    if legal[0] == table.game.draw_action:
        return Decision(legal[0], note=say("nothing fits: draws"))
    if legal[0] == table.game.pass_action:
        return Decision(legal[0], note=say("nothing fits and nothing can be drawn: passes"))
    return Decision(legal[0], note=say("forced: the only legal action"))
