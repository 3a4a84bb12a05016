"""Reasons drawn on a board of Horses: arrows to squares in reach, brackets around a knight that a reason is about.

The arrows of white are white and those of black are black; those of the player who did not decide are dashed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ludoteca.games.horses.pieces import COLOURS
from ludoteca.games.picture import CELL, MARK, element
from ludoteca.protocols import Action, Decision, Seat

Centre = Callable[[Action], tuple[float, float]]


class _Mark(NamedTuple):
    """A square of a reason, and the knight that reaches it from another one."""

    square: Action
    origin: Action | None = None
    seat: Seat = 0


def draw_marks(
    decision: Decision, mover: Seat, knights: Sequence[Action], size: int, centre: Centre, cell: float
) -> str:
    """The reasons as SVG elements, the strongest one on top. Every mark has its square in ``data-place``."""
    drawn = []
    for reason in reversed(decision.reasons):
        squares = [square for square in dict.fromkeys(reason.places) if square < size * size]
        for mark in _marks(squares, decision.action, mover, knights, size):
            if mark.origin is None:
                drawn.append(_brackets(centre(mark.square), cell, mark.square))
            else:
                drawn.append(_arrow(centre(mark.origin), centre(mark.square), cell, mark, dashed=mark.seat != mover))
    return "".join(drawn)


def _marks(
    squares: Sequence[Action], action: Action, mover: Seat, knights: Sequence[Action], size: int
) -> Iterator[_Mark]:
    """How each square is reached: along a line of moves that begins with the decision, else by a move from now on."""
    at = list(knights)
    is_line = len(squares) > 1 and squares[0] == action
    turn = mover if is_line or action in squares else 1 - mover
    for square in squares:
        if square in at:
            yield _Mark(square)
            turn = 1 - at.index(square) if is_line else turn
            continue
        seats = [seat for seat in (turn, 1 - turn) if _is_knights_move(at[seat], square, size)]
        if not seats:
            yield _Mark(square)
            continue
        yield _Mark(square, at[seats[0]], seats[0])
        if is_line:
            at[seats[0]], turn = square, 1 - seats[0]


def _is_knights_move(one: Action, other: Action, size: int) -> bool:
    (row, column), (row2, column2) = divmod(one, size), divmod(other, size)
    return {abs(row - row2), abs(column - column2)} == {1, 2}


def _brackets(middle: tuple[float, float], cell: float, square: Action) -> str:
    """The four corners of a square."""
    (x, y), reach, arm = middle, cell * 0.45, cell * 0.2
    corners = "".join(
        f"M{x + a * reach:.1f} {y + b * (reach - arm):.1f}V{y + b * reach:.1f}H{x + a * (reach - arm):.1f}"
        for a in (-1, 1)
        for b in (-1, 1)
    )
    style = {"d": corners, "fill": "none", "stroke_linecap": "round"}
    return element("path", stroke=CELL, stroke_width=8, **style) + element(
        "path", stroke=MARK, stroke_width=4.5, data_place=square, **style
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], cell: float, mark: _Mark, *, dashed: bool) -> str:
    """An arrow from the edge of one square's knight to the middle of the other square, in the colour of its seat."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1 = x1 + dx * cell * 0.42, y1 + dy * cell * 0.42
    x2, y2 = x2 - dx * cell * 0.3, y2 - dy * cell * 0.3
    head, wing = cell * 0.2, cell * 0.11
    bx, by = x2 - dx * head, y2 - dy * head
    shaft = {"d": f"M{x1:.1f} {y1:.1f}L{bx:.1f} {by:.1f}", "fill": "none"}
    point = f"M{x2:.1f} {y2:.1f}L{bx - dy * wing:.1f} {by + dx * wing:.1f}L{bx + dy * wing:.1f} {by - dx * wing:.1f}z"
    fill, edge = COLOURS[mark.seat], COLOURS[1 - mark.seat]
    return (
        element("path", stroke=edge, stroke_width=7.5, **shaft)
        + element("path", stroke=fill, stroke_width=4.5, stroke_dasharray="8 5" if dashed else None, **shaft)
        + element("path", d=point, fill=fill, stroke=edge, stroke_width=1.5, data_place=mark.square)
    )
