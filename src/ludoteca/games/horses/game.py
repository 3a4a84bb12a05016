"""Horses: two knights gather points on a board that falls away under them.

White (seat 0) and black (seat 1) stand on an n×n board; ten other squares are worth −10 −5 −4 −3 −1 +1 +3 +4
+5 +10. White begins. A move is a knight's move to a square that is not destroyed; its value, if it has one,
is added to the mover's score. Every square that a knight stands on is destroyed, the first ones included.

A seat that cannot move on its turn while the other seat can loses 4 points and passes: with ``penalty=once``
the first time only, with ``penalty=every`` at each such turn. With ``charge=stuck`` the first 4 points are lost as
soon as its knight is stuck and the other's is not, after any move, and its first pass is free. When
neither can move the match is over; more points win, equal points draw.

Actions are the squares to enter, row by row from the top left (``a8`` … ``h1`` on 8×8, ``a5`` … ``e1`` on
5×5), and after them ``pass``, which is legal exactly when nothing else is.

A layout as text puts the knights and any values on squares: ``W@b1/B@g8/+10@c3/-5@f6``. Without one, each
seed has its own layout.

The tensor has shape (10, n, n), row 0 on top:

    0  own knight                     5  where the other knight may go now
    1  the other's knight             6  everywhere: own score minus the other's, divided by 10
    2  destroyed squares              7  everywhere: 1 if being stuck costs this seat points, now or later, else 0
    3  values left, divided by 10     8  everywhere: 1 if it costs the other seat points, else 0
    4  where the own knight may go    9  everywhere: 1 if this seat is on turn, else 0
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.catalogues import Language
from ludoteca.errors import InvalidAction, InvalidOption
from ludoteca.games.core_game import CoreGame, expect
from ludoteca.games.display import show_types
from ludoteca.games.horses.cover import cover
from ludoteca.games.horses.guide import GUIDE
from ludoteca.games.horses.lesson import EXERCISE, FIGURES
from ludoteca.games.horses.observed import HorsesObserver
from ludoteca.games.horses.pieces import COLOURS, FEE, MOST, draw_knight, draw_token, signed
from ludoteca.games.horses.reason_marks import draw_marks
from ludoteca.games.picture import GRID, HOT, INK, PAPER, Picture, Shade, box, warmth
from ludoteca.messages import Message, joined, say, say_as, translate
from ludoteca.protocols import Action, ClickArea, Decision, Seat, View
from ludoteca.spec import Label, one_of, within

KNIGHTS = ("W", "B")
SIZES = (5, 10)
"""The smallest and the largest side of a board."""
SIDE_NAMES = (say_as("side", "white"), say_as("side", "black"))
EXAMPLE = "W@b1/B@g8/+10@c3/-5@f6"
LIGHT, DARK, RUIN = Shade("light", "#f3e8d3"), Shade("dark", "#ddc9a6"), Shade("ruin", "#6f675e")
BOARD, MARGIN, CARD = 416.0, 30.0, 82.0  # in the picture: the board, the margin around it, the score cards
SIDES = (say("White"), say("Black"))
PASS = say_as("action", "pass")


class Horses(CoreGame, _core.HorsesRules):
    """The rules of Horses with their options."""

    name = "horses"
    # Translators: the name of the game; the pieces are chess knights
    title = say("Horses")
    tensor_range = (-1000.0, 1000.0)
    zero_sum = True
    can_end_in_draw = True
    seat_colours = COLOURS
    seat_styles = ("bold black on bright_white", "bold bright_white on black")
    summary = say("Two knights gather points on a board that falls away.")
    rules_text = say(
        "White and black move in turn, like a knight in chess, to a square that is not destroyed. Its value, positive "
        "or negative, is added to the mover's score.\n\nEvery square that a knight has stood on is destroyed.\n\nIf "
        "you cannot move while the other can, you lose 4 points and pass. When neither can move, the higher score wins."
    )
    figures = FIGURES
    exercise = EXERCISE
    guide = GUIDE
    cover = staticmethod(cover)

    def __init__(
        self,
        size: Annotated[int, Label(say("size of the board"), say("side of the board, 5 to 10"))] = 8,
        penalty: Annotated[
            Literal["once", "every"],
            Label(
                say("penalty"),
                say("a stuck seat pays 4 points once, or at every turn that it has to pass"),
                # Translators: the penalty is paid once in a match
                {"once": say("once"), "every": say("at every turn")},
            ),
        ] = "once",
        charge: Annotated[
            Literal["turn", "stuck"],
            Label(
                say("when it is paid"),
                say("a stuck seat pays first on its turn, or as soon as it is stuck and the other is not"),
                {"turn": say("on its turn"), "stuck": say("as soon as it is stuck")},
            ),
        ] = "turn",
        layout: Annotated[
            str, Label(say("layout"), say("knights and values, as in W@b1/B@g8/+10@c3/-5@f6; else random"))
        ] = "",
    ) -> None:
        within("horses", "size", size, *SIZES)
        one_of("horses", "penalty", penalty, ("once", "every"))
        one_of("horses", "charge", charge, ("turn", "stuck"))
        self.size, self.penalty, self.charge = size, penalty, charge
        self.pass_action = self.forced_pass = size * size
        self.cell = BOARD / size  # in the picture: all boards have the same size
        names = [f"{chr(ord('a') + column)}{size - row}" for row in range(size) for column in range(size)]
        self._names = [*names, PASS]
        if not isinstance(layout, str):
            wrong = say(
                "horses: layout={layout} must be a text such as {example}", layout=repr(layout), example=EXAMPLE
            )
            raise InvalidOption(wrong)
        if layout.strip():
            knights, values = _read_layout(layout, names)
            layout = _write_layout(knights, values, names)
            super().__init__(size, penalty == "every", charge == "stuck", knights, values)
        else:
            layout = ""
            super().__init__(size, penalty == "every", charge == "stuck")
        self._remember(size=size, penalty=penalty, charge=charge, layout=layout)

    def side(self, seat: Seat) -> str:
        """The colour of the seat's knight."""
        return SIDE_NAMES[seat]

    def aim(self, seat: Seat) -> str:
        """More points than the other."""
        return say("gather more points than {other}", other=self.side(1 - seat))

    def task(self, view: View) -> str:
        """What to do now; see `GameDetails.task`."""
        if self.pass_action in view.legal():
            return say("pass: your knight cannot move")
        return say("move your knight to a marked square")

    def action_name(self, action: Action) -> str:
        """``a8`` … ``h1``, the letter being the column and row 1 the lowest; or ``pass``."""
        self._check_range(action)
        return self._names[action]

    def parse_action(self, text: str) -> Action:
        """The square or ``pass`` that `text` names. Raises InvalidAction."""
        word = "".join(text.split()).lower()
        if word not in self._names:
            raise InvalidAction(
                "{text!r} is no action of {game}: actions are {first} (top left) to {last} (bottom right) and pass",
                text=text,
                game=self.spec,
                first=self._names[0],
                last=self._names[-2],
            )
        return self._names.index(word)

    def text(self, view: View, *, language: Language = "en") -> str:
        """The board, row by row from the top: W and B knights, # destroyed, values with their sign."""
        board = expect(view, _core.HorsesView)
        cells = [
            "#" if gone else f"{value:+}" if value else "·"
            for gone, value in zip(board.destroyed, board.values, strict=True)
        ]
        for knight, square in zip(KNIGHTS, board.squares, strict=True):
            cells[square] = knight
        width = len(str(self.size))
        rows = [
            f"{self.size - row:>{width}} " + "".join(f"{cell:>4}" for cell in cells[row * self.size :][: self.size])
            for row in range(self.size)
        ]
        letters = " " * (width + 1) + "".join(f"{name[0]:>4}" for name in self._names[: self.size])
        seats = (
            translate(
                joined([SIDES[seat], f"({KNIGHTS[seat]})", str(board.scores[seat]), *_standing(board, seat)], " "),
                language,
            )
            for seat in (0, 1)
        )
        return "\n".join([*rows, letters, "   ".join(seats)])

    def text_styles(self, language: Language) -> Sequence[tuple[str, str]]:
        """Knights in their colours, values by their sign."""
        return [
            ("[#·]", "dim"),
            (r"(?<= )\+\d+", "green"),
            (r"(?<= )-\d+", "magenta"),
            (r"\bW\b", "bold black on bright_white"),
            (r"\bB\b", "bold bright_white on black"),
        ]

    def move_sentence(self, name: str, who: str) -> str:
        """A move as a sentence; see `GameDetails.move_sentence`."""
        if name != "pass":
            return ""
        return say("{who} has no move and passes.", who=who) if who else say("You have no move: you pass.")

    def observer(self) -> HorsesObserver:
        """How a match played elsewhere is followed."""
        return HorsesObserver(self)

    def end_reasons(self, view: View) -> Sequence[str]:
        """The points, and which side paid for being stuck."""
        board = expect(view, _core.HorsesView)
        one, other = board.scores
        reasons = [
            say("Neither knight can move: {one} has {points} points, {other} {more}.",
                one=self.side(0), points=one, other=self.side(1), more=other)
        ]  # fmt: skip
        for seat, paid in enumerate(board.penalised):
            if paid:
                stuck, other_side = self.side(seat), self.side(1 - seat)
                reasons.append(
                    say("{side} was stuck while {other} could still move: that cost 4 points at each such turn, "
                        "already counted here.", side=stuck, other=other_side)
                    if self.penalty == "every"
                    else say("{side} was stuck while {other} could still move: that cost 4 points, already counted "
                             "here.", side=stuck, other=other_side)
                )  # fmt: skip
        return reasons

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """The board and the scores as SVG; see `Drawable.svg`. A pass has no square and is not drawn."""
        board, cell = expect(view, _core.HorsesView), self.cell
        width, height = BOARD + 2 * MARGIN, BOARD + 2 * MARGIN + CARD
        picture = Picture(width, height, title=say("Horses board"), language=language)
        self._draw_squares(picture, board.destroyed, warmth(heat))
        last = board.last if last is None else last
        if last is not None and last != self.pass_action:
            x, y = self.corner(last)
            frame = {"fill": "none", "stroke": HOT, "stroke_width": 4, "data_last": "true"}
            picture.add("rect", x=x + 2, y=y + 2, width=cell - 4, height=cell - 4, **frame)
        for square, value in enumerate(board.values):
            if value:
                x, y = self.corner(square)
                with picture.piece(f"token{square}"):
                    draw_token(picture, x + cell / 2, y + cell / 2, cell, value)
        if board.turn is not None:
            for square in board.moves[board.turn]:
                x, y = self.corner(square)
                ring = {"cx": x + cell / 2, "cy": y + cell / 2, "r": cell * 0.43, "fill": "none"}
                picture.add("circle", stroke=COLOURS[1 - board.turn], stroke_width=4.5, **ring)
                picture.add("circle", stroke=COLOURS[board.turn], stroke_width=2.5, **ring)
        for seat, square in enumerate(board.squares):
            x, y = self.corner(square)
            with picture.piece(f"knight{seat}", corner=True):
                draw_knight(picture, seat, x + cell * 0.08, y + cell * 0.06, cell * 0.84)
        for order, square in enumerate((a for a in line if a != self.pass_action), start=1):
            x, y = self.corner(square)
            picture.add("circle", cx=x + cell - 10, cy=y + 10, r=9, fill=PAPER, stroke=INK)
            picture.label(x + cell - 10, y + 10, str(order), size=12, font_weight="bold")
        for seat in (0, 1):
            _draw_card(picture, board, seat)
        return picture.svg()

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """Arrows and brackets; see `GameDetails.reason_marks`. A pass has no square."""
        board = expect(view, _core.HorsesView)
        moved = decision.action in board.squares  # the view shows the position after the decision
        mover = board.squares.index(decision.action) if moved else board.turn or 0
        return draw_marks(decision, mover, board.squares, self.size, self._middle, self.cell)

    def _middle(self, square: int) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + self.cell / 2, y + self.cell / 2

    def click_areas(self, view: View) -> list[ClickArea]:
        """Every square; see `Clickable.click_areas`. A pass has no square."""
        squares = range(self.size * self.size)
        return [ClickArea(square, box(*self.corner(square), self.cell, self.cell)) for square in squares]

    def area_name(self, view: View, action: Action) -> str:
        """The square and what is on it; see `Clickable.area_name`."""
        board, name = expect(view, _core.HorsesView), self._names[action]
        if action in board.squares:
            return (
                say("{cell}, white knight", cell=name)
                if action == board.squares[0]
                else say("{cell}, black knight", cell=name)
            )
        if board.destroyed[action]:
            return say("{cell}, destroyed", cell=name)
        value = board.values[action]
        return (
            say("{cell}, {points} points", cell=name, points=signed(value))
            if value
            else say("{cell}, empty", cell=name)
        )

    def empty(self, language: Language = "en") -> Picture:
        """The board without knights, values and scores, to be drawn on."""
        picture = Picture(BOARD + 2 * MARGIN, BOARD + 2 * MARGIN, title=say("Horses board"), language=language)
        self._draw_squares(picture, [False] * self.size**2, {})
        return picture

    def corner(self, square: int) -> tuple[float, float]:
        """The top left corner of a square in the picture."""
        row, column = divmod(square, self.size)
        return MARGIN + column * self.cell, MARGIN + row * self.cell

    def _draw_squares(self, picture: Picture, destroyed: Sequence[bool], warm: Mapping[Action, float]) -> None:
        """Draws the chequered board with its labels, destroyed squares and heat."""
        cell = self.cell
        for square, gone in enumerate(destroyed):
            row, column = divmod(square, self.size)
            x, y = self.corner(square)
            place = {"x": x, "y": y, "width": cell, "height": cell}
            # a1, at the bottom left, is dark on every board.
            colour = DARK if (self.size - 1 - row + column) % 2 == 0 else LIGHT
            picture.add("rect", fill=RUIN if gone else colour, **place)
            if gone:
                lines = {"fill": "none", "stroke": INK, "stroke_width": 1.5, "stroke_opacity": 0.45}
                picture.add("path", d=_hatch(x, y, cell), **lines)
            if square in warm:
                picture.add("rect", fill=HOT, fill_opacity=0.08 + 0.8 * warm[square], **place)
        frame = {"fill": "none", "stroke": GRID, "stroke_width": 2}
        picture.add("rect", x=MARGIN, y=MARGIN, width=BOARD, height=BOARD, **frame)
        for i in range(self.size):
            along = MARGIN + (i + 0.5) * cell
            picture.label(along, BOARD + MARGIN * 1.5, self._names[i][0], size=16, aria_hidden="true")
            picture.label(MARGIN / 2, along, str(self.size - i), size=16, aria_hidden="true")


