"""The class of ten in a league that is being played, for pictures of its pages."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver

from ludoteca.agents.digests import identity_of
from ludoteca.league import settings as league_settings
from ludoteca.league.database import Database, read_roster
from ludoteca.league.hand_in import check, take
from tools.page import wait_for_page

CLASS = Path(__file__).parents[1] / "docs/examples/league/class_of_ten"
SHOWN = "ana.perez"
"""The student whose page is shown; her first version was Carlos's."""
HAND_INS = [
    (SHOWN, "azar.py"), ("luis.pena", "peña.py"), ("maria.garcia", ""), ("john.smith", "john_smith_hw3.py"),
    ("emily.brown", "emily_brown.py"), ("carlos.ruiz", "azar.py"), ("sofia.lopez", "lenta.py"),
    ("ken.tanaka", "ken_tanaka.py"), ("diego.martin", "diego_martin.py"),
]  # fmt: skip
"""Who hands in which file, in this order; without a name the folder of this student. She hands in hers later."""
CHECKED = ("olivia.jones", "olivia_jones.py")
"""She hands in last, and is refused."""
TOML = """
title = "Artificial intelligence, spring"
game = "hex"
time = 0.2
baselines = ["random", "mcts:simulations=200"]
deadline = 2030-05-31 23:59:00
[options]
size = 7
"""
PAGES = {"league-board": "/league", "league-student": "/league/me", "league-teacher": "/league/teacher"}
READY = "return document.readyState === 'complete' && document.fonts.status === 'loaded'"


def zipped(folder: Path) -> bytes:
    """A folder as students hand it in."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in sorted(folder.rglob("*.py")):
            archive.write(path, path.relative_to(folder))
    return data.getvalue()


def hand_in_all(folder: Path) -> None:
    """A league in which the class has handed in; only the last one is checked, which takes seconds."""
    folder.mkdir(parents=True)
    (folder / league_settings.FILE).write_text(TOML)
    (folder / "roster.csv").write_bytes((CLASS / "roster.csv").read_bytes())
    settings = league_settings.read(folder / league_settings.FILE)
    with Database(folder) as database:
        for spec in settings.baselines:
            database.admit(database.add_version(None, "", spec), identity_of(spec, "hex"))
        database.add_people(read_roster(folder / "roster.csv"))
        people = {person.ident: person for person in database.people()}
        for ident, file in [*HAND_INS, CHECKED]:
            data = (CLASS / file).read_bytes() if file else zipped(CLASS / ident)
            version = take(database, settings, people[ident], data, file or "player.zip")
            if (ident, file) == CHECKED:
                check(database, settings, version)
            else:
                database.admit(version, identity_of(version.spec, "hex"))


@dataclass
class Viewer:
    """A student or a teacher, whose session a browser can use."""

    address: str
    token: str

    def lend(self, driver: webdriver.Chrome) -> None:
        """Sign the browser in."""
        cookie = {"name": "league", "value": self.token, "url": self.address}
        driver.execute_cdp_cmd("Network.setCookie", cookie)


def _wait_for_matches(database: Database, matches: int) -> None:
    while sum(rating.matches for rating in database.ratings().values()) < 2 * matches:
        time.sleep(1)


@contextmanager
def league_served(folder: Path, matches: int) -> Iterator[dict[str, Viewer]]:
    """The league's page once twice so many matches are played; within, by page who looks at it."""
    hand_in_all(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "ludoteca.cli", "league", "serve", str(folder), "--port", str(port)]
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ.copy()) as server,
        Database(folder) as database,
    ):
        try:
            wait_for_page(f"{address}/league/enter", server)
            student = next(person for person in database.people() if person.ident == SHOWN)
            codes = {"student": database.new_code(student.id), "teacher": database.new_teacher_code()}
            viewers = {kind: Viewer(address, database.sign_in(code) or "") for kind, code in codes.items()}
            _wait_for_matches(database, matches)
            data = zipped(CLASS / SHOWN)
            second = take(database, league_settings.read(folder / league_settings.FILE), student, data, "player.zip")
            while second.id not in database.ratings():
                time.sleep(1)
            _wait_for_matches(database, 2 * matches)
            yield {page: viewers["teacher" if page == "league-teacher" else "student"] for page in PAGES}
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
