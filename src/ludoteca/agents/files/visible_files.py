"""The files of an agent that its sandbox shows, and that therefore decide its play: nothing else of the machine does.

A submission named by its folder sees that folder, and what it imports from the root of its project. A submission named
by its file may lie among others: it sees that file, the modules and packages beside it that it imports, and the weights
beside it that its source names. It sees nothing of another submission: see `neighbours`.
"""

from __future__ import annotations

import importlib
import os
import re
import site
import sysconfig
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents import registry
from ludoteca.agents.files.neighbours import Neighbours
from ludoteca.agents.files.places import IGNORED, LARGEST, MARKS, Places, imported, relative
from ludoteca.agents.files.requirements import FILE as REQUIREMENTS
from ludoteca.agents.files.submission import Submission
from ludoteca.errors import InvalidAgent

WEIGHTS = frozenset(
    [".bin", ".h5", ".joblib", ".json", ".npy", ".npz", ".onnx", ".pickle", ".pkl", ".pt", ".pth", ".safetensors"]
)
"""A file beside a flat submission is visible only under these names: a store or a list of grades may lie there too."""
MOST_FILES = 20_000
"""In a folder that names a submission: each counts for its identity."""


def visible_paths(spec: str) -> list[str]:
    """The absolute paths of an agent's files and folders, found without running its code. Raises InvalidAgent."""
    if not registry.is_file(spec):
        roots, needed = _module(registry.module_of(registry.name_of(spec)))
    else:
        submission = Submission.of(spec)
        roots = [] if submission.folder is None else [submission.folder]
        needed = _submission_needs(submission)
    paths = [*map(str, needed), *(path for root in roots for path in _shown(root, root.resolve())[0])]
    return outermost({os.path.abspath(path) for path in paths})


def submission_files(submission: Submission) -> dict[str, Path]:
    """Every file that a submission sees, by its path inside the submission or its project. Raises InvalidAgent."""
    found = {} if submission.folder is None else _files_in(submission.folder)
    inside = (submission.places.folder, *submission.places.roots)
    for path in _submission_needs(submission):
        place = next((each for each in inside if path.is_relative_to(each)), path.parent)
        found.setdefault(path.relative_to(place).as_posix(), path)
    return found


def python_files(submission: Submission) -> list[Path]:
    """The submission's file and its own modules that it imports, directly or not."""
    return sorted(each for each in _needed(submission.file, submission.places) if each.suffix == ".py")


def module_files(module: str) -> dict[str, Path]:
    """Every file that a class in a module sees, by its path: the whole package, or the module and what it imports.

    Imports nothing. Raises InvalidAgent where there is no such module.
    """
    roots, needed = _module(module)
    if not roots and not needed:
        raise InvalidAgent("there is no module called {module}", module=module.partition(".")[0])
    found = {name: path for root in roots for name, path in _files_in(root).items()}
    folder = os.path.commonpath([path.parent for path in needed]) if needed else ""
    return found | {os.path.relpath(path, folder): path for path in needed}


def _submission_needs(submission: Submission) -> set[Path]:
    """What it sees besides the folder that it was named by."""
    folder = submission.places.project
    if folder is not None and all(root.is_relative_to(folder) for root in submission.places.roots):
        return set()
    return _needed(submission.file, submission.places)


def _module(module: str) -> tuple[list[Path], set[Path]]:
    """The folders of a module's top-level package; or, of a module that is one file, the files."""
    registry.look_here()
    importlib.invalidate_caches()
    try:
        found = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        found = None
    if found is not None and found.submodule_search_locations:
        return [Path(root) for root in found.submodule_search_locations], set()
    if found is None or found.origin is None or not os.path.isfile(found.origin):
        return [], set()
    file = Path(found.origin)
    if file.parent.resolve() in _libraries():  # where neighbours have nothing to do with each other
        return [], {file}
    return [], _needed(file, Places(file.resolve()))


