"""Where a version loses: against whom, from which opening, on which side; and how it spends its time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ludoteca.league.database import Database, PlayedMatch
from ludoteca.play.clock import MatchLimit
from ludoteca.play.store.schema import SCORE

ENOUGH = 4
"""Matches from which on a tally says something."""
CLEARLY = 0.05
"""Of the points."""
LOOKED_AT = 20
"""The latest matches, from which times are taken."""
COUNT = """
SELECT {by}, count(*), sum(points), max(place) FROM (
    SELECT place, second AS opponent, place % 2 AS seat, opening,
        CASE WHEN place % 2 THEN 1 - {score} ELSE {score} END AS points
    FROM league_pairs CROSS JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1)
    WHERE first = :version AND challenge IS NULL
    UNION ALL
    SELECT place, first, 1 - place % 2, opening, CASE WHEN place % 2 THEN {score} ELSE 1 - {score} END
    FROM league_pairs CROSS JOIN records ON run = :run AND place IN (2 * id, 2 * id + 1)
    WHERE second = :version AND challenge IS NULL)
GROUP BY {by}
"""


class Tally(NamedTuple):
    """The matches of a version that have something in common."""

    key: int
    """The opponent's version, the number of the opening, or the seat."""
    matches: int
    points: float
    """1 for a win, a half for a draw."""
    latest: int
    """The place of the latest of these matches."""

    @property
    def share(self) -> float:
        """Of the points, in [0, 1]."""
        return self.points / self.matches


def tallies(database: Database, version: int, by: Literal["opponent", "opening", "seat"]) -> list[Tally]:
    """What a version has scored in the matches that count, the worst first."""
    rows = database.store.base.execute(COUNT.format(score=SCORE, by=by), {"run": database.run.id, "version": version})
    # One lost match says little: as if each had one more win and one more loss.
    return sorted((Tally(*row) for row in rows), key=lambda each: ((each.points + 1) / (each.matches + 2), each.key))


def worst(found: Sequence[Tally]) -> Tally | None:
    """The worst tally, if there are enough matches to say so, and clearly fewer points than elsewhere."""
    whole = sum(each.points for each in found) / max(1, sum(each.matches for each in found))
    return next((each for each in found if each.matches >= ENOUGH and each.share <= whole - CLEARLY), None)


@dataclass(frozen=True)
class TimeUse:
    """How a version spent its time in its latest matches."""

    matches: int
    by_move: tuple[float, ...]
    """By the number of its own move the mean of the seconds."""
    mean: float
    longest: float
    limit: float | None
    """Seconds for each move; None where the limit is another."""


def time_use(database: Database, version: int) -> TimeUse | None:
    """How a version spent its time; None before its first match."""
    matches = database.matches_of(version, LOOKED_AT)
    key = (str(database.store.path), version, matches[0].place if matches else -1)
    with _lock:
        if key in _known:
            return _known[key]
    found = _time_use(database, matches)
    with _lock:
        _known[key] = found
        if len(_known) > MOST_KNOWN:
            del _known[next(iter(_known))]
    return found


_known: dict[tuple[str, int, int], TimeUse | None] = {}
"""By file, version and latest match: reading records is slow."""
_lock = threading.Lock()
MOST_KNOWN = 500


def _time_use(database: Database, matches: Sequence[PlayedMatch]) -> TimeUse | None:
    times: list[list[float]] = []
    limit = None
    for match in matches:
        record = database.store.record(database.run.id, match.place)
        limit = MatchLimit.parse(record.limit).seconds if record.limit else None
        moves = range(record.opening, len(record.seconds))
        times.append([record.seconds[ply] for ply in moves if record.final_seat(ply) == match.seat])
    spent = [seconds for each in times for seconds in each]
    if not spent:
        return None
    longest_match = max(map(len, times))
    by_move = tuple(
        sum(row) / len(row)
        for row in ([each[move] for each in times if move < len(each)] for move in range(longest_match))
    )
    return TimeUse(len(times), by_move, sum(spent) / len(spent), max(spent), limit)
