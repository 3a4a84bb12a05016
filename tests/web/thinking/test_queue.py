"""Agents at work for the page: a few at a time, watched, stopped, and gone when no page shows them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludoteca import agents, games
from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidAgent, WorkerError
from ludoteca.play.match import Match, Question
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.memory import MEMORY
from ludoteca.protocols import Decision, Limit, View
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import CHILDREN, MARGIN, AgentQueue, Busy, SeatedAgent, Work, ask_twice
from ludoteca.web.thinking.single_decision import decide_once
from tests.strangers import installed
from tests.web import rough_agents


@pytest.fixture
def rough(tmp_path: Path) -> Iterator[None]:
    """The agents of `rough_agents` exist."""
    (tmp_path / "site").mkdir()
    with installed(rough_agents, tmp_path / "site"):
        yield


@pytest.fixture
def loops_begins(rough: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """From where a byte can be read for each time that the agent `loops` has begun to think."""
    os.mkfifo(tmp_path / "begun")
    fifo = os.open(tmp_path / "begun", os.O_RDWR)
    monkeypatch.setenv(rough_agents.BEGUN, str(tmp_path / "begun"))
    yield fifo
    os.close(fifo)


def run(
    work: Callable[[AgentQueue], Awaitable[None]],
    slots: int = 1,
    capacity: int = 4,
    memory: int = MEMORY,
    children: int = CHILDREN,
) -> None:
    async def all_of_it() -> None:
        queue = AgentQueue(Pool(memory=memory, shared=True, slots=slots), capacity, most_children=children)
        try:
            await work(queue)
        finally:
            queue.close()

    asyncio.run(all_of_it())


class Seat:
    """An agent in seat 0 of Hex 4×4, and how it is asked."""

    def __init__(self, queue: AgentQueue, agent: str = "random", seconds: float = 60.0) -> None:
        self.queue = queue
        self.match = Match(games.game("hex:size=4"), 1, (0, 1), opening=2)
        self.seated = SeatedAgent(queue.pool, self.match.game, agent, 0, 1)
        self.seconds = seconds

    def question(self) -> tuple[Question, list[View]]:
        limit = Limit(seconds=self.seconds)
        return Question(0, self.match.view(0), limit, self.seconds + 0.5), self.match.views_seen(0)

    async def ask(self, **given: Any) -> tuple[Decision, float]:
        return await self.queue.ask(self.seated, self.question, **given)

    async def begun(self) -> asyncio.Task[tuple[Decision, float]]:
        """A thought that is being thought."""
        started = asyncio.Event()
        task = asyncio.create_task(self.ask(started=started.set))
        await started.wait()
        return task


def test_an_agent_is_asked_in_a_thread_and_kept_for_its_match() -> None:
    async def work(queue: AgentQueue) -> None:
        seat = Seat(queue)
        decision, seconds = await seat.ask()
        assert decision.action in range(2, 16) and 0 <= seconds < 30 and seat.seated.prepared
        await seat.ask()
        queue.release(seat.seated)
        with pytest.raises(Fault, match="stopped"):
            await seat.ask()

    run(work)


def test_a_thinker_is_watched_and_plays_its_best_when_it_is_hurried() -> None:
    async def work(queue: AgentQueue) -> None:
        seat, thoughts = Seat(queue, "astar:depth=9", 600.0), []
        seat.match = Match(games.game("hex:size=11"), 1)
        seat.seated = SeatedAgent(queue.pool, seat.match.game, "astar:depth=9", 0, 1)

        def found(thought: Decision) -> None:
            thoughts.append(thought)
            seat.seated.stop()

        decision, _ = await asyncio.wait_for(seat.ask(on_thought=found), 300)  # half of the time that it has
        assert thoughts and decision.action in seat.match.view(0).legal()

    run(work)


def test_the_queue_is_bounded_and_a_cancelled_question_leaves_it() -> None:
    async def work(queue: AgentQueue) -> None:
        tasks = [asyncio.create_task(Seat(queue).ask()) for _ in range(3)]
        await asyncio.sleep(0)
        assert queue.waiting() == 2
        with pytest.raises(Busy):
            await Seat(queue).ask()
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert queue.waiting() == 0
        await Seat(queue).ask()

    run(work, capacity=2)


def test_a_question_that_waits_while_the_page_is_closed_is_refused() -> None:
    async def work(queue: AgentQueue) -> None:
        first = await Seat(queue, "mcts", seconds=5.0).begun()
        waiting = asyncio.create_task(Seat(queue).ask())
        await asyncio.sleep(0)
        assert queue.waiting() == 1
        queue.close()
        with pytest.raises(Busy, match="being closed"):
            await waiting
        with contextlib.suppress(Fault, WorkerError):
            await first

    run(work)


def test_stopping_a_thought_frees_its_place(loops_begins: int) -> None:
    async def work(queue: AgentQueue) -> None:
        task = await Seat(queue, "loops", 600.0).begun()
        await asyncio.to_thread(os.read, loops_begins, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        decision, _ = await asyncio.wait_for(Seat(queue).ask(), 60)
        assert decision.action in range(2, 16)

    run(work)


def test_a_request_to_stop_that_comes_too_early_is_repeated(rough: None) -> None:
    async def work(queue: AgentQueue) -> None:
        for turns in (0, 1, 10, 100):  # of the event loop, while its process is being made
            task = await Seat(queue, "loops", 600.0).begun()
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait_for(Seat(queue).ask(), 60)

    run(work)


@pytest.mark.parametrize(
    ("agent", "seconds", "ending", "why"),
    [
        ("eats", 600.0, Ending.memory, "out of memory"),
        ("eats-inside", 600.0, Ending.memory, "out of memory"),
        ("dies", 600.0, Ending.crash, "SIGKILL"),
        ("quits", 600.0, Ending.error, "SystemExit: 3"),
        ("loops", 0.1, Ending.timeout, "more than 0.6 seconds"),
    ],
)
def test_a_rough_agent_costs_its_own_answer_only(
    rough: None, agent: str, seconds: float, ending: Ending, why: str
) -> None:
    async def work(queue: AgentQueue) -> None:
        for _ in range(2):
            seat = Seat(queue, agent, seconds)
            with pytest.raises(Fault) as fault:
                await seat.ask()
            assert fault.value.ending is ending and why in fault.value.message and not seat.seated.prepared
            decision, _ = await Seat(queue).ask()
            assert decision.action in range(2, 16)

    run(work, memory=64)


def test_an_unknown_agent_is_refused_by_name() -> None:
    async def work(queue: AgentQueue) -> None:
        with pytest.raises((Fault, InvalidAgent), match="no agent is called 'nobody'"):
            await Seat(queue, "nobody").ask()
        await Seat(queue).ask()

    run(work)


def test_a_process_that_cannot_be_started_raises_worker_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(queue: AgentQueue) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(WorkerError, match="does not start"):
            await Seat(queue).ask()
        monkeypatch.undo()
        await Seat(queue).ask()

    run(work)


def test_few_processes_of_strangers_are_kept_and_a_dropped_agent_is_rebuilt_from_its_views(rough: None) -> None:
    async def work(queue: AgentQueue) -> None:
        seats = [Seat(queue, "counts") for _ in range(4)]
        ends = []
        for seat in seats:
            decision, _ = await seat.ask()
            assert decision.note == "question 1"
            ends.append(os.pidfd_open(pid_of(seat)))
        for end in ends[:2]:
            ended, _, _ = await asyncio.to_thread(select.select, [end], [], [], 120.0)
            assert ended, "its process is still there"
        ended, _, _ = select.select(ends[2:], [], [], 0.0)
        assert not ended and seats[2].seated.has_process and seats[3].seated.has_process
        for end in ends:
            os.close(end)
        for seat in seats:  # the first was dropped, and is shown that one view again
            seat.match.play(2)
            seat.match.play(3)
            decision, _ = await seat.ask()
            assert decision.note == "question 2"

    run(work, children=2)


def pid_of(seat: Seat) -> int:
    """The number of an agent's process."""
    player = seat.seated._player
    assert isinstance(player, Child)
    return player._process.pid


