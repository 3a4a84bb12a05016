"""The pairs of a league, and the matches that were played for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludoteca.league.database.league_file import LeagueFile
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat


class Pair(NamedTuple):
    """Two matches between two versions from one deal or opening, with sides swapped."""

    id: int
    first: int
    second: int
    opening: int
    """Which meeting of the two it is, from 0: each has another opening, so that no match repeats."""
    challenge: int | None
    """The challenge that it belongs to; None for a pair that counts for the ratings."""

    @property
    def counted(self) -> bool:
        """Whether it counts for the ratings."""
        return self.challenge is None

    @property
    def places(self) -> tuple[int, int]:
        """Where its records are in the run."""
        return 2 * self.id, 2 * self.id + 1


class PlayedMatch(NamedTuple):
    """A finished match, as one of its two versions sees it."""

    place: int
    """Its place in the league's run."""
    opponent: int
    """The other version."""
    seat: Seat
    """Of this version."""
    score: float
    """Of this version: 1, a half or 0."""
    ending: Ending
    own_fault: bool
    """Whether this version lost by a fault of its own."""
    message: str
    """What went wrong, with the line of the file, after a fault."""
    challenge: int | None
    """The challenge that it belongs to; None for a match that counts."""


class Pairs(LeagueFile):
    """The pairs in a league's file."""

    def add_pair(self, first: int, second: int, opening: int, challenge: int | None = None) -> Pair:
        """Write down that two versions are to meet."""
        with self.store.transaction() as base:
            (number,) = base.execute("SELECT coalesce(max(id), -1) + 1 FROM league_pairs").fetchone()
            base.execute("INSERT INTO league_pairs VALUES (?, ?, ?, ?, ?)", (number, first, second, opening, challenge))
        return Pair(number, first, second, opening, challenge)

    def pairs(self) -> Iterator[Pair]:
        """All pairs in their order."""
        rows = self.store.base.execute("SELECT id, first, second, opening, challenge FROM league_pairs ORDER BY id")
        return map(Pair._make, rows)

    def matches_of(self, version: int, most: int = 50, skip: int = 0, *, own_faults: bool = False) -> list[PlayedMatch]:
        """Up to `most` finished matches of a version, the latest first, after the first `skip`.

        own_faults: only those that it lost by a fault of its own.
        """
        rows = self.store.base.execute(
            """
            SELECT place, opponent, seat, score, ending, fault, message, challenge FROM (
                SELECT place, second AS opponent, place % 2 AS seat, score, ending, fault, message, challenge
                FROM league_pairs JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1) WHERE first = :version
                UNION ALL
                SELECT place, first, 1 - place % 2, score, ending, fault, message, challenge
                FROM league_pairs JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1) WHERE second = :version)
            WHERE NOT :own_faults OR fault = seat
            ORDER BY place DESC LIMIT :most OFFSET :skip
            """,
            {"run": self.run.id, "version": version, "own_faults": own_faults, "most": most, "skip": skip},
        )
        return [
            PlayedMatch(
                place, opponent, seat, 1 - score if seat else score, Ending(ending), fault == seat, message, challenge
            )
            for place, opponent, seat, score, ending, fault, message, challenge in rows
        ]
