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
from collections.abc import Collection

__all__ = [
    "Births",
    "Family",
    "adopt_orphans",
    "computed",
    "die_with_parent",
    "hide_memory",
    "lead_session",
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


def lead_session() -> None:
    """Makes this process the leader of a session of its own, which yields to others as far as the process does.

    Linux may share the processors out among sessions first, and only then within each by `nice` (see autogroups in
    ``man 7 sched``): a process that is nice, but alone in its session, would get as much as all of another session.
    """
    os.setsid()
    if _LINUX and (nice := os.getpriority(os.PRIO_PROCESS, 0)):
        # Not every system shares out so, and nobody but root may say it twice in a tenth of a second.
        with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
            group.write(str(nice))


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


class Family:
    """What a child of this process has started, and what that has started: each found once, soon after its birth.

    Who outlives its parent becomes our own child, as `adopt_orphans` has it, and is killed: nobody else would end it.
    """

    def __init__(self, root: int, births: Births) -> None:
        self.members: set[int] = set()
        """All but the root, as far as they are known and alive."""
        self._root, self._births, self._looked = root, births, root

    def send(self, number: signal.Signals, ours: Collection[int]) -> None:
        """Sends a signal to every member, and kills orphans; looks until it finds nobody whom it has not reached.

        ours: the numbers of our own children, which are nobody's orphans.
        """
        reached: set[int] = set()
        while True:
            self._look(ours)
            if not self.members - reached:
                return
            for member in self.members - reached:
                _send(member, number)
            reached |= self.members

    def _look(self, ours: Collection[int]) -> None:
        """Finds who was born since the last look, and who is left of the others."""
        latest = self._births.latest()
        parents = {each: _parent(each) for each in {*self._births.since(self._looked), *self.members}}
        self._looked = self._looked if latest is None else latest
        mine = os.getpid()
        orphans = {each for each, parent in parents.items() if parent == mine and each not in ours}
        for orphan in orphans:
            _send(orphan, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(orphan, 0)
        related = {self._root, *orphans}
        while more := {each for each, parent in parents.items() if parent in related} - related:
            related |= more
        self.members = related - orphans - {self._root}

    def end(self, ours: Collection[int]) -> None:
        """Kills all that is left, once the root itself is gone."""
        for _ in range(1000):  # the children of those that are killed become ours in turn
            before = self._looked, self.members
            self._look(ours)
            for member in self.members:
                _send(member, signal.SIGKILL)
            if (self._looked, self.members) == before and not self.members:
                return
