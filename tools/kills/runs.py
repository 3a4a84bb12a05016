"""A tournament and a course, killed and continued by the same command until they are finished."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from ludoteca.agents.identity import Identity
from ludoteca.arena.api import plan_of
from ludoteca.arena.results import TournamentResult, result_of
from ludoteca.arena.runs import stored_progress
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.play.store import Run, Store
from tools.kills.processes import Failed, Killer, descendants, started, wait_for_end

PLAYER = """
import time
from player import Player

class {name}(Player):
    def play(self, board):
        time.sleep({seconds})
        free = [(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == 0]
        return sorted(free, key=lambda cell: {key})[0]
"""
STRANGER = """
import random, time

class Stranger:
    def __init__(self, game, seat, seed):
        self.own = random.Random(seed)

    def act(self, view, limit):
        time.sleep({seconds})
        return self.own.choice(view.legal())
"""
KEYS = {"Rows": "cell", "Columns": "(cell[1], cell[0])", "Last": "(-cell[0], -cell[1])", "Middle": "(cell[0] - 2) ** 2"}
COURSE = """
game = "hex"
time = 60.0
matches = 4
format = "{format}"
[options]
size = 4
[qualification]
against = "random"
matches = 4
points = 0
"""


def ludoteca(*words: str) -> list[str]:
    """A command line of ours."""
    return [sys.executable, "-m", "ludoteca.cli", *words]


def tournament(folder: Path, state: Path, killer: Killer, round_: int, seconds: float = 0.02, matches: int = 6) -> None:
    """One tournament of our own agents, a file in a sandbox and a stranger in a child process. Raises Failed."""
    (folder / "rows.py").write_text(PLAYER.format(name="Rows", key=KEYS["Rows"], seconds=seconds))
    (folder / "stranger.py").write_text(STRANGER.format(seconds=seconds))
    words = [
        "tournament", "hex:size=4", "random", "mcts:simulations=100", "./rows.py", "stranger.Stranger",
        "--matches", str(matches), "--limit", "100000n", "--workers", "2", "--openings", "none",
        "--format", "swiss" if round_ % 2 else "round-robin",
    ]  # fmt: skip
    _compare(ludoteca(*words), folder, state, killer, "tournament")


def course(folder: Path, state: Path, killer: Killer, round_: int, seconds: float = 0.02) -> None:
    """One course of four submissions with a qualification. Raises Failed."""
    (folder / "course.toml").write_text(COURSE.format(format="swiss" if round_ % 2 else "round-robin"))
    for name, key in KEYS.items():
        (folder / name.lower()).mkdir(exist_ok=True)
        (folder / name.lower() / "solution.py").write_text(PLAYER.format(name=name, key=key, seconds=seconds))
    words = ludoteca("course", "run", ".", "--workers", "2")
    grades = []

    def report() -> None:
        subprocess.run(ludoteca("course", "report", "."), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        grades.append((folder / "site" / "grades.csv").read_bytes())

    _compare(words, folder, state, killer, "course", after=report)
    if grades[0] != grades[1]:
        raise Failed(f"other grades:\n{grades[0].decode()}\n{grades[1].decode()}")


def _compare(words: list[str], folder: Path, state: Path, killer: Killer, what: str, after: object = None) -> None:
    """Plays a run undisturbed, then the same run with kills, and compares them."""
    calm, torn = folder / "calm.sqlite", state / "ludoteca" / "arena.sqlite"
    environment = os.environ | {"XDG_STATE_HOME": str(state)}
    done = subprocess.run([*words, "--store", str(calm)], cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"undisturbed, {what} ended with {done.returncode}: {done.stdout}{done.stderr}")
    if callable(after):
        after()
    with Store(calm) as store, Store(torn) as other:  # the same secrets, so the same deals
        runs = [(run, other.run(run.key, run.goal, again=True, secret=run.secret)) for run in store.runs()]
    names = {"main": f"{what}: referee", "worker": f"{what}: worker", "fork server": f"{what}: fork server"}
    while True:
        process = subprocess.Popen(
            words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        started(process.pid)
        below = _disturb(process, killer, names)
        said, _ = process.communicate()
        wait_for_end(below)
        check_store(torn)
        if process.returncode == 0:
            break
        if process.returncode == 2 and "worker processes die" in said and "the same command goes on" in said:
            killer.stops += 1  # three workers died over one match
        elif process.returncode != -9:
            raise Failed(f"{what} ended with {process.returncode}: {said}")
    if callable(after):
        after()
    with Store(calm) as store, Store(torn) as other:
        for run, again in runs:
            _check_equal(store, run, other, again)


def _disturb(process: subprocess.Popen[str], killer: Killer, names: dict[str, str]) -> set[int]:
    """Kills until the command has ended. Returns every process that was seen below it."""
    seen: set[int] = set()
    next_kill = time.monotonic() + killer.pause()
    while process.poll() is None:
        seen |= {each.pid for each in descendants(process.pid)}
        if time.monotonic() >= next_kill:
            if (chosen := killer.choose(process.pid, names)) is not None and process.poll() is None:
                killer.kill(chosen[1], names[chosen[0]])
            next_kill = time.monotonic() + killer.pause()
        time.sleep(0.02)
    return seen


def check_store(path: Path) -> None:
    """Raises Failed unless SQLite finds the file intact."""
    with closing(sqlite3.connect(path, timeout=60)) as base:
        found = base.execute("PRAGMA integrity_check").fetchall()
    if found != [("ok",)]:
        raise Failed(f"{path} is damaged: {found}")


def _check_equal(store: Store, run: Run, other: Store, again: Run) -> None:
    calm, torn = (_records(each, one.id) for each, one in ((store, run), (other, again)))
    places = [outcome.index for outcome in other.outcomes(again.id)]
    if places != [outcome.index for outcome in store.outcomes(run.id)] or len(set(places)) != len(places):
        raise Failed(f"matches are missing or double: {places}")
    for place, (one, two) in enumerate(zip(calm, torn, strict=True)):
        if one != two:
            raise Failed(f"match {place} differs:\n{one}\n{two}")
        replayed = Match.of_spec(two.game, two.seed, two.actions)
        if replayed.turn is not None or replayed.returns() != two.returns:
            raise Failed(f"match {place} does not replay to its result: {two}")
    results = [_result(each, one) for each, one in ((store, run), (other, again))]
    if results[0].table() != results[1].table():
        raise Failed(f"other standings: {results[0].table()} {results[1].table()}")
    if results[1].format != "swiss":  # whose byes are in no record
        points: Counter[Identity] = Counter()
        for record in torn:
            for seat, agent in enumerate(record.agents):
                points[agent] += (1 + record.returns[seat]) / 2  # type: ignore[assignment]
        if any(points[agent] != each for agent, each in results[1].points.items()):
            raise Failed(f"the points are not those of the records: {results[1].points} {points}")


def _records(store: Store, run: int) -> list[Record]:
    return [record.without_clock() for record in store.records(run)]


def _result(store: Store, run: Run) -> TournamentResult:
    result = result_of(store, stored_progress(store, run, plan_of(run)))
    assert isinstance(result, TournamentResult)
    if not result.complete:
        raise Failed(f"run {run.id} is not complete")
    return result
