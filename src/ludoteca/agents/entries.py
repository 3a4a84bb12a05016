"""Names of agents and the classes behind them.

Installed agents are found through the entry points ``ludoteca.agents``, others by the dotted name of their class.
Whoever asks for a class has its code run in this process; whose an agent is can be known without.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple, cast

from ludoteca import spec as specs
from ludoteca.errors import InvalidAgent
from ludoteca.messages import printable, say
from ludoteca.protocols import Agent

__all__ = [
    "BRIDGES",
    "GIVEN",
    "PACKAGE",
    "VERSION",
    "agent_class",
    "installed",
    "is_file",
    "is_ours",
    "look_here",
    "module_of",
    "name_of",
    "path_of_children",
    "short_name",
]

PACKAGE = Path(__file__).parents[1]
"""The folder of our own sources."""
GIVEN = 3
"""So many parameters of an agent's class come before its options: game, seat and seed."""
BRIDGES: Final = {
    "htp": "ludoteca.agents.hex.htp:Htp",
    "openspiel.ismcts": "ludoteca.adapters.openspiel.bots:IsMcts",
    "openspiel.mcts": "ludoteca.adapters.openspiel.bots:Mcts",
}
"""Ways to other people's programs, found by name like all agents, but listed nowhere: no page may start a program."""
VERSION = re.compile(r"@([0-9a-f]{8})$")
"""At the end of a text: the digest of the code that is meant."""


def is_file(text: str) -> bool:
    """Whether a text means a file: no agent is called so, and it has ``.py`` or a slash in it or names a folder."""
    name = text.partition(":")[0].partition("@")[0].strip()
    return name.lower() not in _entry_points() and (
        name.endswith(".py") or "/" in name or os.sep in name or os.path.isdir(name)
    )


def short_name(text: str) -> str:
    """What to call an agent in a sentence: of a file's path only the last part."""
    return printable(Path(text).name) if is_file(text) else text


def name_of(spec: str) -> str:
    """The agent's name, without options and version; of a file its path, with the class if it is said."""
    bare = VERSION.sub("", spec.strip())
    return bare if is_file(spec) else specs.split(bare, InvalidAgent)[0]


def installed() -> list[str]:
    """The names of all installed agents, in alphabetical order; `BRIDGES` are not among them."""
    return sorted(_entry_points().keys() - BRIDGES.keys())


def is_ours(spec: str) -> bool:
    """Whether the agent of this spec is one that Ludoteca itself ships. Loads no stranger's code.

    It is judged by who installed the name and in which file the class stands, never by what the class says.
    """
    found = None if is_file(spec) else _entry_points().get(name_of(spec))
    return found is not None and found.ours


class _Entry(NamedTuple):
    point: EntryPoint
    ours: bool


@cache
def _entry_points() -> dict[str, _Entry]:
    entries = [_Entry(point, _is_ours(point)) for point in entry_points(group="ludoteca.agents")]
    entries += [_Entry(EntryPoint(name, value, "ludoteca.agents"), True) for name, value in BRIDGES.items()]
    entries.sort(key=lambda entry: entry.ours)  # of one name, ours is the last and stays
    return {entry.point.name: entry for entry in entries}


def _is_ours(point: EntryPoint) -> bool:
    """Whether our own distribution names a class in one of our own files."""
    if point.dist is None or point.dist.name != "ludoteca" or not point.module.startswith("ludoteca."):
        return False
    found = find_spec(point.module)
    return found is not None and found.origin is not None and Path(found.origin).is_relative_to(PACKAGE)


def module_of(name: str) -> str:
    """The module of the class that a name stands for, which is not loaded. Raises InvalidAgent."""
    if "." in name and name not in BRIDGES:
        return name.rpartition(".")[0]
    if name not in _entry_points():
        known = installed()
        wrong = say("no agent is called {name!r}; the agents are {names}", name=name, names=known)
        raise InvalidAgent(specs.with_suggestion(wrong, name, known))
    return _entry_points()[name].point.module


def agent_class(name: str) -> Callable[..., Agent]:
    """The class that a name stands for. Raises InvalidAgent."""
    if "." in name and name not in BRIDGES:
        return _imported(name)
    module_of(name)
    try:
        return cast(Callable[..., Agent], _entry_points()[name].point.load())
    except Exception as error:
        wrong = say("the agent {name!r} is installed but cannot be loaded: {error}", name=name, error=error)
        raise InvalidAgent(wrong) from error


def look_here() -> None:
    """Modules in the current folder can be imported from now on, where no other is called the same."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)


def path_of_children() -> list[str]:
    """The import path for processes of ours: this one's, but with the current folder last.

    Strangers' files may lie there, and one that is called ``json.py`` must not be run in a process of ours, as Python
    would by itself: so these processes are started with ``-P`` too.
    """
    here = os.getcwd()
    others = [each for each in sys.path if each and os.path.abspath(each) != here]
    return others if len(others) == len(sys.path) else [*others, here]


def _imported(name: str) -> Callable[..., Agent]:
    """The class of a dotted name; whatever its module raises when it is imported makes it no agent."""
    module, _, attribute = name.rpartition(".")
    look_here()
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
