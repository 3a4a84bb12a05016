"""A student's Hex file as an agent: loaded unchanged, handed the course's board, asked for (row, col).

The file may extend ``Player`` from ``player`` and use ``HexBoard`` from ``board``; both are there while it runs, and so
are the modules beside it, but nobody else sees them. It runs in the process that asks for its agents: in the arena that
is one of the agent's own.
"""

from __future__ import annotations

import importlib.util
import inspect
import operator
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from ludoteca._core import HexView
from ludoteca.agents import entries
from ludoteca.agents.hex.course import HexBoard, Player
from ludoteca.errors import IllegalAction, InvalidAction, InvalidAgent
from ludoteca.games.described import expect
from ludoteca.games.hex import Hex
from ludoteca.messages import joined, say
from ludoteca.protocols import Agent, Decision, Game, Limit, Seat, View

__all__ = ["Submission", "canonical", "games", "load_player", "source_file"]

games = frozenset({"hex"})
"""The games that files play."""

SOLUTION = "solution.py"
"""The file of a submission that is a folder."""
SMART = "SmartPlayer"
"""The class that the course asks for."""
COURSE_SECONDS = 5.0
"""What a player is told who must be told its time where there is no limit: the course's own."""
CLOCK = frozenset(
    ["time", "timeout", "tiempo", "seconds", "second", "secs", "sec", "segundos", "seg", "clock", "reloj", "deadline"]
)
"""A parameter with one of these words in its name is the time to think."""


def load_player(path: str) -> Submission:
    """What makes agents of a student's class: ``folder/solution.py:SmartPlayer``, ``solution.py`` or ``folder``.

    Without a class name it is SmartPlayer, else the only class that extends Player, else the only one with a method
    ``play``. Raises InvalidAgent when the file is missing, fails on import or has no such class.
    """
    named = _Named.of(path)
    file = named.file.resolve()
    modules = _Modules(file.parent)
    module = _run(file, modules)
    here = {key: each for key, each in vars(module).items() if inspect.isclass(each) and each.__module__ in modules}
    return Submission(path, _choose_class(here, named.player, path), modules)


def canonical(text: str) -> str:
    """``path:Class``, the path without detours. Does not run the file. Raises InvalidAgent."""
    named = _Named.of(text)
    return os.path.normpath(named.path) + (f":{named.player}" if named.player else "")


def source_file(text: str) -> Path:
    """The file that a text names. Raises InvalidAgent."""
    return _Named.of(text).file


@dataclass(frozen=True)
class _Named:
    """The parts of ``path:Class``; a class that is not said is empty."""

    path: str
    player: str
    file: Path

    @classmethod
    def of(cls, text: str) -> _Named:
        path = entries.VERSION.sub("", text.strip())
        before, colon, player = path.rpartition(":")
        if colon and before and player.isidentifier():
            path = before
        else:
            player = ""
        file = Path(path) / SOLUTION if Path(path).is_dir() else Path(path)
        if not file.is_file():
            raise InvalidAgent(say("{agent}: there is no file {file}", agent=text, file=file))
        return cls(path, player, file)


@dataclass(frozen=True)
class Submission:
    """A student's class, ready to play; called with a game, a seat and a seed it makes an agent."""

    path: str
    player: type[Any]
    modules: _Modules
    games: ClassVar[frozenset[str]] = games

    def __call__(self, game: Game, seat: Seat, seed: int) -> Agent:
        """An agent for one match. Its player is built when it is first asked, with the time that it then has."""
        if not isinstance(game, Hex):
            raise InvalidAgent(say("{agent} plays hex, not {game}", agent=self.path, game=game.name))
        if game.orientation == "standard" and game.layout != "axial":
            raise InvalidAgent(
                say(
                    "{agent} connects left and right as player 1, and a board with layout={layout} cannot be turned "
                    "for it: play {game} with orientation=course",
                    agent=self.path,
                    layout=game.layout,
                    game=game.spec,
                )
            )
        return _Student(self, game, seat)


class _Student:
    """The agent: translates views into boards and pairs into actions."""

    def __init__(self, submission: Submission, game: Hex, seat: Seat) -> None:
        self._submission, self._game, self._seat = submission, game, seat
        self._name = submission.player.__name__
        self._turned = game.orientation == "standard"  # the course's player 1 always connects left and right
        self._player: Any = None

    def act(self, view: View, limit: Limit) -> Decision:
        """Where the player plays. Raises InvalidAction for what is no cell and IllegalAction for a taken one."""
        board = self._board(expect(view, HexView))
        with self._submission.modules.importable():
            if self._player is None:
                self._player = _call(self._submission.player, self._seat + 1, limit.seconds)
            answer = _call(self._player.play, board, limit.seconds)
        row, column = self._cell(answer)
        action = column * self._game.size + row if self._turned else row * self._game.size + column
        if action not in view.legal():
            raise IllegalAction(
                say("{name}.play returned {answer}, but that cell is taken", name=self._name, answer=repr(answer))
            )
        return Decision(action)

    def _board(self, view: HexView) -> HexBoard:
        board = HexBoard(self._game.size, self._game.layout)
        for cell, owner in enumerate(view.stones):
            if owner is not None:
                row, column = divmod(cell, self._game.size)
                board.place_piece(*((column, row) if self._turned else (row, column)), owner + 1)
        return board

    def _cell(self, answer: Any) -> tuple[int, int]:
        last = self._game.size - 1
        try:
            row, column = (operator.index(each) for each in answer)  # NumPy's integers are welcome
        except (TypeError, ValueError):
            row = column = -1
        if not (0 <= row <= last and 0 <= column <= last):
            raise InvalidAction(
                say(
                    "{name}.play returned {answer}, which is no cell: it must be (row, col), both from 0 to {last}",
                    name=self._name,
                    answer=repr(answer),
                    last=last,
                )
            )
        return row, column


