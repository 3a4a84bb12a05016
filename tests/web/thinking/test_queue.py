"""Agents at work for the page: a few at a time, watched, stopped, and gone when no page shows them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca import agents, games
from ludoteca.errors import InvalidAgent, WorkerError
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes.child import Child
from ludoteca.protocols import Decision
from ludoteca.web.thinking.queue import AgentQueue, Busy, SeatedAgent
from ludoteca.web.thinking.single_decision import decide_once
from tests.web.thinking.queued import Seat, run


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


def test_nothing_of_the_page_is_imported_by_the_command_line() -> None:
    code = "import sys, ludoteca.cli; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
