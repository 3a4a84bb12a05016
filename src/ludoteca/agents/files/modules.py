"""The modules that one submission sees: the course's, its own file, and those that it imports from its places.

The course's ``Player`` and ``HexBoard`` are there under every name by which files import them. A ``board.py`` that was
handed in is run as it is, but its board is then ours with what only theirs has: what the referee hands over is an
instance of the class that the file knows.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from ludoteca.agents.files.places import Places, imported, packages, relative
from ludoteca.agents.hex.course import HexBoard, Player, is_other_board
from ludoteca.agents.hex.other_names import DisjointSet

__all__ = ["Modules"]

COURSE = frozenset(
    [
        "player",
        "Player",
        "players",
        "base_player",
        "hex_player",
        "HexPlayer",
        "jugador",
        "board",
        "Board",
        "HexBoard",
        "hexboard",
        "hexBoard",
        "Hexboard",
        "hex_board",
        "Hex_Board",
        "tablero",
        "hex",
        "HexGame",
        "hex_game",
        "hexgame",
        "game",
        "main",
    ]
)
"""Modules from which files import the course's classes."""
BOARDS = ("HexBoard", "Board", "Hexboard", "Tablero")
PLAYERS = ("Player", "BasePlayer", "HexPlayer", "AbstractPlayer", "Jugador")
SETS = ("DisjointSet", "UnionFind", "DSU")


