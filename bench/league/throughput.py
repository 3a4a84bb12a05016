"""``python -m bench.league.throughput``: matches an hour of a league beside those of a plain tournament of the arena.

Both play the same files with the same workers in sandboxes, quick players of Hex 7×7, in turns; a busy machine slows
both. The league chooses its pairs, keeps its ratings and writes its status meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.arena.runs import play
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.arena.workers import LocalWorkers
from ludoteca.games import game as game_of
from ludoteca.league.database import Database
from ludoteca.league.hand_in import SANDBOXED
from ludoteca.league.playing.scheduler import Scheduler
from ludoteca.play.conditions import Conditions
from ludoteca.play.openings import openings_for
from ludoteca.play.store import Store

CONDITIONS = Conditions.of("hex:size=7,orientation=left-right", "5s")
QUICK = """
class Quick:
    def __init__(self, me):
        pass

    def play(self, board):
        moves = board.get_possible_moves()
        return moves[({number} * 7919 + len(moves) * 31) % len(moves)]
"""


def players(folder: Path, count: int) -> list[Identity]:
    """Files of quick players."""
    found = []
    for number in range(count):
        path = folder / f"quick{number}" / "solution.py"
        path.parent.mkdir()
        path.write_text(QUICK.format(number=number), encoding="utf-8")
        found.append(identity_of(str(path), "hex"))
    return found


def arena_rate(agents: list[Identity], workers: int) -> float:
    """Matches a second of a round robin, from the first to the last."""
    plan = TournamentPlan.of(CONDITIONS, agents, openings="auto")
    times: list[float] = []

    def watch(_: object) -> None:
        times.append(time.monotonic())

    with Store(":memory:") as store:
        progress = play(store, plan, lambda _: LocalWorkers(CONDITIONS, workers, SANDBOXED), watch=watch)
    return progress.fresh / (times[-1] - times[0])


def league_rate(folder: Path, agents: list[Identity], workers: int) -> float:
    """Matches a second of a league in which everybody has handed in, over as many matches."""
    folder.mkdir()
    with Database(folder) as database:
        database.add_people([(agent.spec, agent.spec) for agent in agents])
        for person, agent in zip(database.people(), agents, strict=True):
            database.admit(database.add_version(person.id, "", agent.spec), agent)
        openings = openings_for(game_of(CONDITIONS.game), 200)
        start, done, total = time.monotonic(), 0, len(agents) * (len(agents) - 1)
        with (
            LocalWorkers(CONDITIONS, workers, SANDBOXED) as playing,
            Scheduler(database, playing, openings) as scheduler,
        ):
            while done < total:
                done += scheduler.step()
        return done / (time.monotonic() - start)


def main() -> None:
    """Print both rates of every round, and the median ratio."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.throughput")
    parser.add_argument("--players", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory(prefix="ludoteca-league-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        agents = players(folder, given.players)
        for number in range(given.rounds):
            before = time.process_time()
            arena, between = arena_rate(agents, given.workers), time.process_time()
            league, after = league_rate(folder / f"league{number}", agents, given.workers), time.process_time()
            ratios.append(league / arena)
            own = [1000 * spent / given.players / (given.players - 1) for spent in (between - before, after - between)]
            print(
                f"arena {3600 * arena:,.0f} matches an hour, league {3600 * league:,.0f}: {league / arena:.0%}; "
                f"CPU of the process that schedules: {own[0]:.1f} and {own[1]:.1f} ms a match",
                flush=True,
            )
    print(f"median of {given.rounds} rounds: {statistics.median(ratios):.0%} of the arena's matches an hour")


if __name__ == "__main__":
    main()
