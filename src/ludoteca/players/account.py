"""What the process of an agent has used, by the kernel's account: CPU time, and waiting for a processor."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ludoteca.players.faults import Usage
from ludoteca.players.processes import computed

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
        self.noted = Usage(0.0, 0.0)
        """What it had used when it was noted last."""

    def note(self) -> None:
        """Notes what it has used until now; of a process that is gone nothing more."""
        cpu = computed(self._process)
        if cpu:
            self.noted = Usage(round(cpu, 6), round(self._waited(), 6))

    def waited_since(self) -> float:
        """Seconds that it waited for a processor since the last note; notes what it has used."""
        before = self.noted.waited
        self.note()
        return max(0.0, self.noted.waited - before)

    def _waited(self) -> float:
        if self._file is None:
            return 0.0
        try:
            return int(os.pread(self._file, 100, 0).split()[1]) / BILLION
        except (OSError, IndexError, ValueError):  # it is gone
            return self.noted.waited

    def close(self) -> None:
        """Safe to call twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
