"""Compares the sources of a league. What the teacher handed out does not count as shared.

The sources are text here and nothing else: a process with limits on time and memory tokenizes and compares them, so a
source that is huge, in no known encoding or made to be slow costs itself its place in the report and no other one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents.files.submission import Submission
from ludoteca.agents.registry import is_file, path_of_children
from ludoteca.errors import InvalidAgent, InvalidOption, extra
from ludoteca.league.database import Database, Status, Version
from ludoteca.messages import say

HANDOUTS = "handouts"
"""The folder beside ``league.toml`` with code that students were given."""
MOST_CHARACTERS = 100_000
"""Of one version; the rest is not compared."""
WALL_SECONDS = 900.0
"""For all comparisons together, on a busy machine."""
COMPARED = (Status.playing, Status.resting, Status.retired, Status.faulty, Status.banned)


@dataclass(frozen=True)
class Source:
    """A version's text."""

    version: int
    person: int | None
    """None for a baseline."""
    text: str
    cut: bool
    """Whether some of it was too long to be compared."""


@dataclass(frozen=True)
class Likeness:
    """What two versions of different students share."""

    one: int
    two: int
    share_of_one: float
    """How much of the first version's code is in the second, from 0 to 1."""
    share_of_two: float
    characters: int
    """How long the shared code is, without names, comments and spaces."""
    passages_of_one: tuple[tuple[int, int], ...]
    """Beginning and end of the shared passages in its text."""
    passages_of_two: tuple[tuple[int, int], ...]

    @property
    def share(self) -> float:
        """The larger of the two shares."""
        return max(self.share_of_one, self.share_of_two)


@dataclass(frozen=True)
class Comparison:
    """What each two students share, the most alike first: of two with several versions the two most alike."""

    sources: dict[int, Source]
    """By version."""
    likenesses: list[Likeness]
    skipped: list[int]
    """Versions that took too long or too much memory to be read."""


def compare(database: Database, *, all_versions: bool = False) -> Comparison:
    """Compare the versions that stand, or all that were handed in and checked, between different students.

    Raises MissingExtra where the library for it is not installed, and InvalidOption when it takes too long.
    """
    with extra("similarity", say("the similarity report")):
        if find_spec("copydetect") is None:
            raise ModuleNotFoundError(name="copydetect")
    standing = {person.standing for person in database.people()}
    versions = [
        each for each in database.versions()
        if each.person is not None and (each.id in standing or (all_versions and each.status in COMPARED))
    ]  # fmt: skip
    sources = {each.id: source for each in versions if (source := source_of(each)) is not None}
    given = handed_out(database)
    setup = {
        "path": path_of_children(), "handouts": given,
        "sources": [[each.version, each.person, each.text] for each in sources.values()],
    }  # fmt: skip
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ludoteca.league.similarity.child"],
            input=json.dumps(setup).encode(), capture_output=True, timeout=WALL_SECONDS, check=False,
            env=os.environ | {"MPLBACKEND": "Agg", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        found = json.loads(done.stdout) if done.returncode == 0 else None
    except (subprocess.TimeoutExpired, ValueError):
        found = None
    if found is None:
        raise InvalidOption(say("comparing the sources takes too long or too much memory"))
    likenesses = [
        Likeness(one, two, share_of_one, share_of_two, characters, _passages(first), _passages(second))
        for one, two, (share_of_one, share_of_two), characters, first, second in found["pairs"]
    ]
    most_alike: dict[frozenset[int | None], Likeness] = {}
    for each in sorted(likenesses, key=lambda each: -each.share):
        most_alike.setdefault(frozenset((sources[each.one].person, sources[each.two].person)), each)
    return Comparison(sources, list(most_alike.values()), found["skipped"])


def handed_out(database: Database) -> list[str]:
    """The texts that students were given: all Python files of the folder ``handouts``, and baselines that are files."""
    files = sorted((database.folder / HANDOUTS).rglob("*.py"))
    for version in database.versions():
        if version.person is None and is_file(version.spec):
            try:
                files.append(Submission.of(version.spec).file)
            except InvalidAgent:  # removed since
                continue
    return [_read(path, MOST_CHARACTERS) for path in files]


def source_of(version: Version) -> Source | None:
    """The text of all Python files of a version; None where none is left."""
    try:
        submission = Submission.of(version.spec)
    except InvalidAgent:  # its files were removed by hand
        return None
    folder = submission.folder
    files = [submission.file] if folder is None else sorted(folder.rglob("*.py"))
    text = ""
    for path in files:
        if not path.is_symlink() and path.is_file() and len(text) <= MOST_CHARACTERS:
            heading = "" if len(files) == 1 else f"# --- {path.name}\n"
            text += heading + _read(path, MOST_CHARACTERS + 1).rstrip() + "\n"
    return Source(version.id, version.person, text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS)


def _read(path: Path, most: int) -> str:
    """A text in whatever encoding: what is not UTF-8 is shown as �. Line ends are those of Unix."""
    with path.open("rb") as file:
        data = file.read(4 * most)
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return text[:most].lstrip("\n")


def _passages(pairs: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((int(start), int(end)) for start, end in pairs)
