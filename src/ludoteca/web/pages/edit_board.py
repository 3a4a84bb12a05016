"""A board on which stones, or knights and values, are put by clicks."""

from __future__ import annotations

from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludoteca.errors import LudotecaError
from ludoteca.games.picture import SEATS
from ludoteca.protocols import Clickable
from ludoteca.web.asked import rules
from ludoteca.web.board import board
from ludoteca.web.editing_board import BoardEditing
from ludoteca.web.frame import Visit, game_title, raw
from ludoteca.web.pages.edit_outcome import NONSENSE, Outcome

__all__ = ["BoardPage"]


class BoardPage:
    """A board, a choice of brushes, and the ways out."""

    def __init__(self, visit: Visit, editing: BoardEditing) -> None:
        self.visit, self.editing = visit, editing
        game = editing.game
        # The empty board; a game whose deal is random is drawn from one on which nothing lies but the knights.
        empty = "horses:layout=W@a1/B@b1,size=" + str(getattr(game, "size", 8))
        self.ground = (game if game.name == "hex" else rules(empty)).deal(0).view(0)

    def build(self) -> None:
        """Makes the elements."""
        visit, game = self.visit, self.editing.game
        ui.label(visit.say("Set up a position of {game}", game=game_title(game.name, visit.language))).classes("title")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                self.brush = ui.toggle(self.editing.brushes, value=self.editing.brushes[0]).props("no-caps dense")
                self.board_html = raw().classes(f"board editing {game.name}")
                self.board_html.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
            with ui.element("aside").classes("side"), ui.element("section").classes("card"):
                sizes = range(2, 20) if game.name == "hex" else range(5, 9)
                now = getattr(game, "size", 0)
                links = (
                    f'<a class="button quiet" href="/edit/{game.name}?game={game.name}:size={size}"'
                    f"{' aria-current=true' if size == now else ''}>{size}</a>"
                    for size in sizes
                )
                how = visit.say("Choose a brush and click: a second click takes away. Then play or analyse from there.")
                raw(f"<p>{escape(how)}</p>")
                self.outcome = Outcome(visit)
                raw("".join(links)).classes("row sizes")
        self.refresh()

    def refresh(self) -> None:
        """Draws what was put, and says whether it can be played."""
        game = self.editing.game
        drawing = board(self.ground, playable=True, language=self.visit.language)
        assert isinstance(game, Clickable)
        size = getattr(game, "size", 0) ** 2
        outlines = {spot.action: spot.outline for spot in game.spots(self.ground) if spot.action < size}
        marks = "".join(_mark(outlines[cell], thing) for cell, thing in self.editing.things.items())
        veil = "" if game.name == "hex" else "".join(f"<path d='{o}' class='veil'/>" for o in outlines.values())
        first = drawing.find("<path class='spot")
        self.board_html.set_content(drawing[:first] + veil + marks + drawing[first:])
        self.outcome.show(self.editing)

    def _clicked(self, event: GenericEventArguments) -> None:
        cell = event.args
        try:
            if not isinstance(cell, int) or isinstance(cell, bool):
                raise LudotecaError(NONSENSE)
            self.editing.put(cell, str(self.brush.value or ""))
        except LudotecaError as error:
            ui.notify(self.visit.explain(error), type="warning")
            return
        self.refresh()


def _mark(outline: str, thing: str) -> str:
    """What lies on a cell: a stone in the colour of its seat, or a knight or value as a text."""
    if thing in ("0", "1"):
        return f"<path d='{outline}' fill='{SEATS[int(thing)]}' fill-opacity='.85'/>"
    x, y, side = _square(outline)
    signs = {"W": "♘", "B": "♞"}
    return (
        f"<text x='{x + side / 2:.1f}' y='{y + side / 2:.1f}' dy='0.35em' text-anchor='middle' "
        f"font-size='{side * (0.8 if thing in signs else 0.4):.1f}' font-weight='bold' fill='#2f2a26'>"
        f"{signs.get(thing, thing)}</text>"
    )


def _square(outline: str) -> tuple[float, float, float]:
    """The corner and the side of a square's outline, ``Mx yhs…``."""
    start, _, rest = outline.removeprefix("M").partition("h")
    x, y = start.split()
    return float(x), float(y), float(rest.partition("v")[0])
