"""The same matches on a local Ray cluster, one of whose workers is killed on the way."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca.arena.runs import play
from ludoteca.arena.workers import Workers
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Store
from tests.arena.made import series_plan

PROGRAM = """
import os, signal, sys
from pathlib import Path
from ludoteca.play.conditions import Conditions
from ludoteca.arena.ray_workers import RayWorkers
from ludoteca.arena.series import SeriesPlan
from ludoteca.arena.runs import play
from ludoteca.play.store import Store

conditions = Conditions("hex:size=4", "50n")
crew = RayWorkers(conditions, "local", 2)
killed = []

def watch(progress):
    # Kills a worker of our own cluster that is in the middle of a task, once some matches are played.
    if progress.fresh >= 4 and not killed:
        for pid in descendants(os.getpid()):
            if read(f"/proc/{pid}/cmdline").startswith("ray::play_task"):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return

def read(path):
    try:
        return Path(path).read_text()
    except OSError:  # it has just ended
        return ""

def descendants(pid):
    for child in read(f"/proc/{pid}/task/{pid}/children").split():
        yield int(child)
        yield from descendants(int(child))

with Store(sys.argv[1]) as store:
    progress = play(store, SeriesPlan(conditions, ("searcher", "slow"), 12, 1), lambda _: crew, watch=watch)
print("complete" if progress.complete else "incomplete", "killed", len(killed))
"""


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'ludoteca[ray]'")
def test_a_cluster_plays_the_same_matches_though_it_loses_a_worker(faulty: Path, tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.stdout.splitlines()[-1:] == ["complete killed 1"], done.stdout + done.stderr
    conditions = Conditions("hex:size=4", "50n")
    with Store(path) as there, Store(":memory:") as here:
        play(here, series_plan(conditions, ("searcher", "slow"), 12), lambda _: Workers(conditions, 2))
        there_played, here_played = ([each.without_clock() for each in store.records(1)] for store in (there, here))
        assert there_played == here_played
        assert there.count(1) == 12
