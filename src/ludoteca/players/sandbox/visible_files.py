"""The files that a sandboxed agent sees: Python, our package and the agent's own files."""

from __future__ import annotations

import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents import files, registry
from ludoteca.agents.files.neighbours import Neighbours
from ludoteca.agents.files.places import LARGEST, MARKS, Places, imported, parsed, relative
from ludoteca.agents.files.requirements import FILE as REQUIREMENTS
from ludoteca.agents.source_files import WEIGHTS

__all__ = ["VisibleFiles", "agent_paths", "python_paths"]

_LIBRARIES = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
"""The C library and other system libraries. Nothing else of /etc is visible."""


def python_paths() -> list[str]:
    """Python with its packages, and our package. A project or home folder that is on `sys.path` is not visible."""
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(registry.PACKAGE)]
    folders += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    folders += [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    private = {os.path.expanduser("~"), os.getcwd(), "/"}  # a prefix may contain these, but they stay hidden
    wanted = {os.path.normpath(each) for each in folders if os.path.isabs(each)}
    visible = {each for each in wanted if not any(_is_within(folder, each) for folder in private)} | {*_LIBRARIES}
    return _outermost({each for each in visible if os.path.exists(each)})


@dataclass(frozen=True)
class VisibleFiles:
    """The files of an agent that its sandbox sees."""

    paths: tuple[str, ...] = ()
    """Absolute paths of files and folders."""
    link: str = ""
    """One of them, or a folder above, to which a symbolic link in the sandbox's current folder points.

    So a path relative to our current folder works there, too.
    """

    @classmethod
    def of(cls, spec: str) -> VisibleFiles:
        """The files of an agent, found without running its code. Raises InvalidAgent."""
        link = ""
        if registry.is_file(spec) and not os.path.isabs(spec):
            first = _without_class(spec).split(os.sep)[0]
            link = os.path.abspath(first) if first not in ("", ".", "..", "~") else ""
        return cls(tuple(agent_paths(spec)), link)


def agent_paths(spec: str) -> list[str]:
    """The absolute paths of an agent's files and folders, found without running its code. Raises InvalidAgent.

    A submission named by its folder sees that folder, and what it imports from the root of its project. A submission
    named by its file may lie among others: it sees that file, the modules and packages beside it that it imports, and
    the data files beside it that its source names. It sees nothing of another submission: see `neighbours`.
    """
    if not registry.is_file(spec):
        return _outermost({os.path.abspath(each) for each in _of_module(registry.module_of(registry.name_of(spec)))})
    file, named = files.source_file(spec), _without_class(spec)
    whole = [Path(named)] if os.path.isdir(named) else []
    needed = _needed(file, *whole) if not whole or Places(file.resolve()).roots else ()
    return _outermost({os.path.abspath(each) for each in (*whole, *needed)})


def _without_class(spec: str) -> str:
    """The path of ``path:Class``."""
    named = registry.name_of(spec)
    path, colon, player = named.rpartition(":")
    return path if colon and path and player.isidentifier() else named


def _of_module(module: str) -> Iterator[str]:
    registry.look_here()
    top = module.partition(".")[0]
    try:
        found = find_spec(top)
    except (ImportError, ValueError):
        found = None
    if found is not None and found.submodule_search_locations:
        yield from found.submodule_search_locations
    elif found is not None and found.origin is not None and os.path.isfile(found.origin):
        yield from map(str, _needed(Path(found.origin)))


def _needed(file: Path, folder: Path | None = None) -> set[Path]:
    """The file and the files beside it that it imports or names, recursively. Files only, no folders.

    folder: the folder that names the submission, if there is one. Files of other submissions are left out. Imports
    whose names are computed at run time are not found.
    """
    places = Places(file.resolve())
    around = Neighbours(places.file, folder)
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
    return found | {file}  # the name may be a link


def _imported(file: Path, places: Places) -> Iterator[Path]:
    tree = parsed(file)
    dotted = [(name, None) for name in imported(tree)]
    above = [] if tree is None else relative(tree)
    for name, start in (*dotted, *((name, file.parents[min(level, len(file.parents)) - 1]) for level, name in above)):
        parts = name.split(".") if name else []
        for end in range(1, len(parts) + 1):
            if (found := places.own_module(".".join(parts[:end]), start)) is not None:
                yield found


def _named(file: Path) -> Iterator[Path]:
    """Weights and compiled modules beside a file whose names occur in its text, and requirements.

    No other file: a store or a list of grades may lie there, and its name in the text must not make it visible.
    """
    if file.stat().st_size > LARGEST:
        return
    words = set(re.findall(r"[\w.-]+", file.read_bytes().decode(errors="replace")))
    for path in file.parent.iterdir():
        learnt = path.suffix in WEIGHTS and path.name in words
        compiled = path.name.endswith(tuple(EXTENSION_SUFFIXES)) and path.name.partition(".")[0] in words
        if (learnt or compiled or path.name == REQUIREMENTS) and path.is_file():
            yield path


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _outermost(paths: set[str]) -> list[str]:
    """The paths that are not inside of another of them."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(_is_within(path, each) for each in kept):
            kept.append(path)
    return kept
