"""What the arena costs: whole runs, from the plan to the last commit, in CPU seconds of all processes together.

A core that does nothing else plays as many matches a second. The peer of the last comparison is the arena itself on an
empty store: its time per match must not grow with what is stored.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.measure import Row
from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import pairs
from ludoteca.arena.referee import Referee
from ludoteca.arena.runs import play
from ludoteca.arena.series import SeriesPlan
from ludoteca.arena.workers import LocalWorkers
from ludoteca.play.conditions import Conditions
from ludoteca.play.live_matches import LivePublisher, live_folder
from ludoteca.play.seeds import new_secret
from ludoteca.play.store import Store

HEX = Conditions("hex", "1s")
STORED = 200_000
RANDOM = Identity("random")
STRANGER = "bench.speed.plain_agent.PlainAgent"
"""Not ours, so that it plays each match in a fresh process."""


def rows() -> list[Row]:
    """Every comparison of this file."""
    return [*overhead(), growth()]


def overhead() -> list[Row]:
    """Random agents, which take next to no time themselves."""
    hosted = max(_hosted_matches(400) for _ in range(2))
    native = max(_matches(6_000) for _ in range(2))
    return [
        Row("Hex 11×11 matches, Python agents in fresh processes", "matches", hosted, None, "", "25/s"),
        Row("Hex 11×11 matches, core-native agents", "matches", native, None, "", "833/s"),
    ]


def growth() -> Row:
    """The same with an empty store and on top of 200,000 stored matches."""
    empty = max(_matches(4_000) for _ in range(2))
    full = max(_matches(4_000, stored=STORED) for _ in range(2))
    return Row(f"… on top of {STORED:,} stored matches", "matches", full, empty, "empty store", "1×")


def _hosted_matches(count: int) -> float:
    """Matches per CPU second of a referee and the agents' processes, whose ends it sees, and of storing."""

    def work() -> None:
        with (
            Referee(HEX) as referee,
            LivePublisher(Path(folder) / "live", referee),
            Store(Path(folder) / "arena.sqlite") as store,
        ):
            run = store.run({}, {}).id
            for fixture in pairs(Identity(STRANGER), Identity(STRANGER), new_secret(), 0, count):
                record = referee.play(fixture)
                store.add(run, [(fixture.index, record, record.to_json())])

    with tempfile.TemporaryDirectory() as folder:
        return count / _spent(work)


def _matches(count: int, *, stored: int = 0) -> float:
    """Matches per CPU second of one worker and of the process that stores."""
    plan = SeriesPlan(HEX, (RANDOM, RANDOM), count)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.sqlite") as store:
        if stored:
            _fill(store, plan, stored)
        return count / _spent(
            lambda: play(store, plan, lambda run: LocalWorkers(HEX, 1, live=live_folder(store.path, run.id)))
        )


def _fill(store: Store, plan: SeriesPlan, stored: int) -> None:
    """Copies of a real match as another run of the same store."""
    play(store, SeriesPlan(HEX, (RANDOM, RANDOM), 2, seed=9), lambda _: LocalWorkers(HEX, 1))
    record = store.record(store.find("last").id, 0)
    text = record.to_json()
    other = store.run(plan.key() | {"seed": 10}, {}).id
    for place in range(0, stored, 10_000):
        store.add(other, [(place + more, record, text) for more in range(10_000)])


def _spent(work: Callable[[], object]) -> float:
    """CPU seconds of this process and of those that it started and has seen the end of."""

    def now() -> float:
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    start = now()
    work()
    return now() - start
