"""The pairs of a league, and the matches that were played for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludoteca.league.database.league_file import LeagueFile
from ludoteca.play.record import score_of
from ludoteca.play.store import Outcome
from ludoteca.play.store.schema import message_of
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Seat

COLUMNS = "id, first, second, opening, challenge, given_up"


class Pair(NamedTuple):
    """Two matches between two versions from one deal or opening, with sides swapped."""

    id: int
    first: int
    second: int
    opening: int
    """Which meeting of the two it is, from 0: each has another opening, so that no match repeats."""
    challenge: int | None
    """The challenge that it belongs to; None for a pair that counts for the ratings."""
    given_up: bool = False
    """Whether it is never played again, because the arena itself failed in it or a version changed."""

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


class RecentFault(NamedTuple):
    """A match that was lost by a fault."""

    place: int
    """Of the match in the league's run."""
    version: int
    """Whose fault it was."""
    message: str
    """What went wrong, with the line of the file."""


LOOKED_AT = 5000
"""Matches in which the latest faults are sought."""


class Pairs(LeagueFile):
    """The pairs in a league's file."""

    def add_pair(self, first: int, second: int, opening: int, challenge: int | None = None) -> Pair:
        """Write down that two versions are to meet."""
        with self.store.transaction() as base:
            (number,) = base.execute("SELECT coalesce(max(id), -1) + 1 FROM league_pairs").fetchone()
            base.execute(
                "INSERT INTO league_pairs VALUES (?, ?, ?, ?, ?, 0)", (number, first, second, opening, challenge)
            )
        return Pair(number, first, second, opening, challenge)

    def pairs(self) -> Iterator[Pair]:
        """All pairs in their order."""
        return map(Pair._make, self.store.base.execute(f"SELECT {COLUMNS} FROM league_pairs ORDER BY id"))

    def pairs_with_outcomes(self) -> Iterator[tuple[Pair, dict[int, Outcome]]]:
        """All pairs in their order, each with the outcomes of its finished matches by place.

        They come one after another: a hundred thousand matches never are in memory at once.
        """
        outcomes = self.store.iter_outcomes(self.run.id)
        ahead = next(outcomes, None)
        for pair in self.pairs():
            found = {}
            while ahead is not None and ahead.index // 2 <= pair.id:
                found[ahead.index] = ahead
                ahead = next(outcomes, None)
            yield pair, found

    def openings(self, game: str) -> list[tuple[Action, ...]]:
        """The openings of a game that were made for this league; empty before, and for games without any."""
        rows = self.store.base.execute("SELECT actions FROM league_openings WHERE game = ? ORDER BY number", (game,))
        return [tuple(json.loads(actions)) for (actions,) in rows]

    def keep_openings(self, game: str, openings: Sequence[tuple[Action, ...]]) -> None:
        """Keep the openings, so that they stay the same and need not be made again."""
        with self.store.transaction() as base:
            base.execute("DELETE FROM league_openings")
            base.executemany(
                "INSERT INTO league_openings (game, actions) VALUES (?, ?)",
                ((game, json.dumps(actions)) for actions in openings),
            )

    def give_up_pair(self, pair: int) -> None:
        """Never play a pair in which the arena itself failed; the failure is counted for both versions."""
        with self.store.transaction() as base:
            base.execute("UPDATE league_pairs SET given_up = 1 WHERE id = ?", (pair,))
            base.execute(
                "UPDATE league_challenges SET pairs = pairs - 1 "
                "WHERE id = (SELECT challenge FROM league_pairs WHERE id = ?)",
                (pair,),
            )
            base.execute(
                "UPDATE league_versions SET failures = failures + 1 "
                "WHERE id IN (SELECT first FROM league_pairs WHERE id = :pair "
                "UNION SELECT second FROM league_pairs WHERE id = :pair)",
                {"pair": pair},
            )

    def excuse_opponents(self, version: int) -> None:
        """No longer count against its opponents the pairs with a version in which the arena itself failed."""
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_versions SET failures = max(0, failures - (SELECT count(*) FROM league_pairs "
                "WHERE given_up AND :version IN (first, second) AND league_versions.id IN (first, second))) "
                "WHERE id != :version AND failures > 0",
                {"version": version},
            )

    def give_up_pairs_of(self, version: int) -> None:
        """Never play the unfinished pairs of a version that can no longer play."""
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_pairs SET given_up = 1 WHERE :version IN (first, second) AND "
                "(SELECT count(*) FROM records WHERE run = :run AND place IN (2 * id, 2 * id + 1)) < 2",
                {"version": version, "run": self.run.id},
            )

    def matches_of(self, version: int, most: int = 50, skip: int = 0, *, own_faults: bool = False) -> list[PlayedMatch]:
        """Up to `most` finished matches of a version, the latest first, after the first `skip`.

        own_faults: only those that it lost by a fault of its own.
        """
        # CROSS JOIN is SQLite's word for this order: the pairs of the version first. Else it reads all records.
        rows = self.store.base.execute(
            """
            SELECT place, opponent, seat, first_return, second_return, ending, fault, message, challenge FROM (
                SELECT place, second AS opponent, place % 2 AS seat, first_return, second_return, ending, fault,
                    message, challenge
                FROM league_pairs CROSS JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1)
                WHERE first = :version
                UNION ALL
                SELECT place, first, 1 - place % 2, first_return, second_return, ending, fault, message, challenge
                FROM league_pairs CROSS JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1)
                WHERE second = :version)
            WHERE NOT :own_faults OR fault = seat
            ORDER BY place DESC LIMIT :most OFFSET :skip
            """,
            {"run": self.run.id, "version": version, "own_faults": own_faults, "most": most, "skip": skip},
        )
        return [
            PlayedMatch(
                place,
                opponent,
                seat,
                1 - score_of(returns) if seat else score_of(returns),
                Ending(ending),
                fault == seat,
                message_of(message),
                challenge,
            )
            for place, opponent, seat, *returns, ending, fault, message, challenge in rows
        ]

    def recent_faults(self, most: int) -> list[RecentFault]:
        """The latest faults, the last one first; only those of the last thousands of matches."""
        rows = self.store.base.execute(
            """
            SELECT place, CASE WHEN fault = place % 2 THEN first ELSE second END, message
            FROM records JOIN league_pairs ON league_pairs.id = place / 2
            WHERE run = :run AND fault IS NOT NULL
                AND place > (SELECT coalesce(max(place), 0) - :looked_at FROM records WHERE run = :run)
            ORDER BY place DESC LIMIT :most
            """,
            {"run": self.run.id, "looked_at": LOOKED_AT, "most": most},
        )
        return [RecentFault(place, version, message_of(message)) for place, version, message in rows]
