"""Reasons drawn on a board of Hex: rings around stones, diamonds on empty cells, lines along chains and bridges.

::

    (x)   ◇          A ring is a stone, a diamond an empty cell. A line joins stones that touch or make a bridge; where
        ╲            a win is proven, it runs from side to side.
      ◇   (x)
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from ludoteca.games.picture import CELL, MARK, element
from ludoteca.protocols import Action, Decision, Seat

GAP = 0.5
"""From the middle of a cell to the line, in radii of a cell."""
DASHES = (None, "7 4", "2 4")
"""The lines of the first, the second and the third reason."""


class Board:
    """What a reason is drawn on. stones: by cell its seat, or None; edges: by seat the cells of its two edges."""

    def __init__(
        self,
        stones: Sequence[Seat | None],
        neighbours: Callable[[Action], Collection[Action]],
        edges: Sequence[tuple[range, range]],
        centre: Callable[[Action], tuple[float, float]],
        radius: float,
    ) -> None:
        self.stones, self.neighbours, self.edges = stones, neighbours, edges
        self.centre, self.radius = centre, radius


def draw_marks(board: Board, decision: Decision, mover: Seat) -> str:
    """The reasons as SVG elements, the strongest one on top. Every mark has its cell in ``data-place``."""
    drawn = []
    for rank, reason in reversed(list(enumerate(decision.reasons))):
        cells = [cell for cell in dict.fromkeys(reason.places) if cell < len(board.stones)]
        lines = _lines(board, cells, decision, mover)
        drawn += [_line(board, line, DASHES[rank % len(DASHES)]) for line in lines]
        drawn += [_mark(board, cell) for cell in cells]
    return "".join(drawn)


def _mark(board: Board, cell: Action) -> str:
    (x, y), style = board.centre(cell), {"fill": "none", "stroke_width": 2.5, "data_place": cell}
    if board.stones[cell] is not None:
        radius = board.radius * 0.82
        halo = element("circle", cx=x, cy=y, r=radius, fill="none", stroke=CELL, stroke_width=5)
        return halo + element("circle", cx=x, cy=y, r=radius, stroke=MARK, **style)
    reach = board.radius * 0.68  # around the number of a planned move
    shape = f"M{x - reach:.1f} {y:.1f}L{x:.1f} {y - reach:.1f}L{x + reach:.1f} {y:.1f}L{x:.1f} {y + reach:.1f}z"
    return element("path", d=shape, stroke=MARK, **style)


def _line(board: Board, cells: Sequence[Action], dash: str | None) -> str:
    """Links between the cells, which leave the middle of each one free for what stands there."""
    links = ""
    for (x1, y1), (x2, y2) in pairwise(map(board.centre, cells)):
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = (board.radius * GAP * (x2 - x1) / length, board.radius * GAP * (y2 - y1) / length)
        links += f"M{x1 + dx:.1f} {y1 + dy:.1f}L{x2 - dx:.1f} {y2 - dy:.1f}"
    style = {"d": links, "fill": "none", "stroke_linecap": "round"}
    halo = element("path", stroke=CELL, stroke_width=8, **style)
    return halo + element("path", stroke=MARK, stroke_width=4, stroke_dasharray=dash, **style)


def _lines(board: Board, cells: Sequence[Action], decision: Decision, mover: Seat) -> list[list[Action]]:
    """The lines of a reason: its winning chain, or one for each two stones that touch or make a bridge."""
    if decision.proven and decision.value == 1 and (chain := _chain(board, {*cells, decision.action}, mover)):
        return [chain]
    owners = {cell: mover if cell == decision.action else board.stones[cell] for cell in cells}
    firm = [cell for cell, owner in owners.items() if owner is not None]
    pairs = [
        [one, two]
        for at, one in enumerate(firm)
        for two in firm[at + 1 :]
        if owners[one] == owners[two] and _linked(board, one, two, cells)
    ]
    return pairs + [[decision.action, cell] for cell in _edge_bridge(board, cells, decision.action, mover)]


def _linked(board: Board, one: Action, two: Action, cells: Collection[Action]) -> bool:
    """Whether two stones touch, or have the two empty cells between them that make a bridge."""
    if two in board.neighbours(one):
        return True
    between = [cell for cell in board.neighbours(one) if cell in board.neighbours(two)]
    return len(between) == 2 and all(cell in cells and board.stones[cell] is None for cell in between)


def _edge_bridge(board: Board, cells: Collection[Action], action: Action, mover: Seat) -> list[Action]:
    """The two empty cells by which the move reaches an edge of its seat, if these are all that the reason names."""
    two = [cell for cell in cells if cell != action]
    near = board.neighbours(action) if action < len(board.stones) else ()
    reaches = len(two) == 2 and all(cell in near and board.stones[cell] is None for cell in two)
    return two if reaches and any(cell in edge for edge in board.edges[mover] for cell in two) else []


def _chain(board: Board, cells: Collection[Action], mover: Seat) -> list[Action]:
    """The way from side to side over stones of the mover and these cells, over as few of them as possible."""
    free = {cell for cell, owner in enumerate(board.stones) if owner == mover}
    first, last = board.edges[mover]
    came: dict[Action, tuple[int, Action | None]] = {}
    queue: deque[tuple[int, Action, Action | None]] = deque()
    for cell in first:
        if cell in free:
            queue.appendleft((0, cell, None))
        elif cell in cells:
            queue.append((1, cell, None))
    while queue:  # breadth first, with costs 0 and 1
        cost, cell, before = queue.popleft()
        if cell in came:
            continue
        came[cell] = cost, before
        if cell in last:
            way, step = list[Action](), cell
            while True:
                way.append(step)
                previous = came[step][1]
                if previous is None:
                    return way[::-1]
                step = previous
        for other in board.neighbours(cell):
            if other in free:
                queue.appendleft((cost, other, cell))
            elif other in cells:
                queue.append((cost + 1, other, cell))
    return []
