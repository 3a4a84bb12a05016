"""The course's Hex interface: a board as lists of 0, 1 and 2, and players with ``play(board) -> (row, col)``.

Player 1 connects left and right, player 2 top and bottom; ids are absolute, whoever is asked. Any agent of ours can be
used where the course wants a player:

>>> board = HexBoard(5)
>>> MyPlayer = player_class("astar")
>>> MyPlayer(player_id=1).play(board)
(2, 2)
>>> board.place_piece(2, 2, 1), board.place_piece(2, 2, 2)
(True, False)

The other way round, `ludoteca.adapters.submission` runs a player's file as an agent.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import Literal, Self

from ludoteca import agents
from ludoteca.errors import IllegalAction
from ludoteca.games.hex import Hex
from ludoteca.protocols import Action, Agent, Decision, Limit, Seat, State

__all__ = ["HexBoard", "Layout", "Player", "player_class"]

Layout = Literal["axial", "even-r", "odd-r"]
SEATS: dict[int, Seat] = {1: 0, 2: 1}
"""The seat of each player id. Whatever else stands on a board is nobody's."""


class HexBoard:
    """The course's board. Its lists may be changed by hand; whether somebody has won is read from `board` alone."""

    def __init__(self, size: int, layout: Layout = "axial") -> None:
        _rules(size, layout)  # raises InvalidOption where there is no such board
        self.size = size
        self.layout: Layout = layout
        """How the rows lie: ``axial``, except in the edition of the course that shifts every second row."""
        self.board = [[0] * size for _ in range(size)]
        """By row and column: 0 for an empty cell, or the id of the player whose stone lies there."""
        self.player_positions: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}
        """The cells on which each player put a stone by `place_piece`."""

    def clone(self) -> Self:
        """An independent copy."""
        other = copy.copy(self)
        other.board = [[*row] for row in self.board]
        other.player_positions = {player: {*cells} for player, cells in self.player_positions.items()}
        return other

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        """Puts a stone; False, and nothing happens, where the cell is taken or off the board."""
        if not (0 <= row < self.size and 0 <= col < self.size) or self.board[row][col] != 0:
            return False
        self.board[row][col] = player_id
        self.player_positions.setdefault(player_id, set()).add((row, col))
        return True

    def get_possible_moves(self) -> list[tuple[int, int]]:
        """The empty cells, row by row."""
        return [(r, c) for r, row in enumerate(self.board) for c, owner in enumerate(row) if owner == 0]

    def get_empty_cells(self) -> list[tuple[int, int]]:
        """`get_possible_moves` by another name that is about."""
        return self.get_possible_moves()

    def check_connection(self, player_id: int) -> bool:
        """Whether the player's stones join their two sides."""
        if player_id not in SEATS:
            return False
        position = _rules(self.size, self.layout).position(_owners(self), 0)
        return position.returns()[SEATS[player_id]] > 0

    def get_neighbors(self, row: int, col: int) -> list[tuple[int, int]]:
        """The up to six cells that touch a cell of the board."""
        return [divmod(cell, self.size) for cell in _rules(self.size, self.layout).neighbours(row * self.size + col)]

    _neighbors = get_neighbors


class Player:
    """What the course's players extend."""

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id

    def play(self, board: HexBoard) -> tuple[int, int]:
        """The (row, col) of an empty cell."""
        raise NotImplementedError("a player must say where it plays")


def player_class(spec: str, seed: int = 0) -> type[Player]:
    """A class for the course's interface whose players decide as the agent that `spec` names.

    Raises InvalidAgent and InvalidOption, as `ludoteca.agent` does.
    """
    factory = agents.agent(spec)

    class MyPlayer(Player):
        """An agent in a player's clothes: one object plays any number of matches, one after another."""

        def __init__(self, player_id: int, seconds: float | None = None) -> None:
            if player_id not in SEATS:
                raise ValueError(f"player {player_id!r} does not exist: players are 1 and 2")
            super().__init__(player_id)
            self.seconds = seconds
            self._agent: Agent | None = None
            self._left: list[Seat | None] = []  # the board as it was left after the own move

        def play(self, board: HexBoard, seconds: float | None = None) -> tuple[int, int]:
            """The agent's choice, within so many seconds; raises IllegalAction when somebody has won already."""
            game, seat = _rules(board.size, getattr(board, "layout", "axial")), SEATS[self.player_id]
            owners = _owners(board)
            state, follows = _position(game, owners, self._left, seat)
            if state.turn is None:
                raise IllegalAction("there is nothing to play: somebody has connected already")
            if self._agent is None or not follows:  # an agent lives for one match
                self._agent = factory(game, seat, seed)
            choice = self._agent.act(state.view(seat), Limit(seconds=self.seconds if seconds is None else seconds))
            action: Action = choice.action if isinstance(choice, Decision) else choice
            owners[action] = seat
            self._left = owners
            return divmod(action, game.size)

    return MyPlayer


@cache
def _rules(size: int, layout: Layout) -> Hex:
    return Hex(size, "course", layout)


def _owners(board: HexBoard) -> list[Seat | None]:
    return [SEATS.get(owner) for row in board.board for owner in row]


def _position(game: Hex, owners: list[Seat | None], left: list[Seat | None], seat: Seat) -> tuple[State, bool]:
    """The state with `seat` on turn, and whether it is what was `left` plus one answer of the other.

    A board of lists does not say what was played last, but where it follows from the one before we know, and an agent
    may want to.
    """
    before = left if len(left) == len(owners) else [None] * len(owners)
    changed = [cell for cell, (old, new) in enumerate(zip(before, owners, strict=True)) if old != new]
    if len(changed) == 1 and before[changed[0]] is None and owners[changed[0]] == 1 - seat:
        state = game.position(before, 1 - seat)
        if state.turn is not None:
            state.apply(changed[0])
        return state, before is left
    return game.position(owners, seat), False
