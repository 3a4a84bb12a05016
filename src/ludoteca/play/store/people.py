"""The matches of people on the page and in the terminal: each has a name and, on the page, an owner."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludoteca.play.record import Record
from ludoteca.play.store.file import KEPT, StoreFile
from ludoteca.play.store.schema import INSERT, checksum, packed, result_of, row_of
from ludoteca.players.faults import Ending


class StoredMatch(NamedTuple):
    """An entry in the list of a person's matches."""

    place: int
    name: str
    ending: Ending
    updated: float
    """When it was last played, in seconds since 1970."""


class PeopleMatches:
    """The matches of people in a store; see `Store.people`. `run` is one of `Store.people_run`."""

    def __init__(self, file: StoreFile) -> None:
        self._file, self._base = file, file.base

    def open(self, run: int, record: Record, name: str, owner: str | None = None) -> int:
        """Store a new match of a person under a name. Returns its place in the run."""
        with self._file.transaction():
            highest = self._base.execute("SELECT max(place) FROM records WHERE run = ?", (run,)).fetchone()[0]
            place: int = 0 if highest is None else highest + 1
            self._base.execute(INSERT, row_of(run, place, record, record.to_json(), owner=owner, name=name))
        return place

    def save(self, run: int, name: str, record: Record) -> bool:
        """Store the current state of a match; False if it was deleted meanwhile."""
        return not self.save_all(run, [(name, record, record.to_json())])

    def save_all(self, run: int, matches: Iterable[tuple[str, Record, str]]) -> list[str]:
        """Store the current state of several matches at once, each with its JSON. Returns names that do not exist."""
        gone = []
        with self._file.transaction():
            for name, record, text in matches:
                result = result_of(record)
                found = self._base.execute(
                    "SELECT place FROM records WHERE run = ? AND name = ?", (run, name)
                ).fetchone()
                if found is None:
                    gone.append(name)
                    continue
                kept = packed(text)
                self._base.execute(
                    "UPDATE records SET ending = ?, fault = ?, first_return = ?, second_return = ?, digest = ?, "
                    "message = ?, updated = ?, "
                    "checksum = ?, record = ?, record_checksum = ? WHERE run = ? AND place = ?",
                    (*result, time.time(), checksum(run, found[0], *result), kept, checksum(kept), run, found[0]),
                )
        return gone

    def of_owner(self, run: int, owner: str | None = None, *, guest: bool = False) -> list[StoredMatch]:
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

    def latest(self, run: int) -> Iterator[tuple[int, Record, float]]:
        """All matches of people in a run with their places and times, the last played first."""
        for place, updated, *kept in self._base.execute(
            f"SELECT place, updated, {KEPT} FROM records WHERE run = ? AND name IS NOT NULL ORDER BY updated DESC",
            (run,),
        ):
            yield place, self._file.record_of(*kept), updated

    def find(self, run: int, name: str, owner: str | None = None) -> tuple[int, Record] | None:
        """The place and record of an owner's match by its name; None if there is none."""
        row = self._base.execute(
            f"SELECT place, {KEPT} FROM records WHERE run = ? AND name = ? AND owner IS ?", (run, name, owner)
        ).fetchone()
        return None if row is None else (row[0], self._file.record_of(*row[1:]))

    def owner_of(self, run: int, name: str) -> str | None:
        """The owner of a match; None if it does not exist."""
        row = self._base.execute("SELECT owner FROM records WHERE run = ? AND name = ?", (run, name)).fetchone()
        return None if row is None else row[0]

    def remove(self, run: int, name: str, owner: str | None = None) -> None:
        """Delete an owner's match, if it exists."""
        with self._file.transaction():
            gone = self._base.execute(
                "DELETE FROM records WHERE run = ? AND name = ? AND owner IS ?", (run, name, owner)
            )
            if gone.rowcount:
                self._base.execute("DELETE FROM invitations WHERE run = ? AND name = ?", (run, name))

    def oldest(self, run: int, most: int, *, finished: bool) -> list[tuple[str, str | None, float, Record]]:
        """The matches of people that were not played for the longest time: name, owner, time and record.

        finished: those that are over, or those that are not.
        """
        rows = self._base.execute(
            f"SELECT name, owner, updated, {KEPT} FROM records WHERE run = ? AND name IS NOT NULL "
            "AND (ending = ?) != ? ORDER BY updated LIMIT ?",
            (run, Ending.unfinished.value, finished, most),
        )
        return [(name, owner, updated, self._file.record_of(*kept)) for name, owner, updated, *kept in rows]
