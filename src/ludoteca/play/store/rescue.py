"""Rescue what can still be read of a damaged store, into a new one."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludoteca.errors import InvalidStore
from ludoteca.play.store.schema import INSERT, checksum
from ludoteca.play.store.store import Store

INSERT_RUN = "INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_RECORD = INSERT.replace("INSERT", "INSERT OR IGNORE")


def rescue(source: Path, target: Path) -> tuple[int, int]:
    """Copy every run and match whose bytes are unchanged into a new store; how many of each. Raises InvalidStore.

    The damaged file is only read.
    """
    if not source.exists():
        raise InvalidStore("there is no store of matches at {path}", path=source)
    if target.exists():
        raise InvalidStore("{path} exists already; choose another name for what is rescued", path=target)
    runs, matches = set[int](), 0
    with TemporaryDirectory(prefix="ludoteca-rescue-") as folder, Store(target) as store:
        copy = Path(folder, "store")
        shutil.copyfile(source, copy)
        log = source.with_name(f"{source.name}-wal")  # what was written last
        if log.exists():
            shutil.copyfile(log, f"{copy}-wal")
        with contextlib.closing(sqlite3.connect(copy)) as base, store.transaction() as new:
            base.text_factory = lambda data: data.decode(errors="replace")  # then its checksum is wrong
            for row in _rows(base, "runs"):
                number, key, again, goal, created, secret, check = row
                if checksum(number, key, goal, created, again, secret) == check:
                    new.execute(INSERT_RUN, row)
                    runs.add(number)
            for row in _rows(base, "records"):
                result, check, kept, kept_check = row[:8], *row[11:]
                if row[0] in runs and checksum(*result) == check and checksum(kept) == kept_check:
                    matches += new.execute(INSERT_RECORD, row).rowcount
    if not runs:
        target.unlink()
        raise InvalidStore("nothing of {path} can be read", path=source)
    return len(runs), matches


def _rows(base: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """The rows before the first damaged page of a table, and those behind the last one."""
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.DatabaseError):
            yield from base.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY rowid {order}")
