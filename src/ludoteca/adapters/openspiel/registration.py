"""Our games for OpenSpiel: ``register()``, and ``pyspiel.load_game("ludoteca_hex(size=5)")`` knows them.

Every installed game is registered as ``ludoteca_NAME``; its options are the parameters, and where there is chance
``deals`` too: see `our_games`, which says what the chance node, the information states and the
observations are.

>>> import pyspiel
>>> "ludoteca_hex" in register()
True
>>> game = pyspiel.load_game("ludoteca_hex(size=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("b2"))
>>> state.current_player(), len(state.legal_actions())
(1, 8)
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from ludoteca import games, spec
from ludoteca.adapters.openspiel.game import spiel
from ludoteca.protocols import Game

__all__ = ["register", "spiel_game"]


def register() -> list[str]:
    """Registers every installed game with OpenSpiel; the names of all of them there. More than once is harmless.

    Raises MissingExtra, with what to install, where OpenSpiel is missing.
    """
    pyspiel = spiel()
    from ludoteca.adapters.openspiel.our_games import short_name

    for name in games.names():
        if short_name(name) not in pyspiel.registered_names():
            _register(name)
    return [short_name(name) for name in games.names()]


def spiel_game(game: str | Game, deals: int | None = None) -> Any:
    """The game of one of our specs as a `pyspiel.Game`; deals: see `ludoteca.adapters.openspiel.our_games`.

    >>> spiel_game("dominoes:pips=3,hand=2,variant=block,start=seat", deals=0).max_chance_outcomes()
    1260

    Raises InvalidGame, InvalidOption and MissingExtra.
    """
    spiel()
    from ludoteca.adapters.openspiel.our_games import DEALS, form_of

    return form_of(games.game(game) if isinstance(game, str) else game, DEALS if deals is None else deals)


def _register(name: str) -> None:
    # OpenSpiel keeps what makes games beyond the end of Python, when nothing may be freed any more: so it is never
    # freed, and holds nothing but a name, so that nothing else is kept from being freed.
    make = partial(_make, name)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    spiel().register_game(_kind(name), make)


def _make(name: str, given: Mapping[str, Any] | None = None) -> Any:
    """The game that OpenSpiel asks for, with these parameters. Raises InvalidOption."""
    from ludoteca.adapters.openspiel.our_games import DEALS, OurGame

    chosen = dict(given or {})
    texts = {key: spec.show(value) for key, value in chosen.items() if key != "deals"}
    rules = games.game_class(name)(**spec.read(name, _options(name), texts))
    return OurGame(rules, _kind(name), int(chosen.get("deals", DEALS)), chosen)


def _options(name: str) -> list[spec.Option]:
    return [option for option in spec.options(games.game_class(name)) if not option.opens_file]


@cache
def _kind(name: str) -> Any:
    """How OpenSpiel describes the game of this name."""
    from ludoteca.adapters.openspiel.our_games import DEALS, game_type, has_chance

    usual = games.game(name)
    parameters: dict[str, Any] = {option.name: option.default for option in _options(name)}
    return game_type(usual, parameters | ({"deals": DEALS} if has_chance(usual) else {}))
