"""Every agent's opinion of a position, asked one after another."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from ludoteca import games
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.pages.analysis import Analysis
from ludoteca.web.pages.frame import Visit

SHIFTED = Match(games.game("hex:size=3,layout=even-r"), 0)


def answers(faults: dict[str, str]) -> dict[str, object]:
    """The answers of all agents; some fail."""

    async def decide(position: Match, name: str, seconds: float) -> tuple[Decision, float]:
        if name in faults:
            raise Fault(Ending.error, faults[name])
        return Decision(4, value=0.5), seconds

    analysis = Analysis(Visit("en", "", "auto", "/"), decide, lambda: SHIFTED, lambda decision: None)
    shown: Any = SimpleNamespace(set_content=lambda content: None)
    analysis._card = shown
    asyncio.run(analysis._run(SHIFTED))
    return dict(analysis.answers)


def test_an_agent_that_cannot_play_the_board_is_left_out() -> None:
    refusal = say("zero cannot play {game}: its network knows Hex only with layout=axial", game=SHIFTED.game.spec)
    found = answers({"zero": refusal, "beam": "ZeroDivisionError: division by zero"})
    assert "zero" not in found
    assert found["beam"] == "beam: ZeroDivisionError: division by zero", "the page says what went wrong"
    assert {"astar", "engine", "mcts", "random"} <= {name for name, each in found.items() if not isinstance(each, str)}
