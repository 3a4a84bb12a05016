"""Dominoes once more, short and slow, from the rules in words: the oracle of the tests.

Tiles are pairs (high, low), hands are sets of them, the line is a list of pairs of numbers from left to
right. A move is a tile and a side, or no tile and ``draw`` or ``pass``. A round gets its deal from outside,
so that a test can try any deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

Tile = tuple[int, int]
Move = tuple[Tile | None, str]
DRAW: Move = (None, "draw")
PASS: Move = (None, "pass")


def full_set(pips: int) -> list[Tile]:
    return [(high, low) for high in range(pips + 1) for low in range(high + 1)]


def starting_rank(tile: Tile) -> tuple[bool, int, int]:
    """Doubles before others; doubles by number, others by weight and then by the higher number."""
    return tile[0] == tile[1], sum(tile), tile[0]


def heaviest(tiles: list[Tile], count: int) -> int:
    return sum(sorted(map(sum, tiles), reverse=True)[:count])


@dataclass
class Round:
    hands: list[set[Tile]]
    boneyard: list[Tile]
    """Drawn from its end."""
    drawing: bool = True
    double_starts: bool = True
    blocked_counts: bool = True
    line: list[tuple[int, int]] = field(default_factory=list)
    turn: int | None = None
    winner: int | None = None
    arranged: bool = False
    """Set up by hand: line and turn are there already, and the seat on turn may begin with any tile."""

    def start(self) -> Round:
        if self.arranged:
            return self
        best = max(self.hands[0] | self.hands[1], key=starting_rank)
        self.turn = int(self.double_starts and best in self.hands[1])
        return self

    def copy(self) -> Round:
        options = self.drawing, self.double_starts, self.blocked_counts
        hands = [set(hand) for hand in self.hands]
        return Round(hands, list(self.boneyard), *options, list(self.line), self.turn, self.winner, self.arranged)

    def ends(self) -> tuple[int, int] | None:
        return (self.line[0][0], self.line[-1][1]) if self.line else None

    def can_draw(self) -> bool:
        return self.drawing and bool(self.boneyard)

    def moves(self) -> list[Move]:
        if self.turn is None:
            return []
        hand, ends = sorted(self.hands[self.turn]), self.ends()
        if ends is None:
            first = [max(hand, key=starting_rank)] if self.double_starts and not self.arranged else hand
            return [(tile, "left") for tile in first]
        found: list[Move] = []
        for tile in hand:
            if ends[0] in tile:
                found.append((tile, "left"))
            if ends[1] in tile and ends[0] != ends[1]:
                found.append((tile, "right"))
        return found or [DRAW if self.can_draw() else PASS]

    def play(self, move: Move) -> None:
        assert self.turn is not None and move in self.moves(), move
        seat = self.turn
        if move == DRAW:
            self.hands[seat].add(self.boneyard.pop())
        else:
            self.turn = 1 - seat
        if move[0] is not None:
            self.lay(seat, move[0], move[1])
        if not self.hands[seat]:
            self.turn, self.winner = None, seat
        elif self.blocked():
            self.turn = None
            weight = [sum(map(sum, hand)) for hand in self.hands]
            if self.blocked_counts and weight[0] != weight[1]:
                self.winner = weight.index(min(weight))

    def lay(self, seat: int, tile: Tile, side: str) -> None:
        self.hands[seat].remove(tile)
        ends = self.ends()
        if ends is None:
            self.line = [tile]
        elif side == "left":
            far = tile[1] if tile[0] == ends[0] else tile[0]
            self.line.insert(0, (far, ends[0]))
        else:
            far = tile[1] if tile[0] == ends[1] else tile[0]
            self.line.append((ends[1], far))

    def blocked(self) -> bool:
        ends = self.ends()
        if ends is None or self.can_draw():
            return False
        return not any(ends[0] in tile or ends[1] in tile for tile in self.hands[0] | self.hands[1])


def perft(round_: Round, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in round_.moves():
        branch = round_.copy()
        branch.play(move)
        total += perft(branch, depth - 1)
    return total


def worlds(
    template: Round, pips: int, log: list[tuple[int, Move]], seat: int, own: set[Tile], turn: int
) -> Iterator[tuple[frozenset[Tile], frozenset[Tile]]]:
    """The other's hand and the boneyard, once for every deal that shows this to `seat`.

    All pairs of dealt hands are tried with all sequences of drawn tiles. The orders in which the dealt hands
    and the rest of the boneyard may lie would multiply everything by the same number. `template` is how it began:
    the options, how many tiles each hand had, and what was set up. A start that is blocked is none.
    """
    on_line = {(max(pair), min(pair)) for pair in template.line}
    tiles = [tile for tile in full_set(pips) if tile not in on_line]
    sizes = [len(hand) for hand in template.hands]
    mine = own | {move[0] for by, move in log if by == seat and move[0] is not None}
    for dealt in combinations(sorted(mine), sizes[seat]):
        for others in combinations([tile for tile in tiles if tile not in mine], sizes[1 - seat]):
            start = template.copy()
            start.hands = [set(dealt), set(others)] if seat == 0 else [set(others), set(dealt)]
            start.boneyard = [tile for tile in tiles if tile not in start.hands[0] | start.hands[1]]
            for end in [] if start.blocked() else replays(start.start(), log, seat, mine):
                if end.hands[seat] == own and end.turn == turn:
                    yield frozenset(end.hands[1 - seat]), frozenset(end.boneyard)


def replays(round_: Round, log: list[tuple[int, Move]], watcher: int, mine: set[Tile]) -> Iterator[Round]:
    """All rounds to which the log can lead from here, a draw being any tile of the boneyard that may have been drawn.

    `watcher` has held the tiles `mine` and no others: so it drew only those, and the other seat none of them.
    """
    if not log:
        yield round_
        return
    (seat, move), later = log[0], log[1:]
    if round_.turn != seat or move not in round_.moves():
        return
    for drawn in [tile for tile in round_.boneyard if (tile in mine) == (seat == watcher)] if move == DRAW else [None]:
        branch = round_.copy()
        if drawn is not None:
            branch.boneyard.remove(drawn)
            branch.boneyard.append(drawn)
        branch.play(move)
        yield from replays(branch, later, watcher, mine)
