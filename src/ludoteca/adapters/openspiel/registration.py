"""Our games in OpenSpiel: after ``register()``, ``pyspiel.load_game("ludoteca_hex(size=5)")`` finds them.

Every installed game is registered as ``ludoteca_NAME``; its options are the parameters, and where there is chance
``deals`` too: see `exported_game` for the chance
node, the information states and the observations.

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
from ludoteca.adapters.openspiel.imported_game import spiel
from ludoteca.protocols import Game


def register() -> list[str]:
    """Registers every installed game with OpenSpiel, once; gives their names there.

    Raises MissingExtra, with what to install, if OpenSpiel is missing.
    """
    pyspiel = spiel()
    from ludoteca.adapters.openspiel.exported_game import short_name

    for name in games.names():
        if short_name(name) not in pyspiel.registered_names():
            _register(name)
    return [short_name(name) for name in games.names()]


def spiel_game(game: str | Game, deals: int | None = None) -> Any:
    """The game of one of our specs as a `pyspiel.Game`; deals: see `ludoteca.adapters.openspiel.exported_game`.

    >>> spiel_game("dominoes:pips=3,hand=2,variant=block,start=seat", deals=0).max_chance_outcomes()
    1260

    Raises InvalidGame, InvalidOption and MissingExtra.
    """
    spiel()
    from ludoteca.adapters.openspiel.exported_game import DEALS, as_spiel_game

    return as_spiel_game(games.game(game) if isinstance(game, str) else game, DEALS if deals is None else deals)


def _register(name: str) -> None:
    # OpenSpiel keeps this function until after Python has ended, when nothing may be freed any more. So it is never
    # freed, and it holds only a name, so that it keeps nothing else alive.
    make = partial(_make, name)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    spiel().register_game(_kind(name), make)


def _make(name: str, given: Mapping[str, Any] | None = None) -> Any:
    """The game with these parameters, for OpenSpiel. Raises InvalidOption."""
    from ludoteca.adapters.openspiel.exported_game import DEALS, ExportedGame

    chosen = dict(given or {})
    texts = {key: spec.show(value) for key, value in chosen.items() if key != "deals"}
    rules = games.game_class(name)(**spec.read(name, _options(name), texts))
    return ExportedGame(rules, _kind(name), int(chosen.get("deals", DEALS)), chosen)


def _options(name: str) -> list[spec.Option]:
    return [option for option in spec.options(games.game_class(name)) if not option.opens_file]


@cache
def _kind(name: str) -> Any:
    """The `pyspiel.GameType` of the game of this name."""
    from ludoteca.adapters.openspiel.exported_game import DEALS, game_type, has_chance

    usual = games.game(name)
    parameters: dict[str, Any] = {option.name: option.default for option in _options(name)}
    return game_type(usual, parameters | ({"deals": DEALS} if has_chance(usual) else {}))
