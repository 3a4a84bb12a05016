"""The submissions of a folder: find them, copy them unchanged, and inspect them without running them.

Every submission plays from its own copy, in a folder named by a digest of its content. So no submission can read
another one's files, edits during a run change nothing, and a new version is a new submission. The copies are kept as
evidence of what played. ::

    .ludoteca/handed-in/1f3a9c20/ana/solution.py
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludoteca.agents.files.places import IGNORED
from ludoteca.agents.files.player_finder import SOLUTION
from ludoteca.agents.files.submission import HANDED_IN, Submission
from ludoteca.agents.identity import DIGITS
from ludoteca.course.check.packages import ALWAYS, is_installed, problem_in
from ludoteca.course.settings import FILE, Settings
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.messages import Message, printable, say

__all__ = ["OWN", "HandedIn", "found_in"]

OWN = HANDED_IN[0]
"""The folder beside ``course.toml`` that is ours."""
MOST_FILES, MOST_BYTES = 2000, 256 << 20
"""That a submission may have."""


@dataclass(frozen=True)
class HandedIn:
    """What one student handed in."""

    name: str
    digest: str
    """Of everything that was handed in."""
    submission: Submission | None
    """The copy from which it plays; None where no file can play."""
    problem: Message | None = None
    """Why it cannot take part, if that can be seen without running it."""


def found_in(copies: Path, settings: Settings) -> list[HandedIn]:
    """All submissions by their names, each copied as it is now. Raises InvalidOption where there are none."""
    handed_in = [*_handed_in(settings.folder)]
    unknown = sorted(settings.players.keys() - {name for name, _ in handed_in})
    if unknown:
        raise InvalidOption(
            say("{file}: below [players] stands {names}, but no submission is called so", file=FILE, names=unknown)
        )
    found = [_taken(copies, settings, name, path) for name, path in handed_in]
    if not found:
        raise InvalidOption(
            say(
                "there are no submissions in {folder}: a submission is a folder with a player in it, or one .py file",
                folder=settings.folder,
            )
        )  # fmt: skip
    return found


def _handed_in(folder: Path) -> Iterator[tuple[str, Path]]:
    names = set[str]()
    for path in sorted(folder.iterdir(), key=lambda path: (path.name.casefold(), path.name)):
        if path.name.startswith(".") or path.name in IGNORED or path.is_symlink():
            continue
        if path.is_dir() and not (path / FILE).exists():
            name = path.name
        elif path.suffix == ".py" and path.is_file():
            name = path.stem
        else:
            continue
        name = printable(name)
        name = name if name not in names else printable(path.name)
        names.add(name)
        yield name, path


def _taken(copies: Path, settings: Settings, name: str, path: Path) -> HandedIn:
    """The submission, copied."""
    try:
        files = _files(path)
    except ValueError as error:
        return HandedIn(name, "", None, error.args[0])
    whole = hashlib.sha256()
    for inner, file in files.items():
        inner = inner if path.is_dir() else SOLUTION  # what one file is called decides nothing
        whole.update(f"{inner}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode(errors="surrogateescape"))
    digest = whole.hexdigest()[:DIGITS]
    copy = copies.absolute() / digest / name
    if not copy.exists():
        _copy(files, copy)
    try:
        submission = _submission(copy, path, settings.players.get(name, ""))
    except InvalidAgent as error:
        return HandedIn(name, digest, None, error.args[0])
    return HandedIn(name, digest, submission, problem_in(submission.file, copy, settings.packages))


def _files(path: Path) -> dict[str, Path]:
    """By their paths inside all plain files; links are left out, whatever they point to. Raises ValueError."""
    if path.is_file():  # its author knows it by its name; but one that is called as a module would be in its way
        taken = path.stem in ALWAYS or is_installed(path.stem)
        return {SOLUTION if taken else path.name: path}
    found: dict[str, Path] = {}
    size = 0
    for root, folders, names in os.walk(path):  # which follows no links
        folders[:] = sorted(each for each in folders if each not in IGNORED and not each.startswith("."))
        for name in sorted(names):
            file = Path(root, name)
            if name.startswith(".") or file.is_symlink() or not file.is_file():
                continue
            size += file.stat().st_size
            found[file.relative_to(path).as_posix()] = file
            if len(found) > MOST_FILES or size > MOST_BYTES:
                raise ValueError(
                    say(
                        "it has more than {files} files or {size} MiB",
                        files=MOST_FILES, size=MOST_BYTES >> 20,
                    )
                )  # fmt: skip
    return found


def _copy(files: dict[str, Path], target: Path) -> None:
    """All or nothing: a copy that was interrupted is not there."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for inner, file in files.items():
        copy = partial / inner
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy, follow_symlinks=False)
    if target.exists():  # another process was faster
        shutil.rmtree(partial)
    else:
        partial.rename(target)


def _submission(copy: Path, handed_in: Path, player: str) -> Submission:
    """The copied submission. Raises InvalidAgent where no file or class in it can play.

    handed_in: the file or folder. player: what ``course.toml`` says of it, as in ``src/ai.py:MyPlayer``; or empty.
    """
    if player:
        return Submission.of(str(copy / player))
    if not handed_in.is_dir():
        return Submission.of(str(copy / (handed_in.name if (copy / handed_in.name).is_file() else SOLUTION)))
    return Submission.of(str(copy))
