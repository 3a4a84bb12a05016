"""Aliases of the members of the course's board, as players' files use them.

Editions of the course and students' copies of the board have different names for the same methods. Some file uses each
of these.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Hashable, Iterator
from typing import Any, NoReturn, Self

Cell = tuple[int, int]


class _Alias:
    """An attribute that reads another one until it is set."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, board: object, _: type | None = None) -> Any:
        return self if board is None else getattr(board, self._name)


class BoardAliases:
    """Aliases and shortcuts for the members of a board."""

    size: int
    board: list[list[int]]
    player_positions: dict[int, set[Cell]]

    def clone(self) -> Self:
        """An independent copy."""
        raise NotImplementedError

    def get_possible_moves(self) -> list[Cell]:
        """The empty cells, row by row."""
        raise NotImplementedError

    def get_neighbors(self, row: int, col: int) -> list[Cell]:
        """The up to six cells that touch a cell."""
        raise NotImplementedError

    def check_connection(self, player_id: int) -> bool:
        """Whether the player's stones connect its two sides."""
        raise NotImplementedError

    def copy(self) -> Self:
        """`clone`."""
        return self.clone()

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = self.clone()
        known = {"board", "player_positions", *memo}
        for name, value in vars(self).items():
            if name not in known:
                setattr(other, name, copy.deepcopy(value, memo))
        return other

    n: Any = _Alias("size")
    """`size`."""
    grid: Any = _Alias("board")
    """`board`, not a copy."""

    def get_size(self) -> int:
        """`size`."""
        return self.size

    def get_board(self) -> list[list[int]]:
        """`board`, not a copy."""
        return self.board

    def get_empty_cells(self) -> list[Cell]:
        """`get_possible_moves`."""
        return self.get_possible_moves()

    get_valid_moves = get_legal_moves = get_available_moves = get_empty_positions = empty_cells = get_empty_cells

    def is_inside(self, row: int, col: int) -> bool:
        """Whether the cell is on the board."""
        return 0 <= row < self.size and 0 <= col < self.size

    is_valid = in_bounds = is_in_bounds = is_within_bounds = is_valid_position = inside = is_inside

    def is_empty(self, row: int, col: int) -> bool:
        """Whether the cell is on the board and empty."""
        return self.is_inside(row, col) and self.board[row][col] == 0

    is_valid_move = is_legal = is_legal_move = is_cell_empty = is_empty

    def is_full(self) -> bool:
        """Whether no cell is empty."""
        return not self.get_possible_moves()

    def get_cell(self, row: int, col: int) -> int:
        """0, 1 or 2."""
        return self.board[row][col]

    get_piece = get_cell

    def remove_piece(self, row: int, col: int) -> bool:
        """Take a stone back. Returns False if there is none."""
        if not self.is_inside(row, col) or self.board[row][col] == 0:
            return False
        self.player_positions.get(self.board[row][col], set()).discard((row, col))
        self.board[row][col] = 0
        return True

    undo_move = remove_piece

    def get_player_positions(self, player_id: int) -> set[Cell]:
        """The cells on which the player has stones."""
        return {(r, c) for r, row in enumerate(self.board) for c, owner in enumerate(row) if owner == player_id}

    def neighbors(self, row: int, col: int) -> list[Cell]:
        """`get_neighbors`."""
        return self.get_neighbors(row, col)

    get_neighbours = get_adjacent = get_adjacent_cells = _get_neighbors = _neighbors = neighbors

    def check_win(self, player_id: int) -> bool:
        """`check_connection`."""
        return self.check_connection(player_id)

    has_won = is_winner = is_connected = has_player_won = check_win

    def get_winner(self) -> int:
        """The id of the player who has connected, or 0."""
        return next((player for player in (1, 2) if self.check_connection(player)), 0)

    check_winner = winner = get_winner

    def is_game_over(self) -> bool:
        """Whether a player has connected."""
        return self.get_winner() != 0

    game_over = is_terminal = is_game_over

    def print_board(self) -> None:
        """Print the board, each row a little further right."""
        print(self)

    display = show = print_board

    def __str__(self) -> str:
        rows = (" ".join(".12"[each] if each in (0, 1, 2) else str(each) for each in row) for row in self.board)
        return "\n".join(" " * indent + row for indent, row in enumerate(rows))

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.board)

    def __getitem__(self, where: int | Cell) -> Any:
        """A row by its index, or a cell by its (row, column)."""
        return self.board[where[0]][where[1]] if isinstance(where, tuple) else self.board[where]

    def __setitem__(self, where: Cell, player_id: int) -> None:
        self.board[where[0]][where[1]] = player_id

    def __getattr__(self, name: str) -> NoReturn:
        """Raise an AttributeError that suggests a member. Python calls this only for missing ones."""
        if name.startswith("__"):
            raise AttributeError(name)
        own = sorted({each for each in dir(type(self)) if not each.startswith("_")} | {*vars(self)})
        near = difflib.get_close_matches(name, own, n=1)
        offer = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(own)}"
        raise AttributeError(f"the course's HexBoard has no member {name!r}; {offer}", name=name, obj=self)


class DisjointSet:
    """Union-find over hashable values, for files that import one together with the board."""

    def __init__(self, size: int = 0) -> None:
        self.parent: dict[Hashable, Hashable] = {each: each for each in range(size)}

    def find(self, x: Hashable) -> Hashable:
        """The representative of the set of `x`."""
        root = x
        while (above := self.parent.setdefault(root, root)) != root:
            root = above
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def union(self, x: Hashable, y: Hashable) -> bool:
        """Join two sets. Returns False if they are the same already."""
        one, two = self.find(x), self.find(y)
        self.parent[two] = one
        return one != two

    def connected(self, x: Hashable, y: Hashable) -> bool:
        """Whether both are in one set."""
        return self.find(x) == self.find(y)
