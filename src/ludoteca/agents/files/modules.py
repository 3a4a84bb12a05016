"""The modules that one submission can import: the course's, its own file, and the modules of its folders.

The course's ``Player`` and ``HexBoard`` are importable under every name that files use for them. A submitted
``board.py`` runs unchanged. Its board class is then replaced by a subclass of ours and theirs, so that the board that
the referee passes is an instance of the class that the file knows: see `own_board`.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from ludoteca.agents.files.own_board import is_board_like, joined_board
from ludoteca.agents.files.places import Places, imported, packages, relative
from ludoteca.agents.hex.board_aliases import DisjointSet
from ludoteca.agents.hex.course import HexBoard, Player, is_other_board

COURSE = frozenset(
    ["player", "Player", "players", "base_player", "hex_player", "HexPlayer", "jugador", "board", "Board",
     "HexBoard", "hexboard", "hexBoard", "Hexboard", "hex_board", "Hex_Board", "tablero", "hex",
     "HexGame", "hex_game", "hexgame", "game", "main"]
)  # fmt: skip
"""Names of modules from which files import the course's classes."""
BOARDS = ("HexBoard", "Board", "Hexboard", "Tablero")
PLAYERS = ("Player", "BasePlayer", "HexPlayer", "AbstractPlayer", "Jugador")
SETS = ("DisjointSet", "UnionFind", "DSU")


STARTED = frozenset(
    [*sys.builtin_module_names, "abc", "codecs", "encodings", "genericpath", "importlib", "io", "ntpath", "os",
     "posixpath", "site", "stat", "types", "warnings", "zipimport"]
)  # fmt: skip
"""Modules of Python's own that are loaded before any file runs: no file can take their place."""


