"""The games and agents that visitors may name: only installed ones, and no option that opens a file.

A dotted name would import any module of the server, and an option that is a path would open any of its files. An option
is a path if the constructor of its game or agent annotates it as `pathlib.Path`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ludoteca import agents, games
from ludoteca import spec as specs
from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.agents.networks.trained import network_file
from ludoteca.errors import InvalidAgent, InvalidGame, InvalidOption
from ludoteca.messages import say
from ludoteca.protocols import Game

LONGEST_SPEC = 2000
TRAINED = "trained"
"""The agent that plays by a network which a visitor trained here; no list shows it."""


@lru_cache(maxsize=256)
def cached_game(spec: str) -> Game:
    """`ludoteca.games.game`, cached: games are values, and many tables play the same one."""
    return games.game(spec)


def allowed_game(spec: str) -> Game:
    """The game of this spec, if visitors may play it. Raises InvalidGame and InvalidOption."""
    if len(spec) > LONGEST_SPEC:
        raise InvalidGame("a game may be written in at most {most} characters", most=LONGEST_SPEC)
    return _allowed_game(spec)


@lru_cache(maxsize=256)
def _allowed_game(spec: str) -> Game:
    name, texts = specs.split(spec, InvalidGame)
    factory = games.game_class(name)
    options = specs.options(factory)
    _refuse_files(name, options, texts)
    # A game may know further values that could harm a server.
    if (check_visitor := getattr(factory, "check_visitor", None)) is not None:
        check_visitor(**specs.read(name, options, texts))
    return cached_game(spec)


def agents_of(game: str) -> tuple[str, ...]:
    """The names of the agents that play the game of this name."""
    return _agents_of(game, tuple(agents.names()))


@lru_cache(maxsize=64)
def _agents_of(game: str, installed: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(agents.names(game))


def allowed_agent(spec: str, game: str) -> str:
    """The canonical spec of an agent, if visitors may use it in the game of this name.

    Raises InvalidAgent and InvalidOption.
    """
    if len(spec) > LONGEST_SPEC:
        raise InvalidAgent("an agent may be written in at most {most} characters", most=LONGEST_SPEC)
    name, _ = specs.split(spec, InvalidAgent)
    if name == TRAINED and agents.describe(name).plays(game):
        network_file(specs.split(spec, InvalidAgent)[1].get("network", ""))  # never cached: it may be gone
        return agents.canonical(spec)
    known = agents_of(game)
    if name not in known:
        wrong = say("{game} has no agent called {name!r}; there are {names}", game=game, name=name[:80], names=known)
        raise InvalidAgent(specs.with_suggestion(wrong, name, known))
    return _checked_own(spec) if _is_own(name) else _checked(spec)


def current_identity(spec: str, game: str) -> Identity:
    """The identity of the agent of this spec now, in the game of this name. Raises InvalidAgent and InvalidOption."""
    return _own_identity(spec, game) if _is_own(specs.split(spec, InvalidAgent)[0]) else identity_of(spec, game)


def _checked(spec: str) -> str:
    name, texts = specs.split(spec, InvalidAgent)
    _refuse_files(name, agents.describe(name).options, texts)
    return agents.canonical(spec)


_checked_own = lru_cache(maxsize=1024)(_checked)
"""Cached: our own agents do not change while the server runs; another file may be edited at any time."""
_own_identity = lru_cache(maxsize=1024)(identity_of)
_is_own = lru_cache(maxsize=1024)(agents.is_ours)


@lru_cache(maxsize=64)
def game_options(name: str) -> tuple[specs.Option, ...]:
    """The options of a game that a visitor may choose."""
    return _choosable(specs.options(games.game_class(name)))


def agent_options(name: str) -> tuple[specs.Option, ...]:
    """The options of an agent that a visitor may choose."""
    return _own_options(name) if _is_own(name) else _choosable(agents.describe(name).options)


@lru_cache(maxsize=64)
def _own_options(name: str) -> tuple[specs.Option, ...]:
    return _choosable(agents.describe(name).options)


def _choosable(options: Iterable[specs.Option]) -> tuple[specs.Option, ...]:
    return tuple(option for option in options if not option.opens_file)


def _refuse_files(owner: str, options: Iterable[specs.Option], given: Iterable[str]) -> None:
    for option in options:
        if option.opens_file and option.name in given:
            raise InvalidOption(
                "{owner}: {option} is a file on the server and cannot be chosen on the page",
                    owner=owner, option=option.name
            )  # fmt: skip
