"""The packages that a submission needs, read from its text; which of them a course offers, and which are installed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents.files.modules import COURSE
from ludoteca.agents.files.places import Places, encoding_hint, read_tree
from ludoteca.agents.files.requirements import MODULES
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import python_files
from ludoteca.messages import Message, joined, say

ALWAYS = frozenset({*sys.stdlib_module_names, *COURSE, "ludoteca"})
"""What every submission may import."""


class NoPython(Exception):
    """A file that cannot be read as Python; its message names the line."""


@dataclass(frozen=True)
class Import:
    """An import of a package: not part of the submission and not available to every submission."""

    file: str
    """The file, by its path in the submission."""
    line: int
    module: str
    """The top-level module."""
    sure: bool
    """Whether it happens as soon as the file is imported; inside `try` or a function it may never happen.

    False too for a dotted name that is not installed: it may be one of the course's modules in another place.
    """

    def not_offered(self) -> Message:
        """The problem if the course does not offer it."""
        return say(
            "{file}, line {line}: it imports {module}, which this course does not offer",
            file=self.file, line=self.line, module=self.module,
        )  # fmt: skip

    def not_installed(self) -> Message:
        """The problem if it is not installed."""
        return say(
            "{file}, line {line}: it imports {module}, which is not installed here",
            file=self.file, line=self.line, module=self.module,
        )  # fmt: skip


def foreign(places: Places, folder: Path) -> Iterator[Import]:
    """The imports of packages by a file and by its own modules in a resolved folder. Raises NoPython."""
    waiting, seen = [places.file], {places.file}
    while waiting:
        file = waiting.pop(0)
        inner = file.relative_to(folder).as_posix()
        tree = places.tree(file) or _parsed(file, inner)  # parsed again only for the error
        for node, name in imported_by(tree):
            top = name.partition(".")[0]
            own = _own_module(top, {file.parent, places.folder, folder})
            if own is not None:
                waiting += [own] if own not in seen and own.is_file() else []
                seen.add(own)
            elif top not in ALWAYS:
                yield Import(inner, node.lineno, top, node in tree.body and ("." not in name or is_installed(top)))


def stand_ins(submission: Submission) -> list[str]:
    """The course's modules that a submission imports without having them: the base class and the board are then ours.

    As in ``player (Player)``, by the names of the modules.
    """
    places, found = submission.places, dict[str, set[str]]()
    for file in python_files(submission):
        tree = places.tree(file)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.ImportFrom) and node.module and node.module.rpartition(".")[2] in COURSE:
                start = file.parents[node.level - 1] if node.level else None
                known = places.own_module(node.module, start) or _own_module(
                    node.module.partition(".")[0], {file.parent, places.folder, places.project or places.folder}
                )
                if known is None or (start is not None and places.own_module(node.module, start) is None):
                    found.setdefault(node.module, set()).update(each.name for each in node.names)
    return [f"{module} ({', '.join(sorted(names))})" for module, names in sorted(found.items())]


def problem_in(solution: Path, folder: Path, packages: Sequence[str]) -> Message | None:
    """The first certain import that a course with these packages does not offer; or why the file is not Python."""
    offered = {module for each in packages for module in modules_of(each)}
    try:
        return next((each.not_offered() for each in foreign(Places(solution.resolve()), folder.resolve())
                     if each.sure and each.module not in offered), None)  # fmt: skip
    except NoPython as error:
        wrong: Message = error.args[0]
        return wrong


def _parsed(file: Path, inner: str) -> ast.Module:
    try:
        return read_tree(file)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = error.msg if isinstance(error, SyntaxError) else (error.args or [type(error).__name__])[0]
        line = getattr(error, "lineno", None) or 1
        wrong = say("{file}, line {line}: this is not Python: {why}", file=inner, line=line, why=why)
        hint = encoding_hint(file)
        raise NoPython(wrong if hint is None else joined([wrong, hint], ". ")) from error


def imported_by(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """The absolute imports of a module, in the order of its lines."""
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node, node.module))
    yield from sorted(found, key=lambda each: each[0].lineno)


def _own_module(name: str, folders: set[Path]) -> Path | None:
    """The file or folder of a module that was handed in."""
    for folder in sorted(folders):
        for path in (folder / f"{name}.py", folder / name / "__init__.py", folder / name):
            if path.exists():
                return path
    return None


def is_installed(module: str) -> bool:
    """Whether a module is installed; a folder of that name without code does not count."""
    try:
        found = find_spec(module)
        return found is not None and found.origin is not None
    except (ImportError, ValueError):
        return False


def modules_of(requirement: str) -> frozenset[str]:
    """The modules of a package: mostly its own name, but for ``scikit-learn`` it is ``sklearn``.

    >>> sorted(modules_of("numpy >= 1.26")), sorted(modules_of("opencv-python"))
    (['numpy'], ['cv2', 'opencv_python'])
    """
    for end in "<>=!~;[ ":
        requirement = requirement.partition(end)[0]
    package = _plain(requirement)
    known = {module for module, each in MODULES.items() if each == package}
    installed = {module for module, each in _installed().items() if package in map(_plain, each)}
    return frozenset({requirement.strip().replace("-", "_"), *known, *installed})


@cache
def _installed() -> Mapping[str, list[str]]:
    """For each module the packages that bring it; slow to compute."""
    return packages_distributions()


def _plain(package: str) -> str:
    return package.strip().lower().replace("_", "-")


def missing_packages(packages: Sequence[str]) -> list[str]:
    """Those that are not installed here."""
    return [each for each in packages if not any(map(is_installed, modules_of(each)))]
