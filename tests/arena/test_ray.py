"""The same matches on Ray: on a cluster of its own that loses a worker, and on one of two nodes that loses a node."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca.arena.runs import play
from ludoteca.arena.workers import LocalWorkers
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record
from ludoteca.play.store import Store
from tests.arena.made import series_plan

CONDITIONS = Conditions("hex:size=4", "50n")
AGENTS, COUNT = ("searcher", "slow"), 8
SOON_DEAD = {"RAY_health_check_period_ms": "1000", "RAY_health_check_failure_threshold": "2"}
"""A node that is silent for two seconds is lost; Ray would wait for fifteen."""
PLAYED = """
from ludoteca.agents.identity import Identity
from ludoteca.play.conditions import Conditions
from ludoteca.arena.ray_workers import RayWorkers
from ludoteca.arena.runs import play
from ludoteca.arena.series import SeriesPlan
from ludoteca.play.store import Store

lost = []

def watch(progress):
    if progress.fresh >= 2 and not lost:
        lose()

def run(workers):
    with Store(sys.argv[1]) as store:
        agents = (Identity("searcher"), Identity("slow"))
        plan = SeriesPlan(Conditions("hex:size=4", "50n"), agents, 8, 1)
        progress = play(store, plan, lambda _: workers, watch=watch)
    print("complete" if progress.complete else "incomplete", "lost", len(lost))
"""
LOSES_A_WORKER = f"""
import os, signal, sys
from pathlib import Path
{PLAYED}
def lose():
    # Kills a worker of our own cluster that is in the middle of a task.
    for pid in descendants(os.getpid()):
        if read(f"/proc/{{pid}}/cmdline").startswith("ray::play_task"):
            os.kill(pid, signal.SIGKILL)
            lost.append(pid)
            return

def read(path):
    try:
        return Path(path).read_text()
    except OSError:  # it has just ended
        return ""

def descendants(pid):
    for child in read(f"/proc/{{pid}}/task/{{pid}}/children").split():
        yield int(child)
        yield from descendants(int(child))

run(RayWorkers(Conditions("hex:size=4", "50n"), "local", 2))
"""
LOSES_A_NODE = f"""
import sys, time
import ray
from ray.cluster_utils import Cluster
{PLAYED}
def cores():
    return ray.cluster_resources().get("CPU")

def until(true):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, ray.nodes()
        time.sleep(0.1)

cluster = Cluster(initialize_head=True, head_node_args={{"num_cpus": 1, "include_dashboard": False}})
second = cluster.add_node(num_cpus=1)
cluster.wait_for_nodes()
ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
until(lambda: cores() == 2)

def lose():
    # The whole machine goes, without a word: whatever it was playing is lost with it.
    cluster.remove_node(second, allow_graceful=False)
    lost.append(second)

run(RayWorkers(Conditions("hex:size=4", "50n"), None))
assert not second.any_processes_alive()
ray.shutdown()
cluster.shutdown()
"""


@pytest.fixture(scope="module")
def played_here(faulty: Path) -> list[Record]:
    """The same matches, played without Ray."""
    with Store(":memory:") as store:
        play(store, series_plan(CONDITIONS, AGENTS, COUNT), lambda _: LocalWorkers(CONDITIONS, 2))
        return [each.without_clock() for each in store.records(1)]


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'ludoteca[ray]'")
@pytest.mark.parametrize("program", [LOSES_A_WORKER, LOSES_A_NODE], ids=["worker", "node"])
def test_a_cluster_plays_the_same_matches_whatever_it_loses(
    program: str, played_here: list[Record], tmp_path: Path
) -> None:
    path = tmp_path / "arena.sqlite"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ | SOON_DEAD,
    )
    assert "complete lost 1" in done.stdout.splitlines(), done.stdout + done.stderr  # Ray tells its own story too
    with Store(path) as there:
        assert [each.without_clock() for each in there.records(1)] == played_here
        assert there.count(1) == COUNT == len(played_here)
