"""Runs a file and finds its player."""

from __future__ import annotations

import inspect
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoteca.agents.files.choosing import Candidate, Choice, choose
from ludoteca.agents.files.hexplayer import HexPlayer
from ludoteca.agents.files.modules import Modules
from ludoteca.agents.files.named import Named
from ludoteca.agents.files.places import Places
from ludoteca.agents.files.plain import agent_in
from ludoteca.agents.files.requirements import hint_for
from ludoteca.agents.tracebacks import explain, in_brief
from ludoteca.errors import InvalidAgent
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Agent, Game, Seat

__all__ = ["Submission", "canonical", "load_player", "source_file"]


def load_player(path: str) -> Submission:
    """What makes agents of a file's class: ``folder/solution.py:SmartPlayer``, ``solution.py`` or ``folder``.

    Without a class name it is SmartPlayer, else the only one that can play: see `choosing`. Raises InvalidAgent when
    the file is missing, fails on import or has no such class.
    """
    named = Named.of(path)
    modules = Modules(Places(named.file.resolve()))
    classes = _run(named, modules)
    chosen = choose([_candidate(name, each) for name, each in classes.items()], named)
    return Submission(path, classes[chosen.player.name], chosen, modules)


def canonical(text: str) -> str:
    """``path:Class``, the path without detours. Does not run the file. Raises InvalidAgent."""
    named = Named.of(text)
    return os.path.normpath(named.path) + (f":{named.player}" if named.player else "")


def source_file(text: str) -> Path:
    """The file that a text names. Raises InvalidAgent."""
    return Named.of(text).file


@dataclass(frozen=True)
class Submission:
    """A file's class, ready to play; called with a game, a seat and a seed it makes an agent."""

    path: str
    player: type[Any]
    choice: Choice
    modules: Modules

    @property
    def games(self) -> frozenset[str] | None:
        """The games that it plays; None for all."""
        if self.choice.player.plays_course:
            return frozenset({"hex"})
        games = getattr(self.player, "games", None)
        return None if games is None else frozenset(games)

    def __call__(self, game: Game, seat: Seat, seed: int) -> Agent:
        """An agent for one match. Raises InvalidAgent for a game that it does not play."""
        if self.games is not None and game.name not in self.games:
            raise InvalidAgent(
                say("{agent} plays {games}, not {game}", agent=self.path, games=sorted(self.games), game=game.name)
            )
        if self.choice.player.is_agent:
            return agent_in(self.player, self.modules, game, seat, seed)
        return HexPlayer(self.player, self.modules, expect(game, Hex), seat)


def _run(named: Named, modules: Modules) -> dict[str, type[Any]]:
    """Runs the file and gives its classes by name. Raises InvalidAgent for whatever goes wrong in it."""
    module, spec = modules.add_file()
    assert spec.loader is not None
    try:
        with modules.importable():
            spec.loader.exec_module(module)
            modules.adopt_boards(module)
    except (Exception, SystemExit) as error:
        if (hint := hint_for(error, named.file)) is not None:
            error.add_note(hint)
        raise InvalidAgent(
            say("{file} cannot be imported: {reason}", file=named.file, reason=in_brief(explain(error)))
        ) from error
    return {name: each for name, each in vars(module).items() if inspect.isclass(each) and each.__module__ in modules}


def _candidate(name: str, cls: type[Any]) -> Candidate:
    methods = frozenset(each for each in dir(cls) if callable(getattr(cls, each, None)) and not each.startswith("__"))
    asked = [each for each in ("play", "act", "think") if each in methods]
    empty = frozenset(each for each in asked if _is_left_open(getattr(cls, each)))
    ancestors = frozenset(each.__name__ for each in cls.__mro__[1:] if each is not object)
    abstract = inspect.isabstract(cls) or (bool(asked) and set(asked) <= empty)
    return Candidate(name, methods - empty, ancestors, abstract, _line(cls))


def _is_left_open(method: Any) -> bool:
    """Whether a method only says that a subclass must write it: it does nothing but raise NotImplementedError."""
    code = getattr(inspect.unwrap(method), "__code__", None)
    if code is None:
        return False
    if getattr(method, "__isabstractmethod__", False):
        return True
    return "NotImplementedError" in code.co_names and len(code.co_names) == 1


def _line(cls: type[Any]) -> int:
    """Where the class stands in its file; 0 where nobody knows."""
    for each in vars(cls).values():
        code = getattr(each, "__code__", None)
        if code is not None:
            return int(code.co_firstlineno)
    return 0
