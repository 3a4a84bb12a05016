"""What a sandboxed agent gets to see of the file system: Python, our package, and of strangers' files its own."""

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

__all__ = ["Sight", "of_agent", "of_python"]

_LIBRARIES = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
"""Where the C library and its like are. Of /etc nothing else."""


def of_python() -> list[str]:
    """Python with its packages, and our own package. Nothing of a project or home that merely is on its path."""
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(registry.PACKAGE)]
    places += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places += [*site.getsitepackages(), site.getusersitepackages()]
    places += [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    private = {os.path.expanduser("~"), os.getcwd(), "/"}  # a prefix may be anything, but must not open these
    wanted = {os.path.normpath(each) for each in places if os.path.isabs(each)}
    shown = {each for each in wanted if not any(_is_within(place, each) for place in private)} | {*_LIBRARIES}
    return _outermost({each for each in shown if os.path.exists(each)})


@dataclass(frozen=True)
class Sight:
    """What a sandbox gets to see of strangers' files."""

    shown: tuple[str, ...] = ()
    """Files and folders, absolute."""
    link: str = ""
    """One of them, or a folder above, that is also found under its last name where the sandbox's process stands.

    So a name that was relative to our current folder means the same there.
    """

    @classmethod
    def of(cls, spec: str) -> Sight:
        """For an agent. Runs nothing of it. Raises InvalidAgent."""
        link = ""
        if registry.is_file(spec) and not os.path.isabs(spec):
            first = _without_class(spec).split(os.sep)[0]
            link = os.path.abspath(first) if first not in ("", ".", "..", "~") else ""
        return cls(tuple(of_agent(spec)), link)


def of_agent(spec: str) -> list[str]:
    """The files and folders of a stranger's agent, absolute. Runs nothing of it. Raises InvalidAgent.

    A submission that is named by its folder sees that folder, and what it imports from the root of its project. One
    that is named by its file may stand among others': it sees that file, the modules and packages beside it that it
    imports, and what else beside it its source names; but nothing that is another submission: see `neighbours`.
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
    """The file, and what of its neighbourhood it imports or names, and those in turn. Single files, never folders.

    folder: by which the submission was named, if it was. Nothing that belongs to another submission is among them, and
    what its text does not say, because it imports by a name that it makes up, is not found.
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
        # by this the loader knows it again
        found |= {*[root / mark for mark in MARKS if (root / mark).is_file()][:1]}
    return found | {file}  # as it was named, if by a link


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
    """What lies beside a file, is called by its name in it, and is what an agent learnt; or is compiled code.

    No other file, whatever it is called: a store or a list of grades may lie there, and whoever wants it names it.
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
    """Without what is within another of them."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(_is_within(path, each) for each in kept):
            kept.append(path)
    return kept
