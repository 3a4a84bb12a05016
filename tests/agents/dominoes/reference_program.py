"""The program behind the seed document dominoes-tumbafichas in plain Python, slow and whole: the oracle of the tests.

It shares nothing with the core but the view it starts from. A node is copied for every successor, all successors are
listed before the depth is looked at, and the chances come from a table of binomials with the program's own mistake.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ludoteca import _core
from ludoteca.protocols import Action
from tests.agents.dominoes.reference import WIN, Tile, tiles

LARGEST = 55
BINOMIALS = [[math.comb(n, k) for k in range(LARGEST + 1)] for n in range(LARGEST + 1)]
BINOMIALS[14][10:12] = [1001364]
"""A missing comma joined 1001 and 364: all that follows in the row is one place too early."""


@dataclass(frozen=True)
class Node:
    """What the program tells apart."""

    unseen: tuple[Tile, ...]
    hand: tuple[Tile, ...]
    theirs: int
    """Tiles that the other is thought to hold."""
    own: int
    """Tiles that we are thought to hold: those of the hand and others, drawn in vain."""
    ends: tuple[int, int]
    """Both -1 before the first tile."""
    chance: float = 1.0

    @classmethod
    def seen(cls, view: _core.DominoesView) -> Node:
        """The node that a view shows."""
        every = tiles(view.game.pips)
        hand = tuple(every[at] for at in view.hand)
        ends = (-1, -1) if view.ends is None else (view.ends[0], view.ends[1])
        return cls(tuple(every[at] for at in view.unseen), hand, view.counts[1 - view.seat], len(hand), ends)


def ways(tile: Tile, ends: tuple[int, int]) -> list[tuple[int, tuple[int, int]]]:
    """Each side where a tile fits, and the ends then; on equal ends once."""
    low, high = tile
    left, right = ends
    if left < 0:
        return [(0, (high, low))]
    found = [(0, (low + high - left, right))] if left in tile else []
    if right in tile and right != left:
        found.append((1, (left, low + high - right)))
    return found


def draws_on_average(tiles_there: int, fitting: int) -> int:
    """How many are drawn until one fits, on average, rounded down; 0 where too few are there for all that fit."""
    total, none_yet = 0.0, 1.0
    for number in range(1, tiles_there - fitting + 2):
        total += number * none_yet * fitting / (tiles_there - number + 1)
        none_yet = none_yet * (tiles_there - fitting - number + 1) / (tiles_there - number + 1)
    return math.floor(total)


def after_hand(node: Node) -> list[tuple[Tile, int, Node]]:
    """Every way to lay a tile of the hand: the tile, the side and the node then."""
    return [
        (tile, side, replace(node, hand=tuple(t for t in node.hand if t != tile), own=node.own - 1, ends=ends))
        for tile in node.hand
        for side, ends in ways(tile, node.ends)
    ]


def after_draw(node: Node) -> list[Node]:
    """Every way to draw a tile that fits, after as many others as on average, and to lay it."""
    fitting = [tile for tile in node.unseen if ways(tile, node.ends)]
    if not fitting:
        return []
    drawn = draws_on_average(len(node.unseen), len(fitting))
    return [
        replace(
            node,
            unseen=tuple(t for t in node.unseen if t != tile),
            own=node.own + drawn - 1,
            ends=ends,
            chance=1 / len(fitting),
        )
        for tile in fitting
        for _, ends in ways(tile, node.ends)
    ]


def after_reply(node: Node) -> list[Node]:
    """Every way for the other to lay a tile that it had; then the same where it had to draw first."""
    fitting = [tile for tile in node.unseen if ways(tile, node.ends)]
    unseen, held = len(node.unseen), node.theirs
    had = had_none = 0.0
    drawn = 0
    if held <= unseen and fitting:
        hands = BINOMIALS[unseen][held]
        # The program ends with an error where its table makes this 0; the other then holds all that is unseen.
        had = BINOMIALS[unseen - 1][held - 1] / hands if hands else 1.0
        had_none = BINOMIALS[unseen - len(fitting)][held] / hands if hands else 0.0
        drawn = draws_on_average(unseen - held, len(fitting))
    replies = [
        replace(node, unseen=tuple(t for t in node.unseen if t != tile), theirs=held - 1, ends=ends, chance=had)
        for tile in fitting
        for _, ends in ways(tile, node.ends)
    ]
    return replies + [replace(reply, theirs=reply.theirs + drawn, chance=had_none) for reply in replies]


def value(node: Node, depth: int, ours: bool) -> float:
    """The best of our successors, or the mean of the other's."""
    if node.own == 0:
        return WIN
    if node.theirs == 0:
        return -WIN
    successors = [child for _, _, child in after_hand(node)] or after_draw(node) if ours else after_reply(node)
    if not successors:
        return 0
    if depth == 0:
        return 10 * (node.theirs - node.own) * node.chance
    if ours:
        return max(value(each, depth - 1, False) for each in successors)
    total = 0.0
    for each in successors:
        total += value(each, depth - 1, True)  # not sum(), which newer Pythons round otherwise
    return total / len(successors)


def decide(view: _core.DominoesView, depth: int) -> dict[Action, float]:
    """The value of every action."""
    index = {tile: at for at, tile in enumerate(tiles(view.game.pips))}
    found = after_hand(Node.seen(view))
    return {2 * index[tile] + side: value(child, depth - 1, False) for tile, side, child in found}
