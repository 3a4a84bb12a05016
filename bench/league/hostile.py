"""Every hostile submission of the tests is handed in while the class of ten plays: the league must not suffer.

Each attack is told what it would want: the league's file, another student's file, the number of the playing process, a
folder that everybody may write to. The report names what became of each, how many matches were played before and
meanwhile, what faults the class had, and whether files changed or processes stayed behind.

    python -m bench.league.hostile --help
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludoteca.agents.digests import identity_of
from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.errors import InvalidAgent
from ludoteca.league import settings as league_settings
from ludoteca.league.database import Database, Status, read_roster
from ludoteca.league.hand_in import take
from ludoteca.messages import translate
from ludoteca.players.faults import Ending

ROOT = Path(__file__).parents[2]
CLASS = ROOT / "docs/examples/league/class_of_ten"
HOSTILE = ROOT / "tests/players/sandbox/hostile"
LEFT_OUT = ("honest.py", "attempts.py")
ILLEGAL = "olivia.jones"
FILES = {
    "luis.pena": "peña.py", "john.smith": "john_smith_hw3.py", "emily.brown": "emily_brown.py",
    "carlos.ruiz": "azar.py", "sofia.lopez": "lenta.py", "ken.tanaka": "ken_tanaka.py",
    "diego.martin": "diego_martin.py",
}  # fmt: skip
TOML = """
game = "hex"
time = 0.3
memory = 256
baselines = ["random"]
[options]
size = 5
"""


def _zipped(folder: Path) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(folder.rglob("*.py")):
            archive.write(path, path.relative_to(folder))
    return data.getvalue()


def begin(folder: Path) -> league_settings.LeagueSettings:
    """A league in which the class plays; the hostile students are on the roster."""
    folder.mkdir()
    (folder / league_settings.FILE).write_text(TOML)
    settings = league_settings.read(folder / league_settings.FILE)
    roster = read_roster(CLASS / "roster.csv") + [(f"Mallory {name}", name) for name in attacks()]
    (folder / "roster.csv").write_text("\n".join(["name,id", *(f"{name},{ident}" for name, ident in roster), ""]))
    with Database(folder) as database:
        database.admit(database.add_version(None, "", "random"), identity_of("random", "hex"))
        database.add_people(roster)
        for person in database.people():
            if person.ident != ILLEGAL and (person.ident in FILES or (CLASS / person.ident).is_dir()):
                file = FILES.get(person.ident)
                data = (CLASS / file).read_bytes() if file else _zipped(CLASS / person.ident)
                version = take(database, settings, person, data, file or "player.zip")
                database.admit(version, identity_of(version.spec, "hex"))
    return settings


def attacks() -> list[str]:
    """The names of the hostile files."""
    return sorted(path.stem for path in HOSTILE.glob("*.py") if path.name not in LEFT_OUT)


def hostile_source(name: str, league: Path, outside: Path, process: int, other: str) -> bytes:
    """A hostile file that knows where things are."""
    text = (HOSTILE / f"{name}.py").read_text(encoding="utf-8")
    filled = {
        "STORE": league / "league.sqlite", "OUTSIDE": outside, "UNIX": outside / "socket", "PID": process,
        "OTHER": other, "ABSTRACT": "ludoteca", "DIGEST": "0" * 64,
    }  # fmt: skip
    for key, value in filled.items():
        text = text.replace(f"@{key}@", str(value))
    if "attempts" not in text:
        return text.encode()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("solution.py", text)
        archive.write(HOSTILE / "attempts.py", "attempts.py")
    return data.getvalue()


@contextmanager
def played(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The league being played and its hand-ins checked, until the end of the block."""
    command = [sys.executable, "-m", "ludoteca.cli", "league", "run", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=120)


