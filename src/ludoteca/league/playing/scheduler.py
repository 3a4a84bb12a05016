"""Plays a league for ever: chooses pairs, hands them to workers, stores and rates what they play.

A pair is written down before it is handed out, and a match counts once its record is stored. So a kill at any moment
loses at most the matches in progress, which are played again from the same deals after a restart.

A fault of a version is a result: it loses the match. A version with nothing but faults for a while is set aside with
the reason, and so is one in whose pairs the arena itself fails again and again. Nothing is tried for ever.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from ludoteca.agents.tracebacks import in_brief
from ludoteca.arena.plan import Fixture, Openings
from ludoteca.arena.workers import Workers
from ludoteca.errors import WorkerError
from ludoteca.league.database import Challenge, Database, Pair, Status, Version
from ludoteca.league.leaderboard import FullRating, Results, loser_by_fault
from ludoteca.league.playing.challenge_share import ChallengeShare
from ludoteca.league.playing.matchmaking import PRIOR_SPREAD, Contestants
from ludoteca.league.playing.playing_rate import PlayingRate
from ludoteca.messages import say
from ludoteca.play.record import Record
from ludoteca.play.seeds import agent_seed, deal_seed
from ludoteca.play.store import Outcome
from ludoteca.ratings.elo import ELO, NORMAL_95

RATE_PAUSE = 2.0
"""Seconds, at least, between two full ratings; in between `Contestants.learn` is good enough for pairing."""
RATE_SHARE = 0.05
"""The share of one core, at most, that full ratings take: a large league is rated less often."""
FIRST_RATE_SHARE = 0.5
"""The same while a version that has finished its first pair waits for its first rating."""
MANY_WAITING = 4
"""While more versions wait for their check, only newcomers play their first pair, so that all have a rating soon."""
STATUS_PAUSE = 5.0
"""Seconds between two entries of the status."""
MOST_FAULTS = 10
"""After so many matches in a row that a version lost by faults of its own, it is set aside."""
MOST_FAILURES = 3
"""After so many pairs of a version in which the arena itself failed, it is set aside."""


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
        self._by_row: list[int] = []
        self._versions: dict[int, Version] = {}
        self._changes, self._paused, self._many_wait = -1, False, False
        self._missing: deque[Pair] = deque()
        """Pairs that were written down, but not played, when this process started."""
        self._unfinished: dict[int, tuple[Pair, dict[int, Outcome]]] = {}
        self._challenges: list[tuple[Challenge, int]] = []
        """Those with pairs that are not given out, and how many are given out."""
        self._last_challenger: dict[int | None, int] = {}
        self._share = ChallengeShare()
        self._faults: Counter[int] = Counter()
        """By version the matches in a row that it lost by faults of its own."""
        self._rate_meter, self._status_at = PlayingRate(clock()), -1e9
        self._rater = ThreadPoolExecutor(1, initializer=_lower_priority)
        self._rating: Future[tuple[FullRating, float]] | None = None
        """The rating, and the processor time that it took."""
        self._next_rating = self._next_first_rating = -1e9
        self._rated_versions: set[int] = set()
        """Those of the last full rating."""
        self._has_first_results = False
        """Whether a version has finished its first pair since the last full rating began."""
        self._rated: int | None = None
        """How many results the last full rating knew."""
        self.results = Results()
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
        """Hand out matches, wait a moment for finished ones, store and count them. Returns how many were finished.

        Raises WorkerError when the arena itself failed. The pair in which it failed is then given up.
        """
        self._follow_changes()
        while not self._paused and self._workers.wants():
            pair = self._missing.popleft() if self._missing else self._next_pair()
            if pair is None:
                break
            self._hand_out(pair)
        try:
            finished = self._workers.collect()
        except WorkerError as error:
            if error.match is not None:
                self._give_up(error.match // 2)
            raise
        if finished:
            self._store(finished)
        self._rate()
        self._write_status()
        return len(finished)

    def rate_now(self) -> None:
        """Store a full rating of all results, if the last one did not know all of them."""
        if self._rating is not None:
            self._take_over(self._rating.result()[0])
        if self._rated != self._known_results():
            self._rated = self._known_results()
            self._take_over(FullRating.of(self.results, self._owners()))

    def _take_up(self) -> None:
        """Go on where an earlier process stopped."""
        self._follow_changes()
        for pair, outcomes in self._database.pairs_with_outcomes():
            rows = [self._rows.get(version) for version in (pair.first, pair.second)]
            if pair.counted and rows[0] is not None and rows[1] is not None:
                self._contestants.give(rows[0], rows[1])
            for outcome in outcomes.values():
                self._count_fault(pair, outcome)
            if len(outcomes) == 2:
                self.results.add(pair, outcomes)
            if len(outcomes) == 2 or pair.given_up:
                self._finish(pair)
            else:
                self._unfinished[pair.id] = (pair, outcomes)
                self._missing.append(pair)
        for version, count in self._faults.items():
            if count >= MOST_FAULTS:
                self._faults[version] = 0  # the teacher lets it try again, or it is set aside already
        self._set_failing_aside()

    def _set_failing_aside(self) -> None:
        """Set a version aside in whose pairs the arena itself failed again and again; its opponents are not blamed."""
        while True:
            failing = [each for each in self._versions.values() if each.plays and each.failures >= MOST_FAILURES]
            if not failing:
                return
            worst = max(failing, key=lambda each: (each.failures, each.person is not None, each.id))
            reason = say("the arena itself failed in {count} of its pairs", count=worst.failures)
            self._database.set_aside(worst, reason)
            self._database.excuse_opponents(worst.id)
            self._follow_changes()

    def _follow_changes(self) -> None:
        """See what changed in the file: a version that came becomes a contestant, others stop or go on."""
        changes = self._database.changes()
        if changes == self._changes:
            return
        self._changes, self._paused = changes, self._database.paused
        versions = self._database.versions()
        self._many_wait = sum(version.status is Status.checking for version in versions) > MANY_WAITING
        for version in versions:
            if version.identity is None:
                continue
            before = self._versions.get(version.id)
            if before is not None and before.status is Status.faulty and version.status is not Status.faulty:
                self._faults[version.id] = 0
            self._versions[version.id] = version
            if version.id not in self._rows:
                self._rows[version.id] = self._contestants.join(
                    None if version.person is None else str(version.person), self._expected_strength(version)
                )
                self._by_row.append(version.id)
            self._contestants.active[self._rows[version.id]] = version.plays
        self.results.banned = {each.id for each in self._versions.values() if each.status is Status.banned}
        self._challenges = self._database.missing_pairs()

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
        """The pair to play now, written down: one of a challenge where these have time left, else one that counts."""
        challenges = not self._many_wait and self._share.allows(self._workers.count)
        pair = self._next_of_challenge() if challenges else None
        if pair is None:
            found = self._contestants.next_pair(self._rng, newcomers_only=self._many_wait)
            if found is None:
                pair = None if self._many_wait else self._next_of_challenge()  # nothing else could be played
            else:
                meeting = self._contestants.met[found[0]].get(found[1], 0)
                self._contestants.give(*found)
                pair = self._database.add_pair(self._by_row[found[0]], self._by_row[found[1]], meeting)
        if pair is not None:
            self._unfinished[pair.id] = (pair, {})
        return pair

    def _next_of_challenge(self) -> Pair | None:
        """A pair of the challenge whose person has waited longest, written down; None if there is none."""
        self._challenges.sort(key=lambda each: (self._last_challenger.get(each[0].person, -1), each[0].id))
        for place, (challenge, given) in enumerate(self._challenges):
            versions = [self._versions[version] for version in (challenge.first, challenge.second)]
            if not all(version.may_be_challenged for version in versions):
                self._database.withdraw(challenge.id)  # `_follow_changes` sees it
            elif not any(version.paused for version in versions):
                self._last_challenger[challenge.person] = self._contestants.given
                pair = self._database.add_pair(challenge.first, challenge.second, given, challenge.id)
                self._share.begin(pair.id)
                self._challenges[place : place + 1] = [(challenge, given + 1)] if given + 1 < challenge.pairs else []
                return pair
        return None

    def _hand_out(self, pair: Pair) -> None:
        """Give the missing matches of a pair to the workers."""
        versions = [self._versions[version] for version in (pair.first, pair.second)]
        if any(version.status is Status.banned for version in versions):
            self._finish(pair)
            self._database.give_up_pairs_of(next(each.id for each in versions if each.status is Status.banned))
            del self._unfinished[pair.id]
            return
        one, two = (version.identity for version in versions)
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
        for place, record, _ in records:
            self._rate_meter.add(record)
            self._share.spend(sum(record.seconds), challenge=not self._unfinished[place // 2][0].counted)
        for outcome in self._database.store.add(self._database.run.id, records):
            pair, known = self._unfinished[outcome.index // 2]
            known[outcome.index] = outcome
            self._count_fault(pair, outcome)
            if len(known) == 2:
                del self._unfinished[pair.id]
                points = self.results.add(pair, known)
                if points is not None:
                    self._has_first_results |= not self._rated_versions.issuperset((pair.first, pair.second))
                    self._contestants.learn(self._rows[pair.first], self._rows[pair.second], points)
                self._finish(pair)

    def _finish(self, pair: Pair) -> None:
        """Count that a pair is over, whether it was played or given up."""
        if pair.counted:
            self._contestants.finish(self._rows[pair.first], self._rows[pair.second])
        else:
            self._share.end(pair.id)

    def _count_fault(self, pair: Pair, outcome: Outcome) -> None:
        """Count a fault, or that a version had none; set a version aside that had nothing else for a while."""
        self.results.count_fault(pair, outcome)
        loser = None if outcome.fault is None else loser_by_fault(pair, outcome)
        for version in (pair.first, pair.second):
            self._faults[version] = self._faults[version] + 1 if version == loser else 0
        if loser is not None and self._faults[loser] >= MOST_FAULTS and self._versions[loser].plays:
            reason = say(
                "it lost its last {count} matches by faults of its own. The last one: {reason}",
                count=self._faults[loser], reason=in_brief(outcome.message) or outcome.ending.words,
            )  # fmt: skip
            if outcome.index // 2 in self._unfinished:  # not of an earlier process
                self._database.set_aside(self._versions[loser], reason)

    def _give_up(self, pair: int) -> None:
        """Never try a pair again in which the arena itself failed."""
        if pair in self._unfinished:
            self._database.give_up_pair(pair)

    def _rate(self) -> None:
        """Begin a full rating in a thread when it is time, and store the last one."""
        if self._rating is not None and self._rating.done():
            full, took = self._rating.result()
            self._take_over(full)
            self._next_rating = self._clock() + max(RATE_PAUSE, took / RATE_SHARE)
            self._next_first_rating = self._clock() + max(RATE_PAUSE, took / FIRST_RATE_SHARE)
        after = self._next_first_rating if self._has_first_results else self._next_rating
        due = self._clock() >= after and self._rated != self._known_results()
        if self._rating is None and self.results.counts and due:
            self._rated = self._known_results()
            self._has_first_results = False
            self._rating = self._rater.submit(_timed_rating, self.results.snapshot(), self._owners())

    def _known_results(self) -> int:
        """A number that changes whenever a full rating would."""
        return hash((self.results.counts.total(), self.results.faults.total(), frozenset(self.results.banned)))

    def _owners(self) -> dict[int, int | None]:
        return {version.id: version.person for version in self._versions.values()}

    def _take_over(self, full: FullRating) -> None:
        """Store a full rating and let the pairing use it. An interval without an end keeps the prior."""
        self._rating, self._rated_versions = None, set(full.ratings)
        self._database.keep_ratings(full.ratings, full.better)
        for version, rating in full.ratings.items():
            row = self._rows[version]
            error = rating.margin / NORMAL_95 / ELO
            self._contestants.strength[row] = rating.elo / ELO
            self._contestants.variance[row] = 1 / (1 / max(error, 1e-3) ** 2 + 1 / PRIOR_SPREAD**2)

    def _write_status(self) -> None:
        now = self._clock()
        if now < self._status_at + STATUS_PAUSE:
            return
        self._status_at, meter = now, self._rate_meter
        self._database.keep_status(
            meter.matches_an_hour(now), len(self._unfinished), len(self._database.waiting()), self._workers.count,
            meter.computed, meter.waited,
        )  # fmt: skip


def _timed_rating(results: Results, owners: dict[int, int | None]) -> tuple[FullRating, float]:
    """The rating and the processor time of this thread, which does not grow when others take the processor."""
    begun = time.thread_time()
    return FullRating.of(results, owners), time.thread_time() - begun


def _lower_priority() -> None:
    """Let the players have the core before this thread."""
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
