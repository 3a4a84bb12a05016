"""``python -m bench.league.long_run``: memory over 100,000 matches of a league, and how soon it restarts with them.

The scheduler, the store and the ratings are those of a real league of 200 students with five versions each. Only the
matches are made up: copies of one match of Hex 7×7, won by chance as the versions' strengths say. So the figures are
those of the process that schedules; what it costs to play is measured by `bench.league.throughput`.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture
from ludoteca.arena.referee import Referee
from ludoteca.league.database import Database
from ludoteca.league.playing.scheduler import Scheduler
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record, Who

CONDITIONS = Conditions.of("hex:size=7", "1s")
BATCH = 64
"""Matches that the made-up workers hand back at once."""


class MadeUpWorkers:
    """Hand back each match at once, as a copy of one that was played."""

    count = 1

    def __init__(self, seed: int) -> None:
        with Referee(CONDITIONS) as referee:
            random_agent = Identity("random")
            self._played = referee.play(Fixture(0, (random_agent, random_agent), 1, (1, 2)))
        self._chance, self._queue = random.Random(seed), list[Fixture]()

    def wants(self) -> bool:
        """Whether to submit more fixtures now."""
        return len(self._queue) < BATCH

    def submit(self, fixture: Fixture) -> None:
        """Queue a match."""
        self._queue.append(fixture)

    def collect(self) -> list[tuple[int, str]]:
        """All queued matches, as if they had been played."""
        queue, self._queue = self._queue, []
        return [(fixture.index, self._record(fixture).to_json()) for fixture in queue]

    def close(self) -> None:
        """Nothing runs."""

    def _record(self, fixture: Fixture) -> Record:
        gap = _strength(fixture.agents[0]) - _strength(fixture.agents[1])
        won = self._chance.random() < 1 / (1 + math.exp(-gap))
        seats = (Who(fixture.agents[0], fixture.agent_seeds[0]), Who(fixture.agents[1], fixture.agent_seeds[1]))
        digest = f"{self._chance.getrandbits(64):016x}"
        returns = (1.0, -1.0) if won else (-1.0, 1.0)
        return replace(self._played, seats=seats, seed=fixture.seed, returns=returns, digest=digest)


def _strength(agent: Identity) -> float:
    """In log-odds; made up from the digest."""
    return int(agent.digest[:4], 16) / 0xFFFF * 4 - 2


def begin(database: Database, students: int) -> None:
    """A league of so many students who have handed in nothing yet."""
    for name in ("random", "mcts", "engine"):
        database.admit(database.add_version(None, "", name), _made_up(name))
    database.add_people([(f"Student {number}", f"s{number}") for number in range(students)])


def hand_in(database: Database, number: int) -> None:
    """Everybody hands in one more version, which has passed its check."""
    for person in database.people():
        name = f"{person.ident}v{number}"
        database.admit(database.add_version(person.id, name, name), _made_up(name))


def _made_up(name: str) -> Identity:
    return Identity(name, hashlib.sha256(name.encode()).hexdigest()[:12])


def memory() -> float:
    """MiB that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Print memory at every tenth, then the time of a restart."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.long_run")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--versions", type=int, default=5, help="of each student; one comes after another")
    parser.add_argument("--matches", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludoteca-league-") as folder, Database(Path(folder)) as database:
        start, done, round_ = time.monotonic(), 0, given.matches // given.versions
        begin(database, given.students)
        sizes = [memory()]
        with Scheduler(database, MadeUpWorkers(1)) as scheduler:
            for number in range(given.versions):
                hand_in(database, number)
                while done < (number + 1) * round_:
                    done += scheduler.step()
                    if done >= len(sizes) * given.matches / 10:
                        sizes.append(memory())
            scheduler.rate_now()
            before = database.ratings()
        seconds = time.monotonic() - start
        print(f"{done} matches of {len(database.versions())} versions: {done / seconds:.0f} a second")
        print("memory at the start and at every tenth, MiB:", " ".join(f"{size:.0f}" for size in sizes))
        size = (Path(folder) / "league.sqlite").stat().st_size / 2**20
        start, computed = time.monotonic(), time.process_time()
        with Database(Path(folder)) as again, Scheduler(again, MadeUpWorkers(2)) as scheduler:
            assert again.ratings() == before
            scheduler.step()
            spent, computed = time.monotonic() - start, time.process_time() - computed
            print(f"restart with a file of {size:.0f} MiB: {spent:.1f} s ({computed:.1f} s of CPU) until matches play")


if __name__ == "__main__":
    main()