def counts(database: Database) -> tuple[int, Counter[tuple[str, str]]]:
    """How many matches are played, and the faults of each student by kind."""
    names = {person.id: person.ident for person in database.people()}
    versions = {version.id: names.get(version.person or 0, version.spec) for version in database.versions()}
    pairs = {pair.id: pair for pair in database.pairs()}
    faults: Counter[tuple[str, str]] = Counter()
    outcomes = database.store.outcomes(database.run.id)
    for outcome in outcomes:
        if outcome.ending is not Ending.finished:
            pair = pairs[outcome.index // 2]
            seats = (pair.first, pair.second) if outcome.index % 2 == 0 else (pair.second, pair.first)
            loser = seats[1] if outcome.score == 1 else seats[0]
            faults[versions[loser], outcome.ending.value] += 1
    return len(outcomes), faults


def _innocent(faults: Counter[tuple[str, str]]) -> dict[str, int]:
    return {f"{who} {kind}": count for (who, kind), count in faults.items() if who not in attacks()}


def _digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def _processes_of(session: int) -> list[str]:
    """The processes that belong to a session, or to a sandbox of a session that has ended."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and int(fields[3]) == session:
            found.append(entry.name)
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.league.hostile", description="Hostile submissions.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the class plays alone")
    parser.add_argument("--patience", type=float, default=900.0, help="how long to wait for all checks")
    parser.add_argument("--matches", type=int, default=4, help="of each hostile version that passes its check")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it, and so would ours
    with tempfile.TemporaryDirectory() as temporary:
        folder, outside = Path(temporary) / "league", Path(temporary) / "outside"
        outside.mkdir()
        outside.chmod(0o777)
        settings = begin(folder)
        with Database(folder) as database:
            before_files = _digests(folder.joinpath(*HANDED_IN))
            other = next(version.spec for version in database.versions() if version.person == 2)
            with played(folder) as process:
                time.sleep(given.seconds)
                alone, faults_alone = counts(database)
                begun = time.monotonic()
                known = {person.ident: person for person in database.people()}
                for name in attacks():
                    data = hostile_source(name, folder, outside, process.pid, other)
                    try:
                        take(database, settings, known[name], data, f"{name}.py")
                    except InvalidAgent as error:
                        print(f"{name}: not taken: {translate(error.message, 'en')}")
                _wait(database, begun + given.patience, given.matches)
                seconds = time.monotonic() - begun
                survived = process.poll() is None
            whole, faults = counts(database)
            (intact,) = database.store.base.execute("PRAGMA integrity_check").fetchone()
            for person in database.people():
                if person.ident in attacks():
                    for version in database.versions(person.id):
                        ended = ", ".join(f"{n} {kind}" for (who, kind), n in faults.items() if who == person.ident)
                        reason = translate(version.reason, "en")[:110]
                        print(f"{person.ident}: {version.status.value} {reason} {f'[{ended}]' if ended else ''}")
        rates = 3600 * alone / given.seconds, 3600 * (whole - alone) / seconds
        print(f"matches an hour: alone {rates[0]:.0f}, with them {rates[1]:.0f}")
        print(f"faults of the class: alone {_innocent(faults_alone)}, in all {_innocent(faults)}")
        after = _digests(folder.joinpath(*HANDED_IN))
        changed = [name for name, digest in before_files.items() if after.get(name) != digest]
        print(f"the playing process survived: {survived}; the file is {intact}; changed files of others: {changed}")
        print(f"written outside: {os.listdir(outside)}; processes left: {_processes_of(process.pid)}")


def _wait(database: Database, until: float, matches: int) -> None:
    """Until every hostile version is refused, or has played."""
    names = set(attacks())
    while time.monotonic() < until:
        time.sleep(2)
        played = Counter(version for pair in database.pairs() for version in (pair.first, pair.second))
        people = {person.id for person in database.people() if person.ident in names}
        waiting = [
            version for version in database.versions()
            if version.person in people and version.status in (Status.checking, Status.playing)
            and (version.status is Status.checking or played[version.id] < matches / 2)
        ]  # fmt: skip
        if not waiting:
            return
    print("not all were decided in time")


if __name__ == "__main__":
    main()
