"""Every agent's opinion of a position, asked one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ludoteca import games
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.pages.analysis import Analysis
from ludoteca.web.pages.frame import Visit
from ludoteca.web.thinking.agent_titles import agent_title

SHIFTED = Match(games.game("hex:size=3,layout=even-r"), 0)


def answers(faults: dict[str, str]) -> dict[str, object]:
    """The answers of all agents; some fail."""

    async def decide(
        position: Match, name: str, seconds: float, *, margin: float, started: Callable[[], None]
    ) -> tuple[Decision, float]:
        assert margin >= 30, "an agent that is late is waited for"
        started()
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


def test_the_page_says_who_waits_and_who_thinks_and_it_can_be_stopped() -> None:
    async def visit() -> list[str]:
        shown, turn = list[str](), asyncio.Event()

        async def decide(position: Match, name: str, seconds: float, **given: Any) -> tuple[Decision, float]:
            if len(shown) > 3:
                await turn.wait()  # another place in the queue is never free
            given["started"]()
            return Decision(4), seconds

        analysis = Analysis(Visit("en", "", "auto", "/"), decide, lambda: SHIFTED, lambda decision: None)
        card: Any = SimpleNamespace(set_content=shown.append)
        analysis._card = card
        analysis.start()
        while "waits for its turn" not in shown[-1] or len(shown) <= 3:
            await asyncio.sleep(0)
        first, second = agent_title(next(iter(analysis.answers))), agent_title(analysis._next)
        assert any(f"{first} is thinking" in each for each in shown) and f"{second} waits for its turn" in shown[-1]
        assert f"<b>{first}</b>" in shown[-1] and "Stop" in shown[-1]
        analysis.stop()
        return shown

    last = asyncio.run(visit())[-1]
    assert "waits" not in last and "Ask every agent" in last and "<b>" in last, "what has come stays"