def _read_layout(text: str, names: Sequence[str]) -> tuple[tuple[int, int], list[int]]:
    """The squares of the knights and the value of every square. Raises InvalidOption."""

    def wrong(why: Message) -> InvalidOption:
        return InvalidOption("horses: layout={layout}: {why}", layout=text, why=why)

    knights: dict[str, int] = {}
    values = [0] * len(names)
    for item in text.replace("/", " ").split():
        match = re.fullmatch(r"(w|b|[+-]?[0-9]{1,9})@([a-z0-9]+)", item.lower())
        if not match:
            raise wrong(
                say(
                    "{item!r} is neither a knight on a square nor a value on a square; write {example}",
                    item=item,
                    example=EXAMPLE,
                )
            )
        what, name = match[1].upper(), match[2]
        if name not in names:
            raise wrong(
                say(
                    "{item!r} lies off the board, whose squares are {first} to {last}",
                    item=item,
                    first=names[0],
                    last=names[-1],
                )
            )
        square = names.index(name)
        if square in knights.values() or values[square]:
            raise wrong(
                say("two things on {square}; each knight and each value needs a square of its own", square=name)
            )
        if what in KNIGHTS:
            if what in knights:
                one = names[knights[what]]
                raise wrong(say("{knight} stands on two squares, {one} and {other}", knight=what, one=one, other=name))
            knights[what] = square
        else:
            values[square] = int(what)
            if not 1 <= abs(values[square]) <= MOST:
                raise wrong(say("{item!r} has no value from -{most} to -1 or from +1 to +{most}", item=item, most=MOST))
    for knight in KNIGHTS:
        if knight not in knights:
            raise wrong(
                say("no knight {knight}; both W and B are needed, as in {example}", knight=knight, example=EXAMPLE)
            )
    return (knights["W"], knights["B"]), values


