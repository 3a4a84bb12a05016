"""Agents think in processes of their own, a few at a time; everybody else waits in a bounded queue.

Stopping a thought ends its process: an agent deep in the core can be stopped no other way. A fresh process is started
for whoever thinks next.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludoteca.arena import Match
from ludoteca.errors import LudotecaError
from ludoteca.protocols import Action
from ludoteca.web.table import Thought

__all__ = ["Busy", "Failed", "Job", "Thinkers"]

GRACE = 10.0  # seconds beyond its limit after which an agent is stopped
MOST_BYTES = 1 << 20  # of an answer


class Busy(LudotecaError):
    """The queue is full: ask again in a moment."""


class Failed(LudotecaError):
    """The agent raised, died, or did not answer in time."""


@dataclass(frozen=True)
class Job:
    """One decision to be made by the seat on turn, all in texts and numbers."""

    game: str
    seed: int
    start: str
    actions: Sequence[Action]
    agent: str
    seconds: float

    @classmethod
    def at(cls, match: Match, agent: str, seconds: float) -> Job:
        """To decide what to play next in a match."""
        return cls(match.game.spec, match.seed, match.start, tuple(match.actions), agent, seconds)

    def line(self) -> bytes:
        """As it is sent to a process."""
        return json.dumps(vars(self) | {"actions": list(self.actions)}).encode() + b"\n"


class Thinkers:
    """At most `processes` thoughts at once and `queue` waiting. Belongs to one event loop, and never blocks it."""

    def __init__(self, processes: int | None = None, queue: int = 256) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.queue = queue
        self.waiting = 0
        """Jobs that no process has taken yet."""
        self._places = asyncio.Semaphore(self.processes)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()
        self._closed = False

    async def think(self, job: Job, started: Callable[[], None] = lambda: None) -> tuple[Action, Thought]:
        """The agent's action and why; `started` is called when its turn in the queue has come.

        Cancelling this takes the job out of the queue, or ends the process that works on it. Raises Busy and Failed.
        """
        if self._closed or self.waiting >= self.queue:
            raise Busy(f"{self.waiting} matches are waiting for an agent already")
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        try:
            started()
            return _read_answer(job, await self._ask(job))
        finally:
            self._places.release()

    async def _ask(self, job: Job) -> bytes:
        process = await self._process()
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(job.line())
            await process.stdin.drain()
            async with asyncio.timeout(job.seconds + GRACE):
                answer = await process.stdout.readline()
        except (TimeoutError, OSError, ValueError) as error:
            self._end(process)
            why = f"no answer within {job.seconds + GRACE:g} seconds" if isinstance(error, TimeoutError) else str(error)
            raise Failed(f"{job.agent}: {why}") from error
        except BaseException:
            self._end(process)
            raise
        if not answer.endswith(b"\n"):
            self._end(process)
            raise Failed(f"{job.agent}: its process died")
        if self._closed:
            self._end(process)
        else:
            self._idle.append(process)
        return answer

    async def _process(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "ludoteca.web.thinker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MOST_BYTES,
        )  # fmt: skip
        self._all.add(process)
        return process

    def _end(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def close(self) -> None:
        """Ends all processes; nothing thinks afterwards."""
        self._closed = True
        ending = list(self._all)
        for process in ending:
            self._end(process)
        for process in ending:
            await process.wait()


def _read_answer(job: Job, answer: bytes) -> tuple[Action, Thought]:
    fields: dict[str, Any] = json.loads(answer)
    if "error" in fields:
        raise Failed(f"{job.agent}: {fields['error']}")
    return int(fields["action"]), Thought.from_json(fields["thought"])
