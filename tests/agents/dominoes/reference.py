"""The players of the seed document dominoes-tumbafichas in plain Python: the oracle of the tests.

They share nothing with the core but the view they start from. As in the document, the minimax copies a node for every
successor, lists the successors of a node before it looks at the depth, and tries a tile under the document's own four
conditions. `least_repair` follows its player of cases loop by loop with as little put right as lets it play, and
`play_tile` as we would have it: see docs/seeds/dominoes.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludoteca import _core
from ludoteca.protocols import Action

WIN = 1000
Tile = tuple[int, int]
"""The lower number first, as in the document."""


def tiles(pips: int) -> list[Tile]:
    """All tiles of a set, in the order of our actions."""
    return [(low, high) for high in range(pips + 1) for low in range(high + 1)]


@dataclass
class Node:
    """What the minimax tells apart."""

    boneyard: list[Tile | None]
    """The document's `sopa`: every tile that is not seen, the other's hand included; None where it is seen."""
    hand: list[Tile]
    others: int
    """Tiles in the other's hand."""
    ends: list[int]
    """Both -1 before the first tile."""
    probability: float
    came_by: list[Action]
    """How the parent led here: a tile, a draw and a tile, or a pass."""

    @classmethod
    def seen(cls, view: _core.DominoesView) -> Node:
        """The node that a view shows."""
        every = tiles(view.game.pips)
        unseen = [tile if at in set(view.unseen) else None for at, tile in enumerate(every)]
        ends = [-1, -1] if view.ends is None else list(view.ends)
        return cls(unseen, [every[at] for at in view.hand], view.counts[1 - view.seat], ends, 1.0, [])

    def copy(self) -> Node:
        """An independent node that is equal."""
        return Node(
            self.boneyard.copy(), self.hand.copy(), self.others, self.ends.copy(), self.probability, self.came_by.copy()
        )


def lays(node: Node, tile: Tile) -> Iterator[tuple[int, Node]]:
    """Each side where a tile fits, with a copy of the node whose end it covers: the document's conditions b."""
    left, right = node.ends
    one, two = tile
    b = [left == one, left == two, right == one, right == two]
    if b[0]:
        yield 0, _covered(node, 0, two)
    if b[1] and not b[0]:
        yield 0, _covered(node, 0, one)
    if b[2] and not b[0]:
        yield 1, _covered(node, 1, two)
    if b[3] and not b[1] and not b[2]:
        yield 1, _covered(node, 1, one)


def _covered(node: Node, side: int, number: int) -> Node:
    copy = node.copy()
    copy.ends[side] = number
    return copy


class Search:
    """The document's minimax for one game: `mean` for the program behind it, `drawing` false where stuck seats pass."""

    def __init__(self, pips: int, *, mean: bool = False, drawing: bool = True) -> None:
        self.index = {tile: at for at, tile in enumerate(tiles(pips))}
        self.draw, self.stuck = 2 * len(self.index), 2 * len(self.index) + 1
        self.mean, self.drawing = mean, drawing

    def successors(self, node: Node, ours: bool) -> tuple[list[Node], float]:
        """The nodes after one ply, and the value if there is none."""
        if not node.hand:
            return [], WIN
        if node.others == 0:
            return [], -WIN
        found = self.after_hand(node) if ours else self.after_reply(node)
        if ours and not found and self.drawing:
            found = self.after_draw(node)
        if not found and not self.drawing and (self.after_reply(node) if ours else self.after_hand(node)):
            passed = node.copy()
            passed.came_by = [self.stuck]
            found = [passed]
        return found, 0

    def after_hand(self, node: Node) -> list[Node]:
        """Every way to lay a tile of the hand."""
        found = []
        for tile in node.hand:
            ways = lays(node, tile)
            if node.ends[0] < 0:
                first = node.copy()
                first.ends = [tile[1], tile[0]]
                ways = iter([(0, first)])
            for side, copy in ways:
                copy.hand.remove(tile)
                copy.came_by = [2 * self.index[tile] + side]
                found.append(copy)
        return found

    def after_draw(self, node: Node) -> list[Node]:
        """Every way to draw an unseen tile that fits and to lay it at once."""
        found = []
        drawn = set()
        for tile in node.boneyard:
            if tile is not None:
                for side, copy in lays(node, tile):
                    copy.boneyard[self.index[tile]] = None
                    copy.came_by = [self.draw, 2 * self.index[tile] + side]
                    drawn.add(tile)
                    found.append(copy)
        for copy in found:
            copy.probability = 1 / len(drawn)
        return found

    def after_reply(self, node: Node) -> list[Node]:
        """Every way for the other to lay an unseen tile."""
        found = []
        unseen = sum(tile is not None for tile in node.boneyard)
        for tile in node.boneyard:
            if tile is not None:
                for side, copy in lays(node, tile):
                    copy.boneyard[self.index[tile]] = None
                    copy.others -= 1
                    copy.came_by = [2 * self.index[tile] + side]
                    copy.probability = node.others / unseen if node.others <= unseen else 0
                    found.append(copy)
        return found

    def heuristic(self, node: Node) -> float:
        """What a node is worth where the depth ends."""
        return 10 * (node.others - len(node.hand)) * node.probability

    def minimax(self, node: Node, depth: int, ours: bool) -> tuple[float, list[Action]]:
        """The value and the play that leads to it, which ends before a mean; the first of equal nodes is taken."""
        successors, value = self.successors(node, ours)
        if not successors:
            return value, []
        if depth == 0:
            return self.heuristic(node), []
        found = [(*self.minimax(each, depth - 1, not ours), each.came_by) for each in successors]
        if not ours and self.mean and found[0][2] != [self.stuck]:
            total = 0.0
            for value, _, _ in found:
                total += value  # not sum(), which newer Pythons round otherwise
            return total / len(found), []
        value, line, came_by = (max if ours else min)(found, key=lambda each: each[0])
        return value, [*came_by, *line]

    def decide(self, view: _core.DominoesView, depth: int) -> tuple[dict[Action, float], list[Action]]:
        """The value of every action, and the line from the best."""
        scores: dict[Action, float] = {}
        best: list[Action] = []
        for child in self.after_hand(Node.seen(view)):
            value, line = self.minimax(child, depth - 1, False)
            if not scores or value > max(scores.values()):
                best = [*child.came_by, *line]
            scores[child.came_by[0]] = value
        return dict(sorted(scores.items())), best


