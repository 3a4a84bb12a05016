"""The picture of a board of Hex, in a wide and a narrow layout.

::

    wide                        narrow   1┃
       a b c                             ┃⬡ ⬡
     1 ⬡ ⬡ ⬡                            2┃⬡ ⬡ ⬡
      2 ⬡ ⬡ ⬡                            ┃⬡ ⬡ ⬡┃
       3 ⬡ ⬡ ⬡                          3 ⬡ ⬡ ⬡┃
                                            ⬡ ⬡┃
                                              ⬡┃

The narrow layout is the wide one, turned by 30 degrees: a leaning board stands upright, and on a phone its cells are
larger by two thirds. Left and right stay left and right, top and bottom stay top and bottom. Boards whose rows do not
lean are about as high as they are wide, and have one layout.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

from ludoteca.catalogues import Language
from ludoteca.games.picture import CELL, GRID, HOT, INK, ON, SEATS, Picture, element, label, warmth
from ludoteca.messages import say
from ludoteca.protocols import Action, ClickArea, Seat

RADIUS, MARGIN = 20.0, 44.0  # the radius of a cell, and the margin around the wide board
STEP = RADIUS * math.sqrt(3)  # from a cell to the next one in its row
RIM = 13.0
"""Room around the narrow board where there is only a coloured edge."""
Place = tuple[float, float]


class BoardPicture:
    """Where each cell of a board is drawn, and what never changes there, which is drawn once.

    shifts: by row its shift to the right, in cells. edges: by seat the cells along its two edges. across: the seat that
    connects left and right. upright: the narrow layout.
    """

    def __init__(
        self, shifts: Sequence[float], edges: Sequence[tuple[range, range]], across: Seat, *, upright: bool
    ) -> None:
        self.shifts, self.edges, self.across, self.upright = shifts, edges, across, upright
        self.size = len(shifts)
        along, down = STEP * (self.size + max(shifts)), RADIUS * (1.5 * self.size + 0.5)
        if upright:
            self._left, self._top = 14 + 1.3 * self._letters, 12 + self._letters
            self.width, self.height = self._left + down + RIM, self._top + along + RIM
        else:
            self.width, self.height = along + 2 * MARGIN, down + 2 * MARGIN

    def centre(self, cell: Action) -> Place:
        """The middle of a cell."""
        row, column = divmod(cell, self.size)
        if self.upright:
            return self._left + RADIUS * (1.5 * column + 1), self._top + STEP * (row + 0.5 + column / 2)
        return MARGIN + STEP * (column + 0.5 + self.shifts[row]), MARGIN + RADIUS * (1.5 * row + 1)

    @cached_property
    def areas(self) -> list[ClickArea]:
        """The outline of each cell."""
        return [
            ClickArea(cell, f"M{self._hexagon(self.centre(cell), RADIUS)}z") for cell in range(self.size * self.size)
        ]

    def empty(self, language: Language = "en") -> Picture:
        """The board without a stone, to be drawn on."""
        picture = Picture(self.width, self.height, title=say("Hex board"), language=language)
        picture.put(self._ground)
        return picture

    def draw(
        self,
        stones: Sequence[Seat | None],
        *,
        heat: Mapping[Action, float] | None,
        last: Action | None,
        line: Sequence[Action],
        language: Language,
    ) -> Picture:
        """The board with stones, scores and numbered moves. last: the cell to mark. A swap is not drawn."""
        picture, cells = self.empty(language), self.size * self.size
        for cell, warm in warmth(heat).items():
            if cell < cells:
                picture.add("path", d=self.areas[cell].outline, fill=HOT, fill_opacity=0.08 + 0.8 * warm)
        drawn = self._stones
        picture.put("".join(drawn[owner][cell] for cell, owner in enumerate(stones) if owner is not None))
        if last is not None:
            x, y = self.centre(last)
            picture.add("circle", cx=x, cy=y, r=RADIUS * 0.25, fill=ON, data_last="true")
        for order, cell in enumerate((each for each in line if each < cells), start=1):
            x, y = self.centre(cell)
            picture.add("circle", cx=x, cy=y, r=RADIUS * 0.5, fill=CELL, fill_opacity=0.85, stroke=INK)
            picture.label(x, y, str(order), size=13, font_weight="bold")
        return picture

    def chain(self, cells: Sequence[Action]) -> str:
        """A line from cell to cell, as SVG elements."""
        centres = [self.centre(cell) for cell in cells]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in centres)
        dots = "".join(f"<circle class='chain-stone' cx='{x:.1f}' cy='{y:.1f}' r='7'/>" for x, y in centres)
        return f"<polyline class='chain' points='{points}'/>{dots}" if cells else ""

    @cached_property
    def _stones(self) -> tuple[list[str], list[str]]:
        """By seat and cell a stone, as a piece that the page can move."""

        def stone(cell: int, seat: Seat) -> str:
            picture = Picture(0, 0)
            draw_stone(picture, *self.centre(cell), seat, data_piece=f"stone{cell}-{seat}")
            return picture.inside()

        cells = range(self.size * self.size)
        return [stone(cell, 0) for cell in cells], [stone(cell, 1) for cell in cells]

    @cached_property
    def _ground(self) -> str:
        """The rim, the empty cells and their labels."""
        cells = "".join(area.outline for area in self.areas)
        empty = element("path", d=cells, fill=CELL, stroke=GRID, stroke_width=1.5)
        return self._rim() + empty + (self._upright_labels() if self.upright else self._labels())

    def _labels(self) -> str:
        drawn = ""
        # On a phone the page enlarges them by the width of the picture.
        axis = {"style": f"--wide:{self.width:.0f}", "aria_hidden": "true"}
        for i in range(self.size):
            x, y = self.centre(i)
            drawn += label(x - STEP * 0.3, y - RADIUS * 1.8, _letter(i), size=14, **axis)
            x, y = self.centre(i * self.size)
            drawn += label(x - STEP * 1.1, y, str(i + 1), size=14, **axis)
        return drawn

    def _upright_labels(self) -> str:
        drawn, size = "", self._letters
        for i in range(self.size):
            x, y = self.centre(i)
            drawn += label(x, y - STEP * 0.8 - size * 0.4, _letter(i), size=size, aria_hidden="true")
            x, y = self.centre(i * self.size)
            drawn += label(x - RADIUS * 1.5, y, str(i + 1), size=size, text_anchor="end", aria_hidden="true")
        return drawn

    @property
    def _letters(self) -> float:
        """The size of the upright board's labels: on a phone 12 pixels, so that they are read on large boards too."""
        return max(14.0, 0.037 * RADIUS * (1.5 * self.size + 3))

    def _rim(self) -> str:
        """Thick edges in the colours of the seats, drawn under the cells."""
        rim = ""
        for seat in (self.across, 1 - self.across):
            for way, cells in zip((-1, 1), self.edges[seat], strict=True):
                dx, dy = (way * (0.3 if self.upright else 0.22), 0.0) if seat == self.across else (0.0, way * 0.28)
                shapes = []
                for x, y in map(self.centre, cells):
                    shapes.append(self._hexagon((x + dx * RADIUS, y + dy * RADIUS), RADIUS * 1.08))
                rim += element("path", d="".join(f"M{shape}z" for shape in shapes), fill=SEATS[seat])
        return rim

    def _hexagon(self, place: Place, radius: float) -> str:
        corners = [(math.sin(k * math.pi / 3), math.cos(k * math.pi / 3)) for k in range(6)]
        if self.upright:
            corners = [(y, x) for x, y in corners]
        return " ".join(f"{place[0] + radius * dx:.1f},{place[1] + radius * dy:.1f}" for dx, dy in corners)


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def draw_stone(picture: Picture, x: float, y: float, seat: Seat, **attributes: object) -> None:
    """A stone of this seat with its middle at (x, y)."""
    picture.add("circle", cx=x, cy=y, r=RADIUS * 0.68, fill=SEATS[seat], stroke=INK, stroke_width=1, **attributes)
    if seat == 1:  # shown to colour-blind people: see palettes.css
        style = {"fill": "none", "stroke": ON, "stroke_width": 3, "display": "none", "data_sign": 1}
        picture.add("circle", cx=x, cy=y, r=RADIUS * 0.42, **style)
