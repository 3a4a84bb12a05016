"""A class of ten hands in what students hand in, and plays: docs/examples/league/class_of_ten."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.agents.digests import identity_of
from ludoteca.arena.workers import LocalWorkers
from ludoteca.league import hand_in, settings
from ludoteca.league.database import Database, Status, Version, read_roster
from ludoteca.league.hand_in import SANDBOXED, check, take
from ludoteca.league.leaderboard import rating_of_all
from ludoteca.league.playing.scheduler import Scheduler
from ludoteca.players.faults import Ending

CLASS = Path("docs/examples/league/class_of_ten")
FILES = {
    "luis.pena": "peña.py", "john.smith": "john_smith_hw3.py", "emily.brown": "emily_brown.py",
    "carlos.ruiz": "azar.py", "sofia.lopez": "lenta.py", "ken.tanaka": "ken_tanaka.py",
    "olivia.jones": "olivia_jones.py", "diego.martin": "diego_martin.py",
}  # fmt: skip
"""Those who hand in one file; the others hand in a zip of their folder."""
SETTINGS = """
game = "hex"
time = 0.25
baselines = ["random"]

[options]
size = 5
"""


def zipped(folder: Path) -> bytes:
    """A folder as a Mac zips it: with itself around everything, and files of the system."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("__MACOSX/._solution.py", b"\0\5\26\7")
        for path in sorted(folder.rglob("*.py")):
            archive.write(path, path.relative_to(folder))
    return data.getvalue()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[tuple[Database, settings.LeagueSettings]]:
    """A league in which all ten have handed in."""
    (tmp_path / settings.FILE).write_text(SETTINGS)
    rules = settings.read(tmp_path / settings.FILE)
    with Database(tmp_path) as database:
        database.add_people(read_roster(CLASS / "roster.csv"))
        for person in database.people():
            file = FILES.get(person.ident)
            data = zipped(CLASS / person.ident) if file is None else (CLASS / file).read_bytes()
            take(database, rules, person, data, file or f"{person.name}.zip")
        yield database, rules


def handed_in(database: Database, ident: str) -> Version:
    person = next(each for each in database.people() if each.ident == ident)
    return database.versions(person.id)[-1]


def test_a_file_from_windows_is_as_windows_writes_it() -> None:
    data = (CLASS / "peña.py").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") and data.count(b"\r\n") == data.count(b"\n")


def test_ten_hand_in_and_play_a_short_league(
    league: tuple[Database, settings.LeagueSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    database, rules = league
    monkeypatch.setattr(hand_in, "CHECK_SECONDS", 0.2)
    for ident in ("ana.perez", "luis.pena", "olivia.jones"):  # a package in a zip, a file from Windows, an illegal one
        check(database, rules, handed_in(database, ident))
    assert handed_in(database, "ana.perez").status is Status.playing, handed_in(database, "ana.perez").reason
    assert handed_in(database, "luis.pena").status is Status.playing, handed_in(database, "luis.pena").reason
    assert handed_in(database, "olivia.jones").status is Status.refused
    reason = handed_in(database, "olivia.jones").reason
    assert "olivia_jones.py, line 11" in reason and "taken" in reason

    for version in database.versions():
        if version.status is Status.checking:  # the check of each would take seconds
            database.admit(version, identity_of(version.spec, "hex"))
    playing = {version.id for version in database.versions() if version.status is Status.playing}
    assert len(playing) == 9
    with (
        LocalWorkers(rules.course.conditions, 1, SANDBOXED) as workers,
        Scheduler(database, workers, rng=random.Random(1)) as scheduler,
    ):
        while not {version for agents, _ in scheduler.results.counts for version in agents} >= playing:
            scheduler.step()
        assert set(rating_of_all(scheduler.results, []).agents) == playing
    endings = {outcome.ending for outcome in database.store.outcomes(database.run.id)}
    assert endings <= {Ending.finished, Ending.error, Ending.timeout}
