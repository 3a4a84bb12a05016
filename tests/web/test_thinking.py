from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludoteca import agents, games
from ludoteca.play.conditions import MEMORY
from ludoteca.play.match import Match
from ludoteca.web.host import Host
from ludoteca.web.table import PERSON, Head, Table
from ludoteca.web.thinker import decide
from ludoteca.web.thinking import Busy, Failed, Job, Thinkers
from tests.strangers import installed
from tests.web import rough_agents

JOB = Job("hex:size=4", 1, "", (0, 1), "random", 1.0)


@pytest.fixture
def rough(tmp_path: Path) -> Iterator[None]:
    """The agents of `rough_agents` exist."""
    (tmp_path / "site").mkdir()
    with installed(rough_agents, tmp_path / "site"):
        yield


def run(work: Callable[[Thinkers], Awaitable[None]], processes: int = 1, queue: int = 4, memory: int = MEMORY) -> None:
    async def all_of_it() -> None:
        thinkers = Thinkers(processes, queue, memory)
        try:
            await work(thinkers)
        finally:
            await thinkers.close()
            await asyncio.sleep(0.05)  # lets the pipes close before the loop does

    asyncio.run(all_of_it())


def test_an_agent_made_anew_throws_new_dice() -> None:
    chosen = {decide(vars(replace(JOB, actions=tuple(range(count)))))["action"] - count for count in range(8)}
    assert len(chosen) > 2
    assert decide(vars(JOB)) | {"thought": None} == decide(vars(JOB)) | {"thought": None}


@pytest.mark.parametrize("agent", ["tumbafichas:depth=3", "cases", "random"])
def test_what_was_set_up_in_the_other_hand_changes_no_thought(agent: str) -> None:
    hands = ("5-5 4-4 3-3", "6-0 6-1 6-2", "3")
    jobs = [Job("dominoes", 1, f"line: 6-6 6-4; 0: 6-5 4-1 4-2 3-1; 1: {hand}", (), agent, 1.0) for hand in hands]
    decisions = [decide(vars(job)) for job in jobs]
    for decision in decisions:
        decision["thought"].pop("seconds", None)
    assert decisions[0] == decisions[1] == decisions[2]


@pytest.mark.parametrize(
    ("job", "why"),
    [
        (replace(JOB, agent="nobody"), "no agent is called"),
        (replace(JOB, game="chess"), "no game is called"),
        (replace(JOB, actions=(0, 0)), "is not legal"),
        (replace(JOB, game="hex:size=1", actions=(0,)), "the match is over"),
    ],
)
def test_what_fails_is_one_line(job: Job, why: str) -> None:
    error = decide(vars(job))["error"]
    assert why in error and "\n" not in error and "Traceback" not in error


def test_thoughts_come_back_from_a_process() -> None:
    async def work(thinkers: Thinkers) -> None:
        action, thought = await thinkers.think(JOB)
        assert action in range(2, 16) and thought.agent == "random"
        with pytest.raises(Failed, match="no agent is called"):
            await thinkers.think(replace(JOB, agent="nobody"))
        await thinkers.think(JOB)
        assert len(pids(thinkers)) == 1  # the same process all the time

    run(work)


def test_the_queue_is_bounded_and_a_cancelled_job_leaves_it() -> None:
    async def work(thinkers: Thinkers) -> None:
        tasks = [asyncio.create_task(thinkers.think(JOB)) for _ in range(3)]
        await asyncio.sleep(0)
        assert thinkers.waiting == 2
        with pytest.raises(Busy):
            await thinkers.think(JOB)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert thinkers.waiting == 0
        await thinkers.think(JOB)

    run(work, queue=2)


def pids(thinkers: Thinkers) -> list[int]:
    return [thinker.process.pid for thinker in thinkers._all]


async def gone(pid: int) -> None:
    """Returns when a process is no more."""
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        await asyncio.sleep(0.01)


async def begun(thinkers: Thinkers, job: Job) -> asyncio.Task[object]:
    """A thought whose process is at work."""
    started = asyncio.Event()
    task: asyncio.Task[object] = asyncio.create_task(thinkers.think(job, started.set))
    await started.wait()
    while not pids(thinkers):
        await asyncio.sleep(0.01)
    return task


def test_stopping_a_thought_ends_its_process() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.think(JOB)
        (pid,) = pids(thinkers)
        os.kill(pid, 19)  # it never answers
        task = await begun(thinkers, JOB)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(gone(pid), 30)
        await thinkers.think(JOB)

    run(work)


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("eats", "eats: it needed more than 64 MiB of memory"),
        ("eats-inside", "eats-inside: it needed more than 64 MiB of memory"),
        ("dies", "dies: its process died"),
        ("quits", "quits: SystemExit: 3"),
    ],
)
def test_a_rough_agent_costs_its_own_answer_only(rough: None, agent: str, why: str) -> None:
    async def work(thinkers: Thinkers) -> None:
        for _ in range(2):
            with pytest.raises(Failed) as error:
                await thinkers.think(replace(JOB, agent=agent))
            assert str(error.value) == why
            action, _ = await thinkers.think(JOB)
            assert action in range(2, 16)

    run(work, memory=64)


