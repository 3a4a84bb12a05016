"""The files that decide how an agent plays: its source, the modules beside it, its weights."""

from __future__ import annotations

import ast
import importlib
import site
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.machinery import all_suffixes
from importlib.util import find_spec
from pathlib import Path

from ludoteca.agents import registry
from ludoteca.agents.files.named import SOLUTION
from ludoteca.agents.files.places import Places
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say

__all__ = ["beside", "of_file", "of_module", "of_ours", "state"]

CODE = frozenset(all_suffixes()) - {".pyc"}
WEIGHTS = frozenset(
    [".bin", ".h5", ".joblib", ".json", ".npy", ".npz", ".onnx", ".pickle", ".pkl", ".pt", ".pth", ".safetensors"]
)
"""What stands beside code under these names is taken for what it learnt; a log or a table is not."""

Sources = dict[str, Path]
"""By the name under which a file counts, which says nothing of the folder that all of them are in."""


def of_file(file: Path) -> Sources:
    """A submission's file and what decides its play with it: `beside`, and the project's modules that it imports.

    Where many were handed in side by side, each under a name of its own, another's module is none of it: then only
    what it imports counts, unless its text does not say what that is.
    """
    places = Places(file.resolve())
    reached = places.reached() if file.name != SOLUTION or places.roots else {}
    if file.name == SOLUTION or reached is None:
        return beside(file) | (reached or {})
    return reached | {path.name: path for path in file.parent.iterdir() if path.suffix in WEIGHTS and path.is_file()}


def beside(file: Path) -> Sources:
    """A file, the modules and packages beside it, and what they may have learnt."""
    folder = file.parent
    found = {file.name: file, **_within(folder, folder.iterdir())}
    for package in folder.iterdir():
        if (package / "__init__.py").is_file():
            found |= _within(folder, package.rglob("*"))
    return found


def of_module(module: str) -> Sources:
    """The whole top-level package that a module is in; a module that is a file of somebody's folder counts as `beside`.

    Imports nothing. Raises InvalidAgent where there is no such module.
    """
    top = module.partition(".")[0]
    registry.look_here()
    importlib.invalidate_caches()
    try:
        found = find_spec(top)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise InvalidAgent(say("there is no module called {module}", module=top))
    if found.submodule_search_locations:
        roots = [Path(root) for root in found.submodule_search_locations]
        return {name: path for root in roots for name, path in _within(root, root.rglob("*")).items()}
    if found.origin is None or not Path(found.origin).is_file():
        raise InvalidAgent(say("the module {module} has no source", module=top))
    file = Path(found.origin)
    return {file.name: file} if file.parent.resolve() in _libraries() else beside(file)


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


def state(files: Sources) -> tuple[object, ...]:
    """Something that is different when one of the files has been touched; cheaper than a digest."""
    return tuple((name, about.st_mtime_ns, about.st_size) for name, about in ((n, p.stat()) for n, p in files.items()))


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.rpartition(".")[0]  # the module of a class that is imported by its name when it is needed


def _within(folder: Path, paths: Iterable[Path]) -> Sources:
    return {
        path.relative_to(folder).as_posix(): path
        for path in paths
        if (path.name.endswith(tuple(CODE)) or path.suffix in WEIGHTS) and path.is_file()
    }


def _libraries() -> set[Path]:
    """Folders of installed packages, where neighbours have nothing to do with each other."""
    known = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return {Path(each).resolve() for each in known | {*site.getsitepackages(), site.getusersitepackages()}}
