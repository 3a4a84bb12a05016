"""The editor of a board: click cells to place stones, or knights and values."""

from __future__ import annotations

from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.errors import LudotecaError
from ludoteca.games.picture import Picture
from ludoteca.messages import joined, say
from ludoteca.web.drawing.board import spot_paths
from ludoteca.web.editing.board import BoardEditor
from ludoteca.web.pages.edit.outcome import NONSENSE, Outcome
from ludoteca.web.pages.frame import Visit, game_title, raw

ICON = 44.0
"""The side of a piece's icon."""
ERASER = "M12 30l14-18 10 8-14 18h-8z M10 38h26"


class BoardPage:
    """One tab that sets up a board."""

    def __init__(self, visit: Visit, editor: BoardEditor) -> None:
        self.visit, self.editor = visit, editor
        editor.narrow = visit.narrow
        self.pieces = [*editor.pieces, ""]
        self.piece = self.pieces[0]

    def build(self) -> None:
        """Makes the elements."""
        visit, game = self.visit, self.editor.game
        title = visit.say("Set up a position of {game}", game=game_title(game, visit.language))
        raw(escape(title), tag="h1").classes("title")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                self.palette_html = raw().classes("brushes").props("role=group")
                self.palette_html.props["aria-label"] = visit.say("Pieces to place")
                self.palette_html.on("click", self._chosen, js_handler="(e) => ludoteca.click(e, emit)")
                self.palette_html.on("keydown", self._chosen, js_handler="(e) => ludoteca.key(e, emit)")
                self.board_html = raw().classes(f"board editing {game.name}")
                self.board_html.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
            with ui.element("aside").classes("side"), ui.element("section").classes("card"):
                links = (
                    f'<a class="button quiet" href="/edit/{game.name}?game={game.name}:size={size}"'
                    f"{' aria-current=true' if size == game.size else ''}>{size}</a>"
                    for size in self.editor.sizes
                )
                how = visit.say(
                    "Choose a piece and click on the board; click again to remove it. Then play or analyse from there."
                )
                raw(f"<p>{escape(how)}</p>")
                self.outcome = Outcome(visit)
                raw("".join(links)).classes("row sizes")
        self.refresh()

    def refresh(self) -> None:
        """Draws the pieces and shows the outcome."""
        game, placed, visit = self.editor.game, self.editor.placed, self.visit
        self.palette_html.set_content("".join(self._piece_button(place) for place in range(len(self.pieces))))
        picture = self.editor.empty(visit.language)
        for cell, piece in placed.items():
            self.editor.draw_piece(picture, cell, piece)

        def name(cell: int) -> str:
            what = self.editor.piece_name(placed[cell]) if cell in placed else say("empty")
            return visit.translate(joined([game.action_name(cell), what]))

        places = self.editor.cells()
        cells = [area.action for area in places]
        drawing = picture.svg().removeprefix("<svg").removesuffix("</svg>")
        self.board_html.set_content(f"<svg role='group'{drawing}{spot_paths(places, cells, name)}</svg>")
        self.outcome.show(self.editor)

    def _piece_button(self, place: int) -> str:
        piece = self.pieces[place]
        title = self.editor.piece_name(piece) if piece else say("eraser")
        name = escape(self.visit.translate(title), quote=True)
        return (
            f"<button type='button' class='piece brush' data-action='{place}' title='{name}' aria-label='{name}' "
            f"aria-pressed='{'true' if piece == self.piece else 'false'}'>{self._icon(piece)}</button>"
        )

    def _icon(self, piece: str) -> str:
        picture = Picture(ICON, ICON)
        if piece:
            self.editor.draw_icon(picture, ICON, piece)
        else:
            picture.add("path", d=ERASER, fill="none", stroke="currentColor", stroke_width=3)
        return f"<svg viewBox='0 0 {ICON:g} {ICON:g}' aria-hidden='true'>{picture.inside()}</svg>"

    def _chosen(self, event: GenericEventArguments) -> None:
        place = event.args
        if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(self.pieces):
            self.piece = self.pieces[place]
            self.refresh()

    def _clicked(self, event: GenericEventArguments) -> None:
        cell = event.args
        try:
            if not isinstance(cell, int) or isinstance(cell, bool):
                raise LudotecaError(NONSENSE)
            self.editor.put(cell, self.piece)
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning")
            return
        self.refresh()
