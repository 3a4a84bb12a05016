"""A board on which stones, or knights and values, are put by clicks."""

from __future__ import annotations

from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.errors import LudotecaError
from ludoteca.games.picture import Picture
from ludoteca.messages import joined, say
from ludoteca.web.drawing.board import spot_paths
from ludoteca.web.editing.board import BoardEditing
from ludoteca.web.pages.edit.outcome import NONSENSE, Outcome
from ludoteca.web.pages.frame import Visit, game_title, raw

__all__ = ["BoardPage"]

BRUSH = 44.0
"""The side of a brush's picture."""
ERASER = "M12 30l14-18 10 8-14 18h-8z M10 38h26"


class BoardPage:
    """A board, a choice of brushes, and the ways out."""

    def __init__(self, visit: Visit, editing: BoardEditing) -> None:
        self.visit, self.editing = visit, editing
        self.brushes = [*editing.brushes, ""]
        self.brush = self.brushes[0]

    def build(self) -> None:
        """Makes the elements."""
        visit, game = self.visit, self.editing.game
        title = visit.say("Set up a position of {game}", game=game_title(game.name, visit.language))
        raw(escape(title), tag="h1").classes("title")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                self.brushes_html = raw().classes("brushes").props("role=group")
                self.brushes_html.props["aria-label"] = visit.say("What you put")
                self.brushes_html.on("click", self._chosen, js_handler="(e) => ludoteca.click(e, emit)")
                self.brushes_html.on("keydown", self._chosen, js_handler="(e) => ludoteca.key(e, emit)")
                self.board_html = raw().classes(f"board editing {game.name}")
                self.board_html.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
            with ui.element("aside").classes("side"), ui.element("section").classes("card"):
                links = (
                    f'<a class="button quiet" href="/edit/{game.name}?game={game.name}:size={size}"'
                    f"{' aria-current=true' if size == self.editing.size else ''}>{size}</a>"
                    for size in self.editing.sizes
                )
                how = visit.say("Choose a brush and click: a second click takes away. Then play or analyse from there.")
                raw(f"<p>{escape(how)}</p>")
                self.outcome = Outcome(visit)
                raw("".join(links)).classes("row sizes")
        self.refresh()

    def refresh(self) -> None:
        """Draws what was put, and says whether it can be played."""
        game, things, visit = self.editing.game, self.editing.things, self.visit
        self.brushes_html.set_content("".join(self._brush(place) for place in range(len(self.brushes))))
        picture = self.editing.empty_board(visit.language)
        for cell, thing in things.items():
            self.editing.draw_piece(picture, cell, thing)

        def name(cell: int) -> str:
            what = self.editing.piece_name(things[cell]) if cell in things else say("empty")
            return visit.translate(joined([game.action_name(cell), what]))

        places = self.editing.cells()
        cells = [area.action for area in places]
        drawing = picture.svg().removeprefix("<svg").removesuffix("</svg>")
        self.board_html.set_content(f"<svg role='group'{drawing}{spot_paths(places, cells, name)}</svg>")
        self.outcome.show(self.editing)

    def _brush(self, place: int) -> str:
        brush = self.brushes[place]
        piece = self.editing.piece_name(brush) if brush else say("eraser")
        name = escape(self.visit.translate(piece), quote=True)
        return (
            f"<button type='button' class='piece brush' data-action='{place}' title='{name}' aria-label='{name}' "
            f"aria-pressed='{'true' if brush == self.brush else 'false'}'>{self._small_picture(brush)}</button>"
        )

    def _small_picture(self, brush: str) -> str:
        picture = Picture(BRUSH, BRUSH)
        if brush:
            self.editing.draw_brush(picture, BRUSH, brush)
        else:
            picture.add("path", d=ERASER, fill="none", stroke="currentColor", stroke_width=3)
        return f"<svg viewBox='0 0 {BRUSH:g} {BRUSH:g}' aria-hidden='true'>{picture.inside()}</svg>"

    def _chosen(self, event: GenericEventArguments) -> None:
        place = event.args
        if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(self.brushes):
            self.brush = self.brushes[place]
            self.refresh()

    def _clicked(self, event: GenericEventArguments) -> None:
        cell = event.args
        try:
            if not isinstance(cell, int) or isinstance(cell, bool):
                raise LudotecaError(NONSENSE)
            self.editing.put(cell, self.brush)
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning")
            return
        self.refresh()
