"""Processes on this machine that play matches, one per core."""

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

from ludoteca.agents.entries import path_of_children
from ludoteca.arena.fixture import Fixture
from ludoteca.arena.workforce import Pace
from ludoteca.errors import InvalidOption, WorkerError
from ludoteca.messages import say
from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

__all__ = ["Workers", "cores"]

WAIT = 0.2
"""Seconds after which `collect` comes back with nothing, so that a table can be drawn again."""
GATHER = 0.01
"""Seconds for which the records of short matches gather, so that the store takes several at a time."""
DEATHS = 3
"""How often a match may take a worker with it before we say that something of ours is wrong."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One process and the matches that it has been given."""

    def __init__(self, setup: dict[str, object]) -> None:
        child_life, self.life = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ludoteca.arena.worker", str(child_life)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[child_life],
            start_new_session=True,  # so that Ctrl-C reaches only us, and we stop in good order
        )  # fmt: skip
        os.close(child_life)
        self.given: dict[int, Fixture] = {}
        self.unread = b""
        self.send(json.dumps(setup))

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # its death is noticed where its answers are read
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()

    def give(self, fixture: Fixture) -> None:
        self.given[fixture.index] = fixture
        self.send(fixture.to_json())

    def close(self) -> int:
        """Kills it; its agents' processes die with it. Its exit status."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        os.close(self.life)
        return status


class Workers:
    """A crew of `count` processes, by default one per core; in the folder `live` they show what they play just now."""

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
            raise InvalidOption(say("workers={count}: at least one process must play", count=count))
        self._live = live
        self._setup: dict[str, object] = {
            "path": path_of_children(),
            "conditions": conditions.to_json(),
            "admission": admission.to_json(),
            "live": None if live is None else str(live.absolute()),
        }
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._pace, self._deaths = Pace(), Counter[int]()
        for _ in range(self.count):
            self._start()

    def __enter__(self) -> Workers:
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
        return min(self._workers, key=lambda worker: len(worker.given))

    def wants(self) -> bool:
        """Whether more fixtures would be of use now."""
        return len(self._idlest().given) < self._pace.ahead

    def submit(self, fixture: Fixture) -> None:
        """Gives a match to whoever has the least to do."""
        self._idlest().give(fixture)

    def collect(self) -> list[tuple[int, str]]:
        """Indexes and records of what has finished, if need be after a short wait. Raises WorkerError."""
        finished = []
        ready = self._selector.select(WAIT)
        if ready and self._pace.ahead > 1:
            time.sleep(GATHER)
        for key, _ in ready:
            worker: _Worker = key.data
            data = os.read(key.fd, 1 << 20)
            *lines, worker.unread = (worker.unread + data).split(b"\n")
            for line in lines:
                head, rest = line.decode().split(" ", 1)
                if head == "!":
                    raise WorkerError(say("a worker failed:\n{traceback}", traceback=json.loads(rest)))
                seconds, record = rest.split(" ", 1)
                self._pace.saw(float(seconds))
                finished.append((worker.given.pop(int(head)).index, record))
            if not data:
                self._replace(worker)
        return finished

    def _replace(self, worker: _Worker) -> None:
        """A new process for one that died, with the same matches to play."""
        assert worker.process.stdout is not None
        self._selector.unregister(worker.process.stdout)
        self._workers.remove(worker)
        status = worker.close()
        fresh = self._start()
        for fixture in list(worker.given.values()):
            self._deaths[fixture.index] += 1
            if self._deaths[fixture.index] >= DEATHS:
                raise WorkerError(
                    say(
                        "worker processes die (status {status}) while playing match {index} of {agents}",
                        status=status,
                        index=fixture.index,
                        agents=", ".join(fixture.agents),
                    )
                )
            fresh.give(fixture)

    def close(self) -> None:
        """Stops everything at once."""
        while self._workers:
            self._workers.pop().close()
        self._selector.close()
        if self._live is not None:  # killed workers cannot take their files away themselves
            shutil.rmtree(self._live, ignore_errors=True)
