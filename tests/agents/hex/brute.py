"""Hex by exhaustive search, slow and obvious: the judge of all that claims to be certain."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from ludoteca.games.hex.game import Hex


class Brute:
    """Who wins on a small board; sets of cells are strings of bits."""

    def __init__(self, game: Hex) -> None:
        self.game, self.cells = game, game.size**2
        self.everything = (1 << self.cells) - 1
        self._memo: dict[tuple[int, int, int], int] = {}

    @cached_property
    def near(self) -> list[int]:
        return [bits(self.game.neighbours(cell)) for cell in range(self.cells)]

    def sides(self, seat: int) -> tuple[int, int]:
        n = self.game.size
        if seat == self.game.across:
            return bits(range(0, self.cells, n)), bits(range(n - 1, self.cells, n))
        return bits(range(n)), bits(range(self.cells - n, self.cells))

    def joined(self, stones: int, one: int, two: int) -> bool:
        """Whether stones of the first set reach the second."""
        seen = todo = stones & one
        while todo:
            cell = todo & -todo
            todo ^= cell
            fresh = self.near[cell.bit_length() - 1] & stones & ~seen
            seen |= fresh
            todo |= fresh
        return bool(seen & two)

    def connected(self, stones: int, seat: int) -> bool:
        return self.joined(stones, *self.sides(seat))

    def winner(self, first: int, second: int, turn: int) -> int:
        """Of the position with these stones of the two seats."""
        key = (first, second, turn)
        if key not in self._memo:
            self._memo[key] = self._winner(first, second, turn)
        return self._memo[key]

    def _winner(self, first: int, second: int, turn: int) -> int:
        for seat, stones in enumerate((first, second)):
            if self.connected(stones, seat):
                return seat
        left = self.everything & ~(first | second)
        while left:
            cell = left & -left
            left ^= cell
            after = (first | cell, second) if turn == 0 else (first, second | cell)
            if self.winner(*after, 1 - turn) == turn:
                return turn
        return 1 - turn

    def holds(self, stones: int, one: int, two: int, carrier: int, own_move: bool) -> bool:
        """Whether a seat with these stones joins two sets of cells by playing in the carrier only."""
        if self.joined(stones, one, two):
            return True
        left, found = carrier, not own_move
        while left and found != own_move:
            cell = left & -left
            left ^= cell
            after = stones | cell if own_move else stones
            found = self.holds(after, one, two, carrier & ~cell, not own_move)
        return found and (own_move or carrier != 0)


def bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def stones_of(owners: Collection[int | None]) -> tuple[int, int]:
    """The stones of both seats, from the owner of each cell."""
    return (
        bits(cell for cell, owner in enumerate(owners) if owner == 0),
        bits(cell for cell, owner in enumerate(owners) if owner == 1),
    )
