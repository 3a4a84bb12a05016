"""The workers that play the matches of a run: what a run expects of them, and processes on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Protocol

from ludoteca.agents.registry import path_of_children
from ludoteca.arena.plan import Fixture
from ludoteca.errors import InvalidOption, WorkerError
from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

AHEAD = 0.25
"""Seconds of work that a worker gets in advance, so that it never waits for the next match."""
MOST = 64
"""The most matches given in advance: these are lost when a worker dies, or played in vain when a test stops."""
WAIT = 0.2
"""Seconds after which `collect` returns without any match, so that the progress table can be redrawn."""
GATHER = 0.01
"""Seconds to wait for more records of short matches, so that the store writes several at a time."""
DEATHS, DEAD_STARTS = 3, 10
"""After so many workers that died over one match, or one after another before they could play, we report a bug."""


class Workers(Protocol):
    """Play fixtures and return records as JSON, in any order."""

    @property
    def count(self) -> int:
        """How many matches are played at once."""

    def wants(self) -> bool:
        """Whether to submit more fixtures now."""

    def submit(self, fixture: Fixture) -> None:
        """Queue a match."""

    def collect(self) -> list[tuple[int, str]]:
        """Indexes and records of finished matches; waits for a fraction of a second if there are none.

        Raises WorkerError when our own code failed.
        """

    def close(self) -> None:
        """Stop at once; matches in progress are lost."""


class Prefetch:
    """How many matches to give a worker in advance, from how long recent matches took."""

    def __init__(self) -> None:
        self._seconds = AHEAD

    def observe(self, seconds: float) -> None:
        """Count a match that took so long."""
        self._seconds += 0.1 * (seconds - self._seconds)

    @property
    def matches(self) -> int:
        """One when matches are long, up to 64 when they are short."""
        return max(1, min(MOST, round(AHEAD / max(self._seconds, 1e-6))))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One process and the matches in its queue."""

    def __init__(self, setup: dict[str, object]) -> None:
        child_life, self.life = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ludoteca.arena.worker", str(child_life)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[child_life],
            start_new_session=True,  # Ctrl-C then reaches only this process, which stops the workers in order
        )  # fmt: skip
        os.close(child_life)
        self.queue: dict[int, Fixture] = {}
        self.unread = b""
        self.ready = False
        """Whether it can play."""
        self.send(json.dumps(setup))

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # `collect` notices that it died
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()

    def enqueue(self, fixture: Fixture) -> None:
        self.queue[fixture.index] = fixture
        self.send(fixture.to_json())

    def close(self) -> int:
        """Kill the process, and its agents' processes with it. Returns its exit status."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        os.close(self.life)
        return status


class LocalWorkers:
    """Worker processes on this machine, by default one per core.

    live: a folder in which they show the matches that they are playing.
    """

    def __init__(
        self,
        conditions: Conditions,
        count: int | None = None,
        admission: Admission = DEFAULT,
        *,
        live: Path | None = None,
    ) -> None:
        self.count = cores() if count is None else count
        if self.count < 1:
            raise InvalidOption("workers={count}: at least one process must play", count=count)
        self._live = live
        self._setup: dict[str, object] = {
            "path": path_of_children(),
            "conditions": conditions.to_json(),
            "admission": admission.to_json(),
            "live": None if live is None else str(live.absolute()),
        }
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._prefetch, self._deaths, self._dead_starts = Prefetch(), Counter[int](), 0
        for _ in range(self.count):
            self._start()

    def __enter__(self) -> LocalWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> _Worker:
        worker = _Worker(self._setup)
        assert worker.process.stdout is not None
        self._workers.append(worker)
        self._selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
        return worker

    def _idlest(self) -> _Worker:
        return min(self._workers, key=lambda worker: len(worker.queue))

    def wants(self) -> bool:
        """Whether to submit more fixtures now."""
        return len(self._idlest().queue) < self._prefetch.matches

    def submit(self, fixture: Fixture) -> None:
        """Queue a match for the worker with the shortest queue."""
        self._idlest().enqueue(fixture)

    def collect(self) -> list[tuple[int, str]]:
        """Indexes and records of finished matches; waits briefly if there are none. Raises WorkerError."""
        finished = []
        ready = self._selector.select(WAIT)
        if ready and self._prefetch.matches > 1:
            time.sleep(GATHER)
        for key, _ in ready:
            worker: _Worker = key.data
            data = os.read(key.fd, 1 << 20)
            *lines, worker.unread = (worker.unread + data).split(b"\n")
            for line in lines:
                head, rest = line.decode().split(" ", 1)
                if head == "+":
                    worker.ready, self._dead_starts = True, 0
                    continue
                if head == "!":
                    index, said = rest.split(" ", 1)
                    error = WorkerError("a worker failed:\n{traceback}", traceback=json.loads(said))
                    error.match = int(index) if int(index) >= 0 else None
                    raise error
                seconds, record = rest.split(" ", 1)
                self._prefetch.observe(float(seconds))
                finished.append((worker.queue.pop(int(head)).index, record))
            if not data:
                self._replace(worker)
        return finished

    def _replace(self, worker: _Worker) -> None:
        """Start a new process for one that died, with the same queue."""
        assert worker.process.stdout is not None
        self._selector.unregister(worker.process.stdout)
        self._workers.remove(worker)
        status = worker.close()
        playing = next(iter(worker.queue.values()), None)  # the others were only waiting
        if not worker.ready:
            self._dead_starts += 1
        elif playing is not None:
            self._deaths[playing.index] += 1
        if playing is not None and (self._deaths[playing.index] == DEATHS or self._dead_starts == DEAD_STARTS):
            error = WorkerError(
                "worker processes die (status {status}) while playing match {index} of {agents}. Every finished "
                "match is saved; the same command goes on",
                status=status,
                index=playing.index,
                agents=", ".join(map(str, playing.agents)),
            )
            error.match = playing.index if worker.ready else None
            raise error
        fresh = self._start()
        for fixture in worker.queue.values():
            fresh.enqueue(fixture)

    def close(self) -> None:
        """Kill all workers."""
        while self._workers:
            self._workers.pop().close()
        self._selector.close()
        if self._live is not None:  # killed workers cannot delete their files themselves
            shutil.rmtree(self._live, ignore_errors=True)
