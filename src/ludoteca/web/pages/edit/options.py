"""The options of the game whose position is being set up."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca import spec
from ludoteca.errors import LudotecaError
from ludoteca.protocols import Game
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.pages.setup.option_fields import form_fields, option_fields, spec_from_fields
from ludoteca.web.serving.allowed_specs import allowed_game


class EditOptions:
    """A folded form with a field for each option; calls `change` with the new game when it is applied."""

    def __init__(self, visit: Visit, game: Game, change: Callable[[Game], None]) -> None:
        self._visit, self._name, self._change = visit, game.name, change
        given = tuple((name, spec.show(value)) for name, value in getattr(game, "options", {}).items())
        raw(
            f"<summary>{escape(visit.say('Game options'))}</summary>"
            f"<form>{option_fields(game.name, True, 'game', given, visit.language)}"
            f'<button class="button">{escape(visit.say("Apply"))}</button></form>',
            tag="details",
        ).classes("card options").on(
            "submit.prevent", self._apply, js_handler="(e) => emit(Object.fromEntries(new FormData(e.target)))"
        )

    def _apply(self, event: GenericEventArguments) -> None:
        try:
            self._change(allowed_game(spec_from_fields(self._name, True, "game", form_fields(event.args))))
        except LudotecaError as error:
            ui.notify(self._visit.explain(error), type="warning", multi_line=True)