def test_an_agent_that_ignores_its_limit_is_stopped_and_its_process_replaced(
    rough: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.web.thinking.GRACE", 0.5)

    async def work(thinkers: Thinkers) -> None:
        await thinkers.think(JOB)
        (pid,) = pids(thinkers)
        with pytest.raises(Failed, match=r"loops: no answer within 0\.6 seconds"):
            await thinkers.think(replace(JOB, agent="loops", seconds=0.1))
        await asyncio.wait_for(gone(pid), 30)
        monkeypatch.setattr("ludoteca.web.thinking.GRACE", 60.0)
        await thinkers.think(JOB)
        assert pid not in pids(thinkers)

    run(work)


def test_what_an_agent_keeps_is_not_taken_from_the_next(rough: None) -> None:
    async def work(thinkers: Thinkers) -> None:
        for _ in range(3):  # three times 48 MiB would not fit into one process
            action, _ = await thinkers.think(replace(JOB, agent="hoards"))
            assert action == 2

    run(work, memory=64)


def test_an_agent_that_prints_does_not_talk_into_the_answers(rough: None) -> None:
    async def work(thinkers: Thinkers) -> None:
        for _ in range(2):
            action, _ = await thinkers.think(replace(JOB, agent="babbles"))
            assert action == 15
        assert len(pids(thinkers)) == 1

    run(work)


def test_every_installed_agent_thinks_within_the_default_memory() -> None:
    async def work(thinkers: Thinkers) -> None:
        for name in games.names():
            match = Match(games.game(name), 1)
            assert match.turn is not None
            for agent in agents.names(name):
                action, thought = await thinkers.think(Job.at(match, agent, 0.1))
                assert action in match.view(match.turn).legal() and thought.agent == agent
        assert len(pids(thinkers)) == 1

    run(work)


def test_no_process_outlives_the_server(rough: None) -> None:
    """A server that is killed cannot end its processes; they notice, even in the middle of a thought without end."""
    code = (
        "import asyncio, sys\n"
        "from ludoteca.web.thinking import Job, Thinkers\n"
        "async def work():\n"
        "    thinkers = Thinkers(1)\n"
        "    await thinkers.think(Job('hex:size=4', 1, '', (), 'random', 1.0))\n"
        "    print(next(iter(thinkers._all)).process.pid, flush=True)\n"
        "    await thinkers.think(Job('hex:size=4', 1, '', (), 'loops', 600.0))\n"
        "asyncio.run(work())\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert server.stdout is not None
    with server:
        pid = int(server.stdout.readline())
        server.kill()
    asyncio.run(asyncio.wait_for(gone(pid), 60))


def test_a_host_plays_while_somebody_looks_and_stops_when_nobody_does() -> None:
    async def work(thinkers: Thinkers) -> None:
        host = Host(Table(Head("hex:size=3", ("random", PERSON), 1, "1s")), thinkers)
        changed = asyncio.Event()
        await asyncio.sleep(0)
        assert not host.table.movers
        host.join(changed.set)
        await asyncio.wait_for(_until(lambda: host.table.turn == 1, changed), 30)
        host.play(host.table.match.view(1).legal()[0])
        assert host.stage == "waiting"
        host.leave(changed.set)
        assert host.stage == "" and thinkers.waiting == 0
        host.join(changed.set)
        await asyncio.wait_for(_until(lambda: len(host.table.movers) == 3, changed), 30)

    run(work)


def test_a_failing_agent_is_told_and_can_be_tried_again() -> None:
    async def work(thinkers: Thinkers) -> None:
        host = Host(Table(Head("hex:size=3", ("nobody", PERSON), 1, "1s")), thinkers)
        changed = asyncio.Event()
        host.join(changed.set)
        await asyncio.wait_for(_until(lambda: bool(host.trouble), changed), 30)
        assert "no agent of hex is called" in host.trouble
        host.try_again()
        assert host.stage == "waiting"
        host.leave(changed.set)

    run(work)


def test_a_process_that_cannot_be_started_is_told_and_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(thinkers: Thinkers) -> None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        host = Host(Table(Head("hex:size=3", ("random", PERSON), 1, "1s")), thinkers)
        changed = asyncio.Event()
        host.join(changed.set)
        await asyncio.wait_for(_until(lambda: bool(host.trouble), changed), 30)
        assert host.trouble == "random: its process could not be started" and host.stage == ""
        monkeypatch.undo()
        host.try_again()
        await asyncio.wait_for(_until(lambda: len(host.table.movers) == 1, changed), 30)
        host.leave(changed.set)

    run(work)


def test_what_of_ours_fails_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(thinkers: Thinkers) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Job, "at", broken)
        host = Host(Table(Head("hex:size=3", ("random", PERSON), 1, "1s")), thinkers)
        changed = asyncio.Event()
        host.join(changed.set)
        await asyncio.wait_for(_until(lambda: bool(host.trouble), changed), 30)
        assert host.trouble == "something of ours failed" and host.stage == ""

    run(work)


async def _until(done: Callable[[], bool], changed: asyncio.Event) -> None:
    while not done():
        changed.clear()
        await changed.wait()


def test_nothing_of_the_page_is_imported_by_the_command_line(tmp_path: Path) -> None:
    code = "import sys, ludoteca.cli; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
