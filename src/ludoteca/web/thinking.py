"""Agents think in processes of their own, a few at a time; everybody else waits in a bounded queue.

Stopping a thought ends its process: an agent deep in the core can be stopped no other way. A fresh process is started
for whoever thinks next. The same happens to one that dies, or that an agent has filled with what it does not give back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from ludoteca.errors import LudotecaError
from ludoteca.play.conditions import MEMORY
from ludoteca.play.match import Match
from ludoteca.players.talk import OUT_OF_MEMORY
from ludoteca.protocols import Action
from ludoteca.web.table import Thought

__all__ = ["Busy", "Failed", "Job", "Thinkers"]

GRACE = 10.0  # seconds beyond its limit after which an agent is stopped
MOST_BYTES = 1 << 20  # of an answer
TOLD = 2000  # bytes of what a dying process wrote last that are read


class Busy(LudotecaError):
    """The queue is full: ask again in a moment."""


class Failed(LudotecaError):
    """The agent raised, died, took too much memory, or did not answer in time."""


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


class _Thinker:
    """One process; see `thinker`."""

    def __init__(self, process: asyncio.subprocess.Process, life: int, last_words: BinaryIO) -> None:
        self.process = process
        self._life, self._last_words = life, last_words
        self._ended = False

    @classmethod
    async def start(cls, memory: int) -> _Thinker:
        """A new process whose agents may take so many MiB."""
        last_words = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        child_life, life = os.pipe()
        # One thread per agent is fair to all of them, and spares address space.
        quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "ludoteca.web.thinker", str(memory), str(child_life),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=last_words, limit=MOST_BYTES,
                pass_fds=[child_life], start_new_session=True, env=quiet | dict(os.environ),
            )  # fmt: skip
        except BaseException:
            os.close(life)
            last_words.close()
            raise
        finally:
            os.close(child_life)
        return cls(process, life, last_words)

    @property
    def usable(self) -> bool:
        """Whether it may be given a job."""
        return not self._ended and self.process.returncode is None

    async def ask(self, job: Job) -> bytes:
        """The line that answers a job; without its end if the process died. Raises TimeoutError and OSError."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self._last_words.truncate(0)
        self.process.stdin.write(job.line())
        await self.process.stdin.drain()
        async with asyncio.timeout(job.seconds + GRACE):
            return await self.process.stdout.readline()

    def starved(self) -> bool:
        """Whether it died, as native code does, because there was no more memory to be had."""
        length = self._last_words.seek(0, os.SEEK_END)
        self._last_words.seek(max(0, length - TOLD))
        words = self._last_words.read(TOLD).decode(errors="replace")
        if any(phrase in words for phrase in OUT_OF_MEMORY):
            return True
        sys.stderr.write(words)  # whoever runs the server may want to know what it died of
        return False

    def end(self) -> None:
        """Kills the process with all that it started. Safe to call twice."""
        if self._ended:
            return
        self._ended = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        os.close(self._life)
        self._last_words.close()


class Thinkers:
    """At most `processes` thoughts at once and `queue` waiting. Belongs to one event loop, and never blocks it.

    Each may take `memory` MiB beyond what Python and our core take.
    """

    def __init__(self, processes: int | None = None, queue: int = 256, memory: int = MEMORY) -> None:
        self.processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self.queue = queue
        self.waiting = 0
        """Jobs that no process has taken yet."""
        self._places = asyncio.Semaphore(self.processes)
        self.memory = memory
        self._idle: list[_Thinker] = []
        self._all: set[_Thinker] = set()
        self._closed = False

    @property
    def full(self) -> bool:
        """Whether nobody else may wait now."""
        return self.waiting >= self.queue

    async def think(self, job: Job, started: Callable[[], None] = lambda: None) -> tuple[Action, Thought]:
        """The agent's action and why; `started` is called when its turn in the queue has come.

        Cancelling this takes the job out of the queue, or ends the process that works on it. Raises Busy and Failed.
        """
        if self._closed or self.full:
            raise Busy(f"{self.waiting} matches are waiting for an agent already")
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        try:
            started()
            return await self._ask(job)
        finally:
            self._places.release()

    async def _ask(self, job: Job) -> tuple[Action, Thought]:
        try:
            thinker = await self._thinker()
        except OSError as error:
            raise Failed(f"{job.agent}: its process could not be started") from error
        keep = False
        try:
            line = await thinker.ask(job)
            if not line.endswith(b"\n"):
                raise Failed(f"{job.agent}: {self._too_little() if thinker.starved() else 'its process died'}")
            answer: dict[str, Any] = json.loads(line)
            keep = not answer["worn"] and not self._closed
            if "memory" in answer:
                raise Failed(f"{job.agent}: {self._too_little()}")
            if "error" in answer:
                raise Failed(f"{job.agent}: {answer['error']}")
            return int(answer["action"]), Thought.from_json(answer["thought"])
        except TimeoutError as error:
            raise Failed(f"{job.agent}: no answer within {job.seconds + GRACE:g} seconds") from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            keep = False
            raise Failed(f"{job.agent}: its process died") from error
        finally:
            if keep:
                self._idle.append(thinker)
            else:
                self._end(thinker)

    def _too_little(self) -> str:
        return f"it needed more than {self.memory} MiB of memory"

    async def _thinker(self) -> _Thinker:
        while self._idle:
            thinker = self._idle.pop()
            if thinker.usable:
                return thinker
            self._end(thinker)
        thinker = await _Thinker.start(self.memory)
        self._all.add(thinker)
        return thinker

    def _end(self, thinker: _Thinker) -> None:
        self._all.discard(thinker)
        thinker.end()

    async def close(self) -> None:
        """Ends all processes; nothing thinks afterwards."""
        self._closed = True
        ending = list(self._all)
        for thinker in ending:
            self._end(thinker)
        for thinker in ending:
            await thinker.process.wait()
