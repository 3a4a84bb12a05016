"""The agents, found by name through the entry points ``ludoteca.agents``: ours and anybody else's.

A name with a dot, such as ``my_player.Greedy``, is a class in a Python module, looked for in the current folder too.
A student's file, such as ``folder/solution.py:SmartPlayer`` or just ``folder``, is an agent as well. See `files`.

An agent is a class (or function) that takes a game, a seat and its own seed, then its options as keywords. The
attribute ``games``, where it has one, names the games that it can play. Nothing that a class says of itself makes it
ours or trusted: see `is_ours`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from ludoteca import spec as specs
from ludoteca.agents import files
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say
from ludoteca.protocols import Agent, AgentFactory, Game, Seat

__all__ = [
    "agent",
    "agent_class",
    "canonical",
    "is_file",
    "is_ours",
    "name_of",
    "names",
    "plays",
    "plays_game",
    "short_name",
]

_PACKAGE = Path(__file__).parents[1]
GIVEN = 3  # game, seat and seed come before the options


def is_file(text: str) -> bool:
    """Whether a text means a file: no agent is called so, and it has ``.py`` or a slash in it or names a folder."""
    name = text.partition(":")[0].partition("@")[0].strip()
    return name.lower() not in _entry_points() and (
        name.endswith(".py") or "/" in name or os.sep in name or Path(name).is_dir()
    )


def short_name(text: str) -> str:
    """What to call an agent in a sentence: of a file's path only the last part."""
    return Path(text).name if is_file(text) else text


@cache
def _entry_points() -> dict[str, EntryPoint]:
    points = sorted(entry_points(group="ludoteca.agents"), key=_is_ours)  # of one name, ours is the last and stays
    return {point.name: point for point in points}


def _is_ours(point: EntryPoint) -> bool:
    """Whether our own distribution names a class in one of our own files."""
    if point.dist is None or point.dist.name != "ludoteca" or not point.module.startswith("ludoteca."):
        return False
    found = find_spec(point.module)
    return found is not None and found.origin is not None and Path(found.origin).is_relative_to(_PACKAGE)


def names(game: str | None = None) -> list[str]:
    """The names of all installed agents, or of those that play the game of this name."""
    return sorted(name for name in _entry_points() if game is None or plays(agent_class(name), game))


def plays(factory: Callable[..., Agent], game: str) -> bool:
    """Whether agents of this class play the game of this name."""
    games = getattr(factory, "games", None)
    return games is None or game in games


def agent_class(name: str) -> Callable[..., Agent]:
    """The class that a name stands for. Raises InvalidAgent."""
    if "." in name:
        return _imported(name)
    if name not in _entry_points():
        known = sorted(_entry_points())
        wrong = say("no agent is called {name!r}; the agents are {names}", name=name, names=known)
        raise InvalidAgent(specs.with_suggestion(wrong, name, known))
    try:
        return cast(Callable[..., Agent], _entry_points()[name].load())
    except (ImportError, AttributeError) as error:
        wrong = say("the agent {name!r} is installed but cannot be loaded: {error}", name=name, error=error)
        raise InvalidAgent(wrong) from error


def _imported(name: str) -> Callable[..., Agent]:
    """The class of a dotted name; whatever its module raises when it is imported makes it no agent."""
    module, _, attribute = name.rpartition(".")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return cast(Callable[..., Agent], getattr(importlib.import_module(module), attribute))
    except Exception as error:
        raise InvalidAgent(
            say(
                "{name!r} is no agent: importing {what} from {module} gave {reason}",
                name=name,
                what=attribute,
                module=module,
                reason=f"{type(error).__name__}: {error}",
            )
        ) from error


def plays_game(spec: str, game: str) -> bool:
    """Whether the agent of this spec plays the game of this name; runs no file. Raises InvalidAgent."""
    if is_file(spec):
        return game in files.games
    return plays(agent_class(specs.split(spec, InvalidAgent)[0]), game)


def name_of(spec: str) -> str:
    """The agent's name, without options and version; of a file its path, with the class if it is said."""
    if is_file(spec):
        return files.VERSION.sub("", spec.strip())
    return specs.split(spec, InvalidAgent)[0]


def is_ours(spec: str) -> bool:
    """Whether the agent of this spec is one that Ludoteca itself ships. Imports no stranger's code.

    It is judged by who installed the name and in which file the class stands, never by what the class says.
    """
    point = None if is_file(spec) else _entry_points().get(name_of(spec))
    return point is not None and _is_ours(point)


def canonical(spec: str) -> str:
    """The shortest string for the same agent: options in their order, defaults left out.

    A file gets its version, so that what it played before it was changed is another agent's. Raises InvalidAgent and
    InvalidOption, as `agent` does.
    """
    if is_file(spec):
        return files.canonical(spec)
    name, texts = specs.split(spec, InvalidAgent)
    known = specs.options(agent_class(name), skip=GIVEN)
    defaults = {option.name: option.default for option in known}
    return specs.write(name, known, defaults | specs.read(name, known, texts))


def agent(spec: str) -> AgentFactory:
    """What makes agents of the kind that a string such as ``random`` or ``minimax:depth=4`` describes.

    Raises InvalidAgent for an unknown name or a string of another form, and InvalidOption for a wrong option; the
    factory itself raises InvalidAgent for a game that such agents do not play.
    """
    if is_file(spec):
        return files.load_player(spec)
    name, texts = specs.split(spec, InvalidAgent)
    factory = agent_class(name)
    keywords = specs.read(name, specs.options(factory, skip=GIVEN), texts)

    def make(game: Game, seat: Seat, seed: int) -> Agent:
        if not plays(factory, game.name):
            raise InvalidAgent(
                say(
                    "{name} does not play {game}; the agents that do are {names}",
                    name=name,
                    game=game.name,
                    names=names(game.name),
                )
            )
        return factory(game, seat, seed, **keywords)

    return make
