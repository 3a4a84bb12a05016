"""What an agent's class says of itself: its options, the games it plays, a text about it.

To read that, its module must be imported, and so run. For a foreign class that happens in a process of its own, never
here: see `description_process`.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from ludoteca import spec as specs
from ludoteca.agents import files, registry, source_files
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import module_files
from ludoteca.agents.identity import short_spec, split_version
from ludoteca.errors import BrokenAgent, InvalidAgent, InvalidOption
from ludoteca.games.details import details_of
from ludoteca.messages import Message, from_json, say, to_json
from ludoteca.protocols import Agent, Game, Seat
from ludoteca.spec import Label, Option, Program

PATIENCE = 60.0
"""Seconds that importing foreign modules may take."""
LONGEST = 2000
"""Characters of any text that a foreign class gives."""
KINDS: Mapping[str, Any] = {"int": int, "float": float, "bool": bool, "str": str, "path": Path}


@dataclass(frozen=True)
class Description:
    """What a class says of itself."""

    options: tuple[Option, ...] = ()
    games: frozenset[str] | None = None
    """The names of the games that it plays; None for all."""
    text: str = ""
    preferred_seats: Mapping[str, Seat] = field(default_factory=dict)
    """The seat that it was made for, by game, such as ``{"kittens:rules=original": 0}``."""
    samples: bool = False
    """Whether it calls `View.sample`, so that it cannot play a game without `GameDetails.can_sample`."""

    @property
    def summary(self) -> Message:
        """The first paragraph of `text`. Catalogues have those of our own agents."""
        return Message.of(paragraph_template(self.text), {})

    def plays(self, game: str) -> bool:
        """Whether it plays the game of this name."""
        return self.games is None or game in self.games

    @classmethod
    def of(cls, factory: Callable[..., Agent]) -> Description:
        """That of a class which is loaded."""
        games = getattr(factory, "games", None)
        options = specs.options(factory, skip=registry.GIVEN)
        seats = dict(getattr(factory, "preferred_seats", {}))
        names, text = None if games is None else frozenset(games), inspect.getdoc(factory) or ""
        return cls(tuple(options), names, text, seats, bool(getattr(factory, "samples", False)))

    def to_json(self) -> dict[str, object]:
        """As it is sent from one process to another."""
        return {
            "options": [_option_to_json(option) for option in self.options],
            "games": None if self.games is None else sorted(map(str, self.games)),
            "text": self.text[:LONGEST],
            "preferred_seats": self.preferred_seats,
            "samples": self.samples,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Description:
        """What `to_json` wrote, by a process that is not trusted. Raises ValueError, KeyError and TypeError."""
        games = value["games"]
        return cls(
            tuple(map(_option_from_json, value["options"])),
            None if games is None else frozenset(_text(game) for game in games),
            _text(value["text"]),
            {_text(game): (0, 1).index(seat) for game, seat in value["preferred_seats"].items()},
            value["samples"] is True,
        )


def paragraph_template(text: str) -> str:
    """The first paragraph of a docstring in one line, as a template without fields."""
    first = " ".join(text.partition("\n\n")[0].split())
    return first.replace("{", "{{").replace("}", "}}")


def plays(factory: Callable[..., Agent], game: Game) -> bool:
    """Whether agents of this class can play the game."""
    games = getattr(factory, "games", None)
    known = games is None or game.name in games
    return known and (details_of(game).can_sample or not getattr(factory, "samples", False))


def describe(name: str) -> Description:
    """What the class of this name says of itself. Raises InvalidAgent; BrokenAgent with what its own code raised."""
    if registry.is_ours(name):
        return _ours(name)
    found = _described((name,), tuple(registry.path_of_children()), os.getcwd(), _state(registry.module_of(name)))[name]
    if isinstance(found, str):
        raise BrokenAgent("{name} cannot be imported:\n{traceback}", name=name, traceback=found)
    return found


def names(game: str | None = None) -> list[str]:
    """The names of all installed agents, or of those that play the game of this name; then without broken ones."""
    known = registry.installed()
    if game is None:
        return known
    strangers = tuple(name for name in known if not registry.is_ours(name))
    described = dict(_described(strangers, tuple(registry.path_of_children()), os.getcwd())) if strangers else {}
    for name in known:
        if name not in described:
            described[name] = describe(name)
    return [name for name in known if not isinstance(about := described[name], str) and about.plays(game)]


def plays_game(spec: str, game: str) -> bool:
    """Whether the agent of this spec plays the game of this name. Raises InvalidAgent."""
    games = files.games(Submission.of(spec)) if registry.is_file(spec) else describe(registry.name_of(spec)).games
    return games is None or game in games


def check_plays(spec: str, game: Game) -> None:
    """Raises InvalidAgent, with the agents that can, if the agent of this spec cannot play the game."""
    if not plays_game(spec, game.name):
        raise refusal(spec, game)
    if not details_of(game).can_sample and not registry.is_file(spec) and describe(registry.name_of(spec)).samples:
        raise refusal(spec, game)


def refusal(spec: str, game: Game) -> InvalidAgent:
    """Why the agent of this spec cannot play the game, with the agents that can."""
    name, able = short_spec(spec), names(game.name)
    if details_of(game).can_sample or not plays_game(spec, game.name):
        return InvalidAgent(
            "{name} does not play {game}; the agents that do are {names}", name=name, game=game.name, names=able
        )
    return InvalidAgent(
        "{name} cannot play {game}, because what it hides cannot be sampled; the agents that can are {names}",
        name=name,
        game=game.spec,
        names=[each for each in able if not describe(each).samples],
    )


def preferred_seat(spec: str, game: Game) -> Seat | None:
    """The seat that the agent of this spec was made for in this game; None where both are alike to it.

    Raises InvalidAgent.
    """
    if registry.is_file(spec):
        return None
    options = {option: specs.show(value) for option, value in getattr(game, "options", {}).items()}
    for known, seat in describe(registry.name_of(spec)).preferred_seats.items():
        name, texts = specs.split(known, InvalidAgent)
        if name == game.name and texts.items() <= options.items():
            return seat
    return None


def starts_program(spec: str) -> bool:
    """Whether the agent of this spec starts a program that its options name. Raises InvalidAgent."""
    return not registry.is_file(spec) and any(
        option.kind is Program for option in describe(registry.name_of(spec)).options
    )


def canonical(spec: str) -> str:
    """The shortest string for the same agent: options in their order, defaults left out.

    It says nothing about the code behind the name: see `digests`. Raises InvalidAgent and InvalidOption.
    """
    if registry.is_file(spec):
        return Submission.of(spec).spec
    name, texts = specs.split(split_version(spec)[0], InvalidAgent)
    known = describe(name).options
    defaults = {option.name: option.default for option in known}
    return specs.write(name, known, defaults | specs.read(name, known, texts))


def _state(module: str) -> tuple[object, ...]:
    """A value that changes when the module's files are touched."""
    try:
        return source_files.state(module_files(module))
    except InvalidAgent:  # importing it raises the same, with a message
        return ()


