"""Workers on a Ray cluster: ``pip install 'ludoteca[ray]'``. Every machine needs the same Ludoteca and agents.

A task is a few matches. If a worker or machine is lost, Ray repeats its task; no match is stored twice, because only
returned records are stored. If the head is lost, the run stops and the same command goes on when there is a cluster
again.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
from typing import Any

from ludoteca.arena.plan import Fixture
from ludoteca.arena.referee import Referee
from ludoteca.arena.workers import Prefetch
from ludoteca.errors import InvalidOption, WorkerError, extra
from ludoteca.messages import say
from ludoteca.play.conditions import Conditions
from ludoteca.players.admission import DEFAULT, Admission

WAIT = 0.2
"""Seconds after which `collect` returns without any match."""
RETRIES = 10
"""How often Ray repeats a task that lost its worker."""
HEAD_INTERVAL, HEAD_TIMEOUT = 1.0, 40.0
"""Seconds between two questions to the head, and after which a silent one is lost. After 60 seconds Ray itself would
end this process without a word about the run."""

HEAD_LOST = 2
"""The exit status of a process whose head was lost: that of every error of ours."""

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


def _exit_at_once() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(HEAD_LOST)


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
        with extra("ray", say("--ray")):
            import ray
        self._ray: Any = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(address, workers)
        self._asked = (conditions.to_json(), admission.to_json(), os.getcwd())
        self._play = ray.remote(num_cpus=1, max_retries=RETRIES)(play_task)
        self._prefetch, self._limit = Prefetch(), workers
        self._gathered: Task = []
        self._running: dict[Any, Task] = {}
        self._head = ray.get_runtime_context().gcs_address
        self._cores, self._answered = self._count_cores(), time.monotonic()
        self._closing = threading.Event()
        threading.Thread(target=self._ask_head, name="ray-head", daemon=True).start()

    def _connect(self, address: str | None, workers: int | None) -> None:
        quiet = {"log_to_driver": False, "logging_level": "error", "include_dashboard": False}
        try:
            if address is None:
                try:
                    self._ray.init(address="auto", log_to_driver=False, logging_level="error")
                except ConnectionError:  # no cluster is running: start one
                    self._ray.init(address="local", num_cpus=workers, **quiet)
            else:
                self._ray.init(address=address, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InvalidOption(
                "no Ray cluster answers at {address}: {error}", address=address or "localhost", error=error
            ) from error

    def __enter__(self) -> RayWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _count_cores(self) -> int:
        cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return cores if self._limit is None else min(cores, self._limit)

    def _ask_head(self) -> None:
        """In a thread, because a question to a head that is lost never returns."""
        while not self._closing.wait(HEAD_INTERVAL):
            with contextlib.suppress(Exception):  # Ray is being shut down, or the head fails: no answer
                self._cores, self._answered = self._count_cores(), time.monotonic()

    @property
    def count(self) -> int:
        """How many matches are played at once: the cores of the cluster now."""
        return self._cores

    def wants(self) -> bool:
        """Whether to submit more fixtures now: one task per core waits beside the running one."""
        return len(self._running) < 2 * self._cores

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
        """Raises WorkerError when the head has not answered for `HEAD_TIMEOUT` seconds."""
        if time.monotonic() - self._answered < HEAD_TIMEOUT:
            return
        # Whatever Ray does to end in order waits for the head; without that, its threads crash when Python ends.
        self._running.clear()
        self._ours = False
        atexit.unregister(self._ray.shutdown)
        atexit.register(_exit_at_once)
        raise WorkerError(
            "the head of the Ray cluster at {address} is lost. Every finished match is saved; when there is a "
            "cluster again, the same command goes on",
            address=self._head,
        )

    def close(self) -> None:
        """Cancel all tasks, and stop the cluster if we started it."""
        self._closing.set()
        for task in self._running:
            self._ray.cancel(task, force=True)
        self._running.clear()
        if self._ours:
            self._ray.shutdown()
