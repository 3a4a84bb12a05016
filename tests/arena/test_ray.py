"""The same matches on Ray, on a cluster of two nodes that loses a worker and then a node."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.arena.runs import play
from ludoteca.arena.workers import LocalWorkers
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from tests.arena.made import series_plan
from tests.ray_cluster import needs_ray, run_on_cluster

CONDITIONS = Conditions("hex:size=4", "50n")
AGENTS, COUNT = ("searcher", "slow"), 8
PROGRAM = """
from ludoteca.agents.identity import Identity
from ludoteca.arena.ray_workers import RayWorkers
from ludoteca.arena.runs import play
from ludoteca.arena.series import SeriesPlan
from ludoteca.league.database import Database
from ludoteca.league.playing.scheduler import Scheduler
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Store

CONDITIONS = Conditions("hex:size=4", "50n")

def run(path, lose):
    lost = []

    def watch(progress):
        if progress.fresh >= 2 and not lost:
            lost.extend(lose())

    with Store(path) as store:
        plan = SeriesPlan(CONDITIONS, (Identity("searcher"), Identity("slow")), 8, 1)
        progress = play(store, plan, lambda _: RayWorkers(CONDITIONS, cluster.address), watch=watch)
    print("complete" if progress.complete else "incomplete", "lost", len(lost))

def lose_a_worker():
    # One that is in the middle of a task.
    busy = processes("play_task")[:1]
    for pid in busy:
        os.kill(pid, signal.SIGKILL)
    return busy

def lose_a_node():
    # The whole machine goes, without a word: whatever it was playing is lost with it.
    cluster.remove_node(second, allow_graceful=False)
    return [second]

def run_league(folder, lose):
    # It waits for a task while the league is paused, then plays on what is left of the cluster.
    with Database(folder) as database, RayWorkers(CONDITIONS, cluster.address) as workers:
        for name in ("searcher", "slow"):
            person = database.add_people([(name, name)]) and database.people()[-1].id
            database.admit(database.add_version(person, "", name), Identity(name))
        database.pause()
        with Scheduler(database, workers) as scheduler:
            played = scheduler.step()
            database.resume()
            lost = []
            while played < 8:
                played += scheduler.step()
                if played >= 2 and not lost:
                    lost.extend(lose())
        places = [each.index for each in database.store.outcomes(database.run.id)]
        print("complete lost", len(lost), "of a league", len(places) == len({*places}) == played)

run(sys.argv[1], lose_a_worker)
run_league(Path(sys.argv[3]), lose_a_worker)
run(sys.argv[2], lose_a_node)
assert not second.any_processes_alive()
"""


@pytest.fixture(scope="module")
def played_here(faulty: Path) -> list[Record]:
    """The same matches, played without Ray."""
    with Store(":memory:") as store:
        play(store, series_plan(CONDITIONS, AGENTS, COUNT), lambda _: LocalWorkers(CONDITIONS, 2))
        return [each.without_clock() for each in store.records(1)]


@needs_ray
def test_a_cluster_plays_the_same_matches_whatever_it_loses(played_here: list[Record], tmp_path: Path) -> None:
    """One run loses a worker, then a league does; the next run on the same cluster loses a whole node."""
    paths = [tmp_path / "worker.sqlite", tmp_path / "node.sqlite"]
    done = run_on_cluster(PROGRAM, *map(str, paths), str(tmp_path))
    told = [line for line in done.stdout.splitlines() if "complete lost" in line]  # Ray prints a lot of its own
    league = "complete lost 1 of a league True"
    assert told == ["complete lost 1", league, "complete lost 1"], done.stdout + done.stderr
    for path in paths:
        with Store(path) as there:
            assert [each.without_clock() for each in there.records(1)] == played_here
            assert there.count(1) == COUNT == len(played_here)