def least_repair(
    hand: list[Tile], probabilities: dict[Tile, float], best_throw: dict[int, int], ends: list[int]
) -> tuple[Tile, int]:
    """The document's player of cases with as little put right as lets it play: the tile and the side.

    Only what cannot run, or plays nothing, is changed: numbers are ranked by the other's probabilities (the document
    puts two tiles together as one), in copies; a tile must have the number of the chosen end (the document also wants
    the other to hold it); and where the last resort has no tile at the other end, it takes one at this end. The hand
    is in order, so that "the first tile" of the last resort is one.
    """
    if best_throw[ends[0]] == 0:
        side = 1
    elif best_throw[ends[1]] == 0:
        side = 0
    else:
        side = 0 if best_throw[ends[0]] <= best_throw[ends[1]] else 1
    worst_plays = [tile for tile in probabilities if ends[side] in tile and probabilities[tile] > 0]
    left = dict.fromkeys(best_throw, 0.0)
    for tile, probability in probabilities.items():
        for number in set(tile):
            left[number] += probability
    left = {number: round(likely, 9) for number, likely in left.items()}
    while left and worst_plays:
        first = max(zip(left.values(), left.keys(), strict=True))[1]
        rest = left.copy()
        del rest[first]
        while rest:
            second = max(zip(rest.values(), rest.keys(), strict=True))[1]
            for tile in ((first, second), (second, first)):
                if tile in hand and ends[side] in tile:
                    return tile, ends.index(first if first in ends else second)
            del rest[second]
        del left[first]
    for end in (1 - side, side):
        for tile in hand:
            if ends[end] in tile:
                return tile, end
    raise AssertionError("no tile of the hand fits")


def play_tile(
    hand: set[Tile], probabilities: dict[Tile, float], best_throw: dict[int, int], ends: list[int]
) -> tuple[Tile, int]:
    """The tile and side of our own reading of the document's player of cases, where an end can be played at.

    probabilities: of each unseen tile, to be in the other's hand. best_throw: of each number, own tiles that have it.
    """
    if best_throw[ends[0]] == 0:
        side = 1
    elif best_throw[ends[1]] == 0:
        side = 0
    else:
        side = 0 if best_throw[ends[0]] <= best_throw[ends[1]] else 1
        worst_plays = [tile for tile in probabilities if ends[side] in tile and probabilities[tile] > 0]
        if not worst_plays:
            side = 1 - side
    end = ends[side]

    likely = dict.fromkeys(best_throw, 0.0)
    for tile, probability in probabilities.items():
        for number in set(tile):
            likely[number] += probability
    left = {number: (best_throw[number], -round(likely[number], 9)) for number in best_throw}
    while left:
        first = max(zip(left.values(), left.keys(), strict=True))[1]
        rest = left.copy()
        while rest:
            second = max(zip(rest.values(), rest.keys(), strict=True))[1]
            for tile in ((first, second), (second, first)):
                if tile in hand and end in tile:
                    return tile, side
            del rest[second]
        del left[first]
    raise AssertionError("no tile of the hand fits")
