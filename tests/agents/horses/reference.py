"""The player of the seed document smart-horses-heuristic, in plain Python: the oracle of the tests.

It shares nothing with the core but the view it starts from. As in the document, minimax explores every line to
its depth on copies of the board, and `evaluate_board` values what it finds there for the machine's knight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludoteca import _core
from ludoteca.protocols import Action, Seat

DESTROYED = None
PENALTY = 4
JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
"""Down and right; in this order the squares that are reached ascend."""


@dataclass
class Horse:
    """A knight: where it stands, what it has and whether it has paid for being stuck."""

    row: int
    column: int
    score: int
    penalised: bool
    ahead: bool = False
    """Whether it has paid for a pass that is yet to come."""


@dataclass
class GameState:
    """A position; a square holds its value, or DESTROYED when a knight stands or stood there."""

    board: list[list[int | None]]
    horses: tuple[Horse, Horse]
    every: bool
    """Whether a stuck seat pays at each of its turns, or at the first one only."""
    at_once: bool
    """Whether it pays for the first one as soon as it is stuck and the other is not."""

    @classmethod
    def seen(cls, view: _core.HorsesView) -> GameState:
        """The position that a view shows."""
        size = view.game.size
        squares = [DESTROYED if gone else value for gone, value in zip(view.destroyed, view.values, strict=True)]
        rows = [squares[start : start + size] for start in range(0, size * size, size)]

        def horse(seat: Seat) -> Horse:
            row, column = divmod(view.squares[seat], size)
            return Horse(row, column, view.scores[seat], view.penalised[seat], view.paid_ahead[seat])

        return cls(rows, (horse(0), horse(1)), view.game.penalty == "every", view.game.charge == "stuck")

    def copy(self) -> GameState:
        """An independent position that is equal."""
        white, black = self.horses
        return GameState([row[:] for row in self.board], (replace(white), replace(black)), self.every, self.at_once)

    def moves(self, seat: Seat) -> list[tuple[int, int]]:
        """The rows and columns where a knight may go."""
        horse, size = self.horses[seat], len(self.board)
        return [
            (horse.row + down, horse.column + right)
            for down, right in JUMPS
            if 0 <= horse.row + down < size
            and 0 <= horse.column + right < size
            and self.board[horse.row + down][horse.column + right] is not DESTROYED
        ]

    def moved(self, seat: Seat, row: int, column: int) -> GameState:
        """The position after a knight's move."""
        after = self.copy()
        horse = after.horses[seat]
        horse.score += after.board[row][column] or 0
        after.board[row][column] = DESTROYED
        horse.row, horse.column = row, column
        can = [bool(after.moves(each)) for each in (0, 1)]
        if self.at_once and can[0] != can[1] and not after.horses[can.index(False)].penalised:
            stuck = after.horses[can.index(False)]
            stuck.score -= PENALTY
            stuck.penalised = stuck.ahead = True
        return after

    def passed(self, seat: Seat) -> GameState:
        """The position after a turn without a move: this is where the penalty is simulated."""
        after = self.copy()
        horse = after.horses[seat]
        if not horse.ahead and (self.every or not horse.penalised):
            horse.score -= PENALTY
        horse.penalised, horse.ahead = True, False
        return after

    def children(self, seat: Seat) -> list[tuple[Action, GameState]]:
        """Each action of the seat on turn with the position after it; nothing when the match is over."""
        moves, size = self.moves(seat), len(self.board)
        if moves:
            return [(row * size + column, self.moved(seat, row, column)) for row, column in moves]
        return [(size * size, self.passed(seat))] if self.moves(1 - seat) else []


def evaluate_board(state: GameState, me: Seat, mobility: float = 0.5) -> float:
    """Utility = (score_me - score_other) + (moves_me - moves_other) * 0.5."""
    points = state.horses[me].score - state.horses[1 - me].score
    return points + (len(state.moves(me)) - len(state.moves(1 - me))) * mobility


def minimax(state: GameState, turn: Seat, depth: int, me: Seat, mobility: float = 0.5) -> tuple[float, list[Action]]:
    """The utility for `me` after best play from both seats, and that play; the first of equal actions is taken."""
    children = state.children(turn) if depth else []
    if not children:
        return evaluate_board(state, me, mobility), []
    best: tuple[float, list[Action]] | None = None
    for action, child in children:
        value, line = minimax(child, 1 - turn, depth - 1, me, mobility)
        if best is None or (value > best[0] if turn == me else value < best[0]):
            best = value, [action, *line]
    assert best is not None
    return best


def decide(view: _core.HorsesView, depth: int, mobility: float = 0.5) -> tuple[dict[Action, float], list[Action]]:
    """The utility of every legal action, and the best line."""
    scores: dict[Action, float] = {}
    best: list[Action] = []
    for action, child in GameState.seen(view).children(view.seat):
        value, line = minimax(child, 1 - view.seat, depth - 1, view.seat, mobility)
        if not scores or value > max(scores.values()):
            best = [action, *line]
        scores[action] = value
    return scores, best
