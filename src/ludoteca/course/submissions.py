"""The submissions of a folder: find them, copy them unchanged, and inspect them without running them.

Every submission plays from its own copy, in a folder named by a digest of its content. So no submission can read
another one's files, edits during a run change nothing, and a new version is a new submission. The copies are kept as
evidence of what played. ::

    .ludoteca/handed-in/1f3a9c20/ana/solution.py

Whatever a submission is or is called, it stops no other one: what cannot be read or copied is its own `problem`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
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
from ludoteca.messages import Message, is_utf8, joined, printable, say

OWN = HANDED_IN[0]
"""The folder beside ``course.toml`` that is ours."""
MOST_FILES, MOST_BYTES, DEEPEST = 2000, 256 << 20, 50
"""Files and folders, bytes, and folders within each other that a submission may have."""
LONGEST_NAME = 60
"""Characters of a submission's name; a file system has room for four bytes each."""
ARCHIVES = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst")


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


class _Refused(Exception):
    """A submission that cannot be taken; its argument is the reason."""


def found_in(copies: Path, settings: Settings) -> list[HandedIn]:
    """All submissions by their names, each copied as it is now. Raises InvalidOption where there are none."""
    handed_in = [*_handed_in(settings.folder)]
    unknown = sorted(settings.players.keys() - {name for name, _ in handed_in})
    if unknown:
        raise InvalidOption(
            "{file}: below [players] stands {names}, but no submission is called so", file=FILE, names=unknown
        )
    found = [take(copies, settings, name, path) for name, path in handed_in]
    if not found:
        raise InvalidOption(
            "there are no submissions in {folder}: a submission is a folder with a player in it, or one .py file",
            folder=settings.folder,
        )
    return found


def _handed_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Everything in a folder that somebody meant as a submission, each with a name of its own."""
    names = set[str]()
    try:
        paths = sorted(folder.iterdir(), key=lambda path: (path.name.casefold(), path.name))
    except OSError as error:
        raise InvalidOption("{path} cannot be read: {why}", path=folder, why=_reason(error)) from error
    for path in paths:
        if path.name.startswith(".") or path.name in IGNORED or not _is_meant(path):
            continue
        yield _own_name(path, names), path


def _is_meant(path: Path) -> bool:
    """Whether a file or folder stands for a submission, whether or not it can be one: a link or an archive cannot."""
    if path.name.lower().endswith((".py", *ARCHIVES)):
        return True
    try:
        return path.is_dir() and (path.is_symlink() or not os.path.lexists(path / FILE))
    except OSError:  # a folder that may not be entered
        return True


def _own_name(path: Path, names: set[str]) -> str:
    """What all tables call it: one line of text, not too long, and unlike every other name."""
    for name in (path.stem if path.name.endswith(".py") and not path.is_dir() else path.name, path.name):
        plain = " ".join(printable(name).split())
        plain = plain if plain and not plain.startswith(".") else f"�{plain}"  # it names a folder, too
        plain = plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
        if plain not in names:
            break
    name, number = plain, 1
    while name in names:
        number += 1
        name = f"{plain} ({number})"
    names.add(name)
    return name


def take(copies: Path, settings: Settings, name: str, path: Path) -> HandedIn:
    """A submission, copied as it is now; or the reason why it cannot be."""
    digest = ""
    try:
        files = _files(path)
        digest = _digest(files, alone=not path.is_dir())
        copy = copies.absolute() / digest / name
        if not copy.exists():
            _copy(files, copy)
        submission = _submission(copy, path, settings.players.get(name, ""))
        return HandedIn(name, digest, submission, problem_in(submission.file, copy, settings.packages))
    except _Refused as error:
        return HandedIn(name, digest, None, error.args[0])
    except InvalidAgent as error:
        return HandedIn(name, digest, None, joined([error.message]))
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        return HandedIn(name, digest, None, say("it cannot be read: {why}", why=_reason(error)))


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)[:200] or type(error).__name__


def _digest(files: dict[str, Path], *, alone: bool) -> str:
    whole = hashlib.sha256()
    for inner, file in files.items():
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        inner = SOLUTION if alone else inner  # what one file is called decides nothing
        whole.update(f"{inner}\0{digest}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()[:DIGITS]


def _files(path: Path) -> dict[str, Path]:
    """By their paths inside all plain files; links are left out, whatever they point to. Raises _Refused, OSError."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        raise _Refused(say("it is a link; hand in the file or folder itself"))
    if path.name.lower().endswith(ARCHIVES) and not stat.S_ISDIR(mode):
        raise _Refused(say("it is an archive; unpack it into a folder with a {file}", file=SOLUTION))
    if stat.S_ISDIR(mode):
        return _files_below(path)
    if not stat.S_ISREG(mode):
        raise _Refused(say("it is no ordinary file"))
    _check_size(0, path.stat().st_size)
    # Its author knows it by its name; but one that is called as a module would be in its way.
    stem = path.stem
    taken = stem in ALWAYS or (stem.isidentifier() and is_installed(stem)) or len(os.fsencode(path.name)) > 200
    return {SOLUTION if taken or not is_utf8(path.name) or path.suffix != ".py" else path.name: path}


def _files_below(folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    seen = size = 0
    waiting = [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        if depth > DEEPEST:
            raise _Refused(say("it has more than {most} folders within each other", most=DEEPEST))
        inner = []
        with os.scandir(place) as entries:
            for entry in entries:
                seen += 1
                _check_size(seen, size)
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    inner += [(Path(entry.path), depth + 1)] if entry.name not in IGNORED else []
                elif entry.is_file(follow_symlinks=False):
                    size += entry.stat(follow_symlinks=False).st_size
                    _check_size(seen, size)
                    found[Path(entry.path).relative_to(folder).as_posix()] = Path(entry.path)
        waiting += inner
    return dict(sorted(found.items()))


def _check_size(files: int, size: int) -> None:
    if files > MOST_FILES or size > MOST_BYTES:
        raise _Refused(say("it has more than {files} files or {size} MiB", files=MOST_FILES, size=MOST_BYTES >> 20))


def _copy(files: dict[str, Path], target: Path) -> None:
    """All or nothing: a copy that was interrupted is not there."""
    partial = target.with_name(f".{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        for inner, file in files.items():
            copy = partial / inner
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy, follow_symlinks=False)
        if not target.exists():  # no other process was faster
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _submission(copy: Path, handed_in: Path, player: str) -> Submission:
    """The copied submission. Raises InvalidAgent where no file or class in it can play.

    handed_in: the file or folder. player: what ``course.toml`` says of it, as in ``src/ai.py:MyPlayer``; or empty.
    """
    if player:
        return Submission.of(str(copy / player))
    if not handed_in.is_dir():
        return Submission.of(str(copy / (handed_in.name if (copy / handed_in.name).is_file() else SOLUTION)))
    found = Submission.of(str(copy))  # from here on it is known by its file
    return Submission.of(f"{found.file}:{found.found.player}" if found.found else str(found.file))
