"""The engine's curve of a match that is being played."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.thinking import engine_curve as module
from ludoteca.web.thinking.engine_curve import EngineCurve

MATCH = Match(games.game("hex:size=3"), 0, [0, 1, 2])


class FakeEngine:
    """Stands for the engine: says how many actions there were, as a value for whoever is on turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plies: list[int] = []
        self.fault: Fault | None = None
        self.quiet = True
        self.queue: Any = SimpleNamespace(waiting=0)
        monkeypatch.setattr(module, "decide_once", self.decide_once)
        monkeypatch.setattr(module, "PAUSE", 0.0)

    async def decide_once(self, queue: object, position: Match, agent: str, seconds: float) -> tuple[Decision, float]:
        assert agent == "engine" and seconds <= 0.1
        self.plies.append(len(position.actions))
        if self.fault is not None:
            raise self.fault
        return Decision(position.view(position.turn or 0).legal()[0], value=len(position.actions) / 10), seconds

    def judging(self, shown: list[int]) -> EngineCurve:
        return EngineCurve(self.queue, lambda: self.quiet, lambda: shown.append(len(self.plies)))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    return FakeEngine(monkeypatch)


def test_every_position_is_looked_at_once_the_newest_first(asked: FakeEngine) -> None:
    shown: list[int] = []

    async def play() -> None:
        judging = asked.judging(shown)
        assert judging.curve(MATCH) is None
        judging.follow(MATCH)
        await settled(lambda: len(asked.plies) == 4)
        curve = judging.curve(MATCH)
        assert curve is not None and curve.agent == "engine"
        assert curve.values == (0.0, -0.1, 0.2, -0.3), "as seat 0 sees it"
        longer = MATCH.before(3)
        longer.play(5)
        judging.follow(longer)
        await settled(lambda: len(asked.plies) == 5)
        judging.follow(MATCH)  # an action was taken back
        await asyncio.sleep(0.01)

    asyncio.run(play())
    assert asked.plies == [3, 2, 1, 0, 4] and shown == [1, 2, 3, 4, 5]


def test_the_end_counts_as_it_was(asked: FakeEngine) -> None:
    over = Match(games.game("hex:size=3"), 0, [0, 3, 1, 4, 2])  # red has joined left and right

    async def play() -> None:
        judging = asked.judging([])
        judging.follow(over)
        await settled(lambda: len(asked.plies) == 5)
        curve = judging.curve(over)
        assert over.turn is None and curve is not None and curve.values[-1] == 1.0

    asyncio.run(play())


@pytest.mark.parametrize("obstacle", ["somebody waits", "many play"])
def test_whoever_waits_for_an_agent_comes_first(asked: FakeEngine, obstacle: str) -> None:
    async def play() -> None:
        judging = asked.judging([])
        asked.quiet, asked.queue.waiting = obstacle != "many play", int(obstacle == "somebody waits")
        judging.follow(MATCH)
        await asyncio.sleep(0.02)
        assert asked.plies == []
        asked.quiet, asked.queue.waiting = True, 0
        if obstacle == "many play":  # then nothing waits for better times; the next change asks again
            judging.follow(MATCH)
        await settled(lambda: len(asked.plies) == 4)
        judging.stop()

    asyncio.run(play())


def test_an_engine_that_fails_is_not_asked_again_and_again(asked: FakeEngine) -> None:
    async def play() -> None:
        judging = asked.judging([])
        asked.fault = Fault(Ending.error, "no")
        judging.follow(MATCH)
        await asyncio.sleep(0.02)
        assert asked.plies == [3] and judging.curve(MATCH) is None

    asyncio.run(play())


async def settled(done: Any) -> None:
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0.001)
    pytest.fail("never happened")
