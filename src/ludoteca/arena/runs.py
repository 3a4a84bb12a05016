"""Plays a run to its end, or on from wherever it was left.

Matches finish in any order, but they are counted in the order of their indexes. So a result, and the moment at which
a sequential test stops, depend on the plan alone: not on the number of workers, nor on how often the run was
interrupted.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from ludoteca.arena.openings import opening_lines
from ludoteca.arena.plan import Fixture
from ludoteca.arena.series import Plan, Tally
from ludoteca.arena.workers import Workers
from ludoteca.play.record import Record
from ludoteca.play.seeds import secret_from_seed
from ludoteca.play.store import Outcome, Run, Store

__all__ = ["Known", "Progress", "play", "review"]

Known = Callable[[Fixture], Sequence[tuple[int, Record]]]
"""What is known before a match is played: records by index, of this match and of what belongs to it, if at all."""


def _nothing(fixture: Fixture) -> Sequence[tuple[int, Record]]:
    """Nothing is known."""
    return ()


@dataclass
class Progress:
    """How a run stands."""

    run: Run
    plan: Plan
    tally: Tally
    counted: int = 0
    """Matches that count, in order."""
    found: int = 0
    """Matches that were already in the store."""
    fresh: int = 0
    """Matches played since."""
    complete: bool = False
    """Whether the plan is fulfilled."""
    started: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Matches a second, since this attempt began."""
        return self.fresh / max(time.monotonic() - self.started, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at most, if that can be said yet."""
        left = self.plan.total - self.found - self.fresh
        return max(0, left) / self.rate if self.fresh else None


def play(
    store: Store,
    plan: Plan,
    hire: Callable[[Run], Workers],
    *,
    again: bool = False,
    watch: Callable[[Progress], None] = lambda progress: None,
    known: Known = _nothing,
) -> Progress:
    """Plays what is missing of a run. `hire` is called only if something is; `watch` whenever something changed.

    known: asked for every match that is missing; the records that it has are kept in place of playing, all at once.

    Whatever stops this, matches already counted are in the store, and calling it again goes on from there.
    """
    secret = None if plan.seed is None else secret_from_seed(plan.seed)
    run = store.run(plan.key(), plan.goal(), again=again, secret=secret)
    with store.sole_writer(run.id), _Attempt(store, run, plan, hire, watch, known) as attempt:
        return attempt.play()


def review(store: Store, run: Run, plan: Plan) -> Progress:
    """How a stored run stands; plays nothing."""
    with _Attempt(store, run, plan, None, lambda progress: None, _nothing) as attempt:
        return attempt.play()


class _Attempt:
    """One go at a run."""

    def __init__(
        self,
        store: Store,
        run: Run,
        plan: Plan,
        hire: Callable[[Run], Workers] | None,
        watch: Callable[[Progress], None],
        known: Known,
    ) -> None:
        self.store, self.hire, self.watch, self.known = store, hire, watch, known
        openings = () if hire is None else opening_lines(plan)
        tally, self.rounds = plan.start(run.secret, openings)
        self.progress = Progress(run, plan, tally)
        self.done = {outcome.index: outcome for outcome in store.outcomes(run.id)}
        self.progress.found = len(self.done)
        self.crew: Workers | None = None
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
        """The outcomes of a round, in order; None when the run ends here, decided or out of stored matches."""
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
            if self.hire is None and waiting:
                return None
            if waiting:
                self.collect()
        return outcomes

    def hand_out(self, left: Iterator[Fixture], waiting: deque[Fixture]) -> bool:
        """Takes fixtures in order, those already played and as many others as the crew wants. False at the end."""
        while self.crew is None or self.crew.wants():
            fixture = next(left, None)
            if fixture is None:
                return False
            waiting.append(fixture)
            if fixture.index in self.done or self.taken_over(fixture):
                if len(waiting) == 1:
                    return True  # count it before anything else: a test may have stopped here
                continue
            if self.hire is None:
                return True
            if self.crew is None:
                self.crew = self.hire(self.progress.run)
                self.cleanup.callback(self.crew.close)
                self.progress.started = time.monotonic()
            self.crew.submit(fixture)
        return True

    def taken_over(self, fixture: Fixture) -> bool:
        """Whether an earlier run has the match; it is in the store then."""
        known = () if self.hire is None else self.known(fixture)
        kept = [(index, record, record.to_json()) for index, record in known]
        for outcome in self.store.add(self.progress.run.id, kept) if kept else ():
            self.done[outcome.index] = outcome
        self.progress.found += len(kept)
        return fixture.index in self.done

    def collect(self) -> None:
        """Stores what has finished. Only then it counts."""
        assert self.crew is not None
        finished = self.crew.collect()
        if finished:
            parsed = [(index, Record.from_json(text), text) for index, text in finished]
            for outcome in self.store.add(self.progress.run.id, parsed):
                self.done[outcome.index] = outcome
            self.progress.fresh += len(finished)
        self.watch(self.progress)
