"""Our games for OpenSpiel: ``register()``, and ``pyspiel.load_game("ludoteca_hex(size=5)")`` knows them.

Every installed game is registered as ``ludoteca_NAME``; its options are the parameters, and where there is chance
``deals`` too: see `ludoteca.games.openspiel_form`, which says what the chance node, the information states and the
observations are.

>>> import pyspiel
>>> register()
>>> game = pyspiel.load_game("ludoteca_hex(size=3)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("b2"))
>>> state.current_player(), state.information_state_string(0) == state.information_state_string(1)
(1, False)
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from ludoteca import games, spec
from ludoteca.games.openspiel import spiel
from ludoteca.protocols import Game

__all__ = ["register", "spiel_game"]


def register() -> list[str]:
    """Registers every installed game with OpenSpiel; the names of all of them there. More than once is harmless.

    Raises InvalidGame, with what to install, where OpenSpiel is missing.
    """
    pyspiel = spiel()
    from ludoteca.games.openspiel_form import short_name

    for name in games.names():
        if short_name(name) not in pyspiel.registered_names():
            _register(name)
    return [short_name(name) for name in games.names()]


def spiel_game(game: str | Game, deals: int | None = None) -> Any:
    """The game of one of our specs as a `pyspiel.Game`; deals: see `ludoteca.games.openspiel_form`.

    >>> spiel_game("dominoes:pips=3,hand=2,variant=block,start=seat", deals=0).max_chance_outcomes()
    1260

    Raises InvalidGame and InvalidOption.
    """
    spiel()
    from ludoteca.games.openspiel_form import DEALS, form_of

    return form_of(games.game(game) if isinstance(game, str) else game, DEALS if deals is None else deals)


def _register(name: str) -> None:
    from ludoteca.games.openspiel_form import DEALS, OurGame, game_type, has_chance

    pyspiel = spiel()
    factory = games.game_class(name)
    options = [option for option in spec.options(factory) if not option.opens_file]
    usual = games.game(name)
    parameters: dict[str, Any] = {option.name: option.default for option in options}
    if has_chance(usual):
        parameters["deals"] = DEALS
    kind = game_type(usual, parameters)

    def make(given: Mapping[str, Any] | None = None) -> OurGame:
        chosen = dict(given or {})
        deals = int(chosen.get("deals", DEALS))
        texts = {key: spec.show(value) for key, value in chosen.items() if key != "deals"}
        return OurGame(factory(**spec.read(name, options, texts)), kind, deals, chosen)

    # OpenSpiel keeps it beyond the end of Python, when nothing may be freed any more.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(make))
    pyspiel.register_game(kind, make)
