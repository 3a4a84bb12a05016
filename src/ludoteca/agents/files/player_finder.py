"""Finds the player in a folder that has no ``solution.py`` at its top. Reads texts and runs nothing.

The folder may say itself which class it is, in a file ``submission.toml``::

    [submission]
    player = "src/ai/agent.py:MyPlayer"    # or only the file

Else it is the one class in the folder that can play, by the same rules as in one file.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ludoteca.agents.files.candidate import OTHER_METHODS, Candidate, last_ones, preferred
from ludoteca.agents.files.classes import Classes, candidate, classes
from ludoteca.agents.files.places import IGNORED, Places
from ludoteca.errors import InvalidAgent
from ludoteca.messages import Message, joined, say

SOLUTION = "solution.py"
"""The file of a submission that is a folder."""
SUBMISSION_FILE = "submission.toml"
"""Says which file and class of a folder is the player."""
MOST_FILES, MOST_BYTES = 300, 4 << 20
"""Python files that are read, and their size in all: they are read in our own process."""
MOST_NAMED = 8
"""Candidates that a message names."""
TESTS = frozenset(["test", "tests"])
"""Folders that are not searched for the player."""


@dataclass(frozen=True)
class Found:
    """Where the player of a folder is."""

    file: Path
    player: str
    """The name of its class; empty where the file shall show it."""
    why: Message


def split_player(text: str) -> tuple[str, str]:
    """A path and the class after its colon, which may be missing."""
    before, colon, player = text.rpartition(":")
    return (before, player) if colon and before and player.isidentifier() else (text, "")


def find_player(folder: Path, player: str = "") -> Found:
    """The player in a folder, or the class of this name. Raises InvalidAgent, naming those that could be meant."""
    named = folder / SUBMISSION_FILE
    if named.is_file() and not player:
        return _named_in(named)
    if (folder / SOLUTION).is_file():
        return Found(folder / SOLUTION, "", say("it is the only player in the file"))
    files = [*_python_files(folder)]
    solutions = [each for each in files if each.name == SOLUTION]
    if len(solutions) == 1 and not player:
        return Found(solutions[0], "", say("it is the only player in the file"))
    return _by_shape(folder, player, tuple((each, each.stat().st_mtime_ns, each.stat().st_size) for each in files))


@lru_cache(maxsize=64)
def _by_shape(folder: Path, player: str, files: tuple[tuple[Path, int, int], ...]) -> Found:
    """files: with the time of their last change and their size, so that each state of a folder is read once."""
    every = _candidates(folder, [path for path, _, _ in files])
    players = [each for each in every if each.is_player and each.takes_board and player in ("", each.name)]
    players = [each for each in players if each.plays_course] or players
    chosen = preferred(players)
    if chosen is not None:
        found, why = chosen
        assert found.file is not None
        if len(players) == 1:
            why = say("it is the only player in the folder")
        return Found(found.file, found.name, joined([why, found.file.relative_to(folder).as_posix()], "; "))
    raise InvalidAgent(_several(folder, players) if players else _none(folder, player, every))


def _named_in(file: Path) -> Found:
    """What ``submission.toml`` says."""
    try:
        table: Any = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("submission", {})
        text = table.get("player") if isinstance(table, dict) else None
    except (OSError, ValueError) as error:
        raise InvalidAgent("{file} is not TOML: {why}", file=SUBMISSION_FILE, why=error) from error
    if not isinstance(text, str):
        raise InvalidAgent('{file}: there is no line player = "file.py:Class" below [submission]', file=SUBMISSION_FILE)
    inner, player = split_player(text.replace("\\", "/"))
    path = file.parent / inner
    if not path.is_file() or not path.resolve().is_relative_to(file.parent.resolve()):
        raise InvalidAgent(
            "{file}: player = {text!r}, but there is no file {inner} in the folder",
            file=SUBMISSION_FILE,
            text=text,
            inner=inner,
        )
    return Found(path, player, say("{file} names it", file=SUBMISSION_FILE))


def _python_files(folder: Path) -> Iterator[Path]:
    """The Python files of a folder, those at its top first. Raises InvalidAgent for too many of them."""
    count = size = 0
    for root, folders, names in os.walk(folder):  # which follows no links
        hidden = IGNORED | TESTS
        folders[:] = sorted(each for each in folders if each not in hidden and not each.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            if not name.endswith(".py") or name.startswith((".", "test_")) or path.is_symlink() or not path.is_file():
                continue
            count, size = count + 1, size + path.stat().st_size
            if count > MOST_FILES or size > MOST_BYTES:
                raise InvalidAgent(
                    "{folder} has no {solution} and holds more than {files} Python files or {size} MiB of them; "
                    "name the file that plays",
                    folder=_name(folder),
                    solution=SOLUTION,
                    files=MOST_FILES,
                    size=MOST_BYTES >> 20,
                )
            yield path


def _candidates(folder: Path, files: Sequence[Path]) -> list[Candidate]:
    """The classes that each file defines itself."""
    project = folder.resolve()
    seen: dict[Path, Classes] = {}
    places = Places(project, project)
    found = []
    for file in files:
        own = classes(places.at(file.resolve()), seen)
        tree = places.tree(file.resolve())
        bodies = set() if tree is None else {*map(id, tree.body)}
        found += [dataclasses.replace(candidate(each, known), file=file) for each, known in own if id(each) in bodies]
    return found


def _several(folder: Path, players: Sequence[Candidate]) -> Message:
    last = last_ones(players) or players
    names = [_inner(each, folder) for each in last]
    return say(
        "{folder} has no {solution}, and more than one class in it can play: {names}. Say which one, by a file {file} "
        'in the folder with the lines [submission] and player = "{example}"; a teacher says it in course.toml, '
        "below [players]",
        folder=_name(folder), solution=SOLUTION, names=[*names[:MOST_NAMED], *(["…"] if names[MOST_NAMED:] else [])],
        file=SUBMISSION_FILE, example=names[0],
    )  # fmt: skip


def _none(folder: Path, player: str, every: Sequence[Candidate]) -> Message:
    if player:
        wrong = say("{folder}: no class {name} in it can play", folder=_name(folder), name=player)
    else:
        wrong = say(
            "{folder} has no {solution}, and no class in it has a method play(board) or act(view, limit)",
            folder=_name(folder), solution=SOLUTION,
        )  # fmt: skip
    for each in every:
        method = next((name for name in OTHER_METHODS if name in each.methods), "")
        if method and any("player" in name.lower() for name in (each.name, *each.ancestors)):
            near = say("{name} has {found}, which is not called: its name must be play",
                       name=_inner(each, folder), found=method)  # fmt: skip
            return joined([wrong, near], "; ")
    return wrong


def _inner(each: Candidate, folder: Path) -> str:
    assert each.file is not None
    return f"{each.file.relative_to(folder).as_posix()}:{each.name}"


def _name(folder: Path) -> str:
    return folder.absolute().name
