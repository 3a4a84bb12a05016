"""Hex: put stones in turn and connect your two sides; there are no draws.

Two seats fill an n×n board of hexagons. One connects left and right, the other top and bottom; exactly one
of them succeeds. With ``swap`` the second seat may answer the first stone by taking it over, mirrored.

Actions are the cells row by row, ``a1`` being the top left corner and the letter the column, and after them
``swap`` where the option is on.

The tensor has shape (5, n, n): own stones, the other's stones, and three constant planes that are 1 when this
seat connects left and right, when it is on turn, and when ``swap`` is legal.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidOption
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.games.display import show_types
from ludoteca.games.hex.cover import cover
from ludoteca.games.hex.guide import GUIDE
from ludoteca.games.hex.lesson import EXERCISE, FIGURES
from ludoteca.games.hex.reason_marks import Board, draw_marks
from ludoteca.games.picture import CELL, GRID, HOT, INK, ON, SEATS, Picture, element, label, warmth
from ludoteca.messages import Message, say, say_as, translate
from ludoteca.protocols import Action, ClickArea, Decision, Game, Seat, View
from ludoteca.spec import Label, one_of, within

LAYOUTS = {
    "axial": _core.HexLayout.axial,
    "even-r": _core.HexLayout.even_r,
    "odd-r": _core.HexLayout.odd_r,
}
STONES = ("●", "○")
RADIUS, MARGIN = 20.0, 44.0  # in the picture: the radius of a cell, and the margin around the board
STEP = RADIUS * math.sqrt(3)  # from a cell to the next one in its row
SWAP = say_as("action", "swap")


class Hex(CoreGame, _core.HexRules):
    """The rules of Hex with their options."""

    name = "hex"
    title = say("Hex")
    tensor_range = (0.0, 1.0)
    zero_sum = True
    summary = say("Connect your two sides; there are no draws.")
    rules_text = say(
        "Two players put one stone per turn on an empty cell. Red connects its two red sides, blue its two blue "
        "ones.\n\nStones never move. A full board always connects exactly one pair of sides, so there is always a "
        "winner.\n\nThe first player has an advantage. With the swap rule the second player may answer the first "
        "stone by taking it over, mirrored on the long diagonal."
    )
    figures = FIGURES
    exercise = EXERCISE
    guide = GUIDE
    cover = staticmethod(cover)
    example_spec = "hex:size=7"
    aims_differ = True

    def __init__(
        self,
        size: Annotated[int, Label(say("size of the board"), say("side of the board, 1 to 19"))] = 11,
        orientation: Annotated[
            Literal["left-right", "standard"],
            Label(
                # Translators: the edges of the board that a player connects
                say("sides"),
                say("left-right: seat 0 connects left and right; standard: top and bottom, as HTP and SGF have it"),
                {"left-right": say("red left to right"), "standard": say("red top to bottom")},
            ),
        ] = "left-right",
        layout: Annotated[
            Literal["axial", "even-r", "odd-r"],
            Label(
                say("rows"),
                say("the shift of the rows: leaning, or even or odd rows to the right"),
                {
                    # Translators: how the rows of the board are drawn: each shifted against the one above
                    "axial": say("leaning"),
                    "even-r": say("even rows shifted right"),
                    "odd-r": say("odd rows shifted right"),
                },
            ),
        ] = "axial",
        swap: Annotated[bool, Label(say("swap rule"), say("seat 1 may take over the first stone"))] = False,
    ) -> None:
        within("hex", "size", size, 1, 19)
        one_of("hex", "orientation", orientation, ("left-right", "standard"))
        one_of("hex", "layout", layout, LAYOUTS)
        if swap and layout != "axial":
            raise InvalidOption(
                "hex: swap=true needs layout=axial: with layout={layout} a mirrored stone is not worth the same",
                layout=layout,
            )
        super().__init__(size, orientation == "standard", LAYOUTS[layout], bool(swap))
        self.size, self.layout, self.orientation = size, layout, orientation
        self.swap = size * size if swap else None
        self.small_variants = tuple(f"hex:size={each},layout={layout}" for each in (5, 7))
        self.extra_formats = ("sgf", "hexworld") if layout == "axial" else ()
        self.opening_suite = f"hex-{size}" if layout == "axial" else ""
        self._named: tuple[bytes, list[Seat | None]] = (b"", [])
        self._remember(size=size, orientation=orientation, layout=layout, swap=bool(swap))

    @property
    def across(self) -> int:
        """The seat that connects left and right."""
        return 0 if self.orientation == "left-right" else 1

    def aim(self, seat: Seat) -> str:
        """The two edges that the seat connects."""
        return say("connect left and right") if seat == self.across else say("connect top and bottom")

    def task(self, view: View) -> str:
        """What to do now; see `GameDetails.task`."""
        swap = self.swap is not None and self.swap in view.legal()
        return say("place a stone, or swap") if swap else say("place a stone")

    def action_name(self, action: Action) -> str:
        """``a1`` … ``s19``, the letter being the column; or ``swap``."""
        self._check_range(action)
        if action == self.swap:
            return SWAP
        row, column = divmod(action, self.size)
        return f"{chr(ord('a') + column)}{row + 1}"

    def parse_action(self, text: str) -> Action:
        """The cell or ``swap`` that `text` names. Raises InvalidAction."""
        word = text.strip().lower()
        if word == "swap":
            if self.swap is None:
                raise InvalidAction("'swap' is not played in {game}: its option swap is off", game=self.spec)
            return self.swap
        column, row = word[:1], word[1:]
        last = self.action_name(self.size * self.size - 1)
        if not ("a" <= column <= last[0] and row.isascii() and row.isdigit() and 1 <= int(row) <= self.size):
            wrong = say("{text!r} is no cell of {game}: cells are a1 to {last}", text=text, game=self.spec, last=last)
            raise InvalidAction(wrong)
        return (int(row) - 1) * self.size + ord(column) - ord("a")

    def text(self, view: View, *, language: Language = "en") -> str:
        """The board, row by row."""
        return self.text_with_marks(view, {}, language=language)

    def text_with_marks(self, view: View, marks: Mapping[Action, str], *, language: Language = "en") -> str:
        """The board with these characters in empty cells; see `MarkableText.text_with_marks`."""
        stones = expect(view, _core.HexView).stones
        letters = "  ".join(chr(ord("a") + column) for column in range(self.size))
        lines = [f"   {letters}"]
        for row in range(self.size):
            cells = "  ".join(
                marks.get(cell, "·") if (owner := stones[cell]) is None else STONES[owner]
                for cell in range(row * self.size, (row + 1) * self.size)
            )
            # Three characters are one cell, so a lean of half a cell alternates between one and two.
            lean = " " * round(3 * self._shift(row) + 0.25)
            lines.append(f"{lean}{row + 1:>2} {cells} {row + 1}")
        sides = say("{across} left–right  {down} top–bottom", across=STONES[self.across], down=STONES[1 - self.across])
        lines.append(translate(sides, language))
        return "\n".join(lines)

    def text_styles(self, language: Language) -> Sequence[tuple[str, str]]:
        """Stones in the colours of their seats."""
        return [("·", "dim"), (STONES[0], "bold red"), (STONES[1], "bold blue")]

    def text_offset(self, view: View, action: Action) -> int | None:
        """The character of a cell; a swap has none."""
        if action == self.swap:
            return None
        cells = [at for at, sign in enumerate(self.text(view)) if sign in ("·", *STONES)]
        return cells[action]

    def move_sentence(self, name: str, who: str) -> str:
        """A move as a sentence; see `GameDetails.move_sentence`."""
        if name != "swap":
            return ""
        return say("{who} swapped.", who=who) if who else say("You swapped.")

    def end_reasons(self, view: View) -> Sequence[str]:
        """Which sides the winner connected."""
        winner = expect(view, _core.HexView).returns().index(1.0)
        if winner == self.across:
            return [say("{side} has connected left and right.", side=self.side(winner))]
        return [say("{side} has connected top and bottom.", side=self.side(winner))]

    def winning_chain(self, view: View) -> list[Action]:
        """The cells of a shortest chain that connects the winner's sides, from edge to edge; empty before the end."""
        board = expect(view, _core.HexView)
        if board.turn is not None:
            return []
        winner, stones = board.returns().index(1.0), board.stones
        first, last = self.edges(winner)
        came: dict[int, int | None] = {cell: None for cell in first if stones[cell] == winner}
        queue = deque(came)
        while queue:
            cell = queue.popleft()
            if cell in last:
                chain: list[int] = []
                step: int | None = cell
                while step is not None:
                    chain.append(step)
                    step = came[step]
                return chain[::-1]
            for other in self.neighbours(cell):
                if stones[other] == winner and other not in came:
                    came[other] = cell
                    queue.append(other)
        return []

    def end_overlay(self, view: View) -> str:
        """The winning chain."""
        centres = [self.centre(cell) for cell in self.winning_chain(view)]
        if not centres:
            return ""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in centres)
        dots = "".join(f"<circle class='chain-stone' cx='{x:.1f}' cy='{y:.1f}' r='7'/>" for x, y in centres)
        return f"<polyline class='chain' points='{points}'/>{dots}"

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """Rings, diamonds and lines; see `GameDetails.reason_marks`."""
        stones = expect(view, _core.HexView).stones
        board = Board(stones, self.neighbours, (self.edges(0), self.edges(1)), self.centre, RADIUS)
        owner = stones[decision.action] if decision.action < len(stones) else None
        return draw_marks(board, decision, (view.turn or 0) if owner is None else owner)

    def symmetries(self) -> list[dict[Action, Action]]:
        """The half turn of the board, in layouts in which it keeps all neighbours; both seats keep their sides."""
        return self._symmetries

    @cached_property
    def _symmetries(self) -> list[dict[Action, Action]]:
        same = {action: action for action in range(self.num_actions)}
        last = self.size * self.size - 1
        turned = same | {cell: last - cell for cell in range(last + 1)}
        keeps = all(
            {turned[near] for near in self.neighbours(cell)} == set(self.neighbours(turned[cell]))
            for cell in range(last + 1)
        )
        return [same, turned] if keeps else [same]

    def actions_from(self, other: Game) -> dict[Action, Action] | None:
        """Openings fit any board of the same size and layout; those of the other orientation are transposed."""
        if not isinstance(other, Hex) or (other.size, other.layout) != (self.size, self.layout):
            return None
        cells = range(self.size * self.size)
        if other.orientation == self.orientation:
            return {cell: cell for cell in cells}
        return {cell: self.transposed(cell) for cell in cells}

    def transposed(self, cell: Action) -> Action:
        """The cell with row and column exchanged: its place on a board of the other orientation."""
        row, column = divmod(cell, self.size)
        return column * self.size + row

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """The board as SVG; see `Drawable.svg`."""
        board = expect(view, _core.HexView)
        return self._draw(board, heat, board.last if last is None else last, line, language).svg()

    def click_areas(self, view: View) -> list[ClickArea]:
        """Every cell; see `Clickable.click_areas`. A swap has no cell of its own."""
        return self._areas

    def area_name(self, view: View, action: Action) -> str:
        """The cell and the stone on it; see `Clickable.area_name`."""
        seen, stones = self._named
        if seen != bytes(view):  # the page asks cell by cell, and `stones` copies the whole board
            stones = [None if owner is None else int(owner) for owner in expect(view, _core.HexView).stones]
            self._named = bytes(view), stones
        return self._spot_names[stones[action]][action]

    # The page asks for the names of all cells after every action.
    @cached_property
    def _spot_names(self) -> dict[Seat | None, list[Message]]:
        names = [self.action_name(cell) for cell in range(self.size * self.size)]
        return {
            None: [say("{cell}, empty", cell=name) for name in names],
            0: [say("{cell}, red stone", cell=name) for name in names],
            1: [say("{cell}, blue stone", cell=name) for name in names],
        }

    # The page draws the board after every action, so what never changes is drawn once.
    @cached_property
    def _areas(self) -> list[ClickArea]:
        return [ClickArea(cell, f"M{_hexagon(*self.centre(cell), RADIUS)}z") for cell in range(self.size * self.size)]

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
        cells = "".join(area.outline for area in self._areas)
        empty = element("path", d=cells, fill=CELL, stroke=GRID, stroke_width=1.5)
        labels = []
        # On a phone the page enlarges them by the width of the picture.
        size, axis = 14, {"style": f"--wide:{self._width:.0f}", "aria_hidden": "true"}
        for i in range(self.size):
            x, y = self.centre(i)
            labels.append(label(x - STEP * 0.3, y - RADIUS * 1.8, chr(ord("a") + i), size=size, **axis))
            x, y = self.centre(i * self.size)
            labels.append(label(x - STEP * 1.1, y, str(i + 1), size=size, **axis))
        return self._rim() + empty + "".join(labels)

    def empty(self, language: Language = "en") -> Picture:
        """The board without a stone, to be drawn on."""
        height = RADIUS * (1.5 * self.size + 0.5) + 2 * MARGIN
        picture = Picture(self._width, height, title=say("Hex board"), language=language)
        picture.put(self._ground)
        return picture

    def centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in the picture."""
        row, column = divmod(cell, self.size)
        return MARGIN + STEP * (column + 0.5 + self._shift(row)), MARGIN + RADIUS * (1.5 * row + 1)

    @cached_property
    def _width(self) -> float:
        return STEP * (self.size + max(self._shift(row) for row in range(self.size))) + 2 * MARGIN

    def _shift(self, row: int) -> float:
        """The shift of a row to the right, in cells."""
        if self.layout == "axial":
            return row / 2
        return 0.5 if (row % 2 == 0) == (self.layout == "even-r") else 0.0

    def _draw(
        self,
        view: _core.HexView,
        heat: Mapping[Action, float] | None,
        last: Action | None,
        line: Sequence[Action],
        language: Language,
    ) -> Picture:
        radius, centre = RADIUS, self.centre
        picture = self.empty(language)
        for cell, warm in warmth(heat).items():
            if cell != self.swap:
                picture.add("path", d=self._areas[cell].outline, fill=HOT, fill_opacity=0.08 + 0.8 * warm)
        stones = self._stones
        picture.put("".join(stones[owner][cell] for cell, owner in enumerate(view.stones) if owner is not None))
        if last is not None:
            x, y = centre(self._landed(view, last))
            picture.add("circle", cx=x, cy=y, r=radius * 0.25, fill=ON, data_last="true")
        for order, cell in enumerate((c for c in line if c != self.swap), start=1):
            x, y = centre(cell)
            picture.add("circle", cx=x, cy=y, r=radius * 0.5, fill=CELL, fill_opacity=0.85, stroke=INK)
            picture.label(x, y, str(order), size=13, font_weight="bold")
        return picture

    def _landed(self, view: _core.HexView, action: Action) -> int:
        """The cell of the stone that an action put; after a swap there is only one."""
        if action != self.swap:
            return action
        return next(cell for cell, owner in enumerate(view.stones) if owner is not None)

    def edges(self, seat: Seat) -> tuple[range, range]:
        """The cells along the two edges that a seat connects."""
        n = self.size
        if seat == self.across:
            return range(0, n * n, n), range(n - 1, n * n, n)
        return range(n), range(n * n - n, n * n)

    def _rim(self) -> str:
        """Thick edges in the colours of the seats, drawn under the cells."""
        radius = RADIUS
        rim = ""
        for seat in (self.across, 1 - self.across):
            for way, cells in zip((-1, 1), self.edges(seat), strict=True):
                dx, dy = (way, 0) if seat == self.across else (0, way)
                places = [self.centre(cell) for cell in cells]
                shapes = [_hexagon(x + dx * radius * 0.22, y + dy * radius * 0.28, radius * 1.08) for x, y in places]
                rim += element("path", d="".join(f"M{shape}z" for shape in shapes), fill=SEATS[seat])
        return rim


def draw_stone(picture: Picture, x: float, y: float, seat: Seat, **attributes: object) -> None:
    """A stone of this seat with its middle at (x, y)."""
    picture.add("circle", cx=x, cy=y, r=RADIUS * 0.68, fill=SEATS[seat], stroke=INK, stroke_width=1, **attributes)
    if seat == 1:  # shown to colour-blind people: see palettes.css
        style = {"fill": "none", "stroke": ON, "stroke_width": 3, "display": "none", "data_sign": 1}
        picture.add("circle", cx=x, cy=y, r=RADIUS * 0.42, **style)


def _hexagon(x: float, y: float, radius: float) -> str:
    corners = [(math.sin(k * math.pi / 3), math.cos(k * math.pi / 3)) for k in range(6)]
    return " ".join(f"{x + radius * dx:.1f},{y + radius * dy:.1f}" for dx, dy in corners)


show_types(_core.HexState, _core.HexView)
