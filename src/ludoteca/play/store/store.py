"""The runs of a store and their records.

A run is found by its key: asking for the same key again finds the matches already played. `again` counts runs that were
restarted on purpose. Matches of people, on the page and in the terminal, are records of two open-ended runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from ludoteca.agents.files.state_folder import state_folder
from ludoteca.errors import InvalidStore
from ludoteca.messages import say
from ludoteca.play.record import Record, score_of
from ludoteca.play.seeds import new_secret
from ludoteca.play.store.connection import damaged
from ludoteca.play.store.file import KEPT, StoreFile
from ludoteca.play.store.invitations import Invitations
from ludoteca.play.store.people import PeopleMatches
from ludoteca.play.store.schema import INSERT, canonical, checksum, message_of, row_of
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat

PEOPLE_RUNS = ("page", "terminal")
"""The runs that hold the matches of people."""
SELECT_RUNS = "SELECT id, key, goal, created, again, secret, checksum FROM runs"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a record, as tables and pairings need it; a hundred thousand fit easily into memory."""

    index: int
    returns: tuple[float, float]
    """By seat, in [-1, 1]."""
    ending: Ending
    fault: Seat | None
    digest: str = ""
    """Equal for equal matches."""
    message: str = ""
    """The message of the fault, if there was one."""

    @property
    def score(self) -> float:
        """The score of seat 0: 1 for a win, a half for a draw, 0 for a loss."""
        return score_of(self.returns)

    @classmethod
    def of(cls, index: int, record: Record) -> Outcome:
        """The outcome of a record."""
        return cls(index, record.returns, record.ending, record.fault, record.digest, record.message)


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
    return state_folder() / "arena.sqlite"


