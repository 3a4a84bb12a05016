"""Horses once more, slowly: squares are their names, positions are values, nothing is clever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

WHITE, BLACK = 0, 1
PASS = "pass"
LETTERS = "abcdefghij"


@cache
def board(size: int) -> list[str]:
    """All squares in the order of the actions: from the top left, row by row."""
    return [letter + str(number) for number in range(size, 0, -1) for letter in LETTERS[:size]]


def is_knights_move(here: str, there: str) -> bool:
    across = abs(LETTERS.index(here[0]) - LETTERS.index(there[0]))
    along = abs(int(here[1:]) - int(there[1:]))
    return {across, along} == {1, 2}


@cache
def knights_moves(size: int, here: str) -> list[str]:
    return [square for square in board(size) if is_knights_move(here, square)]


@dataclass(frozen=True)
class Position:
    """One position; `play` gives the next."""

    size: int
    penalty: str
    knights: tuple[str, str]
    worth: Mapping[str, int]
    """What the squares were worth at the start."""
    charge: str = "turn"
    points: tuple[int, int] = (0, 0)
    stood_on: frozenset[str] = field(default=frozenset())
    times_stuck: tuple[int, int] = (0, 0)
    """Turns without a move that each seat has had or, with charge=stuck, has paid for."""
    ahead: int | None = None
    """The seat that has paid for a turn that is yet to come."""
    on_turn: int = WHITE
    played: tuple[str, ...] = ()

    @cached_property
    def destroyed(self) -> frozenset[str]:
        return self.stood_on | set(self.knights)

    def targets(self, seat: int) -> list[str]:
        destroyed = self.destroyed  # where the knights stand, too
        return [square for square in knights_moves(self.size, self.knights[seat]) if square not in destroyed]

    @cached_property
    def over(self) -> bool:
        return not self.targets(WHITE) and not self.targets(BLACK)

    @property
    def turn(self) -> int | None:
        return None if self.over else self.on_turn

    def legal(self) -> list[str]:
        return [] if self.over else self.targets(self.on_turn) or [PASS]

    def left(self, square: str) -> int:
        return 0 if square in self.destroyed else self.worth.get(square, 0)

    def play(self, action: str) -> Position:
        assert action in self.legal()
        me = self.on_turn
        points, knights, stuck = list(self.points), list(self.knights), list(self.times_stuck)
        ahead = self.ahead
        if action == PASS and ahead == me:
            ahead = None
        elif action == PASS:
            if self.penalty == "every" or stuck[me] == 0:
                points[me] -= 4
            stuck[me] += 1
        else:
            points[me] += self.left(action)
            knights[me] = action
        after = replace(self, knights=(knights[0], knights[1]), stood_on=self.destroyed)
        if self.charge == "stuck" and not after.over and action != PASS:
            for seat in (WHITE, BLACK):
                if not after.targets(seat) and stuck[seat] == 0:
                    points[seat] -= 4
                    stuck[seat] += 1
                    ahead = seat
        return replace(
            self,
            ahead=ahead,
            knights=(knights[0], knights[1]),
            points=(points[0], points[1]),
            stood_on=self.destroyed,
            times_stuck=(stuck[0], stuck[1]),
            on_turn=BLACK if me == WHITE else WHITE,
            played=(*self.played, action),
        )

    def returns(self) -> tuple[int, int]:
        white, black = self.points
        if not self.over or white == black:
            return (0, 0)
        return (1, -1) if white > black else (-1, 1)

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(self.play(action).perft(depth - 1) for action in self.legal())