def test_every_installed_agent_has_an_opinion_within_the_default_memory() -> None:
    async def work(queue: AgentQueue) -> None:
        for name in games.names():
            match = Match(games.game(name), 1)
            assert match.turn is not None
            for agent in agents.names(name):
                decision, _ = await decide_once(queue, match, agent, 0.1)
                assert decision.action in match.view(match.turn).legal()

    run(work)


@pytest.mark.parametrize("agent", ["tumbafichas:depth=3", "cases"])
def test_what_was_set_up_in_the_other_hand_changes_no_thought(agent: str) -> None:
    async def work(queue: AgentQueue) -> None:
        found = []
        for hand in ("5-5 4-4 3-3", "6-0 6-1 6-2", "3"):
            match = Match(games.game("dominoes"), 1, start=f"line: 6-6 6-4; 0: 6-5 4-1 4-2 3-1; 1: {hand}")
            found.append((await decide_once(queue, match, agent, 60.0))[0])
        assert found[0] == found[1] == found[2]

    run(work)


def test_no_process_outlives_the_server(loops_begins: int) -> None:
    """A server that is killed cannot end its processes; they notice, even in the middle of a thought without end."""
    code = (
        "import asyncio, os, sys\n"
        "sys.path.insert(0, '')\n"
        "from ludoteca.players.pool import Pool\n"
        "from ludoteca.web.thinking.queue import AgentQueue\n"
        "from tests.web.thinking.test_queue import Seat\n"
        "async def work():\n"
        "    queue = AgentQueue(Pool(shared=True, slots=1))\n"
        "    seat = Seat(queue, 'loops', 600.0)\n"
        "    task = await seat.begun()\n"
        "    await asyncio.to_thread(os.read, int(sys.argv[1]), 1)\n"
        "    print(seat.seated._player._process.pid, flush=True)\n"
        "    await task\n"
        "asyncio.run(work())\n"
    )
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", code, str(loops_begins)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root, pass_fds=[loops_begins])
    assert server.stdout is not None
    with server:
        end = os.pidfd_open(int(server.stdout.readline()))
        server.kill()
    ended, _, _ = select.select([end], [], [], 120.0)
    os.close(end)
    assert ended, "it is still there"


