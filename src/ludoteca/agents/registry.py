"""The agents' names and the classes behind them.

Installed agents are found through the entry points ``ludoteca.agents``, others by the dotted name of their class. The
group ``ludoteca.agents.unlisted`` holds agents that are found by name but listed nowhere: they start other people's
programs, which no page may do, or they have no rating, as `naive` and `mmd`. Asking for a class runs its code in this
process; asking for anything else does not.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple, cast

from ludoteca import spec as specs
from ludoteca.agents.identity import split_version
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say
from ludoteca.protocols import Agent

PACKAGE = Path(__file__).parents[1]
"""The folder of our own sources."""
GIVEN: Final = 3
"""An agent's class takes these many parameters before its options: game, seat and seed."""


def is_file(text: str) -> bool:
    """Whether a text names a file: it has ``.py`` or a slash in it or names a folder, and is no agent's name."""
    name = split_version(text)[0].partition(":")[0].strip()
    return name.lower() not in _entry_points() and (
        name.endswith(".py") or "/" in name or os.sep in name or os.path.isdir(name)
    )


def name_of(text: str) -> str:
    """The agent's name without options and digest; of a file its path, with the class if that is given."""
    spec = split_version(text)[0]
    return spec if is_file(spec) else specs.split(spec, InvalidAgent)[0]


def installed() -> list[str]:
    """The names of all installed agents in alphabetical order, without the unlisted ones."""
    return sorted(name for name, entry in _entry_points().items() if entry.listed)


def unlisted() -> list[str]:
    """The names of the installed agents that no list shows, in alphabetical order."""
    return sorted(name for name, entry in _entry_points().items() if not entry.listed)


def is_ours(spec: str) -> bool:
    """Whether Ludoteca itself ships the agent of this spec. Loads no foreign code.

    It is judged by who installed the name and in which file the class stands, never by what the class says.
    """
    found = None if is_file(spec) else _entry_points().get(name_of(spec))
    return found is not None and found.ours


class _Entry(NamedTuple):
    point: EntryPoint
    listed: bool
    ours: bool


@cache
def _entry_points() -> dict[str, _Entry]:
    groups = (("ludoteca.agents", True), ("ludoteca.agents.unlisted", False))
    entries = [_Entry(point, listed, _is_ours(point)) for name, listed in groups for point in entry_points(group=name)]
    entries.sort(key=lambda entry: entry.ours)  # of one name, ours is the last and stays
    return {entry.point.name: entry for entry in entries}


def _is_ours(point: EntryPoint) -> bool:
    """Whether our own distribution names a class in one of our own files."""
    name, *parts = point.module.split(".")
    ours = point.dist is not None and point.dist.name == "ludoteca" and name == "ludoteca"
    return ours and PACKAGE.joinpath(*parts).with_suffix(".py").is_file()


def module_of(name: str) -> str:
    """The module of the class that a name stands for; it is not loaded. Raises InvalidAgent."""
    if _is_dotted(name):
        return name.rpartition(".")[0]
    if name not in _entry_points():
        known = installed()
        wrong = say("no agent is called {name!r}; the agents are {names}", name=name, names=known)
        raise InvalidAgent(specs.with_suggestion(wrong, name, known))
    return _entry_points()[name].point.module


def agent_class(name: str) -> Callable[..., Agent]:
    """The class that a name stands for. Raises InvalidAgent."""
    if _is_dotted(name):
        return _imported(name)
    module_of(name)
    try:
        return cast(Callable[..., Agent], _entry_points()[name].point.load())
    except Exception as error:
        wrong = say("the agent {name!r} is installed but cannot be loaded: {error}", name=name, error=error)
        raise InvalidAgent(wrong) from error


def _is_dotted(name: str) -> bool:
    return "." in name and name not in _entry_points()


def look_here() -> None:
    """Lets modules of the current folder be imported from now on, unless another has the same name."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)


def path_of_children() -> list[str]:
    """The import path for our own processes: this one's, but with the current folder last.

    Foreign files may lie there, and Python by itself would run one called ``json.py`` in our process. So these
    processes are started with ``-P`` too.
    """
    here = os.getcwd()
    others = [each for each in sys.path if each and os.path.abspath(each) != here]
    return others if len(others) == len(sys.path) else [*others, here]


def _imported(name: str) -> Callable[..., Agent]:
    """The class of a dotted name. Raises InvalidAgent for whatever its module raises."""
    module, _, attribute = name.rpartition(".")
    look_here()
    try:
        return cast(Callable[..., Agent], getattr(importlib.import_module(module), attribute))
    except Exception as error:
        raise InvalidAgent(
            "{name!r} is no agent: importing {what} from {module} gave {reason}",
            name=name,
            what=attribute,
            module=module,
            reason=f"{type(error).__name__}: {error}",
        ) from error
