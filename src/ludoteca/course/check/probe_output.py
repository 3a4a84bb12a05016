"""What the processes of a submission print and how much memory they hold, seen from outside.

Nothing here asks the submission: it is watched through the pipe that it prints into and through the system's own
figures, so it holds for every kind of process that a pool may start.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator

__all__ = ["MemoryWatch", "Printed"]

KEPT = 4096
"""Bytes of what is printed that are kept; the rest is only counted."""
PACE = 0.2
"""Seconds between two looks at the memory."""


class Printed:
    """Takes in what child processes print: those that are started while `redirected` lasts."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self._kept = b""
        self.bytes = 0
        """How much was printed."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @contextlib.contextmanager
    def redirected(self) -> Iterator[None]:
        """While this lasts, this process's standard output is the pipe: for the moment in which a pool starts."""
        sys.stdout.flush()
        usual = os.dup(1)
        os.dup2(self._in, 1)
        try:
            yield
        finally:
            os.dup2(usual, 1)
            os.close(usual)
            os.close(self._in)

    def _read(self) -> None:
        while data := os.read(self._out, 1 << 16):
            self.bytes += len(data)
            self._kept += data[: KEPT - len(self._kept)]
        os.close(self._out)

    @property
    def first_lines(self) -> list[str]:
        """The beginning of it, at most three lines, without what would move a cursor."""
        text = self._kept.decode(errors="replace")
        lines = ("".join(each for each in line if each.isprintable())[:100] for line in text.splitlines())
        return [line for line in lines if line.strip()][:3]

    def finish(self) -> None:
        """Waits for what is still in the pipe; all that print into it have ended."""
        self._reader.join(timeout=5)


class MemoryWatch:
    """Looks again and again at how much memory the grandchildren of this process hold: what a pool has forked."""

    def __init__(self) -> None:
        self.most = 0
        """MiB that one process held at most, Python and our core included."""
        self.usual = 0
        """MiB that Python and our core take by themselves."""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> MemoryWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._done.wait(PACE):
            with contextlib.suppress(OSError):
                self._look()

    def _look(self) -> None:
        parents = {number: parent for number in _processes() if (parent := _parent(number)) is not None}
        children = {number for number, parent in parents.items() if parent == os.getpid()}
        for number, parent in parents.items():
            if number in children:
                self.usual = max(self.usual, _resident(number))
                continue
            while parent in parents and parent not in children:
                parent = parents[parent]
            if parent in children:
                self.most = max(self.most, _resident(number))


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def _parent(number: int) -> int | None:
    try:
        with open(f"/proc/{number}/stat", "rb") as stat:
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _resident(number: int) -> int:
    """MiB that a process has held at most."""
    try:
        with open(f"/proc/{number}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) // 1024
    except (OSError, ValueError, IndexError):
        pass
    return 0
