"""Writes matches into the store from a thread of its own: neither a full disk nor a busy arena holds up a click.

What changes is written at once while there is little to write, and at most a few times a second otherwise: then only
how each match stands last.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from ludoteca.errors import InvalidStore
from ludoteca.messages import say
from ludoteca.play.record import Record
from ludoteca.play.store import Store

__all__ = ["Keeper"]

T = TypeVar("T")
REST = 0.2
"""Seconds from one round of writing to the next."""
RETRY = 5.0
"""Seconds until what could not be written is tried again."""


class Keeper:
    """A thread with the store open for writing. Its methods are safe from any other thread."""

    def __init__(self, path: Path | str, gone: Callable[[str], None] = lambda name: None) -> None:
        """gone: called in that thread with the name of a match that was to be written and is not there any more."""
        self._path, self._gone = path, gone
        self._jobs: list[tuple[Callable[[Store, int], Any], Future[Any]]] = []
        self._changed: dict[str, Record] = {}
        self._news = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
        self._thread.start()

    def do(self, job: Callable[[Store, int], T]) -> Future[T]:
        """Does something with the store and the number of the page's run; before what is only to be saved."""
        future: Future[T] = Future()
        with self._news:
            if self._closing:
                raise InvalidStore(say("the page is being closed"))
            self._jobs.append((job, future))
            self._news.notify()
        return future

    def save(self, name: str, record: Record) -> None:
        """How a match stands now; a moment later it is kept."""
        with self._news:
            self._changed[name] = record
            self._news.notify()

    def close(self) -> None:
        """Writes what is not written yet, and ends."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.closing(_LazyStore(self._path)) as store:
            while True:
                with self._news:
                    while not (self._jobs or self._changed or self._closing):
                        self._news.wait()
                    jobs, self._jobs = self._jobs, []
                    changed, self._changed = self._changed, {}
                    closing = self._closing
                for job, future in jobs:
                    try:
                        future.set_result(job(*store.opened()))
                    except Exception as error:
                        future.set_exception(error)
                failed = self._write(store, changed)
                with self._news:
                    if closing:
                        return
                    self._changed = failed | self._changed
                    if changed:
                        self._news.wait_for(lambda: self._jobs or self._closing, RETRY if failed else REST)

    def _write(self, store: _LazyStore, changed: dict[str, Record]) -> dict[str, Record]:
        """Saves what it can; what it could not save comes back."""
        left = dict(changed)
        try:
            for name, record in changed.items():
                opened, run = store.opened()
                if not opened.save_match(run, name, record):
                    self._gone(name)
                del left[name]
        except InvalidStore as error:
            logging.getLogger(__name__).error("matches cannot be kept: %s", error)
        return left


class _LazyStore:
    """The store, opened in the thread that uses it when it is first needed."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._store: Store | None = None
        self._run = 0

    def opened(self) -> tuple[Store, int]:
        """The store and the number of the page's run. Raises InvalidStore."""
        if self._store is None:
            store = Store(self._path)
            self._store, self._run = store, store.standing("page").id
        return self._store, self._run

    def close(self) -> None:
        """Closes what was opened."""
        if self._store is not None:
            self._store.close()
