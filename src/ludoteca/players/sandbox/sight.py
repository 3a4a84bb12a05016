"""What a sandboxed agent gets to see of the file system: Python, our package, and of strangers' files its own."""

from __future__ import annotations

import ast
import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents import entries, files

__all__ = ["of_agent", "of_python"]

ROOTS_ABOVE = 3
"""So many folders above a file's own may be the root of its project, from which it imports."""
_LIBRARIES = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
"""Where the C library and its like are. Of /etc nothing else."""


def of_python() -> list[str]:
    """Python with its packages, and our own package. Nothing of a project or home that merely is on its path."""
    places = [*_LIBRARIES, sys.prefix, sys.base_prefix, sys.exec_prefix, str(entries.PACKAGE)]
    places += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places += [*site.getsitepackages(), site.getusersitepackages()]
    places += [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    private = {str(Path.home()), os.getcwd(), "/"}  # a prefix may be anything, but must not open these
    wanted = {os.path.normpath(each) for each in places if os.path.isabs(each) and os.path.exists(each)}
    return _outermost({each for each in wanted if not any(_is_within(place, each) for place in private)})


def of_agent(spec: str) -> list[str]:
    """The files and folders of a stranger's agent, absolute. Runs nothing of it. Raises InvalidAgent.

    A submission that is named by its folder sees that folder. One that is named by its file may stand among others': it
    sees that file, the modules and packages beside it that it imports, and what else beside it its source names.
    """
    if not entries.is_file(spec):
        return _outermost({os.path.abspath(each) for each in _of_module(entries.module_of(entries.name_of(spec)))})
    named, file = entries.name_of(spec), files.source_file(spec)
    folder = named if os.path.isdir(named) else named.rpartition(":")[0]
    if os.path.isdir(folder):
        return [os.path.abspath(folder)]
    return _outermost({os.path.abspath(each) for each in _needed(file)})


def _of_module(module: str) -> Iterator[str]:
    entries.look_here()
    top = module.partition(".")[0]
    try:
        found = find_spec(top)
    except (ImportError, ValueError):
        found = None
    if found is not None and found.submodule_search_locations:
        yield from found.submodule_search_locations
    elif found is not None and found.origin is not None and os.path.isfile(found.origin):
        yield from map(str, _needed(Path(found.origin)))


def _needed(file: Path) -> set[Path]:
    """The file, and what of its neighbourhood it imports or names, and those in turn."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        each = waiting.pop()
        if each in found:
            continue
        found.add(each)
        if each.suffix == ".py":
            waiting += _mentioned(each)
        elif each.is_dir():
            waiting += each.rglob("*.py")
    return found


def _mentioned(file: Path) -> Iterator[Path]:
    try:
        source = file.read_bytes().decode(errors="replace")
        modules = {name.partition(".")[0] for name in _imports(ast.parse(source))}
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    words = set(re.findall(r"[\w.-]+", source))
    above = [Path(os.path.abspath(file)).parent]
    above += above[0].parents[:ROOTS_ABOVE]
    for module in modules:
        for folder in above:
            beside = [folder / f"{module}.py", folder / module]
            if any(each.exists() for each in beside):
                yield from (each for each in beside if each.exists() and not _is_within(os.getcwd(), str(each)))
                break
    for path in above[0].iterdir():
        if path.name in words and path.suffix != ".py" and path.is_file():
            yield path


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.module:
                yield node.module
            else:
                yield from (each.name for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _outermost(paths: set[str]) -> list[str]:
    """Without what is within another of them."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(_is_within(path, each) for each in kept):
            kept.append(path)
    return kept