# A session


class WatchedTable:
    """A table with a page that shows it."""

    def __init__(
        self,
        queue: AgentQueue,
        seats: tuple[str, str],
        limit: str = "60s",
        margin: float = MARGIN,
        save: Callable[[Record], None] = lambda record: None,
    ) -> None:
        asked = MatchRequest("hex:size=3", tuple(PERSON if who == PERSON else "random" for who in seats), 1, limit)
        match = new_match(asked, margin)
        named = [
            who if each == PERSON else who.__class__(Identity(each), 1)
            for who, each in zip(match.seats, seats, strict=True)
        ]
        match.seats = (named[0], named[1])  # also agents that are not there
        self.session = TableSession(Table(match, save), queue)
        self.changed = asyncio.Event()
        self.session.subscribe(self.changed.set)

    @property
    def count(self) -> int:
        return len(self.session.table.match.actions)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not done():
                self.changed.clear()
                await self.changed.wait()


def test_an_agent_plays_while_a_page_shows_its_table() -> None:
    async def work(queue: AgentQueue) -> None:
        watched = WatchedTable(queue, ("random", PERSON))
        session = watched.session
        session.unsubscribe(watched.changed.set)
        await Seat(queue).ask()  # as long as the host would have needed
        assert watched.count == 0 and session.stage == ""
        session.subscribe(watched.changed.set)
        await watched.until(lambda: session.table.turn == 1)
        session.play(session.table.match.view(1).legal()[0])
        assert session.stage == "waiting"
        session.unsubscribe(watched.changed.set)
        assert session.stage == "" and queue.waiting() == 0
        session.subscribe(watched.changed.set)
        await watched.until(lambda: watched.count == 3)
        assert session.table.match.decisions[0] is not None and session.table.match.decisions[1] is None

    run(work)


