"""What the playing process leaves for the page: the last full rating, and how the machine is doing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ludoteca.league.database.league_file import LeagueFile
from ludoteca.ratings.bradley_terry import Rating


@dataclass(frozen=True)
class VersionRating(Rating):
    """The strength of a version at the last full rating, in Elo points above the mean of the baselines."""

    faults: int
    """Matches that it lost by a fault of its own."""


class PlayingStatus(NamedTuple):
    """What the playing process says about itself every few seconds."""

    written: float
    """When, in seconds since 1970."""
    matches_an_hour: float
    unfinished: int
    """Pairs that are given out and not played through."""
    checking: int
    """Versions whose check is running or waits."""
    workers: int
    """Processes that play."""
    load: float
    """Processes that want a core, on average over the last minute."""
    cores: int
    """Of the machine."""
    computed: float
    """CPU seconds of the players' processes over about the last hour of play."""
    waited: float
    """Seconds in which these processes were ready to run, but others had the core."""

    @property
    def jitter(self) -> float:
        """Seconds of waiting for each second of computing."""
        return self.waited / self.computed if self.computed else 0.0


class StoredRatings(LeagueFile):
    """Ratings and status in a league's file."""

    def ratings(self) -> dict[int, VersionRating]:
        """By version the last full rating, the strongest first; versions without a finished pair are missing."""
        rows = self.store.base.execute(
            "SELECT version, elo, low, high, matches, score, league_group, faults FROM league_ratings ORDER BY elo DESC"
        )
        return {version: VersionRating(*rating) for version, *rating in rows}

    def better(self, one: int, two: int) -> float | None:
        """The probability that version `one` is stronger than `two`, of the same student, at the last full rating.

        None if they cannot be compared yet, or are not of one student.
        """
        row = self.store.base.execute(
            "SELECT probability FROM league_better WHERE one = ? AND two = ?", (min(one, two), max(one, two))
        ).fetchone()
        if row is None:
            return None
        return float(row[0] if one < two else 1 - row[0])

    def keep_ratings(self, ratings: Mapping[int, VersionRating], better: Iterable[tuple[int, int, float]]) -> None:
        """Replace the last full rating. better: two versions, the lower number first, and how surely that is better."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_ratings")
            base.execute("DELETE FROM league_better")
            base.executemany(
                "INSERT INTO league_ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (version, each.elo, each.low, each.high, each.matches, each.score, each.group, each.faults)
                    for version, each in ratings.items()
                ),
            )
            base.executemany("INSERT INTO league_better VALUES (?, ?, ?)", better)

    def status(self) -> PlayingStatus | None:
        """The last status; None before the league was first played. Look at `written`: it may be old."""
        row = self.store.base.execute(
            "SELECT written, matches_an_hour, unfinished, checking, workers, load, cores, computed, waited "
            "FROM league_status"
        ).fetchone()
        return None if row is None else PlayingStatus(*row)

    def keep_status(
        self, matches_an_hour: float, unfinished: int, checking: int, workers: int, computed: float, waited: float
    ) -> None:
        """Replace the status."""
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        row = (time.time(), matches_an_hour, unfinished, checking, workers, load, cores, computed, waited)
        with self.store.transaction() as base:
            base.execute("INSERT OR REPLACE INTO league_status VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    @property
    def being_played(self) -> bool:
        """Whether a process plays this league now."""
        return self.store.being_played(self.run.id)
