"""Our own agents in processes that many matches share: one agent object per match, one decision at a time per process.

A process keeps only a few agents. An agent that was dropped, or whose process has ended, is built again from the views
that it has seen. That changes no decision of any match.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

from ludoteca.errors import WorkerError
from ludoteca.players.faults import Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.connection import Connection
from ludoteca.players.processes.fork_client import ForkedProcess
from ludoteca.players.processes.linux import cpu_seconds
from ludoteca.players.processes.memory import resident
from ludoteca.players.processes.process_player import BUILD_TIMEOUT, ProcessPlayer
from ludoteca.players.processes.wire import Build
from ludoteca.players.thought_stream import stopped
from ludoteca.protocols import Game

MAX_AGENTS = 64
"""Agents that one process keeps."""
_keys = itertools.count(1)


class _SharedProcess:
    """One process with the agents that it keeps, least recently used first."""

    def __init__(self, process: ForkedProcess) -> None:
        self.connection = Connection(process)
        self.agents: OrderedDict[int, bool] = OrderedDict()  # by key, whether it is a Thinker
        self._began = self._cpu = 0.0
        self.connection.wait_seconds = self._wait_seconds

    def begin_turn(self) -> None:
        """Measures from now on how long the process waits for a core."""
        self._began, self._cpu = time.monotonic(), cpu_seconds(self.connection.process.pid)

    def _wait_seconds(self) -> float:
        """The seconds of this turn without a core: our own agents compute all the time."""
        used = cpu_seconds(self.connection.process.pid) - self._cpu
        return max(0.0, time.monotonic() - self._began - used) if self._cpu else 0.0

    def drop_oldest(self) -> None:
        """Drops the least recently used agent."""
        key, _ = self.agents.popitem(last=False)
        with contextlib.suppress(OSError):
            self.connection.process.wire.send(wires.DROP, key, timeout=1.0)


class SharedProcesses:
    """At most `slots` processes, and so as many decisions at once, first come, first served.

    A process that holds more than `resident_limit` bytes after a decision is ended and replaced.
    """

    def __init__(
        self, fork: Callable[[], ForkedProcess], slots: int, resident_limit: int, max_agents: int = MAX_AGENTS
    ) -> None:
        self.slots = slots
        self._fork, self._resident_limit, self._max_agents = fork, resident_limit, max_agents
        self._idle: list[_SharedProcess] = []
        self._busy: set[_SharedProcess] = set()
        self._waiting: OrderedDict[object, None] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False

    def add_slots(self, count: int) -> None:
        """Allows more processes; all of them together may hold as much as before."""
        self._resident_limit = self._resident_limit * self.slots // (self.slots + count)
        self.slots += count

    def acquire(self, key: int, is_wanted: Callable[[], bool]) -> _SharedProcess:
        """Waits for a free process; prefers the one that keeps this agent.

        Raises Fault when `is_wanted` has become false: see `wake`.
        """
        place = object()
        with self._changed:
            self._waiting[place] = None
            try:
                while len(self._busy) >= self.slots or next(iter(self._waiting)) is not place:
                    if self._closed or not is_wanted():
                        raise stopped()
                    self._changed.wait()
                if self._closed or not is_wanted():
                    raise stopped()
                process = self._choose(key)
                self._busy.add(process)
                return process
            finally:
                del self._waiting[place]
                self._changed.notify_all()

    def _choose(self, key: int) -> _SharedProcess:
        self._idle = [each for each in self._idle if each.connection.check_alive()]
        for process in self._idle:
            if key in process.agents:
                self._idle.remove(process)
                return process
        if len(self._idle) + len(self._busy) < self.slots:
            return _SharedProcess(self._fork())
        return self._idle.pop(0)

    def release(self, process: _SharedProcess) -> None:
        """Gives a process back, for others to use if it still runs."""
        if process.connection.is_open:
            self._limit_agents(process)
        with self._changed:
            self._busy.discard(process)
            if process.connection.is_open and not self._closed:
                self._idle.append(process)
            else:
                process.connection.close()
            self._changed.notify_all()

    def _limit_agents(self, process: _SharedProcess) -> None:
        while len(process.agents) > self._max_agents:
            process.drop_oldest()
        try:
            full = resident(process.connection.process.pid) > self._resident_limit
        except (OSError, WorkerError):  # this system does not report it, or the fork server has died
            return
        if full:
            process.connection.close()

    def drop(self, key: int) -> None:
        """Drops an agent that is no longer needed."""
        with self._changed:
            for process in self._idle:
                if process.agents.pop(key, None) is not None:
                    with contextlib.suppress(OSError):
                        process.connection.process.wire.send(wires.DROP, key, timeout=1.0)

    def wake(self) -> None:
        """Makes waiting threads check again whether they are still wanted."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all processes; waiting threads get a Fault."""
        with self._changed:
            self._closed = True
            processes = [*self._idle, *self._busy]
            self._idle.clear()
            self._changed.notify_all()
        for process in processes:
            process.connection.close()


class Shared(ProcessPlayer):
    """See `ProcessPlayer`. It waits for a free process; that time does not count against its clock."""

    def __init__(self, game: Game, agent: str, processes: SharedProcesses) -> None:
        super().__init__(game, agent, key=next(_keys))
        self._processes = processes
        self._connection: Connection | None = None  # while it decides
        self._wanted = True
        self._closed = False

    @contextlib.contextmanager
    def _turn(self, build: Build) -> Iterator[tuple[Connection, bool]]:
        self._wanted = not self._closed
        process = self._processes.acquire(self._key, lambda: self._wanted)
        connection = self._connection = process.connection
        try:
            process.begin_turn()
            if self._key not in process.agents:
                process.agents[self._key] = connection.build(build, BUILD_TIMEOUT)
            process.agents.move_to_end(self._key)
            yield connection, process.agents[self._key]
        except Fault:
            process.agents.pop(self._key, None)
            raise
        finally:
            self._connection = None
            self._processes.release(process)

    def _forget(self) -> None:
        self._processes.drop(self._key)

    def stop(self) -> None:
        """A Thinker answers at once. An agent that does not is killed; the other agents of its process are rebuilt."""
        self._wanted = False
        if (connection := self._connection) is not None:
            connection.stop()
        self._processes.wake()

    def close(self) -> None:
        """Drops the agent."""
        self._closed = True
        self.stop()
        self._processes.drop(self._key)