class Store(StoreFile):
    """An open store. One process at a time writes a run; any number may read.

    >>> store = Store(":memory:")
    >>> run = store.run({"game": "hex"}, {"count": 2})
    >>> store.outcomes(run.id)
    []
    """

    @property
    def people(self) -> PeopleMatches:
        """The matches of people."""
        return PeopleMatches(self)

    @property
    def invitations(self) -> Invitations:
        """The invitations to matches of people."""
        return Invitations(self)

    def run(self, key: dict[str, Any], goal: dict[str, Any], *, again: bool = False, secret: str | None = None) -> Run:
        """The latest run with this key, which gets this goal; a new run if there is none, or with `again`.

        secret: of a new run, by default 128 random bits. A run of agents becomes the `last` one of the current folder.
        """
        text, goal_text = canonical(key), canonical(goal)
        with self.transaction():
            row = self.base.execute(f"{SELECT_RUNS} WHERE key = ? ORDER BY again DESC LIMIT 1", (text,)).fetchone()
            if row is None or again:
                number = self.base.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()[0]
                created = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
                count, secret = 0 if row is None else row[4] + 1, new_secret() if secret is None else secret
            else:
                self._run(row)
                number, _, _, created, count, secret, _ = row
            values = (number, text, goal_text, created, count, secret)
            self.base.execute(
                "INSERT INTO runs (id, key, goal, created, again, secret, checksum) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET goal = excluded.goal, checksum = excluded.checksum",
                (*values, checksum(*values)),
            )
            if key.get("kind") not in PEOPLE_RUNS:
                self._set_last(number)
        return Run(number, json.loads(text), json.loads(goal_text), created, count, secret)

    def people_run(self, kind: Literal["page", "terminal"]) -> Run:
        """The open-ended run of the matches that people play on the page or in the terminal."""
        return self.run({"kind": kind}, {})

    def runs(self) -> list[Run]:
        """All runs, the oldest first."""
        return [self._run(row) for row in self.base.execute(f"{SELECT_RUNS} ORDER BY id").fetchall()]

    def find(self, name: str) -> Run:
        """The run with this number; ``last``, ``page`` and ``terminal`` work too. Raises InvalidStore.

        ``last`` is the run that was started or continued last in the current folder.
        """
        if name == "last":
            row = self.base.execute(f"{SELECT_RUNS} WHERE id = ?", (self._last(),)).fetchone()
        elif name in PEOPLE_RUNS:
            row = self.base.execute(f"{SELECT_RUNS} WHERE key = ?", (canonical({"kind": name}),)).fetchone()
        elif name.isascii() and name.isdigit() and len(name) < 19:  # SQLite's numbers end there
            row = self.base.execute(f"{SELECT_RUNS} WHERE id = ?", (int(name),)).fetchone()
        else:
            raise InvalidStore(
                "{name!r} is not a run; a run is a number from 'ludoteca show', or last, page or terminal",
                name=name[:40],
            )
        if row is None:
            count = self.base.execute("SELECT count(*) FROM runs").fetchone()[0]
            raise InvalidStore(
                "{path} has no run {name!r}; 'ludoteca show' lists those that it has ({count})",
                path=self.path,
                name=name[:40],
                count=count,
            )
        return self._run(row)

    def set_last(self, run: int, folder: Path) -> None:
        """Make this the `last` run of a folder besides the current one."""
        with self.transaction():
            self._set_last(run, folder)

    def _set_last(self, run: int, folder: Path | str = ".") -> None:
        place = _folder(folder)
        row = (place, run, checksum(place + str(run).encode()))
        self.base.execute("INSERT OR REPLACE INTO last_runs VALUES (?, ?, ?)", row)

    def _last(self) -> int:
        """The number of the last run of the current folder. Raises InvalidStore."""
        place = _folder()
        row = self.base.execute("SELECT run, checksum FROM last_runs WHERE folder = ?", (place,)).fetchone()
        if row is None:
            raise InvalidStore(
                "no run of {path} was started in this folder; for all runs see: ludoteca show", path=self.path
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
        with self.transaction():
            self.base.executemany(INSERT, rows)
        return outcomes

    def extent(self, run: int) -> tuple[int, int]:
        """How many matches a run has, and the bytes of their records."""
        count, size = self.base.execute(
            "SELECT count(*), coalesce(sum(length(record)), 0) FROM records WHERE run = ?", (run,)
        ).fetchone()
        return count, size

    def outcomes(self, run: int) -> list[Outcome]:
        """The outcomes of a run, in order of index."""
        return list(self.iter_outcomes(run))

    def iter_outcomes(self, run: int) -> Iterator[Outcome]:
        """The outcomes of a run one after another, in order of index."""
        rows = self.base.execute(
            "SELECT place, ending, fault, first_return, second_return, digest, message, checksum FROM records "
            "WHERE run = ? ORDER BY place",
            (run,),
        )
        endings = {ending.value: ending for ending in Ending}
        for place, ending, fault, first, second, digest, message, check in rows:
            if crc32(f"{run}|{place}|{ending}|{fault}|{first}|{second}|{digest}|{message}".encode()) != check:
                raise self.changed(run, place)
            yield Outcome(place, (first, second), endings[ending], fault, digest, message_of(message))

    def count(self, run: int) -> int:
        """How many matches a run has."""
        count: int = self.base.execute("SELECT count(*) FROM records WHERE run = ?", (run,)).fetchone()[0]
        return count

    def latest(self, run: int, most: int, skip: int = 0) -> list[tuple[int, Record]]:
        """Up to `most` matches of a run with their places, the highest place first, after the first `skip`."""
        rows = self.base.execute(
            f"SELECT place, {KEPT} FROM records WHERE run = ? ORDER BY place DESC LIMIT ? OFFSET ?", (run, most, skip)
        )
        return [(place, self.record_of(*kept, cached=True)) for place, *kept in rows]

    def records(self, run: int, stop: int | None = None) -> Iterator[Record]:
        """The records of a run with an index below `stop`, in order."""
        for kept in self.base.execute(
            f"SELECT {KEPT} FROM records WHERE run = ? AND place < ? ORDER BY place",
            (run, 2**62 if stop is None else stop),
        ):
            yield self.record_of(*kept)

    def record(self, run: int, index: int) -> Record:
        """One record. Raises InvalidStore."""
        row = self.base.execute(f"SELECT {KEPT} FROM records WHERE run = ? AND place = ?", (run, index)).fetchone()
        if row is None:
            raise InvalidStore(
                "run {run} has no match {index}; it has {count} matches, and the first is 0",
                run=run,
                index=index,
                count=self.count(run),
            )
        return self.record_of(*row)

    def _run(self, row: tuple[int, str, str, str, int, str, int]) -> Run:
        """The run of a row. Raises InvalidStore where its bytes have changed."""
        number, key, goal, created, again, secret, check = row
        if checksum(number, key, goal, created, again, secret) != check:
            raise damaged(self.path, say("the description of run {run} has changed", run=number))
        return Run(number, json.loads(key), json.loads(goal), created, again, secret)


def _folder(folder: Path | str = ".") -> bytes:
    """A folder as `last_runs` has it; its name need not be UTF-8. Empty if the current folder was deleted."""
    try:
        return os.fsencode(os.path.realpath(folder))
    except FileNotFoundError:
        return b""
