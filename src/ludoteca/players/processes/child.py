"""An agent in a process forked for one match. The process is suspended between its turns and ends with the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ludoteca.errors import SandboxError, WorkerError
from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault, Usage
from ludoteca.players.processes.connection import Connection
from ludoteca.players.processes.fork_client import ForkedProcess
from ludoteca.players.processes.resource_usage import UsageMeter
from ludoteca.players.processes.wire import Build, Request, pack_view
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["BUILD_TIMEOUT", "Child"]

BUILD_TIMEOUT = 30.0
"""Seconds in which an agent must be imported and built. They do not count against its clock."""
MAX_CPU_WHILE_SUSPENDED = 0.05
"""CPU seconds that an agent may use between its turns in a whole match: suspending a process takes a moment."""


class Child:
    """See `Player`. Its process is sent the game, its own agent, seat, seed, views and limits, and nothing else."""

    keeps_time = True
    """It measures its timeouts itself, when the decision arrives. Suspending it afterwards does not count."""

    def __init__(self, game: Game, agent: str, process: ForkedProcess) -> None:
        self._game, self._agent, self._process = game, agent, process
        self._connection = Connection(process)
        self._thinker = False
        self._meter: UsageMeter | None = None

    @property
    def usage(self) -> Usage | None:
        """The resource usage of its process; None before it is built."""
        return None if self._meter is None else self._meter.usage

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Imports and builds the agent in its process."""
        views = [pack_view(self._game, view) for view in seen]
        build = Build(self._game.spec, self._agent, seat, seed, 0, views)
        with self._running():
            self._thinker = self._connection.build(build, BUILD_TIMEOUT)
            self._meter = UsageMeter(self._process.pid)
            self._connection.wait_seconds = self._meter.new_wait_seconds

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its decision."""
        request, data = Request(limit, timeout, False, 0), pack_view(self._game, view)
        with self._running():
            return self._connection.decide(
                request, data, self._game.num_actions, thinker=self._thinker, on_sent=self._resume
            )

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts, at most fifty per second, and its decision."""
        request, data = Request(limit, timeout, True, 0), pack_view(self._game, view)
        with self._running():
            yield from self._connection.think(
                request, data, self._game.num_actions, thinker=self._thinker, on_sent=self._resume
            )

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Ensures that the process is suspended or has ended afterwards."""
        try:
            yield
        except (Fault, SandboxError):
            self.close()
            raise
        except WorkerError:
            self.close()
            raise _server_killed() from None
        finally:
            if self._connection.is_open:
                self._suspend()

    def _suspend(self) -> None:
        try:
            self._process.suspend()
            if self._meter is not None:
                self._meter.update()
        except WorkerError:
            self.close()
            raise _server_killed() from None

    def _resume(self) -> None:
        if self._meter is not None:
            self._meter.resume()
        self._process.resume()
        if self._process.cpu_while_suspended > MAX_CPU_WHILE_SUSPENDED:
            raise Fault(Ending.timeout, say("the agent kept computing between its turns"))

    def stop(self) -> None:
        """A Thinker answers at once; an agent that does not answer is killed."""
        self._connection.stop()

    def close(self) -> None:
        """Kills the process and everything that it has started, and waits until they have ended."""
        self._connection.close()
        if self._meter is not None:
            self._meter.close()


def _server_killed() -> Fault:
    return Fault(Ending.crash, say("the agent's process ended the fork server"))
