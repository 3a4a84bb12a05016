"""An agent in a process of its own, forked for one match: it cannot think between its turns, nor outlive the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ludoteca.errors import SandboxError, WorkerError
from ludoteca.messages import say
from ludoteca.players.faults import Ending, Fault, Usage
from ludoteca.players.processes.connection import Talk
from ludoteca.players.processes.fork_client import Fork
from ludoteca.players.processes.resource_usage import Account
from ludoteca.players.processes.wire import Question, pack_view
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["PREPARATION", "Child"]

PREPARATION = 30.0
"""Seconds in which an agent must be imported and built. They are not on its clock."""
OVERTIME = 0.05
"""CPU seconds that an agent may use between its turns over a whole match: what it takes until it stands still."""


class Child:
    """See `Player`. The process is sent the game, its own agent, seat, seed, views and limits: nothing else."""

    keeps_time = True
    """Whether it says itself who was late, by when the answer came: to halt it afterwards is on nobody's clock."""

    def __init__(self, game: Game, agent: str, fork: Fork) -> None:
        self._game, self._agent, self._fork = game, agent, fork
        self._talk = Talk(fork)
        self._thinker = False
        self._account: Account | None = None

    @property
    def usage(self) -> Usage | None:
        """What its process has used; None before it was built."""
        return None if self._account is None else self._account.noted

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Imports and builds the agent in its process."""
        about = {"game": self._game.spec, "agent": self._agent, "seat": seat, "seed": seed, "key": 0}
        with self._turn():
            views = [pack_view(self._game, view) for view in seen]
            self._thinker = self._talk.build(about, views, PREPARATION)
            self._account = Account(self._fork.number)
            self._talk.waited = self._account.waited_since

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its answer."""
        question = Question(limit, timeout, False, 0)
        with self._turn():
            return self._talk.decide(
                question, pack_view(self._game, view), self._game.num_actions, thinker=self._thinker, asked=self._go_on
            )

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts, some fifty a second at most, and its answer."""
        question = Question(limit, timeout, True, 0)
        with self._turn():
            yield from self._talk.think(
                question, pack_view(self._game, view), self._game.num_actions, thinker=self._thinker, asked=self._go_on
            )

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Whatever happens, the process stands still afterwards, or is gone."""
        try:
            yield
        except (Fault, SandboxError):
            self.close()
            raise
        except WorkerError:
            self.close()
            raise _orphaned() from None
        finally:
            if self._talk.usable:
                self._halt()

    def _halt(self) -> None:
        try:
            self._fork.halt()
            if self._account is not None:
                self._account.note()
        except WorkerError:
            self.close()
            raise _orphaned() from None

    def _go_on(self) -> None:
        if self._account is not None:
            self._account.go_on()
        self._fork.go_on()
        if self._fork.overtime > OVERTIME:
            raise Fault(Ending.timeout, say("the agent went on computing between its turns"))

    def stop(self) -> None:
        """A Thinker answers at once; what does not answer is killed."""
        self._talk.stop()

    def close(self) -> None:
        """Kills the process with all that it started, and waits until they are gone."""
        self._talk.close()
        if self._account is not None:
            self._account.close()


def _orphaned() -> Fault:
    return Fault(Ending.crash, say("the agent's process took down the one that had forked it"))
