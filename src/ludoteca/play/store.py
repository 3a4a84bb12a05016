"""The store: one SQLite file that holds every match. A match is stored before it counts.

A run is found by its key: asking for the same key again finds the matches already played. `again` counts runs that were
restarted on purpose. Matches of people, on the page and in the terminal, are records of two open-ended runs.
`store_schema` has the tables. A file that another version made is refused and never changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zlib import crc32

from ludoteca.errors import InvalidStore
from ludoteca.messages import say
from ludoteca.play.file_locks import abandoned, locked
from ludoteca.play.invitations import Invitations
from ludoteca.play.record import Record
from ludoteca.play.seeds import new_secret
from ludoteca.play.store_connection import StoreConnection, damaged
from ludoteca.play.store_schema import (
    APPLICATION,
    INSERT,
    SCHEMA,
    VERSION,
    canonical,
    checksum,
    execute_all,
    packed,
    row_of,
    unpacked,
)
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat

__all__ = ["PEOPLE_RUNS", "Outcome", "Run", "Store", "StoredMatch", "default_path"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a record, as tables and pairings need it; a hundred thousand fit easily into memory."""

    index: int
    score: float
    """The score of seat 0."""
    ending: Ending
    fault: Seat | None
    digest: str = ""
    """Equal for equal matches."""
    message: str = ""
    """The message of the fault, if there was one."""

    @classmethod
    def of(cls, index: int, record: Record) -> Outcome:
        """The outcome of a record."""
        return cls(index, record.score, record.ending, record.fault, record.digest, record.message)


class StoredMatch(NamedTuple):
    """An entry in the list of a person's matches."""

    place: int
    name: str
    ending: Ending
    updated: float
    """When it was last played, in seconds since 1970."""


@dataclass(frozen=True)
class Run:
    """A stored run."""

    id: int
    key: dict[str, Any]
    goal: dict[str, Any]
    created: str
    """When, in UTC."""
    again: int
    secret: str
    """The source of its seeds, as hexadecimal digits."""


