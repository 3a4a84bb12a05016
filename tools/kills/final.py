"""Kills ``ludoteca league finish`` at random moments: ``python -m tools.kills.final [--seed N]``.

It is started again after every kill, until it ends by itself. Nothing may be lost or change on the way: who plays the
final, once that is fixed, and every finished match. In the end there is one final, played through, with all its files.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.league import settings
from ludoteca.league.database import Database
from ludoteca.league.hand_in import take
from ludoteca.league.opened_league import League
from ludoteca.play.store import Outcome
from tools.kills.league import PLAYER, TOML
from tools.kills.processes import PATIENCE, Failed

STUDENTS = 6
FINISH = [sys.executable, "-P", "-m", "ludoteca.cli", "league", "finish", "--yes", "--workers", "1"]
FILES = ("grades.csv", "moodle.csv", "canvas.csv", "site.zip", "archive.zip", "site/index.html")


def begin(folder: Path) -> None:
    """A league in which all but the last have a version that plays, and the last one's waits for its check."""
    folder.mkdir(parents=True)
    (folder / settings.FILE).write_text(TOML, encoding="utf-8")
    roster = "".join(f"Student {number},s{number}\n" for number in range(STUDENTS))
    (folder / "roster.csv").write_text(f"name,id\n{roster}", encoding="utf-8")
    rules = settings.read(folder / settings.FILE)
    with ExitStack() as stack:
        database = League.of(folder, stack).database
        for number, person in enumerate(database.people()):
            version = take(database, rules, person, PLAYER.format(number=number).encode(), "solution.py")
            if number < STUDENTS - 1:
                database.admit(version, identity_of(version.spec, "hex"))


class Seen:
    """What a final must keep."""

    def __init__(self) -> None:
        self.entrants: dict[int, int | None] | None = None
        self.outcomes: dict[int, Outcome] = {}

    def check(self, folder: Path) -> None:
        """Compare the file with what it held before. Raises Failed."""
        with Database(folder) as database:
            final = database.final()
            runs = [run for run in database.store.runs() if run.key["kind"] == "tournament"]
            outcomes = {each.index: each for run in runs for each in database.store.outcomes(run.id)}
        entrants = None if final is None else final.entrants
        if len(runs) > 1 or (self.entrants is not None and entrants != self.entrants):
            raise Failed(f"{len(runs)} finals, of {entrants} instead of {self.entrants}")
        for place, outcome in self.outcomes.items():
            if outcomes.get(place) != outcome:
                raise Failed(f"match {place} was {outcome} and is {outcomes.get(place)}")
        self.entrants, self.outcomes = entrants, outcomes


def campaign(folder: Path, seed: int, longest: float) -> int:
    """Kill a final after up to so many seconds each time, until it ends by itself; how often. Raises Failed."""
    begin(folder)
    rng, seen, kills = random.Random(seed), Seen(), 0
    while True:
        process = subprocess.Popen([*FINISH, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            # Later kills come later, so that it ends however slow the machine is.
            said, _ = process.communicate(timeout=rng.uniform(0.5, longest) * (1 + kills / 10))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate(timeout=PATIENCE)
            kills += 1
            seen.check(folder)
            continue
        if process.returncode:
            raise Failed(f"finish ended with {process.returncode}: {said[-2000:]}")
        break
    seen.check(folder)
    players = STUDENTS + 2
    if len(seen.outcomes) != players * (players - 1):
        raise Failed(f"{len(seen.outcomes)} matches were played, not {players * (players - 1)}")
    for name in FILES:
        if not (folder / "final" / name).stat().st_size:
            raise Failed(f"{name} is empty")
    with zipfile.ZipFile(folder / "final" / "archive.zip") as archive:
        if archive.testzip() is not None:
            raise Failed("the archive is broken")
    if left := [each.name for each in (folder / "final").iterdir() if "partial" in each.name and each.stat().st_size]:
        print(f"left behind by kills: {left}")
    return kills


def main() -> None:
    """Kill until the final is over, and print how often."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills.final", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=12.0, help="seconds until the first kill, at most")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludoteca-kills-") as name:
        kills = campaign(Path(name) / "league", given.seed, given.longest)
    print(f"{kills:4}  finish\nNothing was lost, and the final was played once.")


if __name__ == "__main__":
    main()
