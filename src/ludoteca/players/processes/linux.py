"""What the Linux kernel offers about processes: parent death signals, orphans, children, CPU time.

On other systems these functions do nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

_PDEATHSIG, _DUMPABLE, _SUBREAPER = 1, 4, 36
_LINUX = sys.platform == "linux"
_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
_libc = ctypes.CDLL(None) if _LINUX else None


def _prctl(option: int, value: int) -> None:
    if _libc is not None:
        _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def adopt_orphans() -> None:
    """Makes this process the subreaper: descendants whose parent ends become its children."""
    _prctl(_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Makes the kernel kill this process when its parent ends, even while it is suspended."""
    _prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)


def hide_memory() -> None:
    """Forbids other processes of the same user to read or change the memory of this one and of its children.

    Root can still do both.
    """
    _prctl(_DUMPABLE, 0)


def give_way(nice: int) -> None:
    """Let other processes have the processor first.

    Linux often divides time between sessions before it looks at niceness, so one that gives way needs its own session.
    """
    os.nice(nice)
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as session:
        session.write(str(nice))


def cpu_seconds(pid: int) -> float:
    """The CPU seconds of all threads of a process; 0 where they are not known."""
    if not _LINUX:
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return 0.0


def children(pid: int) -> set[int]:
    """The children of a process, zombies included; empty when it has ended."""
    if not _LISTS_CHILDREN:
        return _children_by_parent(pid)
    found = b""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):  # the thread may have ended
                fd = os.open(f"/proc/{pid}/task/{thread}/children", os.O_RDONLY | os.O_CLOEXEC)
                try:
                    while data := os.read(fd, 1 << 16):
                        found += data
                finally:
                    os.close(fd)
    return set(map(int, found.split()))


class ChildrenOfMainThread:
    """The children of a process's main thread, read again and again without looking for its file each time."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._fd = os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY | os.O_CLOEXEC) if _LISTS_CHILDREN else -1

    def read(self) -> set[int]:
        """Their pids, zombies included."""
        if self._fd < 0:
            return _children_by_parent(self._pid)
        found = os.pread(self._fd, 1 << 16, 0)
        # More than fits, which no honest agent has, is read in the ordinary way.
        return children(self._pid) if len(found) >= (1 << 12) else set(map(int, found.split()))

    def close(self) -> None:
        """Closes its file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _children_by_parent(pid: int) -> set[int]:
    """The same for kernels without CONFIG_PROC_CHILDREN: looks at all processes."""
    found = set()
    for name in os.listdir("/proc") if _LINUX else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                if int(stat.read().rpartition(b")")[2].split()[1]) == pid:
                    found.add(int(name))
    return found


def descendants(pid: int) -> set[int]:
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        new = children(waiting.pop()) - found
        found |= new
        waiting += new
    return found


def send_signal(pid: int, number: signal.Signals) -> None:
    """Sends a signal to a process that may have ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
