"""The editor of a Dominoes position: click tiles to place them."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import UNIT, draw_tile, numbers, tile_name
from ludoteca.games.picture import INK, Picture
from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.protocols import Game
from ludoteca.web.drawing.board import board
from ludoteca.web.editing.dominoes import TARGETS, DominoesEditor
from ludoteca.web.pages.edit.options import EditOptions
from ludoteca.web.pages.edit.outcome import NONSENSE, Outcome
from ludoteca.web.pages.frame import Visit, game_title, raw
from ludoteca.web.pages.thoughts import capital
from ludoteca.web.tables.match_request import fresh_seed

HELP = say(
    "Choose a place, then click tiles to put them there; click again to take one back. The boneyard and a hand that "
    "you leave empty are dealt at random. The other hand stays hidden in the match, and agents never see it."
)
BADGES = {"": "&nbsp;", "line": "↔", "0": "0", "1": "1"}


class DominoesPage:
    """One tab that sets up a Dominoes position."""

    def __init__(self, visit: Visit, editor: DominoesEditor) -> None:
        self.visit, self.editor = visit, editor
        say = visit.say
        sides = [visit.translate(side(editor.game, seat)) for seat in (0, 1)]
        self.whose = (f"{say('Your hand')} ({sides[0]})", f"{say('Other hand')} ({sides[1]})")

    def build(self) -> None:
        """Makes the elements."""
        visit, say = self.visit, self.visit.say
        title = say("Set up a position of {game}", game=game_title("dominoes", visit.language))
        raw(escape(title), tag="h1").classes("title")
        self.drawings = raw(_drawings(self.editor.game.num_tiles)).classes("drawings")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                names = (say("← Line"), say("Line →"), *self.whose)
                self.target = ui.toggle(dict(zip(TARGETS, names, strict=True)), value="right", on_change=self.refresh)
                self.target.props("no-caps dense spread").classes("targets")
                self.pieces = raw().classes("pieces dominoes")
                self.pieces.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self.pieces.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
                raw(escape(say("What you will see")), tag="h2").classes("subtitle")
                self.preview = raw().classes("board dominoes")
            with ui.element("aside").classes("side"):
                with ui.element("section").classes("card"):
                    raw(f"<p>{escape(visit.translate(HELP))}</p>")
                    self.outcome = Outcome(visit)
                with ui.element("section").classes("card fields"):
                    raw(escape(say("On turn")), tag="h2").classes("subtitle")
                    turns = {seat: capital(visit.translate(side(self.editor.game, seat))) for seat in (0, 1)}
                    turns[0] += f" ({say('You').lower()})"
                    chosen = ui.toggle(turns, value=self.editor.turn, on_change=self._on_turn)
                    chosen.props("no-caps dense").classes("turns")
                    self.numbers = [self._number(seat) for seat in (0, 1)]
                    with ui.element("div").classes("row"):
                        for text, icon, do in (
                            (say("Draw the rest again"), "casino", self._deal_again),
                            (say("Clear all"), "clear", self._clear),
                        ):
                            ui.button(text, icon=icon, on_click=do).props("flat no-caps dense")
                EditOptions(visit, self.editor.game, self._change)
        self.refresh()

    def _number(self, seat: int) -> ui.number:
        label = self.visit.say("Random tiles: {whose}", whose=self.whose[seat].lower())
        field = ui.number(label, value=self.editor.counts[seat], min=1, max=self.editor.game.num_tiles - 1, step=1)
        field.classes("field").on_value_change(lambda event, seat=seat: self._count(seat, event))
        return field

    def refresh(self) -> None:
        """Shows the tiles, the outcome, and what the person will see."""
        self.pieces.set_content("".join(map(self._piece, range(self.editor.game.num_tiles))))
        for seat, field in enumerate(self.numbers):
            field.set_enabled(not self.editor.hands[seat])
        match = self.outcome.show(self.editor)
        self.preview.set_content(
            board(match.view(0), playable=False, language=self.visit.language, narrow=self.visit.narrow)
            if match is not None
            else ""
        )

    def _piece(self, tile: int) -> str:
        where, target = self.editor.where(tile), str(self.target.value)
        say = self.visit.say
        # Translators: tiles that lie nowhere yet
        state = {"": say("free"), "line": say("on the line")}.get(where) or self.whose[int(where)]
        look = f"in{where}" if where else "fits" if self.editor.fits(tile, target) else "free"
        return (
            f"<button type='button' class='piece {look}' data-action='{tile}' "
            f"aria-label='{tile_name(tile)}, {escape(state, quote=True)}'>"
            f"<svg viewBox='0 0 {UNIT + 4:g} {2 * UNIT + 4:g}' aria-hidden='true'><use href='#tile{tile}'/></svg>"
            f"<small>{BADGES[where]}</small></button>"
        )

    def _clicked(self, event: GenericEventArguments) -> None:
        tile = event.args
        try:
            if not isinstance(tile, int) or isinstance(tile, bool):
                raise LudotecaError(NONSENSE)
            self.editor.put(tile, str(self.target.value))
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning")
            return
        self.refresh()

    def _count(self, seat: int, event: Any) -> None:
        if isinstance(event.value, (int, float)) and 1 <= event.value < self.editor.game.num_tiles:
            self.editor.counts[seat] = int(event.value)
            self.refresh()

    def _on_turn(self, event: Any) -> None:
        if event.value in (0, 1):
            self.editor.turn = int(event.value)
            self.refresh()

    def _deal_again(self) -> None:
        self.editor.seed = fresh_seed()
        self.refresh()

    def _clear(self) -> None:
        self.editor.clear()
        self.refresh()

    def _change(self, game: Game) -> None:
        self.editor.change(expect(game, Dominoes))
        self.drawings.set_content(_drawings(self.editor.game.num_tiles))
        for seat, field in enumerate(self.numbers):
            field.max = self.editor.game.num_tiles - 1
            field.set_value(self.editor.counts[seat])
        self.refresh()


def _drawings(tiles: int) -> str:
    """Every tile as an SVG symbol, sent once: there may be many hundred pips."""
    symbols = []
    for tile in range(tiles):
        picture = Picture(UNIT + 4, 2 * UNIT + 4)
        draw_tile(picture, 2, 2, numbers(tile), INK)
        symbols.append(f"<g id='tile{tile}'>{picture.inside()}</g>")
    return f"<svg width='0' height='0' aria-hidden='true'><defs>{''.join(symbols)}</defs></svg>"
