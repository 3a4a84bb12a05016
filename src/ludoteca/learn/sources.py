"""Where a learner gets played positions from: self-play in this process, or actors on a Ray cluster.

A source plays with the newest weights that the learner gave it. The learner asks it again and again; what comes first
is learnt first. On a cluster every actor has a source of its own. An actor that dies takes only its unfinished matches
with it, another one is started for it, and machines that join get actors too.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ludoteca.arena.ray_cluster import RayCluster
from ludoteca.errors import WorkerError

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
WAIT = 0.2
"""Seconds after which `RaySource.play` returns without any positions."""


class Source(Protocol[P_co]):
    """Plays matches and hands over what was played."""

    burst: float
    """Seconds that an actor plays before it sends what it has: long for fewer messages, 0 for the newest weights."""

    def update(self, news: Any) -> None:
        """Play with these weights from now on; what `news` holds is up to the training."""

    def play(self) -> P_co | None:
        """Play on for a moment; what was played, or None if nothing can be learnt from yet."""

    @property
    def counts(self) -> dict[str, int]:
        """What it has played so far, such as matches."""


Make: TypeAlias = Callable[[int], Source[P]]
"""Makes the source of an actor, whose number decides its random numbers. It travels to the actor as a pickle."""
Spread: TypeAlias = Callable[[Make[P], int], "RaySource[P]"]
"""Makes actors on a cluster; the number is how many there were in earlier runs of the same training."""


def spread(address: str | None, workers: int | None) -> Spread[Any]:
    """Actors on the Ray cluster at this address, as many as it has cores besides the learner's, or `workers`."""
    return lambda make, begun: RaySource(RayCluster(address), make, workers, begun)


class Actor:
    """On a Ray worker: a source that plays with the weights that come with each request."""

    def __init__(self, make: Make[Any], number: int) -> None:
        self._source, self._version = make(number), -1

    def play(self, version: int, news: Any) -> tuple[list[Any], dict[str, int]]:
        """Play with this news for as long as the source's `burst` says."""
        if version != self._version:
            self._source.update(news)
            self._version = version
        found: list[Any] = []
        until = time.monotonic() + self._source.burst
        while not found or time.monotonic() < until:
            if (played := self._source.play()) is not None:
                found.append(played)
        return found, self._source.counts


class RaySource(Generic[P]):
    """Actors on a cluster as one source."""

    burst = 0.0

    def __init__(self, cluster: RayCluster, make: Make[P], workers: int | None = None, begun: int = 0) -> None:
        self._cluster, self._ray, self._make, self._workers = cluster, cluster.ray, make, workers
        self._remote = self._ray.remote(num_cpus=1, max_restarts=0)(Actor)
        self.begun, self.lost = begun, 0
        """How many actors were started, and how many of them have died."""
        self._version, self._news = 0, None
        self._running: dict[Any, tuple[Any, int]] = {}
        """By request: the actor and its number."""
        self._counts: dict[int, dict[str, int]] = {}
        """By the actor's number, the dead ones too."""
        self._waiting: deque[P] = deque()

    @property
    def counts(self) -> dict[str, int]:
        """The sum over all actors, as they said last."""
        total: Counter[str] = Counter()
        for each in self._counts.values():
            total.update(each)
        return dict(total)

    @property
    def actors(self) -> int:
        """How many play now."""
        return len(self._running)

    def update(self, news: Any) -> None:
        """Send this news with every further request."""
        self._version += 1
        self._news = self._ray.put(news)

    def play(self) -> P | None:
        """What an actor has played; None if none has sent anything for a moment. Raises WorkerError."""
        if self._waiting:
            return self._waiting.popleft()
        self._cluster.check_head()
        wanted = self._workers or max(1, self._cluster.cores - 1)  # a core for the learner
        while len(self._running) < wanted:
            self._ask(self._remote.remote(self._make, self.begun), self.begun)
            self.begun += 1
        ready, _ = self._ray.wait(list(self._running), num_returns=1, timeout=WAIT)
        for request in ready:
            actor, number = self._running.pop(request)
            try:
                found, self._counts[number] = self._ray.get(request)
            except self._ray.exceptions.RayTaskError as error:  # our own fault: it would fail again
                raise WorkerError("an actor on the Ray cluster failed: {error}", error=error) from error
            except self._ray.exceptions.RayError as error:
                if getattr(error, "actor_init_failed", False):  # another one would fail too
                    raise WorkerError("an actor on the Ray cluster does not start: {error}", error=error) from error
                self.lost += 1  # its process or its machine is gone, with the matches that it was playing
                continue
            self._waiting.extend(found)
            self._ask(actor, number)
        return self._waiting.popleft() if self._waiting else None

    def _ask(self, actor: Any, number: int) -> None:
        self._running[actor.play.remote(self._version, self._news)] = actor, number

    def close(self) -> None:
        """End all actors, and the cluster if we started it."""
        for actor, _ in self._running.values():
            self._ray.kill(actor)
        self._running.clear()
        self._cluster.close()