class _Modules:
    """The modules that one submission sees: the course's, its own file, and those that it imports from its folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: dict[str, ModuleType] = {"board": ModuleType("board"), "player": ModuleType("player")}
        for module in self._own.values():
            module.__dict__.update(HexBoard=HexBoard, Player=Player)
        files, packages = folder.glob("*.py"), folder.glob("*/__init__.py")
        beside = {file.stem for file in files} | {file.parent.name for file in packages}
        self._beside = beside - set(sys.stdlib_module_names)

    def __contains__(self, name: str) -> bool:
        return name in self._own

    def add(self, module: ModuleType) -> None:
        """Makes a module one of them."""
        self._own[module.__name__] = module

    @contextmanager
    def importable(self) -> Iterator[None]:
        """While this lasts they can be imported by name; then the world is as before, and what was imported is kept.

        A file may import only when it plays, and pickle by module name, so every call into it is made inside.
        """
        path, frugal = sys.path[:], sys.dont_write_bytecode
        hidden = {name: sys.modules.pop(name) for name in self._beside | set(self._own) if name in sys.modules}
        known = set(sys.modules)
        sys.modules.update(self._own)
        sys.path.insert(0, str(self._folder))
        sys.dont_write_bytecode = True  # a student's folder stays as it was handed in
        try:
            yield
        finally:
            for name in set(sys.modules) - known:
                if name in self._own or self._from_folder(sys.modules[name]):
                    self._own[name] = sys.modules.pop(name)
            sys.modules.update(hidden)
            sys.path[:], sys.dont_write_bytecode = path, frugal

    def _from_folder(self, module: ModuleType) -> bool:
        file = getattr(module, "__file__", None)
        return file is not None and Path(file).resolve().is_relative_to(self._folder)


def _run(file: Path, modules: _Modules) -> ModuleType:
    """The file as a module of its own. Raises InvalidAgent for whatever goes wrong in it."""
    name = f"{file.stem}_file" if file.stem in modules else file.stem
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    modules.add(module)
    try:
        with modules.importable():
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise InvalidAgent(say("{file} cannot be imported: {reason}", file=file, reason=reason)) from error
    return module


def _choose_class(here: Mapping[str, type[Any]], name: str, path: str) -> type[Any]:
    """The class that is meant, of those in the file. Raises InvalidAgent, naming them."""
    players = {key: each for key, each in here.items() if callable(getattr(each, "play", None))}
    if name:
        if name in players:
            return players[name]
        if name in here:
            wrong = say("{path}: the class {name} has no method play(board)", path=path, name=name)
        else:
            wrong = say("{path}: the class {name} is not there", path=path, name=name)
        known = say("the players in it are {names}", names=[*players]) if players else say("there are no players in it")
        raise InvalidAgent(joined([wrong, known], "; "))
    extending = [each for each in players.values() if issubclass(each, Player)]
    for candidates in ([players[SMART]] if SMART in players else [], extending, list(players.values())):
        if len(candidates) == 1:
            return candidates[0]
    if not players:
        raise InvalidAgent(say("{path}: no class in it has a method play(board)", path=path))
    raise InvalidAgent(
        say(
            "{path}: which of {names}? Say {path}:{first}, or call one {smart}",
            path=path,
            names=[*players],
            first=next(iter(players)),
            smart=SMART,
        )
    )


def _call(function: Callable[..., Any], subject: object, seconds: float | None) -> Any:
    """Calls a player's class or its `play` with the subject (its id, or the board) and, if it wants it, its time.

    ``play(board)``, ``play(board, seconds)`` and ``play(seconds, board)`` are all about, as are ``(player_id)`` and
    ``(player_id, seconds)``. The time is known by its name; failing that it is what must be given after the subject.
    """
    parameters = inspect.signature(function).parameters.values()
    wanted = [each for each in parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    clock = next((each for each in wanted if not CLOCK.isdisjoint(_words(each.name))), None)
    others = [each for each in wanted if each is not clock]
    if not others:
        return function(subject)
    if clock is None and len(others) > 1 and others[1].default is inspect.Parameter.empty:
        clock = others[1]
    arguments = {others[0].name: subject}
    if clock is not None and (seconds is not None or clock.default is inspect.Parameter.empty):
        arguments[clock.name] = COURSE_SECONDS if seconds is None else seconds
    return function(**arguments)


def _words(name: str) -> list[str]:
    """The words of ``max_time`` or ``maxTime``, in lower case."""
    return re.sub("([A-Z])", r"_\1", name).lower().split("_")
