"""The chain of stones that has won a match of Hex, drawn over its board."""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from math import dist

from ludoteca import _core
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Seat, View

__all__ = ["draw_chain", "winning_chain"]

NUMBER = re.compile(r"-?[\d.]+")
TOUCHING = 1.1
"""Cells touch whose middles are no further apart than this, in widths of a cell."""


def winning_chain(view: View) -> list[int]:
    """The cells of a shortest chain that joins the winner's sides, from one side to the other; empty before the end."""
    game = view.game
    if not isinstance(game, Hex) or not isinstance(view, _core.HexView) or view.turn is not None:
        return []
    winner: Seat = view.returns().index(1.0)
    first, last = _sides(game, winner)
    stones, near = view.stones, _near(game)
    came: dict[int, int | None] = {cell: None for cell in first if stones[cell] == winner}
    waiting = deque(came)
    while waiting:
        cell = waiting.popleft()
        if cell in last:
            chain: list[int] = []
            step: int | None = cell
            while step is not None:
                chain.append(step)
                step = came[step]
            return chain[::-1]
        for other in near[cell]:
            if stones[other] == winner and other not in came:
                came[other] = cell
                waiting.append(other)
    return []


def draw_chain(view: View) -> str:
    """The winning chain as SVG to be laid over the picture of the view; nothing before the end."""
    chain = winning_chain(view)
    if not chain or not isinstance(view.game, Hex):
        return ""
    middles = _middles(view.game)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (middles[cell] for cell in chain))
    dots = "".join(
        f"<circle class='chain-stone' cx='{x:.1f}' cy='{y:.1f}' r='7'/>" for x, y in (middles[cell] for cell in chain)
    )
    return f"<polyline class='chain' points='{points}'/>{dots}"


def _sides(game: Hex, seat: Seat) -> tuple[set[int], set[int]]:
    """The cells along the two sides that a seat is to join."""
    n = game.size
    if seat == game.across:
        return set(range(0, n * n, n)), set(range(n - 1, n * n, n))
    return set(range(n)), set(range(n * n - n, n * n))


@lru_cache(maxsize=64)
def _middles(game: Hex) -> list[tuple[float, float]]:
    """Where the middle of each cell lies in the picture: of all corners of its outline."""
    middles = []
    for spot in game.click_areas(game.deal(0).view(0)):
        numbers = [float(each) for each in NUMBER.findall(spot.outline)]
        xs, ys = numbers[::2], numbers[1::2]
        middles.append((sum(xs) / len(xs), sum(ys) / len(ys)))
    return middles


@lru_cache(maxsize=64)
def _near(game: Hex) -> list[list[int]]:
    """For each cell those that touch it, told by the picture: so it is right for every way in which rows may lie."""
    middles = _middles(game)
    if len(middles) < 2:
        return [[] for _ in middles]
    width = min(dist(middles[0], other) for other in middles[1:])
    return [
        [other for other, there in enumerate(middles) if other != cell and dist(here, there) < TOUCHING * width]
        for cell, here in enumerate(middles)
    ]
