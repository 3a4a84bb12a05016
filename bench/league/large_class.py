"""A league of a large class in a folder: students, versions that play quickly, and results as if they had played."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import ludoteca
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.course.submissions import take
from ludoteca.league import settings as league_settings
from ludoteca.league.database import Database
from ludoteca.league.settings import LeagueSettings
from ludoteca.play.record import Record, Who

TOML = """
title = "A large class"
game = "hex"
time = {seconds}
baselines = ["random", "mcts:simulations=50"]
matches = 2
[options]
size = 7
[quota]
versions_a_day = 100
"""
PLAYER = '''"""Version {number} of student {student}: quick, and better the larger the weight."""

import random

from player import Player

WEIGHT = {weight}


class QuickPlayer(Player):
    def play(self, board):
        middle, axis = board.size // 2, 0 if self.player_id == 1 else 1
        along = lambda cell: abs(cell[axis] - middle) * WEIGHT + random.random()
        return min(board.get_possible_moves(), key=along)
'''


def source(student: int, number: int) -> str:
    """A player of a strength of its own."""
    rng = random.Random(1000 * student + number)
    return PLAYER.format(student=student, number=number, weight=round(rng.uniform(0.0, 1.0), 3))


def begin(folder: Path, students: int, versions: int, seconds: float = 0.3) -> LeagueSettings:
    """Write a league in which everybody has handed in; no match is played yet."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / league_settings.FILE).write_text(TOML.format(seconds=seconds))
    people = [f"Student {number:03},s{number:03}" for number in range(students)]
    (folder / "roster.csv").write_text("\n".join(["name,id", *people, ""]))
    settings = league_settings.read(folder / league_settings.FILE)
    with Database(folder) as database, TemporaryDirectory() as temporary:
        for spec in settings.baselines:
            database.admit(database.add_version(None, "", spec), identity_of(spec, "hex"))
        database.add_people([(name, ident) for name, ident in (line.split(",") for line in people)])
        for person in database.people():
            for number in range(versions):
                file = Path(temporary) / "solution.py"
                file.write_text(source(person.id, number))
                taken = take(folder.joinpath(*HANDED_IN), settings.course, person.ident, file)
                assert taken.submission is not None
                version = database.add_version(person.id, taken.digest, taken.submission.spec)
                database.admit(version, identity_of(version.spec, "hex"))
    return settings


def pretend(folder: Path, pairs: int) -> None:
    """Store pairs of matches between versions that are near in number, won by chance, with records of real matches."""
    played = ludoteca.series("hex:size=7", "random", "random", 40, seed=1, store=":memory:", workers=1).records
    by_winner = {winner: [each for each in played if each.returns[winner] > 0] for winner in (0, 1)}
    rng = random.Random(1)
    with Database(folder) as database:
        database.store.base.execute("PRAGMA synchronous = OFF")  # of this connection: twenty thousand writes
        versions = [version for version in database.versions() if version.identity is not None]
        for begun in range(0, pairs, 1000):
            records: list[tuple[int, Record, str]] = []
            for _ in range(min(1000, pairs - begun)):
                first = rng.randrange(len(versions))
                second = (first + rng.randrange(1, 30)) % len(versions)
                one, two = versions[first], versions[second]
                pair = database.add_pair(one.id, two.id, 0)
                for place, seats in zip(pair.places, ((one, two), (two, one)), strict=True):
                    like = rng.choice(by_winner[int(rng.random() < 0.5)])
                    agents = [each.identity for each in seats if each.identity is not None]
                    record = replace(like, seats=(Who(agents[0], 1), Who(agents[1], 2)))
                    records.append((place, record, record.to_json()))
            database.store.add(database.run.id, records)
