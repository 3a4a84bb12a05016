"""The file of a store: opened, private, checked, locked, and written in transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

from ludoteca.errors import InvalidStore
from ludoteca.messages import say
from ludoteca.play.file_locks import abandoned, locked
from ludoteca.play.record import Record
from ludoteca.play.store.connection import StoreConnection, damaged
from ludoteca.play.store.schema import APPLICATION, SCHEMA, VERSION, checksum, execute_all, unpacked

KEPT = "run, place, record, record_checksum"
"""The columns that `StoreFile.record_of` takes."""


class StoreFile:
    """An open file. One process at a time writes a run; any number may read."""

    base: StoreConnection

    def __init__(self, path: Path | str) -> None:
        self.path = path
        if str(path) != ":memory:":
            self._make_folder()
            self._make_private()
        try:
            if str(path) != ":memory:":
                self._check_format()
            self.base = StoreConnection(path, timeout=60, isolation_level=None)
            self._open()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:
                raise damaged(path, error) from error
            raise InvalidStore(
                "{path} cannot be used as a store of matches: {error}. Choose another file; if this was a store, "
                "restore a copy of it",
                path=path,
                error=error,
            ) from error

    def _make_folder(self) -> None:
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidStore(
                "the folder of {path} cannot be created: {error}", path=self.path, error=error
            ) from error

    def _make_private(self) -> None:
        """Makes an empty file that only its owner can read: the store holds the secrets of runs and hidden hands."""
        with contextlib.suppress(OSError):  # it exists, or SQLite will say why it cannot be made
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def _open(self) -> None:
        # In WAL mode a commit survives the death of the process at any moment; NORMAL waits for the disk only
        # now and then, so that a loss of power may cost the last matches, but never the file.
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("PRAGMA synchronous = NORMAL")
        if self._is_store(self.base):
            return  # the usual case: readers take no lock, so they neither wait for a writer nor delay one
        with self.transaction():
            if not self._is_store(self.base):  # no other process has made it meanwhile
                execute_all(self.base, SCHEMA)
                self.base.execute(f"PRAGMA application_id = {APPLICATION}")
                self.base.execute(f"PRAGMA user_version = {VERSION}")

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
                "{path} was made by another version of Ludoteca (its format is {version}, this one uses {ours}); "
                "move the file away, or open it with the version that made it",
                path=self.path,
                version=version,
                ours=VERSION,
            )
        if tables:
            raise InvalidStore("{path} is a database, but not a store of matches; choose another file", path=self.path)
        return False

    @contextlib.contextmanager
    def transaction(self) -> Iterator[StoreConnection]:
        """All that is written inside is stored, or nothing. Raises InvalidStore if the file cannot be written."""
        try:
            self.base.execute("BEGIN IMMEDIATE")
            yield self.base
            self.base.execute("COMMIT")
        except BaseException as error:
            if self.base.in_transaction:
                self.base.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):  # the disk is full, the file is read-only…
                raise InvalidStore("{path} cannot be written: {error}", path=self.path, error=error) from error
            raise

    def check(self) -> None:
        """Raises InvalidStore if the file is damaged anywhere. Reads all of it: 0.3 s for 100,000 matches."""
        (found,) = self.base.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise damaged(self.path, found.splitlines()[-1])

    def close(self) -> None:
        """Close the file."""
        self.base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def sole_writer(self, run: int) -> Iterator[None]:
        """Keep other processes from playing the same run. Raises InvalidStore if one does already."""
        if str(self.path) == ":memory:":
            yield
            return
        path = self._lock(run)
        handle = locked(path)
        if handle is None:
            raise InvalidStore("another process is playing run {run} of {path}", run=run, path=self.path)
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

    def record_of(self, run: int, place: int, kept: str | bytes, check: int, *, cached: bool = False) -> Record:
        """The record of a row. Raises InvalidStore where its bytes have changed."""
        if not isinstance(kept, str | bytes) or checksum(kept) != check:
            raise self.changed(run, place)
        return _read(kept) if cached else Record.from_json(unpacked(kept))

    def changed(self, run: int, place: int) -> InvalidStore:
        """The error for a match whose bytes have changed."""
        return damaged(self.path, say("match {place} of run {run} has changed", place=place, run=run))


@lru_cache(maxsize=128)
def _read(kept: str | bytes) -> Record:
    """The record of a stored text, cached: everyone who watches a run reads the same few."""
    return Record.from_json(unpacked(kept))
