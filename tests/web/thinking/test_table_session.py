"""A table with agents: they play while a page shows it, can be stopped, and the page says why one failed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ludoteca.agents.identity import Identity
from ludoteca.errors import WorkerError
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Decision
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.session import MOST_REACTIONS, REACTIONS_WITHIN, TableSession
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import MARGIN, AgentQueue, Work, ask_twice
from ludoteca.web.thinking.single_decision import decide_once
from tests.web import rough_agents
from tests.web.thinking.queued import Seat, run


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
        assert watched.session.failure.startswith("Random: ") and watched.session.stage == ""
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


def test_a_flood_of_reactions_is_cut_off_and_the_others_may_still_react() -> None:
    async def work(queue: AgentQueue) -> None:
        now = [0.0]
        table = Table(new_match(MatchRequest("hex:size=3", (PERSON, PERSON), 1)))
        session, drawn = TableSession(table, queue, lambda: now[0]), []
        session.subscribe(lambda: drawn.append(session.reaction))
        assert [session.react(0, 1) for _ in range(40)].count(True) == MOST_REACTIONS == len(drawn)
        assert session.react(1, 0) and session.shown_reaction == (1, "👍", 0.0)
        now[0] = REACTIONS_WITHIN
        assert session.shown_reaction is None and session.react(0, 5)

    run(work)


def test_a_page_learns_that_the_time_of_a_person_is_up() -> None:
    async def work(queue: AgentQueue) -> None:
        now = [0.0]
        match = new_match(MatchRequest("hex:size=4", (PERSON, PERSON), 1, person_limit="30s"))
        session, changed = TableSession(Table(match, clock=lambda: now[0]), queue), asyncio.Event()
        session.subscribe(changed.set)
        for action in range(2):
            session.play(action)
        changed.clear()
        now[0] = 29.9
        assert not session.end_if_late() and not changed.is_set()
        now[0] = 30.0
        session.play(5)  # too late
        assert changed.is_set() and session.table.over and match.actions == [0, 1] and match.fault_seat == 0

    run(work)
