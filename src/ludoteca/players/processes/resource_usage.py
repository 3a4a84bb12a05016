"""What the process of an agent has used, by the kernel's account: CPU time, and waiting for a processor."""

from __future__ import annotations

import contextlib
import math
import os
import time
from pathlib import Path

from ludoteca.players.faults import Usage
from ludoteca.players.processes.linux import computed

__all__ = ["Account"]

BILLION = 1_000_000_000


class Account:
    """Of one process, for whoever asks it again and again; close it in the end.

    Where the kernel does not tell how long a process waited, that is 0.
    """

    def __init__(self, process: int) -> None:
        self._process = process
        self._file: int | None = None
        with contextlib.suppress(OSError):  # of the thread that plays; others wait on their own account
            self._file = os.open(Path("/proc", str(process), "schedstat"), os.O_RDONLY | os.O_CLOEXEC)
        self._stood, self._running = 0.0, -math.inf  # as the kernel told last; since when it runs
        self.noted = Usage(0.0, 0.0)
        """What it had used when it was noted last."""

    def note(self) -> None:
        """Notes what it has used until now; of a process that is gone nothing more."""
        cpu = computed(self._process)
        if cpu:
            stood, before = self._waited(), self.noted
            # Whoever waits for threads of its own did not wait for others.
            others = max(0.0, time.monotonic() - self._running - (cpu - before.computed))
            waited = before.waited + min(stood - self._stood, others)
            self._stood, self.noted = stood, Usage(round(cpu, 6), round(waited, 6))

    def go_on(self) -> None:
        """It is about to run again, after it stood still."""
        self._running = time.monotonic()

    def waited_since(self) -> float:
        """Seconds that it waited for a processor since the last note; notes what it has used."""
        before = self.noted.waited
        self.note()
        return max(0.0, self.noted.waited - before)

    def _waited(self) -> float:
        file = self._file
        if file is None:
            return self._stood
        try:
            return int(os.pread(file, 100, 0).split()[1]) / BILLION
        except (OSError, IndexError, ValueError):  # it is gone
            return self._stood

    def close(self) -> None:
        """Safe to call twice, and from any thread."""
        file, self._file = self._file, None  # another thread may close it too
        if file is not None:
            os.close(file)
