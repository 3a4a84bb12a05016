from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ludoteca.web.host import Host
from ludoteca.web.table import PERSON, Head, Table
from ludoteca.web.thinker import decide
from ludoteca.web.thinking import Busy, Failed, Job, Thinkers

JOB = Job("hex:size=4", 1, "", (0, 1), "random", 1.0)


def run(work: Callable[[Thinkers], Awaitable[None]], processes: int = 1, queue: int = 4) -> None:
    async def all_of_it() -> None:
        thinkers = Thinkers(processes, queue)
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
        assert len(thinkers._all) == 1  # the same process all the time

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


def test_stopping_a_thought_ends_its_process() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.think(JOB)
        (process,) = thinkers._all
        os.kill(process.pid, 19)  # it never answers
        task = asyncio.create_task(thinkers.think(JOB))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await process.wait() == -9
        await thinkers.think(JOB)

    run(work)


def test_a_process_that_dies_is_a_failure_and_the_next_one_works() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.think(JOB)
        (process,) = thinkers._all
        os.kill(process.pid, 19)
        task = asyncio.create_task(thinkers.think(JOB))
        await asyncio.sleep(0.05)
        process.kill()
        with pytest.raises(Failed, match="died"):
            await task
        await thinkers.think(JOB)

    run(work)


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
        assert "no agent is called" in host.trouble
        host.try_again()
        assert host.stage == "waiting"
        host.leave(changed.set)

    run(work)


async def _until(done: Callable[[], bool], changed: asyncio.Event) -> None:
    while not done():
        changed.clear()
        await changed.wait()


def test_nothing_of_the_page_is_imported_by_the_command_line(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = "import sys, ludoteca.cli; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
