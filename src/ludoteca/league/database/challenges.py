"""Challenges: series between any two versions that do not count for the ratings."""

from __future__ import annotations

import time
from typing import NamedTuple

from ludoteca.errors import InvalidOption
from ludoteca.league.database.versions import Versions
from ludoteca.messages import say
from ludoteca.play.store.schema import SCORE

MOST_PAIRS = 10
"""In one challenge of a student."""
MOST_OPEN = 2
"""Challenges of one student that are not yet played to the end."""
SELECT = f"""
SELECT challenge.id, challenge.person, challenge.first, challenge.second, challenge.pairs, asked,
    count(place), coalesce(sum(CASE WHEN place % 2 THEN 1 - {SCORE} ELSE {SCORE} END), 0.0)
FROM league_challenges AS challenge
LEFT JOIN league_pairs AS pair ON pair.challenge = challenge.id
LEFT JOIN records ON run = :run AND place IN (2 * pair.id, 2 * pair.id + 1)
"""


class Challenge(NamedTuple):
    """A series of pairs that somebody asked for."""

    id: int
    person: int | None
    """Who asked for it; None: the teacher."""
    first: int
    second: int
    pairs: int
    """How many pairs were asked for."""
    asked: float
    """In seconds since 1970."""
    matches: int
    """Finished so far."""
    points: float
    """Of the first version so far: 1 for a win, a half for a draw."""

    @property
    def finished(self) -> bool:
        """Whether all its matches are played."""
        return self.matches >= 2 * self.pairs


class Challenges(Versions):
    """The challenges in a league's file."""

    def challenge(self, person: int | None, first: int, second: int, pairs: int) -> Challenge:
        """Ask for a series between two versions. `first` must be the person's own; None is the teacher.

        Raises InvalidOption if one of the versions may not play, or if a student asks for too much.
        """
        versions = {each.id: each for each in self.versions() if each.may_be_challenged}
        if first == second or first not in versions or second not in versions:
            raise InvalidOption(say("a challenge needs two different versions that may play"))
        if person is not None and versions[first].person != person:
            raise InvalidOption(say("challenge others with a version of your own"))
        if pairs < 1 or (person is not None and pairs > MOST_PAIRS):
            raise InvalidOption("a challenge has 1 to {most} pairs of matches", most=MOST_PAIRS)
        now = time.time()
        with self.store.transaction() as base:
            if person is not None and len(self.challenges(person, unfinished=True)) >= MOST_OPEN:
                raise InvalidOption(
                    "you have {count} challenges that are not played yet; wait for one of them", count=MOST_OPEN
                )
            cursor = base.execute(
                "INSERT INTO league_challenges (person, first, second, pairs, asked) VALUES (?, ?, ?, ?, ?)",
                (person, first, second, pairs, now),
            )
        assert cursor.lastrowid is not None
        return Challenge(cursor.lastrowid, person, first, second, pairs, now, 0, 0.0)

    def challenges(self, person: int | None = None, *, unfinished: bool = False) -> list[Challenge]:
        """All challenges, or those that one person asked for, the oldest first; only those not yet played through."""
        rows = self.store.base.execute(
            f"{SELECT} WHERE :person IS NULL OR challenge.person = :person GROUP BY challenge.id "
            "HAVING NOT :unfinished OR count(place) < 2 * challenge.pairs ORDER BY challenge.id",
            {"run": self.run.id, "person": person, "unfinished": unfinished},
        )
        return [Challenge(*row) for row in rows]

    def missing_pairs(self) -> list[tuple[Challenge, int]]:
        """The challenges of which pairs are still to be given out, the oldest first, and how many were given out."""
        given = dict(
            self.store.base.execute(
                "SELECT challenge, count(*) FROM league_pairs WHERE challenge IS NOT NULL AND NOT given_up "
                "GROUP BY challenge"
            ).fetchall()
        )
        found = [(each, int(given.get(each.id, 0))) for each in self.challenges(unfinished=True)]
        return [(each, count) for each, count in found if count < each.pairs]

    def withdraw(self, challenge: int) -> None:
        """End a challenge: pairs that were given out are played, and no more follow."""
        with self.store.transaction() as base:
            base.execute(
                "UPDATE league_challenges SET pairs = "
                "(SELECT count(*) FROM league_pairs WHERE challenge = :challenge AND NOT given_up) "
                "WHERE id = :challenge",
                {"challenge": challenge},
            )
