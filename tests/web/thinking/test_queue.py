"""Agents at work for the page: a few at a time, watched, stopped, and gone when nobody looks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from ludoteca import agents, games
from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidAgent, WorkerError
from ludoteca.play.match import Match, Question
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.pool import MEMORY, Pool
from ludoteca.protocols import Decision, Limit, View
from ludoteca.web.tables.host import Host
from ludoteca.web.tables.table import PERSON, Asked, Table, new_match
from ludoteca.web.thinking import queue as module
from ludoteca.web.thinking.queue import Busy, Seated, Thinking
from ludoteca.web.thinking.single_decision import opinion
from tests.strangers import installed
from tests.web import rough_agents

pytestmark = pytest.mark.clock


@pytest.fixture
def rough(tmp_path: Path) -> Iterator[None]:
    """The agents of `rough_agents` exist."""
    (tmp_path / "site").mkdir()
    with installed(rough_agents, tmp_path / "site"):
        yield


def run(work: Callable[[Thinking], Awaitable[None]], slots: int = 1, queue: int = 4, memory: int = MEMORY) -> None:
    async def all_of_it() -> None:
        thinking = Thinking(Pool(memory=memory, ours="shared", slots=slots), queue)
        try:
            await work(thinking)
        finally:
            thinking.close()

    asyncio.run(all_of_it())


class Seat:
    """An agent in seat 0 of Hex 4×4, and how it is asked."""

    def __init__(self, thinking: Thinking, agent: str = "random", seconds: float = 1.0) -> None:
        self.thinking = thinking
        self.match = Match(games.game("hex:size=4"), 1, (0, 1), opening=2)
        self.seated = Seated(thinking.pool, self.match.game, agent, 0, 1)
        self.seconds = seconds

    def question(self) -> tuple[Question, list[View]]:
        limit = Limit(seconds=self.seconds)
        return Question(0, self.match.view(0), limit, self.seconds + 0.5), self.match.views_seen(0)

    async def ask(self, **given: Callable[..., None]) -> tuple[Decision, float]:
        return await self.thinking.ask(self.seated, self.question, **given)

    async def begun(self) -> asyncio.Task[tuple[Decision, float]]:
        """A thought that is being thought."""
        started = asyncio.Event()
        task = asyncio.create_task(self.ask(started=started.set))
        await started.wait()
        return task


def test_an_agent_is_asked_in_a_thread_and_kept_for_its_match() -> None:
    async def work(thinking: Thinking) -> None:
        seat = Seat(thinking)
        decision, seconds = await seat.ask()
        assert decision.action in range(2, 16) and 0 <= seconds < 30 and seat.seated.prepared
        await seat.ask()
        thinking.let_go(seat.seated)
        with pytest.raises(Fault, match="stopped"):
            await seat.ask()

    run(work)


def test_a_thinker_is_watched_and_plays_its_best_when_it_is_hurried() -> None:
    async def work(thinking: Thinking) -> None:
        seat, thoughts = Seat(thinking, "astar:depth=9", 60.0), []
        seat.match = Match(games.game("hex:size=11"), 1)
        seat.seated = Seated(thinking.pool, seat.match.game, "astar:depth=9", 0, 1)

        def told(thought: Decision) -> None:
            thoughts.append(thought)
            seat.seated.stop()

        start = time.monotonic()
        decision, _ = await seat.ask(tell=told)
        assert thoughts and decision.action in seat.match.view(0).legal()
        assert time.monotonic() - start < 50

    run(work)


def test_the_queue_is_bounded_and_who_is_cancelled_leaves_it() -> None:
    async def work(thinking: Thinking) -> None:
        tasks = [asyncio.create_task(Seat(thinking).ask()) for _ in range(3)]
        await asyncio.sleep(0)
        assert thinking.waiting == 2
        with pytest.raises(Busy):
            await Seat(thinking).ask()
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert thinking.waiting == 0
        await Seat(thinking).ask()

    run(work, queue=2)


def test_who_waits_while_the_page_is_closed_is_refused_and_not_asked() -> None:
    async def work(thinking: Thinking) -> None:
        first = await Seat(thinking, "mcts", seconds=5.0).begun()
        waiting = asyncio.create_task(Seat(thinking).ask())
        await asyncio.sleep(0)
        assert thinking.waiting == 1
        thinking.close()
        with pytest.raises(Busy, match="being closed"):
            await waiting
        with contextlib.suppress(Fault, WorkerError):
            await first

    run(work)


def test_stopping_a_thought_frees_its_place(rough: None) -> None:
    async def work(thinking: Thinking) -> None:
        task = await Seat(thinking, "loops", 600.0).begun()
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        decision, _ = await asyncio.wait_for(Seat(thinking).ask(), 60)
        assert decision.action in range(2, 16)

    run(work)


def test_a_word_to_stop_that_comes_too_early_is_said_again(rough: None) -> None:
    async def work(thinking: Thinking) -> None:
        for pause in (0.0, 0.01, 0.05, 0.2):
            task = await Seat(thinking, "loops", 600.0).begun()
            await asyncio.sleep(pause)
            task.cancel()
            await asyncio.wait_for(Seat(thinking).ask(), 60)

    run(work)


@pytest.mark.parametrize(
    ("agent", "ending", "why"),
    [
        ("eats", Ending.memory, "out of memory"),
        ("eats-inside", Ending.memory, "out of memory"),
        ("dies", Ending.crash, "SIGKILL"),
        ("quits", Ending.error, "SystemExit: 3"),
        ("loops", Ending.timeout, "more than 0.6 seconds"),
    ],
)
def test_a_rough_agent_costs_its_own_answer_only(rough: None, agent: str, ending: Ending, why: str) -> None:
    async def work(thinking: Thinking) -> None:
        for _ in range(2):
            seat = Seat(thinking, agent, 0.1)
            with pytest.raises(Fault) as fault:
                await seat.ask()
            assert fault.value.ending is ending and why in fault.value.message and not seat.seated.prepared
            decision, _ = await Seat(thinking).ask()
            assert decision.action in range(2, 16)

    run(work, memory=64)


def test_what_is_against_an_agent_is_told() -> None:
    async def work(thinking: Thinking) -> None:
        with pytest.raises((Fault, InvalidAgent), match="no agent is called 'nobody'"):
            await Seat(thinking, "nobody").ask()
        await Seat(thinking).ask()

    run(work)


def test_a_process_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(thinking: Thinking) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(WorkerError, match="does not start"):
            await Seat(thinking).ask()
        monkeypatch.undo()
        await Seat(thinking).ask()

    run(work)


def test_few_processes_of_strangers_are_kept_and_who_had_to_go_is_shown_what_it_had_seen(
    rough: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHILDREN", 2)

    async def work(thinking: Thinking) -> None:
        seats = [Seat(thinking, "counts") for _ in range(4)]
        for seat in seats:
            decision, _ = await seat.ask()
            assert decision.note == "question 1"
        while sum(seat.seated.prepared for seat in seats) > 2:
            await asyncio.sleep(0.01)
        assert not seats[0].seated.prepared and seats[3].seated.prepared
        for seat in seats:  # the first was dropped, and is shown that one view again
            seat.match.play(2)
            seat.match.play(3)
            decision, _ = await seat.ask()
            assert decision.note == "question 2"

    run(work)


def test_every_installed_agent_has_an_opinion_within_the_default_memory() -> None:
    async def work(thinking: Thinking) -> None:
        for name in games.names():
            match = Match(games.game(name), 1)
            assert match.turn is not None
            for agent in agents.names(name):
                decision, _ = await opinion(thinking, match, agent, 0.1)
                assert decision.action in match.view(match.turn).legal()

    run(work)


@pytest.mark.parametrize("agent", ["tumbafichas:depth=3", "cases"])
def test_what_was_set_up_in_the_other_hand_changes_no_thought(agent: str) -> None:
    async def work(thinking: Thinking) -> None:
        told = []
        for hand in ("5-5 4-4 3-3", "6-0 6-1 6-2", "3"):
            match = Match(games.game("dominoes"), 1, start=f"line: 6-6 6-4; 0: 6-5 4-1 4-2 3-1; 1: {hand}")
            told.append((await opinion(thinking, match, agent, 1.0))[0])
        assert told[0] == told[1] == told[2]

    run(work)


def test_no_process_outlives_the_server(rough: None) -> None:
    """A server that is killed cannot end its processes; they notice, even in the middle of a thought without end."""
    code = (
        "import asyncio, sys\n"
        "sys.path.insert(0, '')\n"
        "from ludoteca.players.pool import Pool\n"
        "from ludoteca.web.thinking.queue import Thinking\n"
        "from tests.web.thinking.test_queue import Seat\n"
        "async def work():\n"
        "    thinking = Thinking(Pool(ours='shared', slots=1))\n"
        "    seat = Seat(thinking, 'loops', 600.0)\n"
        "    task = await seat.begun()\n"
        "    while not seat.seated.prepared: await asyncio.sleep(0.01)\n"
        "    print(seat.seated._player._fork.number, flush=True)\n"
        "    await task\n"
        "asyncio.run(work())\n"
    )
    root = Path(__file__).parents[3]
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root)
    assert server.stdout is not None
    with server:
        pid = int(server.stdout.readline())
        server.kill()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("it is still there")


# A host


class Watched:
    """A table with a page that shows it."""

    def __init__(self, thinking: Thinking, seats: tuple[str, str], game: str = "hex:size=3", limit: str = "1s") -> None:
        asked = Asked(game, tuple(PERSON if who == PERSON else "random" for who in seats), 1, limit)
        match = new_match(asked)
        named = [
            who if each == PERSON else who.__class__(Identity(each), 1)
            for who, each in zip(match.seats, seats, strict=True)
        ]
        match.seats = (named[0], named[1])  # also agents that are not there
        self.host = Host(Table(match), thinking)
        self.changed = asyncio.Event()
        self.host.join(self.changed.set)

    @property
    def count(self) -> int:
        return len(self.host.table.match.actions)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not done():
                self.changed.clear()
                await self.changed.wait()


def test_a_host_plays_while_somebody_looks_and_stops_when_nobody_does() -> None:
    async def work(thinking: Thinking) -> None:
        watched = Watched(thinking, ("random", PERSON))
        host = watched.host
        host.leave(watched.changed.set)
        await asyncio.sleep(0.05)
        assert watched.count == 0 and host.stage == ""
        host.join(watched.changed.set)
        await watched.until(lambda: host.table.turn == 1)
        host.play(host.table.match.view(1).legal()[0])
        assert host.stage == "waiting"
        host.leave(watched.changed.set)
        assert host.stage == "" and thinking.waiting == 0
        host.join(watched.changed.set)
        await watched.until(lambda: watched.count == 3)
        assert host.table.match.decisions[0] is not None and host.table.match.decisions[1] is None

    run(work)


def test_the_matchs_clock_stops_an_agent_that_knows_no_limit(rough: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.web.tables.table.MARGIN", 0.5)

    async def work(thinking: Thinking) -> None:
        watched = Watched(thinking, ("loops", PERSON), limit="0.1s")
        await watched.until(lambda: bool(watched.host.trouble))
        assert watched.host.trouble == "loops: the agent needed more than 0.6 seconds"

    run(work)


def test_a_failing_agent_is_told_and_can_be_tried_again(rough: None) -> None:
    async def work(thinking: Thinking) -> None:
        for agent, why in (("nobody", "no agent of hex is called"), ("quits", "quits: SystemExit: 3")):
            watched = Watched(thinking, (agent, PERSON))
            await watched.until(lambda watched=watched: bool(watched.host.trouble))  # type: ignore[misc]
            assert why in watched.host.trouble and watched.host.stage == ""
            watched.host.try_again()
            assert watched.host.stage == "waiting" and not watched.host.trouble
            watched.host.leave(watched.changed.set)

    run(work)


def test_a_process_that_cannot_be_started_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(thinking: Thinking) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        watched = Watched(thinking, ("random", PERSON))
        await watched.until(lambda: bool(watched.host.trouble))
        assert watched.host.trouble.startswith("random: the process") and watched.host.stage == ""
        assert "does not start" in watched.host.trouble
        monkeypatch.undo()
        watched.host.try_again()
        await watched.until(lambda: watched.count == 1)

    run(work)


def test_what_of_ours_fails_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(thinking: Thinking) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Match, "ask", broken)
        watched = Watched(thinking, ("random", PERSON))
        await watched.until(lambda: bool(watched.host.trouble))
        assert watched.host.trouble == "something of ours failed" and watched.host.stage == ""

    run(work)


def test_an_agent_that_takes_a_match_up_again_has_seen_it(rough: None) -> None:
    async def work(thinking: Thinking) -> None:
        watched = Watched(thinking, (PERSON, "counts"))
        host = watched.host

        def note() -> str:
            decision = host.table.match.decisions[-1]
            return "" if decision is None else decision.note

        for number in (1, 2):
            host.play(host.table.match.view(0).legal()[0])
            await watched.until(lambda number=number: watched.count == 2 * number)  # type: ignore[misc]
            assert note() == f"question {number}"
        host.undo()
        host.play(host.table.match.view(0).legal()[-1])
        await watched.until(lambda: watched.count == 4)
        assert note() == "question 2"
        host.leave(watched.changed.set)
        host.join(watched.changed.set)
        host.play(host.table.match.view(0).legal()[0])
        await watched.until(lambda: watched.count == 6)
        assert note() == "question 3"

    run(work)


def test_nothing_of_the_page_is_imported_by_the_command_line() -> None:
    code = "import sys, ludoteca.cli; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