async def turns_of_the_loop(count: int = 20) -> None:
    """Far less than it takes to stop a process, and enough for what needs none."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_the_last_thought_counts_at_once_whatever_the_agents_process_does(rough: None) -> None:
    async def stopped(queue: AgentQueue, agent: str) -> None:
        watched, other = WatchedTable(queue, (agent, PERSON)), WatchedTable(queue, ("random", PERSON))
        session = watched.session
        for turn in (0, 2):  # the second time it is rebuilt, since its process had to be killed
            await watched.until(lambda: session.thought is not None)
            assert turn or other.session.stage == "waiting", "there is only one place"
            expected = session.table.match.view(0).legal()[1]
            session.play_now()
            await turns_of_the_loop()
            assert session.table.match.actions[turn:] == [expected] and not session.failure
            decision = session.table.match.decisions[-1]
            assert decision is not None and decision.note == "my only thought"
            session.play(session.table.match.view(1).legal()[0])
        session.unsubscribe(watched.changed.set)
        await other.until(lambda: other.count == 1)
        other.session.unsubscribe(other.changed.set)

    async def work(queue: AgentQueue) -> None:
        for agent in ("hangs-in-python", "hangs-in-c", "hangs-suspended"):
            await stopped(queue, agent)
            decision, _ = await decide_once(queue, Seat(queue).match, agent, 60.0, work=Work.hint, within=0.0)
            assert decision.action == 3 and decision.note == "my only thought"
        late = WatchedTable(queue, ("hangs-in-c", PERSON), limit="3s", margin=0.0)
        await late.until(lambda: late.count == 1 or bool(late.session.failure))
        assert not late.session.failure

    run(work)


def test_an_agent_without_a_thought_plays_when_it_has_one_and_who_cannot_be_built_is_built_again(
    rough: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "gate")
    monkeypatch.setenv(rough_agents.GATE, str(tmp_path / "gate"))
    monkeypatch.setenv(rough_agents.ONCE, str(tmp_path / "once"))

    async def work(queue: AgentQueue) -> None:
        watched = WatchedTable(queue, ("answers-later", PERSON))
        session = watched.session
        await watched.until(lambda: session.stage == "thinking")
        session.play_now()
        await turns_of_the_loop()
        assert session.hurried and watched.count == 0 and not session.failure
        gate = os.open(tmp_path / "gate", os.O_RDWR)
        os.write(gate, b".")
        await watched.until(lambda: watched.count == 1)
        assert not session.hurried and not session.failure
        os.close(gate)
        watched, failures = WatchedTable(queue, ("fails-once", PERSON)), list[str]()
        watched.session.subscribe(lambda: failures.append(watched.session.failure))
        await watched.until(lambda: watched.count == 1)
        assert not any(failures) and (tmp_path / "once").exists()

    run(work)


def test_a_match_and_a_hint_never_wait_for_a_review(loops_begins: int) -> None:
    async def work(queue: AgentQueue) -> None:
        searches = [asyncio.create_task(Seat(queue, "loops", 600.0).ask(work=Work.background)) for _ in range(3)]
        await asyncio.to_thread(os.read, loops_begins, 1)
        assert queue.waiting(Work.background) == 2 and queue.waiting(Work.match) == 0
        await Seat(queue).ask()
        match = asyncio.create_task(Seat(queue, "loops", 600.0).ask())
        await asyncio.to_thread(os.read, loops_begins, 1)
        decision, _ = await decide_once(queue, Seat(queue).match, "random", 1.0, work=Work.hint, within=2.0)
        assert decision.action in range(2, 16) and queue.waiting(Work.background) == 2
        for each in (*searches, match):
            each.cancel()
        await asyncio.gather(*searches, match, return_exceptions=True)

    run(work)


def test_a_late_answer_on_a_busy_machine_is_quietly_asked_for_again() -> None:
    async def work(queue: AgentQueue) -> None:
        watched, failures = WatchedTable(queue, (PERSON, "random"), limit="2.5s", margin=0.0), list[str]()
        session = watched.session
        session.subscribe(lambda: failures.append(session.failure))
        session.play(0)
        await watched.until(lambda: watched.count == 2)
        (process,) = queue.pool._shared_processes._idle
        os.kill(process.connection.process.pid, signal.SIGSTOP)  # it gets no core, as on a full machine
        session.play(session.table.match.view(0).legal()[0])
        await watched.until(lambda: watched.count == 4 or bool(session.failure))
        assert not any(failures) and not process.connection.is_open

    run(work)


def test_only_a_second_failure_counts_and_only_the_machines_are_forgiven() -> None:
    def late(waited: float) -> Fault:
        return Fault(Ending.timeout, "late", waited)

    async def tries(*faults: Exception) -> int:
        """How often it is asked; negative when that fails."""
        left = list(faults)

        async def ask() -> tuple[Decision, float]:
            if left:
                raise left.pop(0)
            return Decision(1), 0.5

        try:
            await ask_twice(ask)
        except (Fault, WorkerError):
            return len(left) - len(faults)
        return len(faults) + 1

    async def all_of_it() -> list[int]:
        broken = Fault(Ending.memory, "no memory to build it")
        broken.building = True
        busy = late(MARGIN + 1)
        return [await tries(*each) for each in (
            [busy], [broken], [WorkerError("no fork")], [busy, broken], [late(MARGIN / 2)], [Fault(Ending.error, "x")]
        )]  # fmt: skip

    assert asyncio.run(all_of_it()) == [2, 2, 2, -2, -1, -1]


def test_the_matchs_clock_stops_an_agent_that_knows_no_limit(rough: None) -> None:
    async def work(queue: AgentQueue) -> None:
        watched = WatchedTable(queue, ("loops", PERSON), limit="0.1s", margin=0.5)
        await watched.until(lambda: bool(watched.session.failure))
        assert watched.session.failure == "loops: the agent needed more than 0.6 seconds"

    run(work)


def test_the_page_says_why_an_agent_failed_and_it_can_be_tried_again(rough: None) -> None:
    async def work(queue: AgentQueue) -> None:
        for agent, why in (("nobody", "hex has no agent called"), ("quits", "quits: SystemExit: 3")):
            watched = WatchedTable(queue, (agent, PERSON))
            await watched.until(lambda watched=watched: bool(watched.session.failure))  # type: ignore[misc]
            assert why in watched.session.failure and watched.session.stage == ""
            watched.session.try_again()
            assert watched.session.stage == "waiting" and not watched.session.failure
            watched.session.unsubscribe(watched.changed.set)

    run(work)


def test_the_page_says_that_a_process_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(queue: AgentQueue) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        watched = WatchedTable(queue, ("random", PERSON))
        await watched.until(lambda: bool(watched.session.failure))
        assert watched.session.failure.startswith("random: ") and watched.session.stage == ""
        assert "does not start" in watched.session.failure
        monkeypatch.undo()
        watched.session.try_again()
        await watched.until(lambda: watched.count == 1)

    run(work)


def test_the_page_says_that_something_of_ours_failed() -> None:
    async def work(queue: AgentQueue) -> None:
        def broken(record: Record) -> None:
            raise ZeroDivisionError

        watched = WatchedTable(queue, ("random", PERSON), save=broken)
        await watched.until(lambda: bool(watched.session.failure))
        assert "on our side" in watched.session.failure and watched.session.stage == ""

    run(work)


def test_an_agent_that_takes_a_match_up_again_has_seen_it(rough: None) -> None:
    async def work(queue: AgentQueue) -> None:
        watched = WatchedTable(queue, (PERSON, "counts"))
        session = watched.session

        def note() -> str:
            decision = session.table.match.decisions[-1]
            return "" if decision is None else decision.note

        for number in (1, 2):
            session.play(session.table.match.view(0).legal()[0])
            await watched.until(lambda number=number: watched.count == 2 * number)  # type: ignore[misc]
            assert note() == f"question {number}"
        session.undo()
        session.play(session.table.match.view(0).legal()[-1])
        await watched.until(lambda: watched.count == 4)
        assert note() == "question 2"
        session.unsubscribe(watched.changed.set)
        session.subscribe(watched.changed.set)
        session.play(session.table.match.view(0).legal()[0])
        await watched.until(lambda: watched.count == 6)
        assert note() == "question 3"

    run(work)


def test_nothing_of_the_page_is_imported_by_the_command_line() -> None:
    code = "import sys, ludoteca.cli; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
