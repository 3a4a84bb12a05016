"""Looks at what changes by itself once for all tabs that show it, and not at all while nobody does.

Twenty people who watch one tournament need not open its store twenty times: one looks, and all are told what is new.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, cast
from weakref import WeakValueDictionary

__all__ = ["Poller", "Pollers"]

T = TypeVar("T")


class Poller(Generic[T]):
    """Something that is looked at again and again. Belongs to one event loop, and never blocks it."""

    def __init__(self, find: Callable[[], T], every: float) -> None:
        """find: looks, and may block: it is called in a thread. every: seconds from one look to the next."""
        self.found: T | None = None
        """What the last look found, for whoever comes later; None while nobody looks."""
        self._find, self._every = find, every
        self._tabs: list[Callable[[T], None]] = []
        self._task: asyncio.Task[None] | None = None

    def join(self, tell: Callable[[T], None]) -> None:
        """From now on `tell` is called with all that is new: at once, if something has been found already."""
        if tell not in self._tabs:
            self._tabs.append(tell)
        if self.found is not None:
            _tell(tell, self.found)
        if self._task is None:
            self._task = asyncio.create_task(self._look())

    def leave(self, tell: Callable[[T], None]) -> None:
        """It is not called any more; may be said twice."""
        if tell in self._tabs:
            self._tabs.remove(tell)
        if not self._tabs and self._task is not None:
            self._task.cancel()
            self._task, self.found = None, None  # which will be old when somebody comes again

    async def _look(self) -> None:
        while True:
            try:
                found = await asyncio.to_thread(self._find)
            except Exception:  # ours, and no reason to stop looking
                logging.getLogger(__name__).exception("what is watched could not be found out")
            else:
                if found != self.found:
                    self.found = found
                    for tell in list(self._tabs):
                        _tell(tell, found)
            await asyncio.sleep(self._every)


def _tell(tell: Callable[[T], None], found: T) -> None:
    try:
        tell(found)
    except Exception:  # one tab's failure is no other's
        logging.getLogger(__name__).exception("a tab could not be told what is new")


class Pollers:
    """All that is being watched, by name."""

    def __init__(self) -> None:
        self._watched: WeakValueDictionary[Hashable, Poller[Any]] = WeakValueDictionary()

    def of(self, name: Hashable, find: Callable[[], T], every: float) -> Poller[T]:
        """What goes by this name; made by the first who asks, and kept for as long as anybody holds it."""
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = Poller(find, every)
        return cast("Poller[T]", watched)
