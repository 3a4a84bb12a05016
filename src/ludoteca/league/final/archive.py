"""The archive of a league: one zip from which its matches replay years later, and which holds no code to sign in with.

::

    README.txt               how to replay, in the language of the teacher
    league.toml, roster.csv  as they were
    grades.csv               and the files for Moodle and Canvas
    ludoteca/arena.sqlite    the store: all matches of the league and of its final
    sources/DIGEST/ID/       every version that was handed in
    packages.txt             the versions of Python, Ludoteca and all packages
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ludoteca.agents.files.submission import Submission, handed_in_folder
from ludoteca.errors import InvalidAgent
from ludoteca.league.database import Database
from ludoteca.league.settings import FILE, LeagueSettings
from ludoteca.messages import Speaker

NAME = "archive.zip"
STORE = "ludoteca/arena.sqlite"
"""Where the page looks for its store below XDG_STATE_HOME."""
EMPTIED = (
    "UPDATE league_people SET code = NULL", "DELETE FROM league_teachers", "DELETE FROM league_sessions",
    "DELETE FROM last_runs", "DELETE FROM invitations",
)  # fmt: skip
"""Codes and sessions, and what no replay needs."""


def write_archive(database: Database, settings: LeagueSettings, folder: Path, speaker: Speaker) -> Path:
    """Write the archive of a league into the folder of its final, whole or not at all, for its owner alone."""
    readme = _readme(settings.course.title, speaker)
    partial = folder / f".{NAME}.partial"
    partial.touch(0o600)
    with TemporaryDirectory(prefix="ludoteca-archive-") as temporary:
        store = Path(temporary) / "store.sqlite"
        _copy_store(database, store)
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            archive.writestr("README.txt", readme)
            archive.writestr("packages.txt", packages())
            for name in (FILE, "roster.csv"):
                archive.write(database.folder / name, name)
            for path in sorted(folder.glob("*.csv")):
                archive.write(path, path.name)
            archive.write(store, STORE)
            for source in _sources(database):
                for path in sorted(each for each in source.rglob("*") if each.is_file() and not each.is_symlink()):
                    inner = path.relative_to(source.parents[1])
                    archive.write(path, str(Path("sources") / inner))
    return partial.replace(folder / NAME)


def _readme(title: str, speaker: Speaker) -> str:
    return speaker.say(
        """\
{title}

This archive holds a league that was played with Ludoteca {version}, and all that you need to see it again.

    pip install ludoteca=={version}
    ludoteca show --store {store}
    ludoteca replay RUN MATCH --store {store}
    XDG_STATE_HOME="$PWD" ludoteca serve

The first command lists all runs: the league and its final. The second shows a match, board by board. The third opens
the page.

A match replays from its record alone: the game, the deal and the actions. To let the players play again you also need
their sources (in the folder sources, by digest and id; roster.csv says whose id it is) and the packages of
packages.txt. There are no codes in this file, so it lets nobody sign in.
""",
        title=title, version=importlib.metadata.version("ludoteca"), store=STORE,
    )  # fmt: skip


def packages() -> str:
    """The versions of Python and of every installed package."""
    lines = set[str]()
    for each in importlib.metadata.distributions():
        head = (each.read_text("METADATA") or "").partition("\n\n")[0]  # much quicker than to parse it all
        name, number = (re.search(rf"^{field}: (.+)$", head, re.MULTILINE) for field in ("Name", "Version"))
        if name is not None and number is not None:
            lines.add(f"{name[1]}=={number[1]}")
    return "\n".join(
        [f"# Python {platform.python_version()}, {platform.platform()}", *sorted(lines, key=str.lower), ""]
    )


def _copy_store(database: Database, target: Path) -> None:
    """A copy of the store as it is now, without codes; nothing that was deleted is left in it."""
    copy = sqlite3.connect(target, isolation_level=None)
    try:
        os.chmod(target, 0o600)
        database.store.base.backup(copy)
        for statement in EMPTIED:
            copy.execute(statement)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("VACUUM")
    finally:
        copy.close()


def _sources(database: Database) -> Iterator[Path]:
    """The folders of all versions that students handed in, each once."""
    seen = set[Path]()
    for version in database.versions():
        if version.person is None:
            continue
        try:
            folder = handed_in_folder(Submission.of(version.spec).file.absolute())
        except InvalidAgent:  # its files were removed by hand
            continue
        if folder is not None and folder not in seen:
            seen.add(folder)
            yield folder
