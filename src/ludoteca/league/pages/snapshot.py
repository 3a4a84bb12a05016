"""What many viewers look at, read from the file at most once a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ludoteca.league.database import Database, Person, PlayingStatus, Status, Version, VersionRating

EVERY = 1.0
"""Seconds for which a reading of the file is good enough."""


@dataclass(frozen=True)
class Snapshot:
    """The league at one moment."""

    people: Mapping[int, Person]
    versions: Mapping[int, Version]
    ratings: Mapping[int, VersionRating]
    """By version; those without a finished pair are missing."""
    status: PlayingStatus | None
    paused: bool
    changes: int
    """See `Database.changes`."""

    @classmethod
    def of(cls, database: Database, earlier: Snapshot | None = None) -> Snapshot:
        """The league now. earlier: what is known, so that a thousand versions are not read again without need."""
        changes = database.changes()
        if earlier is not None and earlier.changes == changes:
            people, versions = earlier.people, earlier.versions
        else:
            people = {person.id: person for person in database.people()}
            versions = {version.id: version for version in database.versions()}
        return cls(people, versions, database.ratings(), database.status(), database.paused, changes)

    @property
    def standing(self) -> list[Version]:
        """The versions that stand, and the baselines, by rating; those without a finished pair come last."""
        playing = [version for version in self.versions.values() if version.status is Status.playing]

        def order(version: Version) -> tuple[bool, float, int]:
            rating = self.ratings.get(version.id)
            return rating is None, -rating.elo if rating else 0.0, version.id

        return sorted(playing, key=order)

    def owner(self, version: Version) -> Person | None:
        """The student whose version it is; None for a baseline."""
        return None if version.person is None else self.people.get(version.person)


class Snapshots:
    """The latest snapshot, shared by all threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._taken = -EVERY
        self._latest: Snapshot | None = None

    @property
    def fresh(self) -> Snapshot | None:
        """The latest snapshot if it is at most a second old: then nobody need read the file."""
        return self._latest if self._clock() - self._taken < EVERY else None

    def latest(self, database: Database) -> Snapshot:
        """A snapshot that is at most a second old; the same object as long as nothing has changed."""
        with self._lock:
            if self._latest is None or self._clock() - self._taken >= EVERY:
                found = Snapshot.of(database, self._latest)
                self._taken = self._clock()
                if self._latest is None or found != self._latest:
                    self._latest = found
            return self._latest
