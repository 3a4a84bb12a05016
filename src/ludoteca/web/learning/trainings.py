"""Trainings that visitors start: one process at a time, the others wait their turn.

    a visitor  ── start ──►  queue (few)  ── one at a time ──►  python -m ludoteca.learn.small, with limits
                                                                  └► its folder: curve, networks (see `kept`)

A training ends by itself, when its visitor stops it, or when its time is up. It dies with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.web.errors import NotFound
from ludoteca.web.learning.kept import Kept, KeptTrainings
from ludoteca.web.serving.addresses import AddressRateLimit

GAMES = ("kittens", "hex")
CPU_SECONDS, WALL_SECONDS = 300, 900.0
"""The most that one training may take: of one core, and until it ends."""
MEMORY = 1024 * 2**20
"""Bytes besides what Python and PyTorch take when they are loaded."""
GRACE = 15.0
"""Seconds from the request to stop until the process is killed."""
MOST_WAITING, MOST_PER_ADDRESS = 20, 8
"""Trainings that may wait; and that visitors of one network address may have waiting or running."""
MOST_STARTED, WITHIN = 6, 3600.0
"""Trainings that one visitor may start in so many seconds; from one address ten times as many."""
UNSEEN = 120.0
"""Seconds without an open page after which a waiting training loses its place when its turn comes."""


class TrainingRefused(LudotecaError):
    """A training cannot be started or stopped now."""


@dataclass
class Ticket:
    """A training that waits or runs."""

    kept: Kept
    address: str
    seen: float
    process: asyncio.subprocess.Process | None = None
    stopping: bool = False
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """Open pages that show it."""


class Trainings:
    """Starts, queues and stops trainings. Belongs to one event loop."""

    def __init__(
        self,
        command: Sequence[str] = (sys.executable, "-P", "-m", "ludoteca.learn.small"),
        *,
        wall_seconds: float = WALL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """command: the process, to which game, folder, limits and our process id are added."""
        self.kept = KeptTrainings()
        self._command, self._wall_seconds, self._clock = command, wall_seconds, clock
        self._running: Ticket | None = None
        self._waiting: list[Ticket] = []
        self._task: asyncio.Task[None] | None = None
        self._started = AddressRateLimit(MOST_STARTED, WITHIN, clock=clock)
        self._started_from = AddressRateLimit(10 * MOST_STARTED, WITHIN, clock=clock)
        self.reasons: dict[str, str] = {}
        """By key why a training ended before its end, to be translated; lost when the server is restarted."""

    @property
    def available(self) -> bool:
        """Whether PyTorch and what else a training needs are installed."""
        return all(find_spec(each) is not None for each in ("torch", "onnx"))

    @property
    def _tickets(self) -> list[Ticket]:
        return [*([self._running] if self._running else []), *self._waiting]

    def ticket(self, key: str) -> Ticket | None:
        """The training of this key if it waits or runs."""
        return next((each for each in self._tickets if each.kept.key == key), None)

    def before(self, key: str) -> int | None:
        """How many trainings come first; None if this one does not wait."""
        keys = [each.kept.key for each in self._waiting]
        return keys.index(key) + (self._running is not None) if key in keys else None

    def active_of(self, owner: str) -> Kept | None:
        """The training of a visitor that waits or runs."""
        return next((each.kept for each in self._tickets if each.kept.owner == owner), None)

    def start(self, owner: str, game: str, address: str) -> Kept:
        """Queues a training for a visitor. Raises TrainingRefused."""
        if game not in GAMES:
            raise TrainingRefused("no network can be trained here for {game!r}", game=game[:40])
        if not self.available:
            raise TrainingRefused(say("PyTorch is not installed on this server, so nothing can be trained here"))
        if self.active_of(owner) is not None:
            raise TrainingRefused(say("you have a training already: stop it first, or wait for its end"))
        if sum(each.address == address for each in self._tickets) >= MOST_PER_ADDRESS:
            raise TrainingRefused(say("several people of your network train already; please wait for their end"))
        if len(self._waiting) >= MOST_WAITING:
            raise TrainingRefused(say("many people want to train just now; please come back later"))
        if self._started.is_exceeded(owner) or self._started_from.is_exceeded(address):
            raise TrainingRefused(say("you have started many trainings; please come back in an hour"))
        self._started.count(owner)
        self._started_from.count(address)
        self.kept.make_room(owner, {each.kept.key for each in self._tickets})
        kept = self.kept.add(secrets.token_hex(8), game, owner)
        self._waiting.append(Ticket(kept, address, self._clock()))
        self._next()
        return kept

    def of(self, key: str) -> Kept:
        """The training of this key. Raises NotFound."""
        kept = self.kept.find(key)
        if kept is None and key in self.reasons:
            raise NotFound("this training is gone: {why}", why=self.reasons[key])
        if kept is None:
            raise NotFound(say("there is no training at this address; perhaps it made room for others"))
        return kept

    def own(self, owner: str, key: str) -> Kept:
        """The training of this key, if this visitor started it. Raises NotFound and TrainingRefused."""
        kept = self.of(key)
        if not owner or kept.owner != owner:
            raise TrainingRefused(say("only the person who started this training can do that"))
        return kept

    def stop(self, owner: str, key: str) -> None:
        """Stops a training of this visitor; what it has learnt stays. Raises NotFound and TrainingRefused."""
        self.own(owner, key)
        ticket = self.ticket(key)
        if ticket is None:
            return
        ticket.stopping = True
        self.reasons[key] = say("you stopped it")
        if ticket in self._waiting:
            self._waiting.remove(ticket)
            self.kept.delete(key)
        elif ticket.process is not None:
            _end(ticket.process, kill=False)
            asyncio.get_running_loop().call_later(GRACE, _end, ticket.process)
        self._tell()

    def delete(self, owner: str, key: str) -> None:
        """Deletes a training of this visitor for good. Raises NotFound and TrainingRefused."""
        self.own(owner, key)
        if (ticket := self.ticket(key)) is not None and ticket.process is not None:
            ticket.stopping = True
            _end(ticket.process)
        self.stop(owner, key)
        self.kept.delete(key)
        self.reasons.pop(key, None)

    def watch(self, key: str, listener: Callable[[], None]) -> None:
        """A page shows a training; it is called whenever the queue changes."""
        if (ticket := self.ticket(key)) is not None and listener not in ticket.listeners:
            ticket.listeners.append(listener)

    def unwatch(self, key: str, listener: Callable[[], None]) -> None:
        """A page no longer shows a training."""
        if (ticket := self.ticket(key)) is not None and listener in ticket.listeners:
            ticket.listeners.remove(listener)
            ticket.seen = self._clock()

    def close(self) -> None:
        """Ends the process."""
        self._waiting.clear()
        if self._running is not None:
            self._running.stopping = True  # also if it has no process yet
            if self._running.process is not None:
                _end(self._running.process)

    def _next(self) -> None:
        """Begins the next training if none runs; drops those whose visitors have gone."""
        while self._running is None and self._waiting:
            ticket = self._waiting.pop(0)
            if not ticket.listeners and self._clock() - ticket.seen > UNSEEN:
                self.reasons[ticket.kept.key] = say("its turn came while its page was closed")
                self.kept.delete(ticket.kept.key)
                continue
            self._running = ticket
            self._task = asyncio.get_running_loop().create_task(self._run(ticket))
        self._tell()

    async def _run(self, ticket: Ticket) -> None:
        """One training from its start to its end."""
        key, reason = ticket.kept.key, ""
        words = [ticket.kept.game, str(ticket.kept.folder), str(CPU_SECONDS), str(MEMORY), str(os.getpid())]
        try:
            ticket.process = await asyncio.create_subprocess_exec(
                *self._command, *words, cwd="/", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )  # fmt: skip
            if ticket.stopping:
                _end(ticket.process)
            async with asyncio.timeout(self._wall_seconds):
                await ticket.process.wait()
            if ticket.process.returncode == 3:
                reason = say("its time was up")
            elif ticket.process.returncode:
                reason = say("it failed, by our own fault")
        except TimeoutError:
            reason = say("its time was up")
        except Exception:  # our own fault, and no reason to keep others waiting
            logging.getLogger(__name__).exception("a training could not be run")
            reason = say("it failed, by our own fault")
        finally:
            if ticket.process is not None and ticket.process.returncode is None:
                _end(ticket.process)
                await ticket.process.wait()
            if reason and self.kept.find(key) is not None:
                self.reasons.setdefault(key, reason)
                while len(self.reasons) > 1000:
                    del self.reasons[next(iter(self.reasons))]
            listeners = ticket.listeners
            self._running = None
            self._next()
            for each in [*listeners]:
                each()

    def _tell(self) -> None:
        for ticket in self._tickets:
            for each in [*ticket.listeners]:
                each()


def _end(process: asyncio.subprocess.Process, kill: bool = True) -> None:
    """Ends a process if it still runs."""
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:
            process.kill() if kill else process.terminate()
