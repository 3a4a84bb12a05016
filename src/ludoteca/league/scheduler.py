"""Plays a league for ever: chooses pairs, hands them to workers, stores and rates what they play.

A pair is written down before it is handed out, and a match counts once its record is stored. So a kill at any moment
loses at most the matches in progress, which are played again from the same deals after a restart.
"""

from __future__ import annotations

import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from ludoteca.arena.plan import Fixture, Openings
from ludoteca.arena.workers import Workers
from ludoteca.league.database import Database, Pair, Status, Version
from ludoteca.league.leaderboard import Results, rating_of_all
from ludoteca.league.matchmaking import PRIOR_SPREAD, Contestants
from ludoteca.play.record import Record
from ludoteca.play.seeds import agent_seed, deal_seed
from ludoteca.play.store import Outcome
from ludoteca.ratings.bradley_terry import Ratings
from ludoteca.ratings.elo import ELO, NORMAL_95

RATE_EVERY = 20.0
"""Seconds between full ratings; in between `Contestants.learn` keeps the estimates good enough for pairing."""


class Scheduler:
    """One league being played by this process. Call `step` again and again; `close` stops the workers."""

    def __init__(
        self,
        database: Database,
        workers: Workers,
        openings: Openings = (),
        *,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database, self._workers, self._openings = database, workers, openings
        self._rng, self._clock = random.Random(secrets.randbits(64)) if rng is None else rng, clock
        self._contestants = Contestants()
        self._rows: dict[int, int] = {}
        """The row of each version among the contestants."""
        self._versions: dict[int, Version] = {}
        self._missing: deque[Pair] = deque()
        """Pairs that were written down, but not played, when this process started."""
        self._unfinished: dict[int, tuple[Pair, dict[int, Outcome]]] = {}
        self._rater = ThreadPoolExecutor(1)
        self._rating: Future[Ratings[int]] | None = None
        self._rated_at = -1e9
        self.ratings: Ratings[int] | None = None
        self.results = Results.of(database)
        self._take_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers; matches in progress are played again next time."""
        self._workers.close()
        self._rater.shutdown(cancel_futures=True)

    def step(self) -> int:
        """Hand out matches, wait a moment for finished ones, store and count them. Returns how many were finished."""
        self._follow_versions()
        while self._workers.wants():
            pair = self._missing.popleft() if self._missing else self._next_pair()
            if pair is None:
                break
            self._hand_out(pair)
        finished = self._workers.collect()
        if finished:
            self._store(finished)
        self._rate()
        return len(finished)

    def _take_up(self) -> None:
        """Go on where an earlier process stopped."""
        self._follow_versions()
        done = {outcome.index: outcome for outcome in self._database.store.outcomes(self._database.run.id)}
        for pair in self._database.pairs():
            rows = [self._rows.get(version) for version in (pair.first, pair.second)]
            if pair.counted and rows[0] is not None and rows[1] is not None:
                self._contestants.give(rows[0], rows[1])
            known = {place: done[place] for place in pair.places if place in done}
            if len(known) < 2:
                self._unfinished[pair.id] = (pair, known)
                self._missing.append(pair)

    def _follow_versions(self) -> None:
        """See which versions play now; a version that came becomes a contestant."""
        for version in self._database.versions():
            if version.identity is None:
                continue
            self._versions[version.id] = version
            if version.id not in self._rows:
                self._rows[version.id] = self._contestants.join(
                    None if version.person is None else str(version.person), self._expected_strength(version)
                )
            self._contestants.active[self._rows[version.id]] = version.plays
            if version.status is Status.banned:
                self.results.banned.add(version.id)

    def _expected_strength(self, version: Version) -> float:
        """Where a newcomer's first opponents are sought: near its student's last version, else in the middle.

        It decides only whom it meets. Its rating comes from its own matches alone.
        """
        earlier = [
            row for other, row in self._rows.items()
            if version.person is not None and self._versions[other].person == version.person
        ]  # fmt: skip
        if earlier:
            return self._contestants.strength[earlier[-1]]
        active = [
            each for each, plays in zip(self._contestants.strength, self._contestants.active, strict=True) if plays
        ]
        return sum(active) / len(active) if active else 0.0

    def _next_pair(self) -> Pair | None:
        """The pair that tells most now, written down."""
        found = self._contestants.next_pair(self._rng)
        if found is None:
            return None
        meeting = self._contestants.met.get((min(found), max(found)), 0)
        self._contestants.give(*found)
        by_row = {row: version for version, row in self._rows.items()}
        pair = self._database.add_pair(by_row[found[0]], by_row[found[1]], meeting)
        self._unfinished[pair.id] = (pair, {})
        return pair

    def _hand_out(self, pair: Pair) -> None:
        """Give the missing matches of a pair to the workers."""
        one, two = (self._versions[version].identity for version in (pair.first, pair.second))
        assert one is not None and two is not None
        secret, known = self._database.run.secret, self._unfinished[pair.id][1]
        opening = self._openings[pair.opening % len(self._openings)] if self._openings else ()
        for place, agents in zip(pair.places, ((one, two), (two, one)), strict=True):
            if place not in known:
                seeds = (agent_seed(secret, place, 0), agent_seed(secret, place, 1))
                self._workers.submit(Fixture(place, agents, deal_seed(secret, pair.id), seeds, opening))

    def _store(self, finished: Sequence[tuple[int, str]]) -> None:
        """Store records, and count the pairs that are whole now."""
        records = [(place, Record.from_json(text), text) for place, text in finished]
        for outcome in self._database.store.add(self._database.run.id, records):
            pair, known = self._unfinished[outcome.index // 2]
            known[outcome.index] = outcome
            if len(known) == 2:
                del self._unfinished[pair.id]
                if pair.counted:
                    scores = self.results.add(pair.first, pair.second, *(known[place] for place in pair.places))
                    self._contestants.learn(self._rows[pair.first], self._rows[pair.second], sum(scores))

    def _rate(self) -> None:
        """Begin a full rating in a thread when it is time, and take over the last one."""
        if self._rating is not None and self._rating.done():
            self.ratings, self._rating = self._rating.result(), None
            self._take_over(self.ratings)
        if self._rating is None and self.results.counts and self._clock() >= self._rated_at + RATE_EVERY:
            self._rated_at = self._clock()
            baselines = [version.id for version in self._versions.values() if version.person is None]
            observations = Results(self.results.counts.copy(), set(self.results.banned))
            self._rating = self._rater.submit(rating_of_all, observations, baselines)

    def _take_over(self, ratings: Ratings[int]) -> None:
        """Let the pairing use the full rating. An interval without an end, and one of no match, keep the prior."""
        for version, rating in ratings.agents.items():
            row = self._rows[version]
            error = rating.margin / NORMAL_95 / ELO
            self._contestants.strength[row] = rating.elo / ELO
            self._contestants.variance[row] = 1 / (1 / max(error, 1e-3) ** 2 + 1 / PRIOR_SPREAD**2)
