"""The course's Hex interface: a board as lists of 0, 1 and 2, and players with ``play(board) -> (row, col)``.

Player 1 connects left and right, player 2 top and bottom. A player keeps its id whichever player is asked.

>>> board = HexBoard(5)
>>> board.place_piece(2, 2, 1), board.place_piece(2, 2, 2)
(True, False)
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Literal, Self, TypeGuard

from ludoteca.agents.hex.board_aliases import BoardAliases
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Seat

Layout = Literal["axial", "even-r", "odd-r"]
SEATS: dict[int, Seat] = {1: 0, 2: 1}
"""The seat of each player id. Any other number on a board is no player's stone."""


class HexBoard(BoardAliases):
    """The course's board. Players may change its lists; `check_connection` reads only `board`.

    `BoardAliases` has the other names that players' files use.
    """

    default_layout: ClassVar[Layout] = "axial"
    """The layout if none is given. A match sets it to its own, so that boards which a player makes have it too."""

    def __init__(self, size: int = 11, layout: Layout | None = None) -> None:
        layout = self.default_layout if layout is None else layout
        course_rules(size, layout)  # raises InvalidOption if there is no such board
        self.size = size
        self.layout: Layout = layout
        """``axial``, except in the edition of the course that shifts every second row."""
        self.board = [[0] * size for _ in range(size)]
        """By row and column: 0 for an empty cell, or the id of the player whose stone lies there."""
        self.player_positions: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}
        """The cells on which each player put a stone by `place_piece`."""

    def clone(self) -> Self:
        """An independent copy."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.board = [[*row] for row in self.board]
        other.player_positions = {player: {*cells} for player, cells in self.player_positions.items()}
        return other

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        """Put a stone. Returns False and changes nothing if the cell is taken or off the board."""
        if not (0 <= row < self.size and 0 <= col < self.size) or self.board[row][col] != 0:
            return False
        self.board[row][col] = player_id
        self.player_positions.setdefault(player_id, set()).add((row, col))
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        """The empty cells, row by row."""
        return [(r, c) for r, row in enumerate(self.board) for c, owner in enumerate(row) if owner == 0]

    def check_connection(self, player_id: int) -> bool:
        """Whether the player's stones connect its two sides."""
        if player_id not in SEATS:
            return False
        position = course_rules(self.size, self.layout).position(owners_on(self), 0)
        return position.returns()[SEATS[player_id]] > 0

    def get_neighbors(self, row: int, col: int) -> list[tuple[int, int]]:
        """The up to six cells that touch a cell of the board."""
        return [
            divmod(cell, self.size) for cell in course_rules(self.size, self.layout).neighbours(row * self.size + col)
        ]


class Player:
    """The base class of the course's players."""

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id

    def play(self, board: HexBoard) -> tuple[int, int]:
        """The (row, col) of an empty cell."""
        raise NotImplementedError("a player must implement play(board)")


def is_other_board(found: object) -> TypeGuard[type[Any]]:
    """Whether this is a class that does not inherit from the course's board."""
    return isinstance(found, type) and not issubclass(found, HexBoard)


@cache
def course_rules(size: int, layout: Layout) -> Hex:
    """Hex as the course plays it, on a board of this size."""
    return Hex(size, "left-right", layout)


def owners_on(board: HexBoard) -> list[Seat | None]:
    """For each cell the seat that has a stone there, or None."""
    return [SEATS.get(owner) for row in board.board for owner in row]
