"""Where records are kept: one SQLite file, in which every finished match is safe before it counts.

::

    runs      id, key, again, goal, created           key: what is played, as canonical JSON; goal: how far to go
    records   run, place, ending, fault, score, record      record: `Record.to_json`, its results repeated beside it

A run is known by its key: asking for the same one again finds what is already played. `again` counts runs that were
started anew on purpose. The version of this layout is in the file; older ones are brought up to date when they are
opened, newer ones are refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoteca.errors import InvalidStore
from ludoteca.play.locks import abandoned, locked
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat

__all__ = ["VERSION", "Outcome", "Run", "Store", "default_path"]

VERSION = 2
APPLICATION = 0x4C55444F  # "LUDO", by which the file command and we know such a file
SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, again INTEGER NOT NULL DEFAULT 0,
    goal TEXT NOT NULL DEFAULT '{}', created TEXT NOT NULL DEFAULT (datetime('now')), UNIQUE (key, again));
CREATE TABLE records (
    run INTEGER NOT NULL REFERENCES runs, place INTEGER NOT NULL,
    ending TEXT NOT NULL, fault INTEGER, score REAL NOT NULL, record TEXT NOT NULL, PRIMARY KEY (run, place));
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of a record what tables and pairings need; a hundred thousand of them fit easily into memory."""

    index: int
    score: float
    """What seat 0 scored."""
    ending: Ending
    fault: Seat | None

    @classmethod
    def of(cls, index: int, record: Record) -> Outcome:
        """The outcome of a record."""
        return cls(index, record.score, record.ending, record.fault)


@dataclass(frozen=True)
class Run:
    """A run as the store knows it."""

    id: int
    key: dict[str, Any]
    goal: dict[str, Any]
    created: str
    """When, in UTC."""
    again: int


