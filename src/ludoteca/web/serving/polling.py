"""Polls a changing thing once for all tabs that show it, and not at all while no tab does.

When twenty people watch one tournament, its store is read once, not twenty times.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, cast
from weakref import WeakValueDictionary

T = TypeVar("T")


class Poller(Generic[T]):
    """Polls one thing for its subscribers. Belongs to one event loop, and never blocks it."""

    def __init__(self, poll: Callable[[], T], every: float) -> None:
        """poll: finds the value; may block, for it runs in a thread. every: seconds between two polls."""
        self.latest: T | None = None
        """The latest value, for a new subscriber; None while there is no subscriber."""
        self._poll, self._every = poll, every
        self._subscribers: list[Callable[[T], None]] = []
        self._task: asyncio.Task[None] | None = None

    def subscribe(self, show: Callable[[T], None]) -> None:
        """Calls `show` with every new value; at once, if a value is known."""
        if show not in self._subscribers:
            self._subscribers.append(show)
        if self.latest is not None:
            _call(show, self.latest)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def unsubscribe(self, show: Callable[[T], None]) -> None:
        """Stops calling `show`; does nothing if it was not subscribed."""
        if show in self._subscribers:
            self._subscribers.remove(show)
        if not self._subscribers and self._task is not None:
            self._task.cancel()
            self._task, self.latest = None, None  # it would be stale for the next subscriber

    async def _run(self) -> None:
        while True:
            try:
                found = await asyncio.to_thread(self._poll)
            except Exception:  # our own fault, and no reason to stop
                logging.getLogger(__name__).exception("polling failed")
            else:
                if found != self.latest:
                    self.latest = found
                    for show in list(self._subscribers):
                        _call(show, found)
            await asyncio.sleep(self._every)


def _call(show: Callable[[T], None], found: T) -> None:
    try:
        show(found)
    except Exception:  # one tab's failure must not reach another
        logging.getLogger(__name__).exception("a tab could not show a new value")


class Pollers:
    """All pollers in use, by name."""

    def __init__(self) -> None:
        self._pollers: WeakValueDictionary[Hashable, Poller[Any]] = WeakValueDictionary()

    def get(self, name: Hashable, poll: Callable[[], T], every: float) -> Poller[T]:
        """The poller of this name; created on first use, and kept while anybody holds it."""
        poller = self._pollers.get(name)
        if poller is None:
            poller = self._pollers[name] = Poller(poll, every)
        return cast("Poller[T]", poller)
