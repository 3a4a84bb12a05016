"""The options of the game whose position is being set up."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from ludoteca import games, spec
from ludoteca.errors import LudotecaError
from ludoteca.protocols import Game
from ludoteca.web.frame import Visit
from ludoteca.web.pages.setup import OptionFields
from ludoteca.web.table import rules

__all__ = ["EditOptions"]


class EditOptions:
    """A field for each option, folded away; `change` is told the new game when they are applied."""

    def __init__(self, visit: Visit, game: Game, change: Callable[[Game], None]) -> None:
        self._visit, self._change = visit, change
        with ui.expansion(visit.say("options"), icon="tune").classes("card options"):
            known = spec.options(games.game_class(game.name))
            self._fields = OptionFields(game.name, known, getattr(game, "options", {}), visit)
            ui.button(visit.say("apply"), icon="check", on_click=self._apply).props("flat no-caps")

    def _apply(self) -> None:
        try:
            self._change(rules(self._fields.spec()))
        except LudotecaError as error:
            ui.notify(self._visit.explain(error), type="warning", multi_line=True)