class Modules:
    """What is importable while a submission runs. Nobody else sees it."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._folders = (places.folder, *places.roots)
        self._own: dict[str, ModuleType] = {}
        self.board: type[HexBoard] = type("HexBoard", (HexBoard,), {"__module__": "board"})
        """The class of the boards that are handed over: one of this submission's own."""
        tree = places.tree()
        names = imported(tree)
        known = {path.stem for path in places.folder.glob("*.py")} | {name for name in COURSE if name.islower()}
        self._packages = packages(tree, known.__contains__) - COURSE
        self._level = max((level for level, _ in relative(tree)), default=0) if tree is not None else 0
        files, folders = places.folder.glob("*.py"), places.folder.glob("*/__init__.py")
        beside = {file.stem for file in files} | {file.parent.name for file in folders}
        beside |= {name.partition(".")[0] for name in names if places.own_module(name) is not None}
        self._hiding = (beside | COURSE) - set(sys.stdlib_module_names)

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in COURSE

    def add_file(self) -> tuple[ModuleType, ModuleSpec]:
        """The submission's file as a module of its own that has not run yet."""
        file = self._places.file
        taken = file.stem in COURSE or file.stem in sys.stdlib_module_names
        name = f"{file.stem}_file" if taken else file.stem
        package = self._enclosing()
        spec = importlib.util.spec_from_file_location(f"{package}.{name}" if package else name, file)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        self._own[module.__name__] = module
        return module, spec

    def _enclosing(self) -> str:
        """The packages that relative imports climb: made for them, as files that use these were taken from some."""
        name = ""
        for folder in [*self._places.file.parents][: self._level][::-1]:
            name = ".".join(filter(None, (name, folder.name.replace(".", "_") or "root")))
            package = ModuleType(name)
            package.__path__ = [str(folder)]
            self._own[name] = package
        return name

    @contextmanager
    def importable(self) -> Iterator[None]:
        """While this lasts they can be imported by name; then the world is as before, and what was imported is kept.

        A file may import only when it plays, and pickle by module name, so every call into it is made inside.
        """
        path, frugal, finders = sys.path[:], sys.dont_write_bytecode, sys.meta_path[:]
        hidden = {name: sys.modules.pop(name) for name in self._hiding | set(self._own) if name in sys.modules}
        known = set(sys.modules)
        sys.modules.update(self._own)
        sys.path[:0] = map(str, self._folders)
        sys.meta_path[:] = [_Course(self), *finders, _Elsewhere(self)]
        sys.dont_write_bytecode = True  # a student's folder stays as it was handed in
        try:
            yield
        finally:
            for name in set(sys.modules) - known:
                if name in self._own or self._is_own(sys.modules[name]):
                    self._own[name] = sys.modules.pop(name)
            sys.modules.update(hidden)
            sys.path[:], sys.dont_write_bytecode, sys.meta_path[:] = path, frugal, finders

    def _is_own(self, module: ModuleType) -> bool:
        spec = getattr(module, "__spec__", None)
        if spec is not None and (isinstance(spec.loader, _Offering) or spec.name in self._packages):
            return True
        file = getattr(module, "__file__", None)
        places = [file] if file is not None else [*getattr(module, "__path__", ())]
        return any(Path(each).resolve().is_relative_to(folder) for each in places for folder in self._folders)

    def complete(self, module: ModuleType) -> None:
        """Gives a module the course's classes where it lacks them, and lets its own board be ours as well."""
        own = vars(module)
        for name in BOARDS:
            theirs = own.get(name)
            if is_other_board(theirs):
                own[name] = self.board = _both(self.board, theirs)
        for names, each in ((BOARDS, self.board), (PLAYERS, Player), (SETS, DisjointSet)):
            for name in names:
                own.setdefault(name, each)

    def adopt_boards(self, module: ModuleType) -> None:
        """The same for a file that has the course's board written in itself; it is given nothing else."""
        for name in BOARDS:
            theirs = vars(module).get(name)
            if is_other_board(theirs):
                vars(module)[name] = self.board = _both(self.board, theirs)

    def own_spec(self, name: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """Where a module of the submission lies, unless it is the submission itself."""
        spec = PathFinder.find_spec(name, [*map(str, self._folders)] if path is None else path)
        if spec is None or spec.origin is None or spec.loader is None:
            return None
        origin = Path(spec.origin).resolve()
        own = any(origin.is_relative_to(folder) for folder in self._folders)
        return spec if own and origin != self._places.file else None

    def stand_in(self, name: str) -> ModuleSpec | None:
        """What is found for a name that leads nowhere, as ``src.ideas`` where ``ideas.py`` lies beside the file."""
        last = name.rpartition(".")[2]
        if name in self._packages:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if last in COURSE:
            return ModuleSpec(name, _Offering(self))
        beside = self._places.folder / f"{last}.py"
        if "." in name and beside.is_file() and beside != self._places.file:
            return importlib.util.spec_from_file_location(name, beside)
        return None


class _Course(MetaPathFinder):
    """Asked before all others: for modules of the course's names."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """Theirs, completed, or else the course's alone."""
        if name.rpartition(".")[2] not in COURSE:
            return None
        theirs = self._modules.own_spec(name, path)
        if theirs is not None:
            if theirs.submodule_search_locations is not None:  # a package: only what is in it is looked for
                return theirs
            theirs.loader = _Offering(self._modules, theirs.loader)
            return theirs
        return ModuleSpec(name, _Offering(self._modules)) if path is None else None


class _Elsewhere(MetaPathFinder):
    """Asked after all others."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """See `Modules.stand_in`."""
        return self._modules.stand_in(name)


class _Offering(Loader):
    """Runs what was handed in, if anything was, and offers the course's classes beside."""

    def __init__(self, modules: Modules, theirs: Loader | None = None) -> None:
        self._modules, self._theirs = modules, theirs

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The usual kind."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """A module of theirs that fails is the course's instead: a player needs its board, not its window or loop."""
        if self._theirs is not None:
            before = dict(vars(module))
            try:
                self._theirs.exec_module(module)
            except (Exception, SystemExit):
                vars(module).clear()
                vars(module).update(before)
        self._modules.complete(module)


def _both(ours: type[HexBoard], theirs: type[Any]) -> type[HexBoard]:
    """A board that is ours and has what only theirs has. Where Python cannot join the two, it is ours."""

    def __init__(self: Any, size: int = 11, *rest: Any, **more: Any) -> None:  # noqa: N807
        try:
            theirs.__init__(self, size, *rest, **more)
        except Exception:  # what it would have set is missing then; the board itself is ours
            vars(self).clear()
        ours.__init__(self, size)

    try:
        return type(theirs.__name__, (ours, theirs), {"__init__": __init__, "__module__": theirs.__module__})
    except TypeError:
        return ours
