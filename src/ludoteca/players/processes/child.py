"""An agent in a process forked for one match. The process is suspended between its turns and ends with the match.

In a sandbox it has no network, and sees neither other people's files nor other processes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ludoteca.agents import registry
from ludoteca.errors import WorkerError
from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault, Usage
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.connection import Connection
from ludoteca.players.processes.fork_client import ForkedProcess
from ludoteca.players.processes.process_player import BUILD_TIMEOUT, ProcessPlayer
from ludoteca.players.processes.resource_usage import UsageMeter
from ludoteca.players.processes.wire import Build
from ludoteca.players.sandbox.visible_files import VisibleFiles
from ludoteca.protocols import Game

MAX_CPU_WHILE_SUSPENDED = 0.05
"""CPU seconds that an agent may use between its turns in a whole match: suspending a process takes a moment."""


class Child(ProcessPlayer):
    """See `ProcessPlayer`."""

    keeps_time = True
    """It measures its timeouts itself, when the decision arrives. Suspending it afterwards does not count."""

    def __init__(
        self, game: Game, agent: str, fork: Callable[[], ForkedProcess], build_timeout: float = BUILD_TIMEOUT
    ) -> None:
        self._build_timeout = build_timeout
        super().__init__(game, agent, key=0)
        self._fork, self._process = fork, fork()
        self._connection = Connection(self._process)
        self._began = False  # whether its process has built an agent
        self._built = self._thinker = self._deciding = self._closed = False
        self._meter: UsageMeter | None = None

    @property
    def usage(self) -> Usage | None:
        """The resource usage of its process; None before it is built."""
        return None if self._meter is None else self._meter.usage

    @property
    def has_process(self) -> bool:
        """Whether its process runs or is suspended: see `release`."""
        return self._connection.is_open

    @contextmanager
    def _turn(self, build: Build) -> Iterator[tuple[Connection, bool]]:
        """Ensures that the process is suspended or has ended afterwards."""
        self._deciding = True
        if not (self._built or self._closed or self.has_process):
            self._process = self._fork()
            self._connection, self._began = Connection(self._process), False
            if self._closed:  # by another thread meanwhile
                self._connection.close()
        try:
            if not self._built:
                self._build_agent(build)
            yield self._connection, self._thinker
        except (Fault, WorkerError):
            self.close()
            raise
        finally:
            if self._connection.is_open:
                self._suspend()
            self._deciding = False

    def _build_agent(self, build: Build) -> None:
        if self._began:  # it is suspended
            self._on_sent()
            with contextlib.suppress(OSError):  # the memory limit is that of one agent
                self._process.wire.send(wires.DROP, self._key, timeout=1.0)
        else:
            self._began = True
            self._meter = UsageMeter(self._process.pid)  # a busy machine may take the time of a build, too
            self._meter.resume()
            self._connection.wait_seconds = self._meter.new_wait_seconds
        self._thinker = self._connection.build(build, self._build_timeout)
        self._built = True

    def _forget(self) -> None:
        self._built = False

    def _suspend(self) -> None:
        try:
            self._process.suspend()
            if self._meter is not None:
                self._meter.update()
        except WorkerError:
            self.close()
            raise

    def _on_sent(self) -> None:
        if self._meter is not None:
            self._meter.resume()
        self._process.resume()
        if self._process.cpu_while_suspended > MAX_CPU_WHILE_SUSPENDED:
            raise Fault(Ending.timeout, say("the agent kept computing between its turns"))

    def stop(self) -> None:
        """A Thinker answers at once; an agent that does not answer is killed."""
        self._connection.stop()

    def release(self) -> None:
        """Ends the process between two decisions. The next decision forks another and builds the agent again."""
        if not self._deciding:
            self._built = False
            self._end_process()

    def close(self) -> None:
        """Kills the process and everything that it has started, and waits until they have ended."""
        self._closed = True
        self._end_process()

    def _end_process(self) -> None:
        self._connection.close()
        if self._meter is not None:
            self._meter.close()


class Sandbox(Child):
    """See `Child`. The process is confined before any of the agent's code is read: see docs/sandbox.md.

    Its methods raise SandboxError when the confinement could not be set up.
    """

    def __init__(
        self,
        game: Game,
        agent: str,
        fork: Callable[[], ForkedProcess],
        files: VisibleFiles,
        build_timeout: float = BUILD_TIMEOUT,
    ) -> None:
        """files: those that a process of `fork` sees."""
        absolute = registry.is_file(agent) and not files.link
        super().__init__(game, os.path.abspath(agent) if absolute else agent, fork, build_timeout)
