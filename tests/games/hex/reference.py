"""Hex, slow and obvious: a dictionary of stones and a search through neighbours."""

from __future__ import annotations

Cell = tuple[int, int]


class HexReference:
    def __init__(
        self, size: int, *, orientation: str = "left-right", layout: str = "axial", swap: bool = False
    ) -> None:
        self.size, self.orientation, self.layout, self.swap = size, orientation, layout, swap
        self.stones: dict[Cell, int] = {}
        self.moves: list[int] = []

    def neighbours(self, cell: Cell) -> list[Cell]:
        r, c = cell
        if self.layout == "axial":
            near = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)]
        else:
            shifted = r % 2 == (0 if self.layout == "even-r" else 1)
            d = (c, c + 1) if shifted else (c - 1, c)
            near = [(r, c - 1), (r, c + 1), *((r - 1, k) for k in d), *((r + 1, k) for k in d)]
        return [(i, j) for i, j in near if 0 <= i < self.size and 0 <= j < self.size]

    def connected(self, seat: int) -> bool:
        axis = 1 if (seat == 0) == (self.orientation == "left-right") else 0  # 1: by columns, left to right
        todo = [cell for cell, owner in self.stones.items() if owner == seat and cell[axis] == 0]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if cell[axis] == self.size - 1:
                return True
            for near in self.neighbours(cell):
                if self.stones.get(near) == seat and near not in seen:
                    seen.add(near)
                    todo.append(near)
        return False

    @property
    def winner(self) -> int | None:
        return next((seat for seat in (0, 1) if self.connected(seat)), None)

    @property
    def turn(self) -> int | None:
        return None if self.winner is not None else len(self.moves) % 2

    def legal(self) -> list[int]:
        if self.turn is None:
            return []
        n = self.size
        cells = [r * n + c for r in range(n) for c in range(n) if (r, c) not in self.stones]
        return cells + ([n * n] if self.swap and len(self.moves) == 1 else [])

    def apply(self, action: int) -> None:
        seat = len(self.moves) % 2
        if action == self.size**2:
            ((r, c),) = self.stones
            self.stones = {(c, r): seat}
        else:
            r, c = divmod(action, self.size)
            self.stones[r, c] = seat
        self.moves.append(action)
