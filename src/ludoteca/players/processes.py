"""What Linux lets us do with other processes: outlive nobody, find what they started, read what they computed.

On another system these do what they can, which may be nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator

__all__ = [
    "Births",
    "adopt_orphans",
    "computed",
    "die_with_parent",
    "hide_memory",
    "kill_orphans",
    "send_descendants",
]

_PDEATHSIG, _DUMPABLE, _SUBREAPER = 1, 4, 36
_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None) if _LINUX else None


def _prctl(option: int, value: int) -> None:
    if _libc is not None:
        _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def adopt_orphans() -> None:
    """From now on whatever is left behind by a descendant of this process becomes its child."""
    _prctl(_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """From now on this process is killed when its parent ends, even while it is stopped."""
    _prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we asked
        os._exit(1)


def hide_memory() -> None:
    """No other process of the same user may read or change the memory of this one, nor of those that it forks.

    It does not keep out whoever is root.
    """
    _prctl(_DUMPABLE, 0)


def computed(process: int) -> float:
    """The CPU seconds that a process has used in all its threads; 0 where that is not known."""
    if not _LINUX:
        return 0.0
    try:
        return time.clock_gettime((~process << 3) | 2)  # the kernel's number for the clock of another process
    except OSError:
        return 0.0


class Births:
    """Tells cheaply whether processes or threads were started anywhere, and which numbers they may have.

    Linux gives numbers out in ascending order until they begin again, and says which was the last.
    """

    def __init__(self) -> None:
        try:
            self._last_number: int | None = os.open("/proc/loadavg", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._last_number = None

    def latest(self) -> int | None:
        """The number given out last; None where nobody tells."""
        if self._last_number is None:
            return None
        return int(os.pread(self._last_number, 128, 0).rsplit(None, 1)[1])

    def since(self, number: int | None) -> Collection[int]:
        """The numbers of all processes that may have been started after this one was given out."""
        latest = self.latest()
        if number is not None and latest is not None and number <= latest <= number + 10_000:
            return range(number + 1, latest + 1)
        try:
            return [int(name) for name in os.listdir("/proc") if name.isdigit()]
        except OSError:
            return ()

    def close(self) -> None:
        """Gives its handle back."""
        if self._last_number is not None:
            os.close(self._last_number)
            self._last_number = None


def _parent(process: int) -> int | None:
    """Whose child a process is; None if it is gone, or is a thread."""
    try:
        with open(f"/proc/{process}/status", "rb") as status:
            fields = dict(line.split(b":\t", 1) for line in status.read().splitlines()[:8] if b":\t" in line)
    except OSError:
        return None
    return int(fields[b"PPid"]) if int(fields[b"Tgid"]) == process else None


def _send(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _descendants(root: int, candidates: Collection[int]) -> Iterator[int]:
    """Those of the candidates that a process has started, itself or through others."""
    parents = {process: _parent(process) for process in candidates}
    for process in parents:
        ancestor: int | None = process
        while ancestor is not None and ancestor != root:
            ancestor = parents.get(ancestor)
        if ancestor == root and process != root:
            yield process


def send_descendants(root: int, births: Births, number: signal.Signals) -> set[int]:
    """Sends a signal to all that a process has started, and to what they start meanwhile; tells which those are."""
    reached: set[int] = set()
    while new := set(_descendants(root, births.since(root))) - reached:
        for process in new:
            _send(process, number)
        reached |= new
    return reached


def kill_orphans(births: Births, since: int, known: Collection[int]) -> None:
    """Kills those children of this process that it does not know, if they were started after the process `since`.

    Descendants leave them behind. The children of those that are killed become ours in turn, and are killed too.
    """
    mine = os.getpid()
    for _ in range(1000):
        strays = [each for each in births.since(since) if each not in known and _parent(each) == mine]
        if not strays:
            return
        for stray in strays:
            _send(stray, signal.SIGKILL)
        for stray in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(stray, 0)