def default_path() -> Path:
    """The default file, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ludoteca" / "arena.sqlite"


class Store:
    """An open store. One process at a time writes a run; any number may read.

    >>> store = Store(":memory:")
    >>> run = store.run({"game": "hex"}, {"count": 2})
    >>> store.outcomes(run.id)
    []
    """

    def __init__(self, path: Path | str) -> None:
        self.path = path
        if str(path) != ":memory:":
            self._make_folder()
            self._make_private()
        try:
            if str(path) != ":memory:":
                self._check_format()
            self._base = StoreConnection(path, timeout=60, isolation_level=None)
            self._open()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:
                raise damaged(path, error) from error
            raise InvalidStore(
                say(
                    "{path} cannot be used as a store of matches: {error}. Choose another file; if this was a store, "
                    "restore a copy of it",
                    path=path,
                    error=error,
                )
            ) from error

    def _make_folder(self) -> None:
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidStore(
                say("the folder of {path} cannot be created: {error}", path=self.path, error=error)
            ) from error

    def _make_private(self) -> None:
        """Makes an empty file that only its owner can read: the store holds the secrets of runs and hidden hands."""
        with contextlib.suppress(OSError):  # it exists, or SQLite will say why it cannot be made
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def _open(self) -> None:
        # In WAL mode a commit survives the death of the process at any moment; NORMAL waits for the disk only
        # now and then, so that a loss of power may cost the last matches, but never the file.
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        if self._is_store(self._base):
            return  # the usual case: readers take no lock, so they neither wait for a writer nor delay one
        with self._transaction():
            if not self._is_store(self._base):  # no other process has made it meanwhile
                execute_all(self._base, SCHEMA)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                self._base.execute(f"PRAGMA user_version = {VERSION}")

    def _check_format(self) -> None:
        """Raises InvalidStore for a file of another format, without writing to it or beside it.

        An ordinary connection would create -wal and -shm files; an immutable one only reads.
        """
        if not Path(self.path).exists():
            return
        address = f"{Path(self.path).absolute().as_uri()}?immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as base:
            self._is_store(base)

    def _is_store(self, base: sqlite3.Connection) -> bool:
        """True for a store of this version, False for an empty file. Raises InvalidStore for any other database."""
        # Before the rest: another process may be making the store just now, tables and names in one transaction.
        tables = base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        names = ("application_id", "user_version")
        application, version = (int(base.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
        if (application, version) == (APPLICATION, VERSION):
            return True
        if application == APPLICATION:
            raise InvalidStore(
                say(
                    "{path} was made by another version of Ludoteca (its format is {version}, this one uses {ours}); "
                    "move the file away, or open it with the version that made it",
                    path=self.path,
                    version=version,
                    ours=VERSION,
                )
            )
        if tables:
            raise InvalidStore(
                say("{path} is a database, but not a store of matches; choose another file", path=self.path)
            )
        return False

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, for what copies rows as they are."""
        with self._transaction():
            yield self._base

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
                raise InvalidStore(say("{path} cannot be written: {error}", path=self.path, error=error)) from error
            raise

    def check(self) -> None:
        """Raises InvalidStore if the file is damaged anywhere. Reads all of it: 0.3 s for 100,000 matches."""
        (found,) = self._base.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise damaged(self.path, found.splitlines()[-1])

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, key: dict[str, Any], goal: dict[str, Any], *, again: bool = False, secret: str | None = None) -> Run:
        """The latest run with this key, which gets this goal; a new run if there is none, or with `again`.

        secret: of a new run, by default 128 random bits. A run of agents becomes the `last` one of the current folder.
        """
        text, goal_text = canonical(key), canonical(goal)
        with self._transaction():
            row = self._base.execute(f"{SELECT_RUNS} WHERE key = ? ORDER BY again DESC LIMIT 1", (text,)).fetchone()
            if row is None or again:
                created = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
                fresh = (text, 0 if row is None else row[4] + 1, created, new_secret() if secret is None else secret)
                number = self._base.execute(
                    "INSERT INTO runs (key, again, created, secret, goal, checksum) VALUES (?, ?, ?, ?, '', 0)", fresh
                ).lastrowid
            else:
                number, fresh = self._run(row).id, (text, row[4], row[3], row[5])
            assert number is not None
            values = (number, text, goal_text, fresh[2], fresh[1], fresh[3])
            self._base.execute(
                "UPDATE runs SET goal = ?, checksum = ? WHERE id = ?", (goal_text, checksum(*values), number)
            )
            if key.get("kind") not in PEOPLE_RUNS:
                self._set_last(number)
        return Run(number, json.loads(text), json.loads(goal_text), *values[3:])

    def people_run(self, kind: Literal["page", "terminal"]) -> Run:
        """The open-ended run of the matches that people play on the page or in the terminal."""
        return self.run({"kind": kind}, {})

    def runs(self) -> list[Run]:
        """All runs, the oldest first."""
        return [self._run(row) for row in self._base.execute(f"{SELECT_RUNS} ORDER BY id").fetchall()]

    def find(self, name: str) -> Run:
        """The run with this number; ``last``, ``page`` and ``terminal`` work too. Raises InvalidStore.

        ``last`` is the run that was started or continued last in the current folder.
        """
        if name == "last":
            row = self._base.execute(f"{SELECT_RUNS} WHERE id = ?", (self._last(),)).fetchone()
        elif name in PEOPLE_RUNS:
            row = self._base.execute(f"{SELECT_RUNS} WHERE key = ?", (canonical({"kind": name}),)).fetchone()
        elif name.isascii() and name.isdigit() and len(name) < 19:  # SQLite's numbers end there
            row = self._base.execute(f"{SELECT_RUNS} WHERE id = ?", (int(name),)).fetchone()
        else:
            raise InvalidStore(
                say(
                    "{name!r} is not a run; a run is a number from 'ludoteca show', or last, page or terminal",
                    name=name[:40],
                )
            )
        if row is None:
            count = self._base.execute("SELECT count(*) FROM runs").fetchone()[0]
            raise InvalidStore(
                say(
                    "{path} has no run {name!r}; it has {count}, see: ludoteca show",
                    path=self.path,
                    name=name[:40],
                    count=count,
                )
            )
        return self._run(row)

    def set_last(self, run: int, folder: Path) -> None:
        """Make this the `last` run of a folder besides the current one."""
        with self._transaction():
            self._set_last(run, folder)

    def _set_last(self, run: int, folder: Path | str = ".") -> None:
        place = _folder(folder)
        row = (place, run, checksum(place + str(run).encode()))
        self._base.execute("INSERT OR REPLACE INTO last_runs VALUES (?, ?, ?)", row)

    def _last(self) -> int:
        """The number of the last run of the current folder. Raises InvalidStore."""
        place = _folder()
        row = self._base.execute("SELECT run, checksum FROM last_runs WHERE folder = ?", (place,)).fetchone()
        if row is None:
            raise InvalidStore(
                say("no run of {path} was started in this folder; for all runs see: ludoteca show", path=self.path)
            )
        number: int = row[0]
        if checksum(place + str(number).encode()) != row[1]:
            raise damaged(self.path, say("the last run of this folder has changed"))
        return number

    def add(self, run: int, records: Iterable[tuple[int, Record, str]]) -> list[Outcome]:
        """Store records with their places and JSON: all of them or, if this process dies, none."""
        outcomes, rows = [], []
        for place, record, text in records:
            outcomes.append(Outcome.of(place, record))
            rows.append(row_of(run, place, record, text))
        with self._transaction():
            self._base.executemany(INSERT, rows)
        return outcomes

    def open_match(self, run: int, record: Record, name: str, owner: str | None = None) -> int:
        """Store a new match of a person under a name. Returns its place in the run."""
        with self._transaction():
            highest = self._base.execute("SELECT max(place) FROM records WHERE run = ?", (run,)).fetchone()[0]
            place: int = 0 if highest is None else highest + 1
            self._base.execute(INSERT, row_of(run, place, record, record.to_json(), owner=owner, name=name))
        return place

    def save_match(self, run: int, name: str, record: Record) -> bool:
        """Store the current state of a match; False if it was deleted meanwhile."""
        return not self.save_matches(run, [(name, record, record.to_json())])

    def save_matches(self, run: int, matches: Iterable[tuple[str, Record, str]]) -> list[str]:
        """Store the current state of several matches at once, each with its JSON. Returns names that do not exist."""
        gone = []
        with self._transaction():
            for name, record, text in matches:
                result = (record.ending.value, record.fault, record.score, record.digest, record.message, time.time())
                found = self._base.execute(
                    "SELECT place FROM records WHERE run = ? AND name = ?", (run, name)
                ).fetchone()
                if found is None:
                    gone.append(name)
                    continue
                kept = packed(text)
                self._base.execute(
                    "UPDATE records SET ending = ?, fault = ?, score = ?, digest = ?, message = ?, updated = ?, "
                    "checksum = ?, record = ?, record_checksum = ? WHERE run = ? AND place = ?",
                    (*result, checksum(run, found[0], *result[:-1]), kept, checksum(kept), run, found[0]),
                )
        return gone

    @property
    def invitations(self) -> Invitations:
        """The invitations to matches of people."""
        return Invitations(self._base, self._transaction)

    def matches_of(self, run: int, owner: str | None = None, *, guest: bool = False) -> list[StoredMatch]:
        """The matches of one owner in a run, the last played first.

        guest: also those in which the owner is a guest.
        """
        invited = " OR name IN (SELECT name FROM invitations WHERE guest = ? AND run = records.run)" if guest else ""
        rows = self._base.execute(
            "SELECT place, name, ending, updated FROM records WHERE run = ? AND name IS NOT NULL "
            f"AND (owner IS ?{invited}) ORDER BY updated DESC",
            (run, owner, owner) if guest else (run, owner),
        )
        return [StoredMatch(place, name, Ending(ending), updated) for place, name, ending, updated in rows]

    def people_matches(self, run: int) -> Iterator[tuple[int, Record, float]]:
        """All matches of people in a run with their places and times, the last played first."""
        for place, updated, *kept in self._base.execute(
            f"SELECT place, updated, {KEPT} FROM records WHERE run = ? AND name IS NOT NULL ORDER BY updated DESC",
            (run,),
        ):
            yield place, self._record(*kept), updated

    def find_match(self, run: int, name: str, owner: str | None = None) -> tuple[int, Record] | None:
        """The place and record of an owner's match by its name; None if there is none."""
        row = self._base.execute(
            f"SELECT place, {KEPT} FROM records WHERE run = ? AND name = ? AND owner IS ?", (run, name, owner)
        ).fetchone()
        return None if row is None else (row[0], self._record(*row[1:]))

    def owner_of(self, run: int, name: str) -> str | None:
        """The owner of a match; None if it does not exist."""
        row = self._base.execute("SELECT owner FROM records WHERE run = ? AND name = ?", (run, name)).fetchone()
        return None if row is None else row[0]

    def remove_match(self, run: int, name: str, owner: str | None = None) -> None:
        """Delete an owner's match, if it exists."""
        with self._transaction():
            gone = self._base.execute(
                "DELETE FROM records WHERE run = ? AND name = ? AND owner IS ?", (run, name, owner)
            )
            if gone.rowcount:
                self._base.execute("DELETE FROM invitations WHERE run = ? AND name = ?", (run, name))

    def oldest_matches(self, run: int, most: int, *, finished: bool) -> list[tuple[str, str | None, float, Record]]:
        """The matches of people that were not played for the longest time: name, owner, time and record.

        finished: those that are over, or those that are not.
        """
        rows = self._base.execute(
            f"SELECT name, owner, updated, {KEPT} FROM records WHERE run = ? AND name IS NOT NULL "
            "AND (ending = ?) != ? ORDER BY updated LIMIT ?",
            (run, Ending.unfinished.value, finished, most),
        )
        return [(name, owner, updated, self._record(*kept)) for name, owner, updated, *kept in rows]

    def extent(self, run: int) -> tuple[int, int]:
        """How many matches a run has, and the bytes of their records."""
        count, size = self._base.execute(
            "SELECT count(*), coalesce(sum(length(record)), 0) FROM records WHERE run = ?", (run,)
        ).fetchone()
        return count, size

    def outcomes(self, run: int) -> list[Outcome]:
        """The outcomes of a run, in order of index."""
        rows = self._base.execute(
            "SELECT place, ending, fault, score, digest, message, checksum FROM records WHERE run = ? ORDER BY place",
            (run,),
        ).fetchall()
        endings = {ending.value: ending for ending in Ending}
        found = []
        for place, ending, fault, score, digest, message, check in rows:
            if crc32(f"{run}|{place}|{ending}|{fault}|{score}|{digest}|{message}".encode()) != check:
                raise self._changed(run, place)
            found.append(Outcome(place, score, endings[ending], fault, digest, message))
        return found

    def count(self, run: int) -> int:
        """How many matches a run has."""
        count: int = self._base.execute("SELECT count(*) FROM records WHERE run = ?", (run,)).fetchone()[0]
        return count

    def latest(self, run: int, most: int, skip: int = 0) -> list[tuple[int, Record]]:
        """Up to `most` matches of a run with their places, the highest place first, after the first `skip`."""
        rows = self._base.execute(
            f"SELECT place, {KEPT} FROM records WHERE run = ? ORDER BY place DESC LIMIT ? OFFSET ?", (run, most, skip)
        )
        return [(place, self._record(*kept, cached=True)) for place, *kept in rows]

    def records(self, run: int, stop: int | None = None) -> Iterator[Record]:
        """The records of a run with an index below `stop`, in order."""
        for kept in self._base.execute(
            f"SELECT {KEPT} FROM records WHERE run = ? AND place < ? ORDER BY place",
            (run, 2**62 if stop is None else stop),
        ):
            yield self._record(*kept)

    def record(self, run: int, index: int) -> Record:
        """One record. Raises InvalidStore."""
        row = self._base.execute(f"SELECT {KEPT} FROM records WHERE run = ? AND place = ?", (run, index)).fetchone()
        if row is None:
            raise InvalidStore(
                say(
                    "run {run} has no match {index}; it has {count} matches, and the first is 0",
                    run=run,
                    index=index,
                    count=self.count(run),
                )
            )
        return self._record(*row)

    def _run(self, row: tuple[int, str, str, str, int, str, int]) -> Run:
        """The run of a row. Raises InvalidStore where its bytes have changed."""
        number, key, goal, created, again, secret, check = row
        if checksum(number, key, goal, created, again, secret) != check:
            raise damaged(self.path, say("the description of run {run} has changed", run=number))
        return Run(number, json.loads(key), json.loads(goal), created, again, secret)

    def _record(self, run: int, place: int, kept: str | bytes, check: int, *, cached: bool = False) -> Record:
        """The record of a row. Raises InvalidStore where its bytes have changed."""
        if not isinstance(kept, str | bytes) or checksum(kept) != check:
            raise self._changed(run, place)
        return _read(kept) if cached else Record.from_json(unpacked(kept))

    def _changed(self, run: int, place: int) -> InvalidStore:
        return damaged(self.path, say("match {place} of run {run} has changed", place=place, run=run))

    @contextlib.contextmanager
    def sole_writer(self, run: int) -> Iterator[None]:
        """Keep other processes from playing the same run. Raises InvalidStore if one does already."""
        if str(self.path) == ":memory:":
            yield
            return
        path = self._lock(run)
        handle = locked(path)
        if handle is None:
            raise InvalidStore(say("another process is playing run {run} of {path}", run=run, path=self.path))
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            handle.close()

    def being_played(self, run: int) -> bool:
        """Whether a process is playing this run now; a killed one does not count."""
        try:
            with self._lock(run).open("rb") as handle:
                return not abandoned(handle)
        except FileNotFoundError:
            return False

    def _lock(self, run: int) -> Path:
        return Path(f"{self.path}-run{run}.lock")


SELECT_RUNS = "SELECT id, key, goal, created, again, secret, checksum FROM runs"
KEPT = "run, place, record, record_checksum"
PEOPLE_RUNS = ("page", "terminal")
"""The runs that hold the matches of people."""


def _folder(folder: Path | str = ".") -> bytes:
    """A folder as `last_runs` has it; its name need not be UTF-8. Empty if the current folder was deleted."""
    try:
        return os.fsencode(os.path.realpath(folder))
    except FileNotFoundError:
        return b""


@lru_cache(maxsize=128)
def _read(kept: str | bytes) -> Record:
    """The record of a stored text, cached: everyone who watches a run reads the same few."""
    return Record.from_json(unpacked(kept))
