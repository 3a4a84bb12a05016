"""The tables of a store, and the form in which a record lies in them.

::

    runs      id, key, again, goal, created, secret, checksum
    records   run, place, ending, fault, first_return, second_return, digest, message, owner, name, updated,
              checksum, record, record_checksum
    last_runs    folder, run, checksum
    invitations  run, name, host, seat, token, code, watch, guest

`key` says what is played and `goal` how far, both as canonical JSON. A run's seeds come from its `secret`. The result
of a record stands in columns beside it, its `message` as JSON. A match played by a person has a `name`, and on the page
an `owner`: a digest of the visitor's cookie. `record` is `Record.to_json`, compressed if long. SQLite does not notice
changed bytes within a value, so there are checksums: of a run, of a result with its place, and of a record. `last_runs`
has the run that was started or continued last in each folder. A match between two people on two screens has a row in
`invitations`.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from typing import Any

from ludoteca.messages import from_json, to_json
from ludoteca.play.record import Record

VERSION = 9
"""Of the tables and their contents. A store of any other version is refused and never changed."""
APPLICATION = 0x4C55444F  # "LUDO": marks the file as ours
SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, again INTEGER NOT NULL DEFAULT 0,
    goal TEXT NOT NULL, created TEXT NOT NULL, secret TEXT NOT NULL, checksum INTEGER NOT NULL, UNIQUE (key, again));
CREATE TABLE records (
    run INTEGER NOT NULL REFERENCES runs, place INTEGER NOT NULL,
    ending TEXT NOT NULL, fault INTEGER, first_return REAL NOT NULL, second_return REAL NOT NULL,
    digest TEXT NOT NULL, message TEXT NOT NULL,
    owner TEXT, name TEXT, updated REAL, checksum INTEGER NOT NULL, record BLOB NOT NULL,
    record_checksum INTEGER NOT NULL, PRIMARY KEY (run, place));
CREATE UNIQUE INDEX records_by_name ON records (run, name) WHERE name IS NOT NULL;
CREATE INDEX records_by_owner ON records (owner, updated) WHERE owner IS NOT NULL;
CREATE TABLE last_runs (
    folder BLOB PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, checksum INTEGER NOT NULL);
CREATE TABLE invitations (
    run INTEGER NOT NULL REFERENCES runs, name TEXT NOT NULL, host TEXT NOT NULL, seat INTEGER NOT NULL,
    token TEXT UNIQUE, code TEXT UNIQUE, watch TEXT NOT NULL UNIQUE, guest TEXT, PRIMARY KEY (run, name));
CREATE INDEX invitations_by_guest ON invitations (guest) WHERE guest IS NOT NULL;
"""
SCORE = "(0.5 + 0.5 * ((first_return > second_return) - (first_return < second_return)))"
"""The score of seat 0, as `Outcome.score`, in a query."""
INSERT = "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
COMPRESSED_FROM = 2000
"""Longer records are compressed: decisions are long and repetitive."""


def canonical(value: dict[str, Any]) -> str:
    """The JSON text of a dictionary, independent of the order of its keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def checksum(*values: object) -> int:
    """Of values as they come back from the file; also of one record in stored form."""
    first = values[0]
    if len(values) == 1 and isinstance(first, bytes):
        return zlib.crc32(first)
    return zlib.crc32("|".join(map(str, values)).encode(errors="replace"))


def packed(text: str) -> str | bytes:
    """The JSON text of a record in stored form."""
    return text if len(text) < COMPRESSED_FROM else zlib.compress(text.encode(), 6)


def unpacked(kept: str | bytes) -> str:
    """The text from its stored form."""
    return kept if isinstance(kept, str) else zlib.decompress(kept).decode()


def result_of(record: Record) -> tuple[str, int | None, float, float, str, str]:
    """The columns ending, fault, first_return, second_return, digest and message of a record."""
    message = json.dumps(to_json(record.message), ensure_ascii=False) if record.message else ""
    return record.ending.value, record.fault, *record.returns, record.digest, message


def message_of(kept: str) -> str:
    """A message from its column, still translatable."""
    return from_json(json.loads(kept)) if kept else ""


def row_of(
    run: int, place: int, record: Record, text: str, *, owner: str | None = None, name: str | None = None
) -> Any:
    """The table row of a record with its JSON text."""
    updated = time.time() if name is not None else None
    result, kept = result_of(record), packed(text)
    return (run, place, *result, owner, name, updated, checksum(run, place, *result), kept, checksum(kept))


def execute_all(base: sqlite3.Connection, script: str) -> None:
    """Execute every statement; unlike `executescript`, stays inside the transaction."""
    for statement in script.split(";"):
        if statement.strip():
            base.execute(statement)
