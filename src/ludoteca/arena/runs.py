"""Plays a run to its end, or continues one that was interrupted.

Matches finish in any order, but count in the order of their indexes. So the result, and the match after which a
sequential test stops, depend on the plan alone: neither on the number of workers nor on interruptions.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from ludoteca.arena.openings import opening_lines
from ludoteca.arena.plan import Fixture, Plan, Tally
from ludoteca.arena.workers import Workers
from ludoteca.play.record import Record
from ludoteca.play.seeds import secret_from_seed
from ludoteca.play.store import Outcome, Run, Store

Known = Callable[[Fixture], Sequence[tuple[int, Record]]]
"""Asked before a match is played: records by index that need not be played again, such as those of an earlier run."""


def _none_known(fixture: Fixture) -> Sequence[tuple[int, Record]]:
    return ()


@dataclass
class Progress:
    """The state of a run while it is played."""

    run: Run
    plan: Plan
    tally: Tally
    counted: int = 0
    """Matches counted so far."""
    found: int = 0
    """Matches that were in the store already."""
    fresh: int = 0
    """Matches played now."""
    complete: bool = False
    """Whether all matches of the plan are played, or a test has stopped it."""
    started: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Matches per second since the start."""
        return self.fresh / max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """The most seconds that are left; None before the first match."""
        left = self.plan.total - self.found - self.fresh
        return max(0, left) / self.rate if self.fresh else None


def play(
    store: Store,
    plan: Plan,
    start_workers: Callable[[Run], Workers],
    *,
    again: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
    known: Known = _none_known,
) -> Progress:
    """Play the missing matches of a run.

    start_workers: called only if a match is missing. watch: called whenever the progress changes. known: asked for
    every missing match; records that it returns are stored instead of being played.

    Every counted match is in the store. After an interruption the same call continues the run.
    """
    secret = None if plan.seed is None else secret_from_seed(plan.seed)
    run = store.run(plan.key(), plan.goal(), again=again, secret=secret)
    with store.sole_writer(run.id), _Attempt(store, run, plan, start_workers, watch, known) as attempt:
        return attempt.play()


def stored_progress(store: Store, run: Run, plan: Plan) -> Progress:
    """The progress of a stored run; plays nothing."""
    with _Attempt(store, run, plan, None, lambda progress: None, _none_known) as attempt:
        return attempt.play()


class _Attempt:
    """One call of `play` or `stored_progress`."""

    def __init__(
        self,
        store: Store,
        run: Run,
        plan: Plan,
        start_workers: Callable[[Run], Workers] | None,
        watch: Callable[[Progress], None],
        known: Known,
    ) -> None:
        self.store, self.start_workers, self.watch, self.known = store, start_workers, watch, known
        openings = () if start_workers is None else opening_lines(plan)
        tally, self.rounds = plan.start(run.secret, openings)
        self.progress = Progress(run, plan, tally)
        self.done = {outcome.index: outcome for outcome in store.outcomes(run.id)}
        self.progress.found = len(self.done)
        self.workers: Workers | None = None
        self.cleanup = ExitStack()

    def __enter__(self) -> _Attempt:
        return self

    def __exit__(self, *_: object) -> None:
        self.cleanup.close()

    def play(self) -> Progress:
        self.watch(self.progress)
        fixtures = next(self.rounds)
        while True:
            outcomes = self.play_round(fixtures)
            if outcomes is None:
                break
            try:
                fixtures = self.rounds.send(outcomes)
            except StopIteration:
                self.progress.complete = True
                break
        self.watch(self.progress)
        return self.progress

    def play_round(self, fixtures: Iterable[Fixture]) -> list[Outcome] | None:
        """The outcomes of a round in order; None when the run ends here: a test has decided, or no worker may play."""
        waiting: deque[Fixture] = deque()
        outcomes: list[Outcome] = []
        left = iter(fixtures)
        more = True
        while more or waiting:
            more = more and self.hand_out(left, waiting)
            while waiting and waiting[0].index in self.done:
                fixture = waiting.popleft()
                outcome = self.done.pop(fixture.index)
                outcomes.append(outcome)
                self.progress.counted += 1
                if self.progress.tally.add(fixture, outcome):
                    self.progress.complete = True
                    return None
            if self.start_workers is None and waiting:
                return None
            if waiting:
                self.collect()
        return outcomes

    def hand_out(self, left: Iterator[Fixture], waiting: deque[Fixture]) -> bool:
        """Take fixtures in order: those already played, and as many others as the workers want. False at the end."""
        while self.workers is None or self.workers.wants():
            fixture = next(left, None)
            if fixture is None:
                return False
            waiting.append(fixture)
            if fixture.index in self.done or self.taken_over(fixture):
                if len(waiting) == 1:
                    return True  # count it first: a test may stop here
                continue
            if self.start_workers is None:
                return True
            if self.workers is None:
                self.workers = self.start_workers(self.progress.run)
                self.cleanup.callback(self.workers.close)
                self.progress.started = time.monotonic()
            self.workers.submit(fixture)
        return True

    def taken_over(self, fixture: Fixture) -> bool:
        """Whether `known` has the record of this match; then it is stored."""
        known = () if self.start_workers is None else self.known(fixture)
        kept = [(index, record, record.to_json()) for index, record in known]
        for outcome in self.store.add(self.progress.run.id, kept) if kept else ():
            self.done[outcome.index] = outcome
        self.progress.found += len(kept)
        return fixture.index in self.done

    def collect(self) -> None:
        """Store the finished matches; only stored matches count."""
        assert self.workers is not None
        finished = self.workers.collect()
        if finished:
            parsed = [(index, Record.from_json(text), text) for index, text in finished]
            for outcome in self.store.add(self.progress.run.id, parsed):
                self.done[outcome.index] = outcome
            self.progress.fresh += len(finished)
        self.watch(self.progress)
