"""What plays matches for a run, wherever it does so: processes here, or a cluster."""

from __future__ import annotations

from typing import Protocol

from ludoteca.arena.fixture import Fixture

__all__ = ["Crew", "Pace"]

AHEAD = 0.25
"""Seconds of work that a worker is given in advance, so that it never waits for us."""
MOST = 64
"""Matches given in advance at most: what is lost when a worker dies, and played beyond where a test stops."""


class Crew(Protocol):
    """Takes fixtures and gives records back as JSON, in any order. Use it as a context manager."""

    def wants(self) -> bool:
        """Whether more fixtures would be of use now."""

    def submit(self, fixture: Fixture) -> None:
        """Has a match played."""

    def collect(self) -> list[tuple[int, str]]:
        """Waits for at least one match to finish, at most a fraction of a second: indexes and records.

        Raises WorkerError when something of ours failed.
        """

    def close(self) -> None:
        """Stops everything at once; what was being played is forgotten."""


class Pace:
    """How many matches to give in advance, from how long matches take."""

    def __init__(self) -> None:
        self._seconds = AHEAD

    def saw(self, seconds: float) -> None:
        """A match took so long."""
        self._seconds += 0.1 * (seconds - self._seconds)

    @property
    def ahead(self) -> int:
        """One when matches are long, more when they are short."""
        return max(1, min(MOST, round(AHEAD / max(self._seconds, 1e-6))))
