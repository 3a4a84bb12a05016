"""The games by name: those of the entry point group ``ludoteca.games``, ours and other packages'.

The group ``ludoteca.games.unlisted`` holds games that are found by name but not listed, such as ``openspiel``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple, cast

from ludoteca import spec as specs
from ludoteca.errors import InvalidGame
from ludoteca.messages import say
from ludoteca.protocols import Game


class _Entry(NamedTuple):
    point: EntryPoint
    listed: bool


@cache
def _entry_points() -> dict[str, _Entry]:
    groups = (("ludoteca.games.unlisted", False), ("ludoteca.games", True))
    return {point.name: _Entry(point, listed) for name, listed in groups for point in entry_points(group=name)}


def names() -> list[str]:
    """The names of all listed games, in alphabetical order. Imports none of them."""
    return sorted(name for name, entry in _entry_points().items() if entry.listed)


def unlisted() -> list[str]:
    """The names of the games that no list shows, in alphabetical order."""
    return sorted(name for name, entry in _entry_points().items() if not entry.listed)


def is_known(name: str) -> bool:
    """Whether there is a game of this name, listed or not."""
    return name in _entry_points()


def is_ours(name: str) -> bool:
    """Whether the game of this name comes with Ludoteca and needs nothing else."""
    entry = _entry_points().get(name)
    return entry is not None and entry.point.module.startswith("ludoteca.games.")


def game_class(name: str) -> Callable[..., Game]:
    """The class of the game of this name; its keywords are the game's options. Raises InvalidGame."""
    if name not in _entry_points():
        wrong = say("no game is called {name!r}; the games are {names}", name=name, names=names())
        raise InvalidGame(specs.with_suggestion(wrong, name, names()))
    try:
        return cast(Callable[..., Game], _entry_points()[name].point.load())
    except (ImportError, AttributeError) as error:
        wrong = say("the game {name!r} is installed but cannot be loaded: {error}", name=name, error=error)
        raise InvalidGame(wrong) from error


def summary(name: str) -> str:
    """The game of this name in one line; empty if it has none. To be translated. Raises InvalidGame."""
    return getattr(game_class(name), "summary", "")


def rules_text(name: str) -> str:
    """The rules in a minute, in paragraphs; empty if the game has none. To be translated. Raises InvalidGame."""
    return getattr(game_class(name), "rules_text", "")


def cover(name: str) -> str:
    """A small picture of the game without words, as SVG; empty if it has none. Raises InvalidGame."""
    draw = getattr(game_class(name), "cover", None)
    return draw() if draw else ""


def example_spec(name: str) -> str:
    """The variant of a game that is shown as its example. Raises InvalidGame."""
    return getattr(game_class(name), "example_spec", "") or name


def game(spec: str) -> Game:
    """The game that a string such as ``hex`` or ``hex:size=7,swap=true`` describes.

    Raises InvalidGame for an unknown name or a string of another form, and InvalidOption for an option that
    the game does not have or a value that it does not take.

    >>> import ludoteca
    >>> ludoteca.game("hex:size=7").spec
    'hex:size=7'
    """
    name, texts = specs.split(spec, InvalidGame)
    factory = game_class(name)
    return factory(**specs.read(name, specs.options(factory), texts))