def _write_layout(knights: tuple[int, int], values: Sequence[int], names: Sequence[str]) -> str:
    """A layout in its canonical form: knights, then values in the order of the squares."""
    items = [f"{knight}@{names[square]}" for knight, square in zip(KNIGHTS, knights, strict=True)]
    items += [f"{value:+}@{names[square]}" for square, value in enumerate(values) if value]
    return "/".join(items)


def _standing(board: _core.HorsesView, seat: Seat) -> list[Message]:
    """The state of a seat, such as ``to move``: one text or none."""
    if board.turn is None:
        result = board.returns()[seat]
        return [say("wins")] if result > 0 else [] if result < 0 else [say_as("result", "draw")]
    if board.moves[seat]:
        return [say("to move")] if board.turn == seat else []
    return [say("must pass")] if board.turn == seat else [say("stuck")]


def _hatch(x: float, y: float, cell: float) -> str:
    """The outline of a square and slanting lines over it."""
    lines = [f"M{x:.1f} {y:.1f}h{cell:.1f}v{cell:.1f}h{-cell:.1f}z"]
    for reach in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75):
        low, high = max(0.0, reach - 1) * cell, min(1.0, reach) * cell
        lines.append(f"M{x + low:.1f} {y + high:.1f}L{x + high:.1f} {y + low:.1f}")
    return "".join(lines)


def _draw_card(picture: Picture, board: _core.HorsesView, seat: Seat) -> None:
    """One seat's knight, name, score and state under its half of the board, framed on its turn."""
    width = BOARD / 2
    x, y = MARGIN + seat * width, BOARD + 2 * MARGIN
    frame = {"stroke": INK, "stroke_width": 3} if board.turn == seat else {"stroke": GRID}
    picture.add("rect", x=x + 3, y=y, width=width - 6, height=CARD - 8, rx=8, fill=LIGHT, **frame)
    draw_knight(picture, seat, x + 8, y + 14, 44.0)
    left, right = {"text_anchor": "start"}, {"text_anchor": "end"}
    picture.label(x + 56, y + 18, SIDES[seat], size=16, font_weight="bold", **left)
    picture.label(x + 56, y + 39, joined(_standing(board, seat)), size=16, **left)
    picture.label(x + width - 14, y + 20, signed(board.scores[seat]), size=22, font_weight="bold", **right)
    if board.penalised[seat]:
        picture.label(x + 56, y + 59, say("penalised"), size=16, fill=FEE, **left)


show_types(_core.HorsesState, _core.HorsesView)
