"""The processes below this one: which there are, what they are, and that none is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 180.0
"""Seconds after which something that should happen has not happened, even on a busy machine."""
PR_SET_CHILD_SUBREAPER = 36


class Failed(AssertionError):
    """A kill has changed a result, or left something behind."""


@dataclass(frozen=True)
class Process:
    """A process that runs; zombies do not count."""

    pid: int
    parent: int
    command: str

    @property
    def is_worker(self) -> bool:
        """Whether it plays matches for a run."""
        return "ludoteca.arena.worker" in self.command

    @property
    def is_fork_server(self) -> bool:
        """Whether it is a fork server, or was forked by one."""
        return "fork_server.main" in self.command


def adopt_orphans() -> None:
    """Makes processes below this one its children when their parents end, so that `descendants` sees them."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root: int | None = None) -> list[Process]:
    """All processes below `root`, by default this process."""
    below: dict[int, list[Process]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if state not in "ZX":
                    below.setdefault(int(parent), []).append(Process(int(folder.name), int(parent), command))
    found, waiting = [], [os.getpid() if root is None else root]
    while waiting:
        children = below.get(waiting.pop(), [])
        found += children
        waiting += [each.pid for each in children]
    return found


def wait_for_end(pids: set[int]) -> None:
    """Waits until none of these processes is below this one any more. Raises Failed."""
    end = time.monotonic() + PATIENCE
    while left := [each for each in descendants() if each.pid in pids]:
        if time.monotonic() > end:
            raise Failed(f"left behind: {left}")
        _reap()
        time.sleep(0.05)


def _reap() -> None:
    """Buries adopted orphans; children that were started here stay for their `Popen`."""
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) not in _started:
            with contextlib.suppress(OSError, IndexError):
                state, parent = (each / "stat").read_text().rsplit(")", 1)[1].split()[:2]
                if state == "Z" and int(parent) == os.getpid():
                    os.waitpid(int(each.name), os.WNOHANG)


_started: set[int] = set()


@dataclass
class Killer:
    """Kills processes of each kind as often as its quota says, at moments drawn from a seeded generator."""

    chance: random.Random
    quota: dict[str, int]
    longest: float = 6.0
    """Seconds between two kills, at most."""
    killed: Counter[str] = field(default_factory=Counter)
    stops: int = 0
    """How often a run gave up, and said that the same command goes on."""

    @property
    def left(self) -> list[str]:
        """The kinds that are still to be killed, each as often as it is."""
        return [kind for kind, count in self.quota.items() for _ in range(count - self.killed[kind])]

    def pause(self) -> float:
        """Seconds until the next kill, mostly short ones: what has just started is hit too."""
        return self.chance.random() * self.chance.random() * self.longest

    def choose(self, main: int, names: dict[str, str]) -> tuple[str, int] | None:
        """A process below `main`, or `main` itself, that the quota still asks for: its kind and pid.

        names: by kind the name of its quota.
        """
        below = descendants(main)
        servers = {each.pid for each in below if each.is_fork_server}
        found = {
            "main": [main],
            "worker": [each.pid for each in below if each.is_worker],
            "fork server": [each.pid for each in below if each.is_fork_server and each.parent not in servers],
        }
        wanted = [kind for kind, name in names.items() for each in self.left if each == name and found[kind]]
        if not wanted:
            return None
        kind = self.chance.choice(wanted)
        return kind, self.chance.choice(found[kind])

    def kill(self, pid: int, name: str) -> None:
        """Kills a process and counts it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self.killed[name] += 1


def started(pid: int) -> int:
    """Notes a process that has a `Popen` here. Returns its pid."""
    _started.add(pid)
    return pid
