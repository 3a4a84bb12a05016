"""Which neighbours a Hex player assumes, found by experiment.

A cell touches six others, but editions of the course lay out their rows differently (see `Hex`), and a player that
assumes the wrong neighbours plays legally and loses. So it decides in positions on which the layouts disagree: in each,
the one move that wins (or the only one that stops the opponent) is a different cell in every layout. Positions come on
boards of several layouts: a player that asks the board for neighbours answers by the board, others by assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from ludoteca.agents.hex.course import Layout, course_rules
from ludoteca.protocols import Action, Seat, State

LAYOUTS: tuple[Layout, ...] = ("axial", "even-r", "odd-r")
ENOUGH = 0.5
"""The share of answers that must fit an assumption; a player that misses wins in one move shows none."""
LEAD = 0.25
"""By this share the assumption must fit better than the next one."""
FEWEST = 3
"""With fewer answers there is no verdict."""


@dataclass(frozen=True)
class Position:
    """A board on which the layouts disagree, by rows of ``.``, ``1`` and ``2``."""

    kind: Literal["win", "block"]
    """Whether the seat on turn can win in one move, or must stop the other from doing so."""
    seat: Seat
    """Who is on turn."""
    rows: str

    @property
    def size(self) -> int:
        """Of the board."""
        return len(self.rows.split())

    def state(self, layout: Layout, turn: Seat | None = None) -> State:
        """The position on a board of this layout."""
        owners = [None if each == "." else int(each) - 1 for row in self.rows.split() for each in row]
        return course_rules(self.size, layout).position(owners, self.seat if turn is None else turn)

    @cached_property
    def deciding_cells(self) -> dict[Layout, frozenset[Action]]:
        """For each layout the cells that are right in it and wrong in all others."""
        mover = self.seat if self.kind == "win" else 1 - self.seat
        winning = {layout: _winning(self.state(layout, mover)) for layout in LAYOUTS}
        return {
            layout: frozenset(cells.difference(*(winning[other] for other in LAYOUTS if other != layout)))
            for layout, cells in winning.items()
        }


def _winning(state: State) -> set[Action]:
    found = set()
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        if after.turn is None:
            found.add(action)
    return found


class Answer(NamedTuple):
    """What a player chose in a position on a board of this layout."""

    position: Position
    board: Layout
    action: Action

    @property
    def vote(self) -> Layout | None:
        """The layout in which this was right; None if it was right in none or in several."""
        return next((layout for layout, cells in self.position.deciding_cells.items() if self.action in cells), None)


class Assumption(NamedTuple):
    """The layout that a player assumes."""

    layout: Layout | Literal["board"] | None
    """``board`` if it asks the board for neighbours; None if it could not be found out."""
    fits: dict[str, int]
    """For each assumption how many answers fit it."""
    asked: int


def assumed_layout(answers: Sequence[Answer]) -> Assumption:
    """The assumption that the answers show."""
    fits: dict[str, int] = {layout: sum(each.vote == layout for each in answers) for layout in LAYOUTS}
    fits["board"] = sum(each.vote == each.board for each in answers)
    first, second = sorted(fits, key=lambda name: -fits[name])[:2]
    sure = (
        len(answers) >= FEWEST
        and fits[first] >= ENOUGH * len(answers)
        and fits[first] - fits[second] >= LEAD * len(answers)
    )
    return Assumption(first if sure else None, fits, len(answers))  # type: ignore[arg-type]


def questions(size: int) -> list[tuple[Position, Layout]]:
    """Positions and board layouts, the most informative first, on boards of this size if there are any, else on 7×7.

    Axial boards come up least: most players assume that layout, so it does not show whether they ask the board.
    """
    some = [each for each in POSITIONS if each.size == size] or [each for each in POSITIONS if each.size == USUAL]
    order: list[Layout] = ["even-r", "odd-r", "even-r", "odd-r", "axial"]
    return [(position, order[place % len(order)]) for place, position in enumerate([*some, *some[:3]])]


USUAL = 7
POSITIONS = (
    Position("win", 0, "2212222 .212.2. .1.212. 22211.. 211.12. 1..2.11 .11.111"),
    Position("win", 1, "1211.12 22...1. 2122.21 121121. 21..21. .1212.1 2122..1"),
    Position("win", 0, "2.2.2.. .221.1. 111112. 112..12 221...1 .121.2. 1.22.2."),
    Position("win", 1, "11122.1 112.1.1 .12.212 .212..1 ..22.21 ...2.22 .12..11"),
    Position("block", 0, "1121.1. .2...12 21.1121 .2.1.2. .221.11 2.2.21. .22.21."),
    Position("block", 1, "2.12.1. 122.112 .112221 ...1112 221.212 21...11 ..21..2"),
    Position("win", 0, ".222212 1.12122 .112.2. .2.111. 2.12111 121..22 1..2..1"),
    Position("win", 1, "212.12. 2.121.2 112.11. 22..121 12..2.2 121.211 .2111.2"),
    Position("win", 0, "1.2.1.. 1.2...2 2221122 1211.11 .1.2112 1.221.. .22.2.1"),
    Position("win", 1, ".211.2. 1.2.121 11.2.1. 12211.. 212...1 2212.2. 22.1.1."),
    Position("block", 0, "2122.22 21..2.1 ..1.1.. 122.111 2211.21 .21..22 121.121"),
    Position("block", 1, "12..21. 21..22. ..21112 211.22. 11211.2 21.2211 .2..11."),
    Position(
        "win",
        0,
        ".11.11.122. 2..22221.22 1111...12.. 2221.1.21.. 11..2.12.1. 1..1111..21 "
        "221.121.22. 2.222211111 1...2212111 2.21121222. .1.22.21222",
    ),
    Position(
        "win",
        1,
        "1.2.122...2 221.1221222 .1212.21.1. ..1.2112121 2212121.11. 12..21.1..2 "
        ".221221212. 1.2..1...11 12221212... 1.22211.111 .1121...12.",
    ),
    Position(
        "win",
        0,
        "2.2....2111 1122....122 .121.1221.2 ..21..2.221 2.111111122 .12..21.122 "
        "12222..1211 .222..12111 .121221211. 12.2111.112 .122122..2.",
    ),
    Position(
        "win",
        1,
        "221.221...1 1221112.11. 1122.1.211. .22.12..121 .12121.1222 .122.221.11 "
        "12221112... 1122.22111. .2...11222. .1.1...21.2 2221.2.2111",
    ),
    Position(
        "block",
        0,
        "121.22...1. 2.1211.1..2 2122.2.1... .1.12.21222 ...21..21.. .212112.1.1 "
        "11222221... 2121121111. .22111212.1 .21.2121221 .21.2..1..2",
    ),
    Position(
        "block",
        1,
        "21222.22212 1.1..1.2221 .11112.111. .121.122122 1.111122..2 .1212.12221 "
        ".2122.11..2 122.212...2 1..22.1.12. .21.211122. 2.2.11.1111",
    ),
    Position(
        "win",
        0,
        "2.2..1..221 .1.1..12.21 2211..11.11 211.12.112. .1.11112... 112.1.21.11 "
        "2.2.12....2 .12.2222.22 22..2.11.21 22.2.1.2212 2.11.211.22",
    ),
    Position(
        "win",
        1,
        "11.2.21121. .11121..22. 1.11.22212. ..111112.1. 1....12.222 .2.1.22.112 "
        "2.121.2212. 121..2122.1 12.212.2212 112212.2..2 12.111.12..",
    ),
    Position(
        "win",
        0,
        ".122122121. 1..1.1.222. 22..12.2121 1.1.211...2 11111.11122 12....211.. "
        ".11.12..21. 222...2211. .22..212211 ...121..221 ..222122121",
    ),
    Position(
        "win",
        1,
        ".2112121211 121.221.1.2 1121.222.1. ..11211122. 1.2.1.122.1 ...2.2122.. "
        ".122.2211.2 21..21....1 1..221.1212 111122.1.22 12.12.21212",
    ),
    Position(
        "block",
        0,
        "2212.1.2.21 2121..11212 212..212.2. 1222112..1. 112221..... 111.2221..1 "
        "1.1..2.12.2 212.1212221 .1.2.122.11 .12.11.2.21 ..2..1211.1",
    ),
)
"""Found by random search for boards whose `Position.deciding_cells` is not empty for any layout; the tests check it."""
