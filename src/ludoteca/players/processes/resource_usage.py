"""The resource usage of an agent's process as the kernel reports it: CPU time, and time spent waiting for a core."""

from __future__ import annotations

import contextlib
import math
import os
import time
from pathlib import Path

from ludoteca.players.faults import Usage
from ludoteca.players.processes.linux import cpu_seconds

BILLION = 1_000_000_000


class UsageMeter:
    """Measures one process again and again. Close it.

    Where the kernel does not report how long a process waited for a core, that time is 0.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._file: int | None = None
        with contextlib.suppress(OSError):  # of the main thread, in which the agent plays
            self._file = os.open(Path("/proc", str(pid), "schedstat"), os.O_RDONLY | os.O_CLOEXEC)
        self._last_wait, self._resumed = 0.0, -math.inf
        self.usage = Usage(0.0, 0.0)
        """At the last update."""

    def update(self) -> None:
        """Measures again; a process that has ended keeps its last usage."""
        cpu = cpu_seconds(self._pid)
        if cpu:
            wait, before = self._wait_seconds(), self.usage
            # A process that waits for its own threads does not wait for others.
            taken_by_others = max(0.0, time.monotonic() - self._resumed - (cpu - before.cpu_seconds))
            total = before.wait_seconds + min(wait - self._last_wait, taken_by_others)
            self._last_wait, self.usage = wait, Usage(round(cpu, 6), round(total, 6))

    def resume(self) -> None:
        """Call this just before the process runs again."""
        self._resumed = time.monotonic()

    def new_wait_seconds(self) -> float:
        """Updates; the seconds that the process has waited for a core since the update before."""
        before = self.usage.wait_seconds
        self.update()
        return max(0.0, self.usage.wait_seconds - before)

    def _wait_seconds(self) -> float:
        file = self._file
        if file is None:
            return self._last_wait
        try:
            return int(os.pread(file, 100, 0).split()[1]) / BILLION
        except (OSError, IndexError, ValueError):  # the process has ended
            return self._last_wait

    def close(self) -> None:
        """Safe to call twice, and from any thread."""
        file, self._file = self._file, None  # another thread may close it too
        if file is not None:
            os.close(file)
