"""Our own agents in processes that many matches share: an agent object per match, one decision at a time in each.

Only a few agents are kept in a process. One that was dropped, or whose process is gone, is built again and shown what
it had seen; it never notices, and nobody else's match knows of it.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from ludoteca.players.faults import Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.child import PREPARATION
from ludoteca.players.processes.connection import Talk
from ludoteca.players.processes.fork_client import Fork
from ludoteca.players.processes.memory import resident
from ludoteca.players.processes.wire import Question, pack_view
from ludoteca.players.thought_stream import stopped
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["Shared", "Workers"]

KEPT = 64
"""Agents that a process keeps at most."""
_keys = itertools.count(1)


class _Worker:
    """One process with the agents that it keeps, the least used first."""

    def __init__(self, fork: Fork) -> None:
        self.talk = Talk(fork)
        self.kept: OrderedDict[int, bool] = OrderedDict()  # whether each is a Thinker

    def drop_oldest(self) -> None:
        """Forgets the agent that has not been asked for the longest time."""
        key, _ = self.kept.popitem(last=False)
        with contextlib.suppress(OSError):
            self.talk.fork.wire.send(wires.DROP, key, within=1.0)


class Workers:
    """At most `slots` processes, and so as many decisions at once; who comes first is served first.

    Each may hold `resident_limit` bytes when it has decided: then it drops agents, and is replaced if that is no help.
    """

    def __init__(self, fork: Callable[[], Fork], slots: int, resident_limit: int) -> None:
        self.slots = slots
        self._fork, self._resident_limit = fork, resident_limit
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._waiting: OrderedDict[object, None] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False

    def take(self, key: int, is_wanted: Callable[[], bool]) -> _Worker:
        """A process that nobody else uses, one that keeps this agent if there is one; waits for it if need be.

        Raises Fault when it is not wanted any more: see `wake`.
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
                worker = self._choose(key)
                self._busy.add(worker)
                return worker
            finally:
                del self._waiting[place]
                self._changed.notify_all()

    def _choose(self, key: int) -> _Worker:
        self._idle = [each for each in self._idle if each.talk.is_fit()]
        for worker in self._idle:
            if key in worker.kept:
                self._idle.remove(worker)
                return worker
        if len(self._idle) + len(self._busy) < self.slots:
            return _Worker(self._fork())
        return self._idle.pop(0)

    def give_back(self, worker: _Worker) -> None:
        """Lets others use it, if it is still of use."""
        if worker.talk.usable:
            self._make_room(worker)
        with self._changed:
            self._busy.discard(worker)
            if worker.talk.usable and not self._closed:
                self._idle.append(worker)
            else:
                worker.talk.close()
            self._changed.notify_all()

    def _make_room(self, worker: _Worker) -> None:
        while len(worker.kept) > KEPT:
            worker.drop_oldest()
        try:
            full = resident(worker.talk.fork.number) > self._resident_limit
        except OSError:  # nobody tells on this system
            return
        if full:
            worker.talk.close()

    def forget(self, key: int) -> None:
        """An agent is needed no more."""
        with self._changed:
            for worker in self._idle:
                if worker.kept.pop(key, None) is not None:
                    with contextlib.suppress(OSError):
                        worker.talk.fork.wire.send(wires.DROP, key, within=1.0)

    def wake(self) -> None:
        """Whoever waits looks again whether it is still wanted."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Ends all processes; whoever waits gets a Fault."""
        with self._changed:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
            self._changed.notify_all()
        for worker in workers:
            worker.talk.close()


class Shared:
    """See `Player`. Waits for its turn where many decide; waiting is not on its clock."""

    def __init__(self, game: Game, agent: str, workers: Workers) -> None:
        self._game, self._agent, self._workers = game, agent, workers
        self._key = next(_keys)
        self._about: dict[str, object] = {}
        self._seen: list[bytes] = []
        self._talk: Talk | None = None  # while it decides
        self._wanted = True
        self._closed = False

    def prepare(self, seat: Seat, seed: int, seen: Sequence[View] = ()) -> None:
        """Builds the agent in one of the processes."""
        self._about = {
            "game": self._game.spec, "agent": self._agent, "seat": seat, "seed": seed, "key": self._key
        }  # fmt: skip
        self._seen = [pack_view(self._game, view) for view in seen]
        with self._worker():
            pass

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its answer."""
        question, data = Question(limit, timeout, False, self._key), pack_view(self._game, view)
        with self._worker() as worker:
            self._seen.append(data)
            return worker.talk.decide(question, data, self._game.num_actions, thinker=worker.kept[self._key])

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts, some fifty a second at most, and its answer."""
        question, data = Question(limit, timeout, True, self._key), pack_view(self._game, view)
        with self._worker() as worker:
            self._seen.append(data)
            yield from worker.talk.think(question, data, self._game.num_actions, thinker=worker.kept[self._key])

    @contextlib.contextmanager
    def _worker(self) -> Iterator[_Worker]:
        """A process with this agent in it, for as long as the decision takes."""
        self._wanted = not self._closed
        worker = self._workers.take(self._key, lambda: self._wanted)
        self._talk = worker.talk
        try:
            if self._key not in worker.kept:
                worker.kept[self._key] = worker.talk.build(self._about, self._seen, PREPARATION)
            worker.kept.move_to_end(self._key)
            yield worker
        except Fault:
            worker.kept.pop(self._key, None)
            raise
        finally:
            self._talk = None
            self._workers.give_back(worker)

    def stop(self) -> None:
        """A Thinker answers at once; what does not answer is killed, and the other agents of its process built anew."""
        self._wanted = False
        if (talk := self._talk) is not None:
            talk.stop()
        self._workers.wake()

    def close(self) -> None:
        """Forgets the agent."""
        self._closed = True
        self.stop()
        self._workers.forget(self._key)