class Modules(MetaPathFinder):
    """The modules of one submission. Other submissions cannot import them."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._folders = (places.folder, *places.roots)
        self._own: dict[str, ModuleType] = {}
        self.board: type[HexBoard] = type("HexBoard", (HexBoard,), {"__module__": "board"})
        """The class of the boards that this submission gets; each submission has a class of its own."""
        tree = places.tree()
        names = imported(tree)
        known = {path.stem for path in places.folder.glob("*.py")} | {name for name in COURSE if name.islower()}
        self._packages = packages(tree, known.__contains__) - COURSE
        self._level = _levels_up(places)
        files = [file for folder in self._folders for file in folder.glob("*.py") if file != places.file]
        folders = [file for folder in self._folders for file in folder.glob("*/__init__.py")]
        shadowing = {file.stem for file in files} | {file.parent.name for file in folders}
        beside = {*shadowing, places.file.stem}
        beside |= {name.partition(".")[0] for name in names if places.own_module(name) is not None}
        # As when its author runs it, a module of the submission comes before Python's own of the same name.
        self._package = self._enclosing()
        self._hiding = (beside | COURSE) - (set(sys.stdlib_module_names) - (shadowing - STARTED))

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in COURSE

    def run_file(self) -> ModuleType:
        """Run the submission's file, inside of `importable`. Raises what it raises."""
        for package in [*self._own.values()]:
            if package.__spec__ is not None and package.__spec__.loader is not None:
                with suppress(Exception):  # it may import the file itself, or what only a window needs
                    package.__spec__.loader.exec_module(package)
        module, spec = self._add_file()
        assert spec.loader is not None
        sys.modules[module.__name__] = module
        spec.loader.exec_module(module)
        return module

    def _add_file(self) -> tuple[ModuleType, ModuleSpec]:
        """The submission's file as a module that has not run yet."""
        file = self._places.file
        taken = file.stem in COURSE or file.stem in sys.stdlib_module_names
        name = f"{file.stem}_file" if taken else file.stem
        name = ".".join(filter(None, (self._package, name)))
        loader = SourceFileLoader(name, str(file))  # a file from another system may end in .PY
        spec = importlib.util.spec_from_file_location(name, file, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        self._own[module.__name__] = module
        return module, spec

    def _enclosing(self) -> str:
        """Make the enclosing packages that relative imports need. Returns the innermost one's name."""
        name = ""
        for folder in [*self._places.file.parents][: self._level][::-1]:
            name = ".".join(filter(None, (name, folder.name.replace(".", "_") or "root")))
            package, init = ModuleType(name), folder / "__init__.py"
            if init.is_file():
                spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
                assert spec is not None
                package = importlib.util.module_from_spec(spec)
            package.__path__ = [str(folder)]
            self._own[name] = package
        return name

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Make the modules importable by name inside the block. Restores the import system and keeps new modules.

        A file may import while it plays, and pickle by module name, so every call into it must be inside the block.
        """
        path, no_bytecode, finders = sys.path[:], sys.dont_write_bytecode, sys.meta_path[:]
        hidden = {name: sys.modules.pop(name) for name in self._hiding | set(self._own) if name in sys.modules}
        known = set(sys.modules)
        sys.modules.update(self._own)
        sys.path[:0] = map(str, self._folders)
        sys.meta_path[:] = [_CourseFinder(self), *finders, self]
        sys.dont_write_bytecode = True  # a student's folder stays unchanged
        try:
            yield
        finally:
            new = {name: module for name, module in [*sys.modules.items()] if name not in known}
            # All are looked at before one is removed: the path of a namespace package asks for its parent by name.
            own = {name: module for name, module in new.items() if name in self._own or self._is_own(module)}
            for name in own:
                del sys.modules[name]
            self._own |= own
            sys.modules.update(hidden)
            sys.path[:], sys.dont_write_bytecode, sys.meta_path[:] = path, no_bytecode, finders

    def _is_own(self, module: ModuleType) -> bool:
        spec = getattr(module, "__spec__", None)
        if spec is not None and (isinstance(spec.loader, _CourseLoader) or spec.name in self._packages):
            return True
        file = getattr(module, "__file__", None)
        places = [file] if file is not None else [*getattr(module, "__path__", ())]
        return any(Path(each).resolve().is_relative_to(folder) for each in places for folder in self._folders)

    def adopt_board_of(self, player: type[Any]) -> None:
        """Give the player boards of the class that its ``play`` is written for, where the submission has one.

        That is the class by which ``play`` annotates its board, or else the only class of the submission that has the
        members of the course's board.
        """
        if self.board.__mro__[1] is not HexBoard:  # a board module was joined with ours already
            return
        wanted = _annotated_board(player)
        if wanted is None:
            every = {each for module in self._own.values() for each in vars(module).values() if is_board_like(each)}
            every.discard(self.board)
            wanted = every.pop() if len(every) == 1 else None
        if wanted is None or wanted is self.board:
            return
        self.board = joined_board(self.board, wanted) if is_other_board(wanted) else wanted

    def complete(self, module: ModuleType) -> None:
        """Add the course's classes that a module lacks, and join its board class, if any, with ours."""
        self.adopt_boards(module)
        for names, each in ((BOARDS, self.board), (PLAYERS, Player), (SETS, DisjointSet)):
            for name in names:
                vars(module).setdefault(name, each)

    def adopt_boards(self, module: ModuleType) -> None:
        """Join the board class that a file defines itself with ours; add nothing else."""
        for name in BOARDS:
            theirs = vars(module).get(name)
            if is_other_board(theirs):
                vars(module)[name] = self.board = joined_board(self.board, theirs)

    def own_spec(self, name: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """The spec of a module of the submission, except the submission's file itself."""
        spec = PathFinder.find_spec(name, [*map(str, self._folders)] if path is None else path)
        if spec is None or spec.origin is None or spec.loader is None:
            return None
        origin = Path(spec.origin).resolve()
        own = any(origin.is_relative_to(folder) for folder in self._folders)
        return spec if own and origin != self._places.file else None

    def is_own_folder(self, name: str) -> bool:
        """Whether a name is that of a folder with modules of the submission, which needs no ``__init__.py``."""
        return any(next((folder / name).glob("*.py"), None) is not None for folder in self._folders)

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """As the last finder: the spec of a name such as ``src.ideas`` if ``ideas.py`` is beside the file."""
        last = name.rpartition(".")[2]
        if name in self._packages:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if last in COURSE:
            return ModuleSpec(name, _CourseLoader(self))
        beside = self._places.folder / f"{last}.py"
        if "." in name and beside.is_file() and beside != self._places.file:
            return importlib.util.spec_from_file_location(name, beside)
        return None


def _annotated_board(player: type[Any]) -> type[Any] | None:
    """The class by which ``play`` annotates its board; None where it is no board."""
    play = inspect.unwrap(player.play)
    names = getattr(play, "__globals__", {})
    for each in getattr(play, "__annotations__", {}).values():
        found = names.get(each.strip("'\"")) if isinstance(each, str) else each
        if is_board_like(found):
            return cast("type[Any]", found)
    return None


class _CourseFinder(MetaPathFinder):
    """The first finder: for modules with the course's names."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """The submission's module with the course's classes added, or else the course's module."""
        if name.rpartition(".")[2] not in COURSE:
            return None
        theirs = self._modules.own_spec(name, path)
        if theirs is not None:
            if theirs.submodule_search_locations is not None:  # a package: only its modules are completed
                return theirs
            theirs.loader = _CourseLoader(self._modules, theirs.loader)
            return theirs
        if path is not None or self._modules.is_own_folder(name):
            return None  # Python finds it
        return ModuleSpec(name, _CourseLoader(self._modules))


class _CourseLoader(Loader):
    """Runs the submission's module, if there is one, and adds the course's classes."""

    def __init__(self, modules: Modules, theirs: Loader | None = None) -> None:
        self._modules, self._theirs = modules, theirs

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """None: a plain module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """If the submission's module fails, use the course's: a player needs the board, not a window or a game loop."""
        if self._theirs is not None:
            before = dict(vars(module))
            try:
                self._theirs.exec_module(module)
            except (Exception, SystemExit):
                vars(module).clear()
                vars(module).update(before)
        self._modules.complete(module)


def _levels_up(places: Places) -> int:
    """How many of the folders above the file are packages, as its relative imports and those of its helpers show."""
    tree = places.tree()
    own = max((level for level, _ in relative(tree)), default=0) if tree is not None else 0
    if places.project is None:
        return own
    depth = len(places.folder.relative_to(places.project).parts)
    for file in places.folder.rglob("*.py"):
        below = len(file.parent.relative_to(places.folder).parts)
        if depth and (helper := places.tree(file)) is not None:
            own = max(own, *(level - below for level, _ in relative(helper)), 0)
    return max(own, depth) if own > 1 else own
