"""A Ray cluster: connecting to it, how many cores it has now, and whether its head still answers."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ludoteca.errors import InvalidOption, WorkerError, extra
from ludoteca.messages import say

HEAD_INTERVAL, HEAD_TIMEOUT = 1.0, 40.0
"""Seconds between two questions to the head, and after which a silent one is lost. After 60 seconds Ray itself would
end this process without a word about the run."""

HEAD_LOST = 2
"""The exit status of a process whose head was lost: that of every error of ours."""


def _exit_at_once() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(HEAD_LOST)


def _is_stale() -> bool:
    """Whether the local cluster that Ray remembers no longer answers: Ray itself would try for many minutes."""
    remembered = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
    try:
        host, _, port = remembered.read_text().strip().rpartition(":")
        with socket.create_connection((host, int(port)), timeout=5):
            return False
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return "RAY_ADDRESS" not in os.environ


class RayCluster:
    """The cluster at `address`; without one a running cluster that Ray finds, or a new local one.

    workers: how many of its cores to use, by default all. Raises InvalidOption if no cluster answers.
    """

    def __init__(self, address: str | None, workers: int | None = None) -> None:
        with extra("ray", say("--ray")):
            import ray
        self.ray: Any = ray
        self._ours, self._limit = not ray.is_initialized(), workers
        if self._ours:
            self._connect(address, workers)
        self._head = ray.get_runtime_context().gcs_address
        self.cores, self._answered = self._count_cores(), time.monotonic()
        """How many cores it has now, and when the head said so."""
        self._closing = threading.Event()
        threading.Thread(target=self._ask_head, name="ray-head", daemon=True).start()

    def _connect(self, address: str | None, workers: int | None) -> None:
        quiet = {"log_to_driver": False, "logging_level": "error", "include_dashboard": False}
        try:
            if address is None:
                try:
                    if _is_stale():
                        raise ConnectionError
                    self.ray.init(address="auto", log_to_driver=False, logging_level="error")
                except ConnectionError:  # no cluster is running: start one
                    self.ray.init(address="local", num_cpus=workers, **quiet)
            else:
                self.ray.init(address=address, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InvalidOption(
                "no Ray cluster answers at {address}: {error}", address=address or "localhost", error=error
            ) from error

    def _count_cores(self) -> int:
        cores = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        return cores if self._limit is None else min(cores, self._limit)

    def _ask_head(self) -> None:
        """In a thread, because a question to a head that is lost never returns."""
        while not self._closing.wait(HEAD_INTERVAL):
            with contextlib.suppress(Exception):  # Ray is being shut down, or the head fails: no answer
                self.cores, self._answered = self._count_cores(), time.monotonic()

    def check_head(self) -> None:
        """Raises WorkerError when the head has not answered for `HEAD_TIMEOUT` seconds."""
        if time.monotonic() - self._answered < HEAD_TIMEOUT:
            return
        # Whatever Ray does to end in order waits for the head; without that, its threads crash when Python ends.
        self._ours = False
        atexit.unregister(self.ray.shutdown)
        atexit.register(_exit_at_once)
        raise WorkerError("the head of the Ray cluster at {address} is lost", address=self._head)

    def close(self) -> None:
        """Stop the cluster if we started it."""
        self._closing.set()
        if self._ours:
            self.ray.shutdown()