def default_path() -> Path:
    """Where matches are kept unless somebody says otherwise, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ludoteca" / "arena.sqlite"


class Store:
    """An open store. One process writes a run at a time; any number may read.

    >>> store = Store(":memory:")
    >>> run = store.run({"game": "hex"}, {"count": 2})
    >>> store.outcomes(run.id)
    []
    """

    def __init__(self, path: Path | str) -> None:
        self.path = path
        if str(path) != ":memory:":
            self._path_made()
        try:
            self._base = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._open()
        except sqlite3.DatabaseError as error:
            raise InvalidStore(f"{path} cannot be used as a store of matches: {error}") from error

    def _path_made(self) -> None:
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidStore(f"the folder of {self.path} cannot be made: {error}") from error

    def _open(self) -> None:
        # In WAL mode a commit survives the death of the process at any moment; NORMAL waits for the disk only
        # now and then, so that a loss of power may cost the last matches, but never the file.
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        if self._version() == (APPLICATION, VERSION):
            return  # the usual case: whoever only reads never waits for whoever writes, nor holds them up
        with self._transaction():
            tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            application, version = self._version()
            if tables and application != APPLICATION:
                raise InvalidStore(f"{self.path} is a database, but no store of matches; choose another file")
            if not tables:
                self._execute_all(SCHEMA)
            elif version > VERSION:
                raise InvalidStore(
                    f"{self.path} was written by a newer Ludoteca: it has version {version}, and this one knows "
                    f"up to {VERSION}; update Ludoteca, or choose another file with --store"
                )
            else:
                for step in range(version, VERSION):
                    MIGRATIONS[step](self)
            if not tables or version < VERSION:
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                self._base.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> tuple[int, int]:
        """Whose file it is and of which version, as it says itself."""
        names = ("application_id", "user_version")
        application, version = (int(self._base.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
        return application, version

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._base.execute("BEGIN IMMEDIATE")
            yield
            self._base.execute("COMMIT")
        except BaseException as error:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):  # the disk is full, the file is read-only…
                raise InvalidStore(f"{self.path} cannot be written: {error}") from error
            raise

    def _execute_all(self, script: str) -> None:
        for statement in script.split(";"):
            if statement.strip():
                self._base.execute(statement)  # unlike executescript this stays inside the transaction

    def close(self) -> None:
        """Closes the file."""
        self._base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, key: dict[str, Any], goal: dict[str, Any], *, again: bool = False) -> Run:
        """The latest run of this key with this goal from now on; a new one where there is none, or with `again`."""
        text = canonical(key)
        with self._transaction():
            latest = self._base.execute("SELECT max(again) FROM runs WHERE key = ?", (text,)).fetchone()[0]
            if latest is None or again:
                latest = 0 if latest is None else latest + 1
                self._base.execute("INSERT INTO runs (key, again) VALUES (?, ?)", (text, latest))
            self._base.execute("UPDATE runs SET goal = ? WHERE key = ? AND again = ?", (canonical(goal), text, latest))
            row = self._base.execute(f"{SELECT_RUNS} WHERE key = ? AND again = ?", (text, latest)).fetchone()
        return _run(row)

    def runs(self) -> list[Run]:
        """All the runs, the oldest first."""
        return [_run(row) for row in self._base.execute(f"{SELECT_RUNS} ORDER BY id")]

    def find(self, name: str) -> Run:
        """The run of this number, or the newest for ``last``. Raises InvalidStore."""
        if name == "last":
            row = self._base.execute(f"{SELECT_RUNS} ORDER BY id DESC LIMIT 1").fetchone()
        elif name.isascii() and name.isdigit():
            row = self._base.execute(f"{SELECT_RUNS} WHERE id = ?", (int(name),)).fetchone()
        else:
            raise InvalidStore(f"{name!r} is no run; runs are numbers, as 'ludoteca show' lists them, or 'last'")
        if row is None:
            count = self._base.execute("SELECT count(*) FROM runs").fetchone()[0]
            raise InvalidStore(f"{self.path} holds no run {name!r}; it holds {count}, see: ludoteca show")
        return _run(row)

    def add(self, run: int, records: Iterable[tuple[int, Record, str]]) -> list[Outcome]:
        """Keeps records with their places and their JSON: all or, should this process die, none of them."""
        outcomes, rows = [], []
        for place, record, text in records:
            outcome = Outcome.of(place, record)
            outcomes.append(outcome)
            rows.append((run, place, record.ending.value, record.fault, outcome.score, text))
        with self._transaction():
            self._base.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
        return outcomes

    def outcomes(self, run: int) -> list[Outcome]:
        """What is played of a run, in order of index."""
        rows = self._base.execute(
            "SELECT place, score, ending, fault FROM records WHERE run = ? ORDER BY place", (run,)
        )
        endings = {ending.value: ending for ending in Ending}
        return [Outcome(place, score, endings[ending], fault) for place, score, ending, fault in rows]

    def count(self, run: int) -> int:
        """How many matches of a run are played."""
        count: int = self._base.execute("SELECT count(*) FROM records WHERE run = ?", (run,)).fetchone()[0]
        return count

    def latest(self, run: int, most: int, skip: int = 0) -> list[tuple[int, Record]]:
        """Up to `most` matches of a run with their places, the highest place first, without the first `skip`."""
        rows = self._base.execute(
            "SELECT place, record FROM records WHERE run = ? ORDER BY place DESC LIMIT ? OFFSET ?", (run, most, skip)
        )
        return [(place, Record.from_json(text)) for place, text in rows]

    def records(self, run: int, stop: int | None = None) -> Iterator[Record]:
        """The records of a run in order of index, those below `stop`."""
        for (text,) in self._base.execute(
            "SELECT record FROM records WHERE run = ? AND place < ? ORDER BY place",
            (run, 2**62 if stop is None else stop),
        ):
            yield Record.from_json(text)

    def record(self, run: int, index: int) -> Record:
        """One record. Raises InvalidStore."""
        row = self._base.execute("SELECT record FROM records WHERE run = ? AND place = ?", (run, index)).fetchone()
        if row is None:
            raise InvalidStore(f"run {run} holds no match {index}; it holds {self.count(run)} matches, from 0 on")
        return Record.from_json(row[0])

    @contextlib.contextmanager
    def sole_writer(self, run: int) -> Iterator[None]:
        """While this lasts no other process plays the same run. Raises InvalidStore if one does already."""
        if str(self.path) == ":memory:":
            yield
            return
        path = self._lock(run)
        handle = locked(path)
        if handle is None:
            raise InvalidStore(f"run {run} of {self.path} is being played by another process just now")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            handle.close()

    def being_played(self, run: int) -> bool:
        """Whether a process is at this run now; one that was killed is not."""
        try:
            with self._lock(run).open("rb") as handle:
                return not abandoned(handle)
        except FileNotFoundError:
            return False

    def _lock(self, run: int) -> Path:
        return Path(f"{self.path}-run{run}.lock")


SELECT_RUNS = "SELECT id, key, goal, created, again FROM runs"


def canonical(value: dict[str, Any]) -> str:
    """The one JSON text of a description, whatever the order in which it was put together."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _run(row: tuple[int, str, str, str, int]) -> Run:
    identity, key, goal, created, again = row
    return Run(identity, json.loads(key), json.loads(goal), created, again)


def _from_1(store: Store) -> None:
    """Version 1 had the number of matches in the key, and no results beside the records."""
    base = store._base
    base.execute("ALTER TABLE runs RENAME TO old_runs")
    base.execute("ALTER TABLE records RENAME TO old_records")
    store._execute_all(SCHEMA)
    for run, text, created in base.execute("SELECT id, key, created FROM old_runs").fetchall():
        key = json.loads(text)
        goal = {"count": key.pop("count")} if key.get("kind") == "match" else {}
        new = canonical(key)
        again = base.execute("SELECT count(*) FROM runs WHERE key = ?", (new,)).fetchone()[0]
        base.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?)", (run, new, again, canonical(goal), created))
    for run, place, text in base.execute("SELECT run, place, record FROM old_records"):
        record = Record.from_json(text)
        row = (run, place, record.ending.value, record.fault, record.score, text)
        base.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", row)
    base.execute("DROP TABLE old_records")
    base.execute("DROP TABLE old_runs")


MIGRATIONS = {1: _from_1}
"""From each version to the next."""
