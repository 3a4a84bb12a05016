"""Decisions of Dominoes with only one legal action."""

from __future__ import annotations

from ludoteca import _core
from ludoteca.agents.reasons import only_action
from ludoteca.messages import say
from ludoteca.protocols import Decision, Reason


def forced(table: _core.DominoesView) -> Decision | None:
    """The decision if there is only one legal action."""
    legal = table.legal()
    if len(legal) > 1:
        return None
    if legal[0] == table.game.draw_action:
        return Decision(legal[0], reasons=(Reason(say("no tile fits: it draws")),))
    if legal[0] == table.game.pass_action:
        return Decision(legal[0], reasons=(Reason(say("no tile fits and none can be drawn: it passes")),))
    return only_action(legal[0])