@cache
def _ours(name: str) -> Description:
    return Description.of(registry.agent_class(name))


@cache
def _described(
    wanted: tuple[str, ...], path: tuple[str, ...], folder: str, state: tuple[object, ...] = ()
) -> dict[str, Description | str]:
    """The descriptions of foreign classes, or why there is none. The other arguments are part of the cache's key."""
    request = json.dumps({"names": wanted, "path": path}).encode()
    out, theirs = os.pipe()
    with open(out, "rb") as answer:
        with open(theirs, "wb"):
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "ludoteca.agents.description_process", str(theirs)],
                pass_fds=[theirs], cwd=folder, start_new_session=True,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        late = False
        try:
            process.communicate(request, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            _kill(process)
        said = b"" if late else answer.read()
    return _understood(wanted, said, say("importing it took too long") if late else say("its process died"))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _understood(wanted: Iterable[str], said: bytes, otherwise: str) -> dict[str, Description | str]:
    try:
        answers = json.loads(said)
    except (ValueError, RecursionError):
        answers = {}
    found: dict[str, Description | str] = {}
    for name in wanted:
        try:
            about = answers[name]
            found[name] = _text(about) if isinstance(about, str) else Description.from_json(about)
        except (KeyError, TypeError, ValueError, AttributeError, InvalidOption):
            found[name] = otherwise
    return found


def _option_to_json(option: Option) -> dict[str, object]:
    kinds = {kind: name for name, kind in KINDS.items()}
    kind = "choice" if option.choices and option.kind is not bool else kinds.get(option.kind, "str")
    return {
        "name": option.name, "kind": kind, "choices": option.choices, "default": specs.show(option.default),
        "title": to_json(option.label.title), "help": to_json(option.label.help),
        "values": {value: to_json(name) for value, name in option.label.values.items()},
    }  # fmt: skip


def _option_from_json(value: Mapping[str, Any]) -> Option:
    choices = tuple(_text(each) for each in value["choices"])
    kind = Literal[choices] if value["kind"] == "choice" else KINDS[value["kind"]]
    values = {_text(each): from_json(name) for each, name in value["values"].items()}
    label = Label(from_json(value["title"]), from_json(value["help"]), values)
    option = Option(_text(value["name"]), kind, None, label)
    text = _text(value["default"])
    default = option.parse("", text) if text or kind is str else Path()
    return Option(option.name, kind, default, label)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 10 * LONGEST:
        raise ValueError
    return value
