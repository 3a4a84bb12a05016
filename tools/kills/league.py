"""Kills a league at random moments: ``python -m tools.kills.league [--kills N] [--seed N]``.

One process plays the league, and another hands in versions. Either is killed with SIGKILL at a random moment: while it
takes a version, checks one, plays, stores or rates. Both are started again. After every kill nothing may be lost: no
version that was taken, no finished match. In the end no pair was played twice, each pair has one deal, and the stored
ratings are those that follow from all matches.
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.errors import InvalidAgent
from ludoteca.league import settings
from ludoteca.league.database import Database, Pair
from ludoteca.league.hand_in import take
from ludoteca.league.leaderboard import FullRating, Results
from ludoteca.league.opened_league import League
from ludoteca.play.seeds import deal_seed
from ludoteca.play.store import Outcome
from tools.kills.processes import PATIENCE, Failed

TOML = """
game = "hex"
time = 20.0
baselines = ["random", "minimax:depth=1"]
[options]
size = 3
[quota]
versions_a_day = 1000
"""
ROSTER = "name,id\nAna Pérez,ana\nLuis Peña,luis\n"
PLAYER = """
from player import Player


class Quick(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        return moves[{number} % len(moves)]
"""
PLAY = "from pathlib import Path; from ludoteca.league.command import run; run(Path({folder!r}), workers=1)"
HAND_IN = (
    "from tools.kills.league import hand_in; from pathlib import Path; hand_in(Path({folder!r}), {first}, {count})"
)


def begin(folder: Path) -> None:
    """A league in which both students have a version that plays already."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / settings.FILE).write_text(TOML, encoding="utf-8")
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        for person, spec in zip(database.people(), ("minimax:depth=2", "astar"), strict=True):
            database.admit(database.add_version(person.id, "", spec), identity_of(spec, "hex"))


def hand_in(folder: Path, first: int, count: int) -> None:
    """Hand in versions, the students in turns, and print the number of each as soon as it is taken."""
    rules = settings.read(folder / settings.FILE)
    with Database(folder) as database:
        people = database.people()
        for number in range(first, first + count):
            try:
                version = take(
                    database, rules, people[number % 2], PLAYER.format(number=number).encode(), "solution.py"
                )
            except InvalidAgent as error:  # taken just before this process was killed
                print(error, file=sys.stderr)
            else:
                print(version.id, flush=True)


class Campaign:
    """A league that is killed again and again."""

    def __init__(self, folder: Path, rng: random.Random, hand_ins: int) -> None:
        self._folder, self._rng, self._left = folder, rng, hand_ins
        self._given = 0
        self._taken: set[int] = set()
        self._outcomes: dict[int, Outcome] = {}
        self._pairs: dict[int, Pair] = {}
        self.killed: Counter[str] = Counter()

    def kill(self) -> None:
        """Play until a match was finished, or a version was taken, and a moment longer; then kill. Raises Failed."""
        playing = self._start(PLAY.format(folder=str(self._folder)))
        count = min(self._left, self._rng.randrange(3))
        handing = self._start(HAND_IN.format(folder=str(self._folder), first=self._given, count=count))
        self._given, self._left = self._given + count, self._left - count
        if count and self._rng.random() < 0.5:
            _wait(handing, self._rng.uniform(0.0, 1.0))
            handing.kill()
            self.killed["hand-in"] += 1
        before, end = len(self._outcomes), time.monotonic() + PATIENCE
        try:
            while self._count() <= before:
                if _wait(playing, 0.05):
                    raise Failed(f"the league stopped by itself, with {playing.returncode}: {_said(playing)}")
                if time.monotonic() > end:
                    raise Failed("the league plays no match")
            _wait(playing, self._rng.uniform(0.0, 3.0))
        finally:
            playing.kill()
            said, _ = handing.communicate()
            playing.communicate()
        self.killed["playing"] += 1
        self._taken |= {int(line) for line in said.split()}
        self.check()

    def check(self) -> None:
        """Compare the file with what it held before. Raises Failed."""
        with Database(self._folder) as database:
            outcomes = {each.index: each for each in database.store.outcomes(database.run.id)}
            pairs = {each.id: each for each in database.pairs()}
            versions = {each.id: each for each in database.versions()}
        for name, before, now in (("match", self._outcomes, outcomes), ("pair", self._pairs, pairs)):
            for key, value in before.items():
                if now.get(key) != value:
                    raise Failed(f"{name} {key} was {value} and is {now.get(key)}")
        for number in self._taken:
            if number not in versions:
                raise Failed(f"version {number} was taken and is lost")
            digest = versions[number].digest
            if not [*self._folder.joinpath(*HANDED_IN, digest).rglob("*.py")]:
                raise Failed(f"the files of version {number} are lost")
        self._outcomes, self._pairs = outcomes, pairs

    def finish(self) -> None:
        """Play on without a kill and stop in order; then compare everything with the file from scratch."""
        before = self._count()
        playing = self._start(PLAY.format(folder=str(self._folder)))
        end = time.monotonic() + PATIENCE
        while self._count() < before + 4:
            if _wait(playing, 0.05) or time.monotonic() > end:
                playing.kill()
                raise Failed(f"the league does not go on: {_said(playing)}")
        playing.send_signal(signal.SIGINT)
        _, said = playing.communicate(timeout=PATIENCE)
        if playing.returncode != 130:
            raise Failed(f"the league stopped with {playing.returncode}: {said}")
        self.check()
        with Database(self._folder) as database:
            meetings: Counter[tuple[int, int]] = Counter()
            for pair in database.pairs():
                key = (min(pair.first, pair.second), max(pair.first, pair.second))
                if pair.opening != meetings[key]:
                    raise Failed(f"{pair} repeats an opening")
                meetings[key] += 1
            for index, record in zip(sorted(self._outcomes), database.store.records(database.run.id), strict=True):
                if record.seed != deal_seed(database.run.secret, index // 2):
                    raise Failed(f"match {index} has another deal than its pair")
            full = FullRating.of(Results.of(database), {each.id: each.person for each in database.versions()})
            stored = database.ratings()
            if stored.keys() != full.ratings.keys() or not all(
                math.isclose(stored[key].elo, each.elo, abs_tol=1e-6) and stored[key].matches == each.matches
                for key, each in full.ratings.items()
            ):
                raise Failed(f"the stored ratings are {stored}, and those from scratch {full.ratings}")

    def _start(self, program: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def _count(self) -> int:
        with Database(self._folder) as database:
            return database.store.count(database.run.id)


def _wait(process: subprocess.Popen[str], seconds: float) -> bool:
    """Whether the process ends by itself within this time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _said(process: subprocess.Popen[str]) -> str:
    return "" if process.stderr is None else process.stderr.read()[-2000:]


def campaign(folder: Path, kills: int, seed: int, hand_ins: int) -> Counter[str]:
    """Kill a new league so often. Returns what was killed. Raises Failed."""
    begin(folder)
    found = Campaign(folder, random.Random(seed), hand_ins)
    for _ in range(kills):
        found.kill()
    found.finish()
    return found.killed


def main() -> None:
    """Kill until the number is reached, and print what was killed."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills.league", description=__doc__)
    parser.add_argument("--kills", type=int, default=60, help="of the playing process")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludoteca-kills-") as name:
        killed = campaign(Path(name) / "league", given.kills, given.seed, given.kills // 4)
    for what, count in killed.items():
        print(f"{count:4}  {what}")
    print("Nothing was lost, and the ratings are those from scratch.")


if __name__ == "__main__":
    main()
