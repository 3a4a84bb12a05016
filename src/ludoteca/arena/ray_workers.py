"""Workers on a Ray cluster: ``pip install 'ludoteca[ray]'``. Every machine needs the same Ludoteca and agents.

A task is a few matches. If a worker or machine is lost, Ray repeats its task; no match is stored twice, because only
returned records are stored. If the head is lost, the run stops and the same command goes on when there is a cluster
again.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

from ludoteca.arena.plan import Fixture
from ludoteca.arena.ray_cluster import RayCluster
from ludoteca.arena.referee import Referee
from ludoteca.arena.workers import Prefetch
from ludoteca.errors import WorkerError
from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

WAIT = 0.2
"""Seconds after which `collect` returns without any match."""
RETRIES = 10
"""How often Ray repeats a task that lost its worker."""

Task = list[Fixture]
_referees: dict[tuple[str, str], Referee] = {}


def play_task(conditions: str, admission: str, folder: str, task: Task) -> list[tuple[int, float, str]]:
    """On a Ray worker: play some matches with this process's referee, which is made the first time.

    folder: the current one of the command, from which agents' files are found, if this machine has it.
    """
    key = (conditions, admission)
    with contextlib.suppress(OSError):
        os.chdir(folder)
    referee = _referees.get(key)
    if referee is None:
        for other in _referees.values():
            other.close()
        _referees.clear()
        referee = _referees[key] = Referee(Conditions.from_json(conditions), Admission.from_json(admission))
    finished = []
    for fixture in task:
        start = time.perf_counter()
        try:
            record = referee.play(fixture)
        except Exception as error:
            failed = WorkerError("{kind}: {error}", kind=type(error).__name__, error=error)
            failed.match = fixture.index
            raise failed from error
        finished.append((fixture.index, time.perf_counter() - start, record.to_json()))
    return finished


class RayWorkers:
    """Workers on the cluster at `address`; without one on a running cluster that Ray finds, or on a new local one.

    workers: how many tasks run at once, by default one per core of the cluster.
    """

    def __init__(
        self,
        conditions: Conditions,
        address: str | None,
        workers: int | None = None,
        admission: Admission = DEFAULT,
    ) -> None:
        self._cluster = RayCluster(address, workers)
        self._ray = self._cluster.ray
        self._asked = (conditions.to_json(), admission.to_json(), os.getcwd())
        self._play = self._ray.remote(num_cpus=1, max_retries=RETRIES)(play_task)
        self._prefetch = Prefetch()
        self._gathered: Task = []
        self._running: dict[Any, Task] = {}

    def __enter__(self) -> RayWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def count(self) -> int:
        """How many matches are played at once: the cores of the cluster now."""
        return self._cluster.cores

    def wants(self) -> bool:
        """Whether to submit more fixtures now: one task per core waits beside the running one."""
        return len(self._running) < 2 * self._cluster.cores

    def submit(self, fixture: Fixture) -> None:
        """Add a match to the next task, which is sent when it is large enough."""
        self._gathered.append(fixture)
        if len(self._gathered) >= self._prefetch.matches:
            self._send()

    def _send(self) -> None:
        if self._gathered:
            self._running[self._play.remote(*self._asked, self._gathered)] = self._gathered
            self._gathered = []

    def collect(self) -> list[tuple[int, str]]:
        """Indexes and records of finished matches; waits briefly if there are none. Raises WorkerError."""
        self._check_head()
        self._send()
        if not self._running:
            time.sleep(WAIT)
            return []
        ready, _ = self._ray.wait(list(self._running), num_returns=1, timeout=WAIT)
        finished = []
        for task in ready:
            del self._running[task]
            try:
                results = self._ray.get(task)
            except self._ray.exceptions.RayError as error:
                failed = WorkerError("a task on the Ray cluster failed: {error}", error=error)
                failed.match = getattr(getattr(error, "cause", None), "match", None)
                raise failed from error
            for index, seconds, record in results:
                self._prefetch.observe(seconds)
                finished.append((index, record))
        return finished

    def _check_head(self) -> None:
        """Raises WorkerError when the head is lost."""
        try:
            self._cluster.check_head()
        except WorkerError as error:
            self._running.clear()  # to cancel a task would wait for the head
            raise WorkerError(
                "{lost}. Every finished match is saved; when there is a cluster again, the same command goes on",
                lost=error.message,
            ) from None

    def close(self) -> None:
        """Cancel all tasks, and stop the cluster if we started it."""
        for task in self._running:
            self._ray.cancel(task, force=True)
        self._running.clear()
        self._cluster.close()
