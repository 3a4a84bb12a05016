"""The files that decide how an agent plays: its source, the modules beside it, its weights."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from importlib.machinery import all_suffixes
from pathlib import Path

from ludoteca.agents import registry
from ludoteca.agents.files.places import read_tree
from ludoteca.agents.files.player_finder import SOLUTION
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import WEIGHTS, submission_files

CODE = frozenset(all_suffixes()) - {".pyc"}
Sources = dict[str, Path]
"""Files by the names under which they count; the folder that holds all of them is no part of a name."""


def of_submission(submission: Submission) -> Sources:
    """Every file that a submission's sandbox shows, and what lies beside it if it may import that without a sandbox."""
    found = submission_files(submission)
    if submission.file.name == SOLUTION or submission.places.imports_by_name(found.values()):
        return _beside(submission.file) | found
    return found


def _beside(file: Path) -> Sources:
    """A file, the modules and packages beside it, and their weights."""
    folder = file.parent
    found = {file.name: file, **_within(folder, folder.iterdir())}
    for package in folder.iterdir():
        if (package / "__init__.py").is_file():
            found |= _within(folder, package.rglob("*"))
    return found


def of_ours(module: str, game: str) -> Sources:
    """One of our agents' modules and what it imports from our other agents, without the folders of other games."""
    others = {path.name for path in (registry.PACKAGE / "games").iterdir() if path.is_dir()} - {game}
    found: Sources = {}
    waiting = [module]
    while waiting:
        path = registry.PACKAGE.parent / (waiting.pop().replace(".", "/") + ".py")
        name = path.relative_to(registry.PACKAGE).as_posix()
        if path.is_file() and name not in found and path.parent.name not in others:
            found[name] = path
            waiting += [each for each in _imports(path) if each.startswith(("ludoteca.agents.", "ludoteca.adapters."))]
    return found


def of_command(command: str) -> list[Path]:
    """The files behind a command line: its program, the files that it names, and what its scripts name, in order.

    In a script these are paths that exist, seen from the script's folder or the current one, the program after
    ``exec``, and Python modules beside it. A path that a script computes is not found.
    """
    try:
        program, *arguments = shlex.split(command)
    except ValueError:
        return []
    where = shutil.which(program)
    found = [] if where is None else [Path(where).resolve()]
    for word in arguments:
        paths = [Path(text).expanduser() for text in (word, word.partition("=")[2])]
        found += [path.resolve() for path in paths if path.is_file()]
    for path in found:  # which grows
        if len(found) < MOST_FILES:
            found += [each for each in dict.fromkeys(_in_script(path)) if each not in found]
    return found


MOST_FILES = 1000
LONGEST_SCRIPT = 1 << 18
_COMPUTED = re.compile(r"\$\([^()]*\)|\$\{[^}]*\}|\$\w+")
"""Parts of a shell word that are computed, such as ``$(dirname "$0")``."""
_EXEC = re.compile(r"\bexec\s+([\w.+-]+)")
_WORD = re.compile(r"[^\s'\"`()<>;|&=,\[\]{}]+")


def _in_script(path: Path) -> Iterator[Path]:
    """The files that a script names; nothing for a file that is no script."""
    with path.open("rb") as file:
        data = file.read(LONGEST_SCRIPT + 1)
    if len(data) > LONGEST_SCRIPT or b"\0" in data:
        return
    text = data.decode(errors="replace")
    lines = text.partition("\n")[2] if text.startswith("#!") else text
    for name in _EXEC.findall(lines):
        if (where := shutil.which(name)) is not None:
            yield Path(where).resolve()
    folder = path.parent
    for word in _WORD.findall(_COMPUTED.sub("", lines)):
        beside = word.lstrip("/")
        names = [word, folder / beside] if "/" in word else [folder / beside]
        if path.suffix == ".py":
            names.append(folder / f"{beside.replace('.', '/')}.py")
        for each in names:
            try:
                if Path(each).is_file():
                    yield Path(each).resolve()
            except (OSError, ValueError):  # no path at all
                continue


def of_paths(paths: Iterable[str]) -> list[Path]:
    """These files, and every file in these folders, in order."""
    found = []
    for path in (Path(each.strip()).expanduser() for each in paths):
        if path.is_dir():
            found += sorted(each for each in path.rglob("*") if each.is_file())
        elif path.is_file():
            found.append(path)
    return found


def state(files: Sources) -> tuple[object, ...]:
    """A value that changes when one of the files is touched; cheaper than a digest."""
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in ((n, p.stat()) for n, p in files.items()))


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(read_tree(file)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.rpartition(".")[0]  # a class that is imported by its name when needed


def _within(folder: Path, paths: Iterable[Path]) -> Sources:
    return {
        path.relative_to(folder).as_posix(): path
        for path in paths
        if (path.name.endswith(tuple(CODE)) or path.suffix in WEIGHTS) and path.is_file()
    }
