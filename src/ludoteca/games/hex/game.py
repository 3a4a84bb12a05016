"""Hex: put stones in turn and connect your two sides; there are no draws.

Two seats fill an n×n board of hexagons. One connects left and right, the other top and bottom; exactly one
of them succeeds. With ``swap`` the second seat may answer the first stone by taking it over, mirrored.

Actions are the cells row by row, ``a1`` being the top left corner and the letter the column, and after them
``swap`` where the option is on.

The tensor has shape (5, n, n): own stones, the other's stones, and three constant planes that are 1 when this
seat connects left and right, when it is on turn, and when ``swap`` is legal.
"""

from __future__ import annotations

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
from ludoteca.games.hex.picture import RADIUS, BoardPicture
from ludoteca.games.hex.reason_marks import Board, draw_marks
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say, say_as, translate
from ludoteca.protocols import Action, ClickArea, Decision, Game, Seat, View
from ludoteca.spec import Label, one_of, within

LAYOUTS = {
    "axial": _core.HexLayout.axial,
    "even-r": _core.HexLayout.even_r,
    "odd-r": _core.HexLayout.odd_r,
}
STONES = ("●", "○")
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
    narrow_layout = True

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

    def end_overlay(self, view: View, *, narrow: bool = False) -> str:
        """The winning chain."""
        return self._picture(narrow).chain(self.winning_chain(view))

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """Rings, diamonds and lines; see `GameDetails.reason_marks`."""
        stones, centre = expect(view, _core.HexView).stones, self._picture(narrow).centre
        board = Board(stones, self.neighbours, (self.edges(0), self.edges(1)), centre, RADIUS)
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
        narrow: bool = False,
    ) -> str:
        """The board as SVG; see `Drawable.svg` and `NarrowLayout`."""
        board = expect(view, _core.HexView)
        last = board.last if last is None else last
        cell = None if last is None else self._landed(board, last)
        drawn = self._picture(narrow).draw(board.stones, heat=heat, last=cell, line=line, language=language)
        return drawn.svg()

    def click_areas(self, view: View, *, narrow: bool = False) -> list[ClickArea]:
        """Every cell; see `Clickable.click_areas`. A swap has no cell of its own."""
        return self._picture(narrow).areas

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

    def empty(self, language: Language = "en", *, narrow: bool = False) -> Picture:
        """The board without a stone, to be drawn on; narrow: for a phone."""
        return self._picture(narrow).empty(language)

    def centre(self, cell: int, *, narrow: bool = False) -> tuple[float, float]:
        """The middle of a cell in the picture."""
        return self._picture(narrow).centre(cell)

    # The page draws the board after every action, so what never changes is drawn once.
    @cached_property
    def _pictures(self) -> tuple[BoardPicture, BoardPicture]:
        """The wide and the narrow one."""
        shifts, edges = [self._shift(row) for row in range(self.size)], (self.edges(0), self.edges(1))
        wide = BoardPicture(shifts, edges, self.across, upright=False)
        if self.layout != "axial":
            return wide, wide
        return wide, BoardPicture(shifts, edges, self.across, upright=True)

    def _picture(self, narrow: bool) -> BoardPicture:
        return self._pictures[1 if narrow else 0]

    def _shift(self, row: int) -> float:
        """The shift of a row to the right, in cells."""
        if self.layout == "axial":
            return row / 2
        return 0.5 if (row % 2 == 0) == (self.layout == "even-r") else 0.0

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


show_types(_core.HexState, _core.HexView)
