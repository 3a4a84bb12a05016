"""Where a submitted file's own modules are: beside it, or in the project around it. Parses files and runs nothing."""

from __future__ import annotations

import ast
import contextlib
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ludoteca.messages import Message, say

IGNORED = frozenset(["__pycache__", "site", "node_modules", "venv", "__MACOSX"])
"""Folders that do not belong to a submission. Files and folders whose names begin with a dot do not either."""
HIGHEST = 4
"""The root of a project is at most this many folders above the file."""
MARKS = (".git", "pyproject.toml", "setup.py", "requirements.txt", "main.py", "README.md")
"""Files and folders that mark the root of a project."""
BY_NAME = frozenset({"import_module", "__import__", "exec", "run_path", "run_module", "spec_from_file_location"})
"""A file that calls one of these may import modules that its text does not name."""


LARGEST, BUSIEST = 16 << 20, 300_000
"""Limits of a file that is parsed: bytes, and signs and spaces. Each sign may cost a thousand bytes of syntax tree."""


_PARSING = threading.Lock()
"""CPython 3.11 counts the depth of a syntax tree for all threads together: two that parse at once raise SystemError."""
_TRIES = 20
"""The standard library parses without our lock: `inspect.signature` does, for a moment. Then we parse again."""


def read_tree(file: Path) -> ast.Module:
    """The file's syntax tree. Raises OSError, SyntaxError, ValueError, RecursionError or MemoryError.

    Strangers' files are parsed in our own process, so a file that would fill its memory is refused.
    """
    large = file.stat().st_size > LARGEST
    text = b"" if large else file.read_bytes()
    signs = len(text) - len(text.translate(None, b" \t\n\r,;:.()[]{}=+-*/%<>&|^~@!"))
    if large or signs > BUSIEST:
        raise ValueError(say("it is too large; put what is data into a file of its own"))
    with _PARSING:
        for _ in range(_TRIES - 1):
            with contextlib.suppress(SystemError):
                return ast.parse(text)
        return ast.parse(text)


def encoding_hint(file: Path) -> Message | None:
    """What to do about a file that is no Python because of its encoding; None where that is not the reason."""
    with contextlib.suppress(OSError), file.open("rb") as opened:
        data = opened.read(LARGEST)
        if b"\0" in data or data.decode(errors="ignore").encode() != data:
            return say("It is not saved as UTF-8: save it again with that encoding.")
    return None


def parsed(file: Path) -> ast.Module | None:
    """The file's syntax tree; None if it is not Python or too large."""
    try:
        return read_tree(file)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@dataclass(frozen=True)
class Places:
    """Where one file finds its modules."""

    file: Path
    """Resolved."""
    project: Path | None = None
    """The folder that was handed in, resolved; the file may import from it. None if only a file was handed in."""
    _trees: dict[Path, ast.Module | None] = field(default_factory=dict, compare=False, repr=False)

    def at(self, file: Path) -> Places:
        """The places of another file; both share the syntax trees."""
        return Places(file, self.project, self._trees)

    def tree(self, file: Path | None = None) -> ast.Module | None:
        """The syntax tree of the file, or of another one; None if it is not Python or too large."""
        file = self.file if file is None else file
        if file not in self._trees:
            self._trees[file] = parsed(file)
        return self._trees[file]

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.parent

    @cached_property
    def roots(self) -> tuple[Path, ...]:
        """The folders above it from which it imports: for ``from src.player import Player`` the one that holds ``src``.

        The folder that was handed in comes last.
        """
        found: list[Path] = []
        for name in sorted({dotted.partition(".")[0] for dotted in imported(self.tree())}):
            if not _module_in(self.folder, name) and name not in sys.stdlib_module_names:
                found += [each for each in self._above() if _module_in(each, name) and self._is_root(each, name)][:1]
        if self.project is not None and self.project != self.folder:
            found.append(self.project)
        return tuple(dict.fromkeys(found))

    def own_module(self, dotted: str, start: Path | None = None) -> Path | None:
        """The file of a module in one of these places; None if there is none."""
        for place in (self.folder, *self.roots) if start is None else (start,):
            path = place.joinpath(*dotted.split("."))
            for each in (path.with_suffix(".py"), path / "__init__.py"):
                if each.is_file():
                    return each
        return None

    def imports_by_name(self, files: Iterable[Path]) -> bool:
        """Whether one of these files may import modules that its text does not name."""
        return any(file.suffix == ".py" and _imports_by_name(self.tree(file)) for file in files)

    def _above(self) -> list[Path]:
        return [each for each in self.folder.parents[:HIGHEST] if each != Path.home() and each.parent != each]

    def _is_root(self, folder: Path, name: str) -> bool:
        on_the_way = (folder / name) in (self.folder, *self.folder.parents)
        return on_the_way or any((folder / mark).exists() for mark in MARKS)


def imported(tree: ast.Module | None) -> list[str]:
    """The dotted names that a file imports anywhere. ``from a import b`` gives ``a`` and ``a.b``: b may be a module."""
    names: list[str] = []
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    return names


def packages(tree: ast.Module | None, is_module: Callable[[str], bool]) -> set[str]:
    """The packages that a file's imports need: ``src`` and ``src.game`` for ``src.game.board``.

    is_module: whether a name that is imported from a package is a module, as in ``from src import board``.
    """
    modules: list[str] = []
    found: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Import):
            modules += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.append(node.module)
            if all(is_module(each.name) for each in node.names):
                found.add(node.module)
    for name in modules:
        parts = name.split(".")
        found |= {".".join(parts[:end]) for end in range(1, len(parts))}
    return found


def relative(tree: ast.Module) -> list[tuple[int, str]]:
    """The relative imports of a file: how many levels up, and the name."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            found += [(node.level, ".".join(filter(None, (node.module, each.name)))) for each in node.names]
            found.append((node.level, node.module or ""))
    return found


def _imports_by_name(tree: ast.Module | None) -> bool:
    if tree is None:
        return True
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(getattr(each, "attr", getattr(each, "id", "")) in BY_NAME for each in called)


def _module_in(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()
