"""The engine's curve of a match that is being played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from ludoteca import games
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.thinking.engine_curve import EngineCurve

MATCH = Match(games.game("hex:size=3"), 0, [0, 1, 2])


class Engine:
    """An engine whose value for the seat on turn is the number of actions so far, in tenths."""

    def __init__(self) -> None:
        self.plies: list[int] = []
        self.fault: Fault | None = None
        self.has_time, self.others_wait = True, False

    async def decide(self, position: Match, agent: str, seconds: float) -> tuple[Decision, float]:
        assert agent == "engine" and seconds <= 0.1
        self.plies.append(len(position.actions))
        if self.fault is not None:
            raise self.fault
        return Decision(position.view(position.turn or 0).legal()[0], value=len(position.actions) / 10), seconds

    def curve(self, show: Callable[[], None] = lambda: None) -> EngineCurve:
        return EngineCurve(self.decide, lambda: self.has_time, lambda: self.others_wait, show, pause=0.0)


def test_every_position_is_looked_at_once_the_newest_first() -> None:
    engine, shown = Engine(), list[int]()

    async def play() -> None:
        curve = engine.curve(lambda: shown.append(len(engine.plies)))
        assert curve.curve(MATCH) is None
        curve.follow(MATCH)
        await until(lambda: len(engine.plies) == 4)
        drawn = curve.curve(MATCH)
        assert drawn is not None and drawn.agent == "engine"
        assert drawn.values == (0.0, -0.1, 0.2, -0.3), "as seat 0 sees it"
        longer = MATCH.before(3)
        longer.play(5)
        curve.follow(longer)
        await until(lambda: len(engine.plies) == 5)
        curve.follow(MATCH)  # an action was undone
        await loop_turns()

    asyncio.run(play())
    assert engine.plies == [3, 2, 1, 0, 4] and shown == [1, 2, 3, 4, 5]


def test_the_last_value_is_the_result() -> None:
    engine, over = Engine(), Match(games.game("hex:size=3"), 0, [0, 3, 1, 4, 2])  # red has joined left and right

    async def play() -> None:
        curve = engine.curve()
        curve.follow(over)
        await until(lambda: len(engine.plies) == 5)
        drawn = curve.curve(over)
        assert over.turn is None and drawn is not None and drawn.values[-1] == 1.0

    asyncio.run(play())


def test_other_agents_come_first() -> None:
    async def play() -> None:
        engine = Engine()
        engine.others_wait = True
        curve = engine.curve()
        curve.follow(MATCH)
        await loop_turns()
        assert engine.plies == []
        engine.others_wait = False
        await until(lambda: len(engine.plies) == 4)

    asyncio.run(play())


def test_a_busy_server_draws_no_curve_until_the_match_changes() -> None:
    async def play() -> None:
        engine = Engine()
        engine.has_time = False
        curve = engine.curve()
        curve.follow(MATCH)
        engine.has_time = True
        await loop_turns()
        assert engine.plies == []
        curve.follow(MATCH)
        await until(lambda: len(engine.plies) == 4)

    asyncio.run(play())


def test_an_engine_that_fails_is_not_asked_again() -> None:
    async def play() -> None:
        engine = Engine()
        engine.fault = Fault(Ending.error, "no")
        curve = engine.curve()
        curve.follow(MATCH)
        await loop_turns()
        assert engine.plies == [3] and curve.curve(MATCH) is None

    asyncio.run(play())


async def loop_turns() -> None:
    """Lets every task that can run do so."""
    for _ in range(100):
        await asyncio.sleep(0)


async def until(done: Callable[[], bool]) -> None:
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0)
    pytest.fail("never happened")
