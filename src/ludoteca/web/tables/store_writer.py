"""Saves matches in a thread, so that neither a full disk nor a busy arena delays a click.

Changed matches are saved four times a second. A server that is killed loses at most that; one that is closed loses
nothing.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ludoteca.errors import InvalidStore
from ludoteca.messages import say
from ludoteca.play.record import Record, decision_to
from ludoteca.play.store import Store
from ludoteca.protocols import Decision

T = TypeVar("T")
EVERY = 0.25
"""Seconds between two rounds of saving."""
REMEMBERED = 500
"""Matches whose decisions are cached as JSON."""
RETRY = 5.0
"""Seconds until a failed save is tried again."""


class StoreWriter:
    """A thread with the store open for writing. Its methods are safe from any other thread."""

    def __init__(self, path: Path | str, on_deleted: Callable[[str], None] = lambda name: None) -> None:
        """on_deleted: called in that thread with the name of a match that could not be saved because it was deleted."""
        self._path, self._on_deleted = path, on_deleted
        self._jobs: list[tuple[Callable[[Store, int], Any], Future[Any]]] = []
        self._changed: dict[str, Record] = {}
        self._news = threading.Condition()
        self._closing = False
        self._json = _JsonCache()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def do(self, job: Callable[[Store, int], T]) -> Future[T]:
        """Runs a job with the store and the number of the page's run, after everything pending is saved."""
        future: Future[T] = Future()
        with self._news:
            if self._closing:
                raise InvalidStore(say("the page is being closed"))
            self._jobs.append((job, future))
            self._news.notify()
        return future

    def save(self, name: str, record: Record) -> None:
        """Saves a match within a quarter of a second."""
        with self._news:  # no notify: waking the thread would cost a click more than the saving
            self._changed[name] = record

    def close(self) -> None:
        """Saves what is not saved yet, and ends the thread."""
        with self._news:
            self._closing = True
            self._news.notify()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.closing(_LazyStore(self._path)) as store:
            failed: dict[str, Record] = {}
            while True:
                with self._news:
                    self._news.wait_for(lambda: self._jobs or self._closing, RETRY if failed else EVERY)
                    jobs, self._jobs = self._jobs, []
                    changed, self._changed = self._changed, {}
                    closing = self._closing
                failed = self._write(store, changed)
                for job, future in jobs:
                    try:
                        future.set_result(job(*store.opened()))
                    except Exception as error:
                        future.set_exception(error)
                if closing:
                    return
                with self._news:
                    self._changed = failed | self._changed

    def _write(self, store: _LazyStore, changed: dict[str, Record]) -> dict[str, Record]:
        """Saves records; returns those that could not be saved."""
        if not changed:
            return {}
        try:
            opened, run = store.opened()
            texts = [(name, record, self._json.text(name, record)) for name, record in changed.items()]
            for name in opened.people.save_all(run, texts):
                self._on_deleted(name)
        except InvalidStore as error:
            logging.getLogger(__name__).error("matches cannot be kept: %s", error)
            return changed
        return {}


class _JsonCache:
    """The JSON of growing matches: earlier decisions are not serialised again with every action."""

    def __init__(self) -> None:
        self._decisions: OrderedDict[str, list[tuple[Decision | None, str]]] = OrderedDict()

    def text(self, name: str, record: Record) -> str:
        """`Record.to_json`, with the cached decisions of the match of this name."""
        if not record.decisions:
            return record.to_json()
        known = self._decisions.setdefault(name, [])
        self._decisions.move_to_end(name)
        if len(self._decisions) > REMEMBERED:
            self._decisions.popitem(last=False)
        del known[len(record.decisions) :]
        for ply, decision in enumerate(record.decisions):
            if ply == len(known):
                known.append((decision, _json(decision)))
            elif known[ply][0] is not decision:
                known[ply] = (decision, _json(decision))
        decisions = ",".join(text for _, text in known)
        return f'{replace(record, decisions=()).to_json()[:-1]},"decisions":[{decisions}]}}'


def _json(decision: Decision | None) -> str:
    if decision is None:
        return "null"
    return json.dumps(decision_to(decision), separators=(",", ":"), ensure_ascii=False)


class _LazyStore:
    """The store, opened on first use in the thread that uses it."""

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._store: Store | None = None
        self._run = 0

    def opened(self) -> tuple[Store, int]:
        """The store and the number of the page's run. Raises InvalidStore."""
        if self._store is None:
            store = Store(self._path)
            self._store, self._run = store, store.people_run("page").id
        return self._store, self._run

    def close(self) -> None:
        """Closes the store if it was opened."""
        if self._store is not None:
            self._store.close()