def _libraries() -> set[Path]:
    """Folders of installed packages."""
    known = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return {Path(each).resolve() for each in known | {*site.getsitepackages(), site.getusersitepackages()}}


def _files_in(folder: Path) -> dict[str, Path]:
    """Every file that `_shown` shows, by its path inside. Raises InvalidAgent for too many of them."""
    found: dict[str, Path] = {}
    waiting = [folder]
    while waiting:
        for entry in sorted(os.scandir(waiting.pop()), key=lambda entry: entry.name):
            path = Path(entry.path)
            if not _is_part(entry, folder.resolve()):
                continue
            if entry.is_dir():
                waiting.append(path)
            else:
                found[path.relative_to(folder).as_posix()] = path
        if len(found) > MOST_FILES:
            raise InvalidAgent(
                "{folder} holds more than {most} files; name the file that plays", folder=folder, most=MOST_FILES
            )
    return found


def _shown(folder: Path, root: Path) -> tuple[list[str], bool]:
    """The paths that show what is part of a folder: the folder itself where nothing else is in it, which is True."""
    paths: list[str] = []
    whole = True
    for entry in os.scandir(folder):
        if not _is_part(entry, root):
            whole = False
        elif entry.is_dir():
            inner, all_of_it = _shown(Path(entry.path), root)
            paths, whole = paths + inner, whole and all_of_it
        else:
            paths.append(entry.path)
    return ([str(folder)], True) if whole else (paths, False)


def _is_part(entry: os.DirEntry[str], root: Path) -> bool:
    """Whether a file or folder is part of what was handed in below `root`; a link is if it leads to a file in there."""
    if entry.name.startswith(".") or entry.name in IGNORED:
        return False
    if entry.is_symlink():
        return entry.is_file() and Path(entry.path).resolve().is_relative_to(root)
    return entry.is_dir() or entry.is_file()


def _needed(file: Path, places: Places) -> set[Path]:
    """The file and the files beside it that it imports or names, recursively. Files only, no folders.

    Files of other submissions are left out. Imports whose names are computed at run time are not found.
    """
    around = Neighbours(places)
    found: set[Path] = set()
    waiting = [places.file]
    while waiting:
        each = waiting.pop()
        if each not in found and around.is_own(each):
            found.add(each)
            if each.suffix == ".py":
                waiting += _imported(each, places)
                waiting += _named(each)
    beyond = [each for each in found if not each.is_relative_to(places.folder)]
    for root in {root for root in places.roots for each in beyond if each.is_relative_to(root)}:
        # the loader recognises the root by this file
        found |= {*[root / mark for mark in MARKS if (root / mark).is_file()][:1]}
    return found if file.resolve() == file.absolute() else found | {file}  # the name may be a link


def _imported(file: Path, places: Places) -> Iterator[Path]:
    tree = places.tree(file)
    dotted = [(name, None) for name in imported(tree)]
    above = [] if tree is None else relative(tree)
    for name, start in (*dotted, *((name, file.parents[min(level, len(file.parents)) - 1]) for level, name in above)):
        parts = name.split(".") if name else []
        for end in range(1, len(parts) + 1):
            if (found := places.own_module(".".join(parts[:end]), start)) is not None:
                yield found


def _named(file: Path) -> Iterator[Path]:
    """Weights and compiled modules beside a file whose names occur in its text, and requirements."""
    if file.stat().st_size > LARGEST:
        return
    words = set(re.findall(r"[\w.-]+", file.read_bytes().decode(errors="replace")))
    for path in file.parent.iterdir():
        learnt = path.suffix in WEIGHTS and path.name in words
        compiled = path.name.endswith(tuple(EXTENSION_SUFFIXES)) and path.name.partition(".")[0] in words
        if (learnt or compiled or path.name == REQUIREMENTS) and path.is_file():
            yield path


def outermost(paths: set[str]) -> list[str]:
    """The paths that are not inside of another of them."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(path == each or path.startswith(each.rstrip("/") + "/") for each in kept):
            kept.append(path)
    return kept
