"""The two Hex documents in plain Python, as their own words have it; slow, and the oracle of the agents' tests.

Players are 1 and -1 and an empty cell is 0, as in the first of them; a cell is its number, row by row. A player's low
side is the left or the top one, the high side the right or the bottom one.
"""

from __future__ import annotations

import hashlib
import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.games.hex.reference import HexReference

INFINITE = math.inf
EPSILON = 1e-5


@dataclass
class Board:
    """A position with what the searches ask of it."""

    size: int
    across: int
    """The player who connects left and right."""
    near: list[list[int]]
    """Of each cell its neighbours: left, right, above, below."""
    cells: list[int]

    @classmethod
    def of(cls, view: Any) -> Board:
        """The position that a Hex view shows; seat 0 is player 1."""
        game = view.game
        slow = HexReference(game.size, layout=game.layout)
        near = [
            [r * game.size + c for r, c in _in_order(slow.neighbours(divmod(cell, game.size)), divmod(cell, game.size))]
            for cell in range(game.size**2)
        ]
        cells = [0 if owner is None else 1 - 2 * owner for owner in view.stones]
        return cls(game.size, 1 - 2 * game.across, near, cells)

    def put(self, cell: int, player: int) -> Board:
        """A copy with one more stone."""
        cells = [*self.cells]
        cells[cell] = player
        return Board(self.size, self.across, self.near, cells)

    def along(self, cell: int, player: int) -> int:
        """How far a cell lies from the player's low side."""
        return cell % self.size if player == self.across else cell // self.size

    def connected(self, player: int) -> bool:
        """Whether the player has won."""
        todo = [cell for cell, owner in enumerate(self.cells) if owner == player and self.along(cell, player) == 0]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if self.along(cell, player) == self.size - 1:
                return True
            for other in self.near[cell]:
                if self.cells[other] == player and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return False


def _in_order(neighbours: list[tuple[int, int]], cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Left and right first, then the row above, then the row below, each from the left."""
    return sorted(neighbours, key=lambda at: (at[0] != cell[0], at))


# ---- hex-ai-player ---------------------------------------------------------------------------------------------------

Estimate = Callable[[Board, int], list[int]]
"""For each line of cells between the player's sides, how many stones are surely needed beyond it."""


def documented(board: Board, player: int) -> list[int]:
    """``h = (N-1) - y``: one stone for every line ahead. It overestimates as soon as own stones lie ahead."""
    return [board.size - 1 - line for line in range(board.size)]


def admissible(board: Board, player: int) -> list[int]:
    """The same, less the lines ahead that hold an own stone: they may cost nothing."""
    owned = {board.along(cell, player) for cell, owner in enumerate(board.cells) if owner == player}
    return [sum(ahead not in owned for ahead in range(line + 1, board.size)) for line in range(board.size)]


def distance(board: Board, player: int, estimate: Estimate = admissible) -> float:
    """A*: own stones cost 0, empty cells 1, enemy stones cannot be passed."""
    ahead = estimate(board, player)
    best: dict[int, int] = {}
    queue: list[tuple[int, int, int]] = []

    def reach(cell: int, cost: int) -> None:
        owner = board.cells[cell]
        if owner == -player:
            return
        cost += owner == 0
        if cost < best.get(cell, board.size**2 + 1):
            best[cell] = cost
            heapq.heappush(queue, (cost + ahead[board.along(cell, player)], cost, cell))

    for cell in range(board.size**2):
        if board.along(cell, player) == 0:
            reach(cell, 0)
    while queue:
        _, cost, cell = heapq.heappop(queue)
        if board.along(cell, player) == board.size - 1:
            return cost
        if cost == best[cell]:
            for other in board.near[cell]:
                reach(other, cost)
    return INFINITE


@dataclass
class HexAI:
    """The document's player: `choose` is its decision, `values` what it found for each candidate."""

    player: int
    depth: int = 3
    prune: bool = True
    estimate: Estimate = admissible
    memo: dict[bytes, float] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)
    nodes: int = 0

    def choose(self, board: Board, recent: dict[int, list[int]]) -> int:
        """The move. `recent`: each player's moves, the latest last; of a player who is not in it all stones count."""
        for cell, owner in enumerate(board.cells):
            if owner == 0 and board.put(cell, self.player).connected(self.player):
                self.values = {cell: INFINITE}
                return cell
        best, choice = -1.0, -1
        for move in valid_moves(board, self.player, everywhere(board)):
            self.values[move] = self.after(board, move, self.player, recent, self.depth - 1, best, INFINITE)
            if self.values[move] > best:
                best, choice = self.values[move], move
            if self.prune and best == INFINITE:
                break
        return choice

    def evaluate(self, board: Board) -> float:
        """``ratio = distancia_enemigo / (distancia_jugador + ε)``."""
        return distance(board, -self.player, self.estimate) / (distance(board, self.player, self.estimate) + EPSILON)

    def after(
        self, board: Board, move: int, mover: int, recent: dict[int, list[int]], depth: int, alpha: float, beta: float
    ) -> float:
        """The value once `move` is played, from the memo if the position was met before."""
        self.nodes += 1
        board = board.put(move, mover)
        if board.connected(mover):
            return INFINITE if mover == self.player else 0.0
        key = hashlib.sha256(bytes(cell + 1 for cell in board.cells) + bytes([depth, mover + 1])).digest()
        if key in self.memo:
            return self.memo[key]
        if depth == 0:
            self.memo[key] = self.evaluate(board)
            return self.memo[key]
        grown = {player: [*moves, move] if player == mover else moves for player, moves in recent.items()}
        value = self.alphabeta(board, -mover, grown, depth, alpha, beta)
        if alpha < value < beta or not self.prune:
            self.memo[key] = value
        return value

    def alphabeta(
        self, board: Board, mover: int, recent: dict[int, list[int]], depth: int, alpha: float, beta: float
    ) -> float:
        """The best value that the mover can reach, within the bounds."""
        ours = mover == self.player
        near = everywhere(board) | {player: moves[-3:][::-1] for player, moves in recent.items()}
        values: list[float] = []
        for move in valid_moves(board, mover, near) or valid_moves(board, mover, everywhere(board)):
            values.append(self.after(board, move, mover, recent, depth - 1, alpha, beta))
            if not self.prune:
                continue
            if ours:
                alpha = max(alpha, values[-1])
            else:
                beta = min(beta, values[-1])
            if beta <= alpha:
                break
        return max(values) if ours else min(values)


class Forgetful(dict[Any, float]):
    """A memo in which nothing is ever found."""

    def __contains__(self, key: object) -> bool:
        return False


def everywhere(board: Board) -> dict[int, list[int]]:
    """All stones of each player."""
    return {player: [cell for cell, owner in enumerate(board.cells) if owner == player] for player in (1, -1)}


def valid_moves(board: Board, mover: int, stones: dict[int, list[int]]) -> list[int]:
    """The centre, the empty neighbours of the mover's `stones`, those of the other's; each once."""
    centre = board.size // 2 * board.size + board.size // 2
    beside = [cell for player in (mover, -mover) for stone in stones[player] for cell in board.near[stone]]
    return list(dict.fromkeys(cell for cell in [centre, *beside] if board.cells[cell] == 0))


# ---- ai-hex-2025 -----------------------------------------------------------------------------------------------------

MASK = 2**64 - 1


def splitmix(state: int) -> Iterator[int]:
    """The core's generator."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        yield z ^ z >> 31


def below(numbers: Iterator[int], bound: int) -> int:
    """Uniform in [0, bound), exactly as the core draws it."""
    while True:
        product = (next(numbers) >> 32) * bound
        if product & 0xFFFFFFFF >= 2**32 % bound:
            return product >> 32


def shortest_path(board: Board, player: int) -> list[int] | None:
    """The empty cells of a shortest path from the low side, the first in the dictionary; None when there is none."""
    left: dict[int, int] = {}
    queue: deque[tuple[int, int]] = deque()
    for cell in range(board.size**2):
        if board.along(cell, player) == board.size - 1:
            queue.append((cell, 0))
    while queue:  # costs of 0 go to the front, costs of 1 to the back: cells come out in order of cost
        cell, cost = queue.popleft()
        if board.cells[cell] == -player or left.get(cell, INFINITE) <= cost + (board.cells[cell] == 0):
            continue
        cost += board.cells[cell] == 0
        left[cell] = cost
        for other in board.near[cell]:
            (queue.appendleft if board.cells[other] == player else queue.append)((other, cost))
    starts = [cell for cell in range(board.size**2) if board.along(cell, player) == 0 and cell in left]
    if not starts:
        return None
    length = min(left[cell] for cell in starts)
    path: list[int] = []
    todo = [cell for cell in starts if left[cell] == length]
    while len(path) < length:
        reached = set(todo)
        while todo:
            cell = todo.pop()
            for other in board.near[cell] if board.cells[cell] == player else []:
                if other not in reached and left.get(other) == length - len(path):
                    reached.add(other)
                    todo.append(other)
        path.append(min(cell for cell in reached if board.cells[cell] == 0))
        todo = [cell for cell in board.near[path[-1]] if left.get(cell) == length - len(path)]
    return path


@dataclass
class Beam:
    """The document's second player, with the randomness of one seed; scores are whole numbers of 1 / tot^4."""

    seed: int
    size: int
    player: int

    def __post_init__(self) -> None:
        numbers = splitmix(self.seed)
        self.empty = next(numbers)
        self.keys = [(next(numbers), next(numbers)) for _ in range(self.size**2)]
        self.total = self.size**2
        self.whole = self.total**4

    def lengths(self, board: Board, player: int) -> list[int]:
        """Steps 1 to 3: the lengths of four paths, each blocked at a random cell before the next."""
        key = self.empty
        for cell, owner in enumerate(board.cells):
            key ^= self.keys[cell][owner < 0] if owner else 0
        numbers = splitmix((key + (player < 0)) & MASK)
        found = []
        for _ in range(4):
            path = shortest_path(board, player)
            found.append(self.total if path is None else len(path))
            if path:
                board = board.put(path[below(numbers, len(path))], -player)
        return found

    def ev(self, board: Board, player: int) -> int:
        """Steps 4 and 5: ``P[i] = (tot-L[i])/tot + (L[i]/tot)*P[i+1]``, ``P[4] = 0``, kept whole over tot^(4-i)."""
        probability, scale = 0, 1
        for length in reversed(self.lengths(board, player)):
            probability = (self.total - length) * scale + length * probability
            scale *= self.total
        return probability

    def score(self, board: Board, move: int, player: int) -> int:
        """``max(Ev(B,X), 1-Ev(B,Y))`` on the board after the move."""
        after = board.put(move, player)
        return max(self.ev(after, player), self.whole - self.ev(after, -player))

    def ranked(self, board: Board, player: int) -> list[tuple[int, int]]:
        """All moves as (score, cell), the best score first, then the lowest cell."""
        free = [cell for cell, owner in enumerate(board.cells) if owner == 0]
        return sorted(((self.score(board, cell, player), cell) for cell in free), key=lambda at: (-at[0], at[1]))

    def minimax(self, board: Board, player: int, width: int) -> tuple[int, int]:
        """The value for the searching player, and the move."""
        moves = self.ranked(board, player)
        if width == 0:
            return moves[0]
        best: tuple[int, int] | None = None
        for _, move in moves[:width]:
            after = board.put(move, player)
            if after.connected(player):
                value = self.whole if player == self.player else 0
            else:
                value, _ = self.minimax(after, -player, width - 2)
            if best is None or (value > best[0] if player == self.player else value < best[0]):
                best = value, move
        assert best is not None
        return best


# ---- the programs behind both documents ------------------------------------------------------------------------------


def added_estimate(board: Board, player: int) -> float:
    """A* whose estimate is never taken off again: each step adds its own cost and what is left from there."""
    todo = [(board.size - 1, cell) for cell in range(board.size**2) if board.along(cell, player) == 0]
    todo = [(cost, cell) for cost, cell in todo if board.cells[cell] != -player]
    heapq.heapify(todo)
    done: set[int] = set()
    while todo:
        cost, cell = heapq.heappop(todo)
        if cell in done:
            continue
        done.add(cell)
        if board.along(cell, player) == board.size - 1:
            return cost
        for other in board.near[cell]:
            if board.cells[other] != -player and other not in done:
                left = board.size - 1 - board.along(other, player)
                heapq.heappush(todo, (cost + (board.cells[other] == 0) + left, other))
    return INFINITE


def around(board: Board, cell: int, steps: list[tuple[int, int]]) -> list[int]:
    """The neighbours of a cell in the order of these steps down and right; the programs know only the axial layout."""
    row, column = divmod(cell, board.size)
    places = [(row + down, column + right) for down, right in steps]
    return [r * board.size + c for r, c in places if 0 <= r < board.size and 0 <= c < board.size]


@dataclass
class HexAIProgram:
    """What the code of hex-ai-player decides. `stones`: those of player 1, in the order in which it has seen them."""

    player: int
    stones: list[int]
    depth: int = 3
    memo: dict[tuple[bytes, int], float] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)
    wins: list[int] = field(default_factory=list)

    def choose(self, board: Board) -> int:
        """The move; of equal ones the first, where the program takes any."""
        for move in self.candidates(board, 3):
            if board.put(move, self.player).connected(self.player):
                self.wins.append(move)
            self.values[move] = self.search(board.put(move, self.player), -self.player, self.depth, -INFINITE, INFINITE)
        return self.wins[-1] if self.wins else max(self.values, key=lambda move: self.values[move])

    def candidates(self, board: Board, depth: int) -> list[int]:
        """The centre and what surrounds player 1's stones, for both players; from two plies on only its last three."""
        stones = self.stones[-3:] if depth <= 2 else self.stones
        steps = [(1, -1), (-1, 1), (-1, 0), (0, -1), (0, 1), (1, 0)]
        cells = [board.size // 2 * board.size + board.size // 2]
        for stone in stones:
            cells += around(board, stone, steps)
        return list(dict.fromkeys(cell for cell in cells if board.cells[cell] == 0))

    def search(self, board: Board, mover: int, depth: int, alpha: float, beta: float) -> float:
        """Alpha-beta that never sees a win, and keeps what a cut gave for the value."""
        if depth == 0:
            return self.evaluate(board)
        key = bytes(cell + 1 for cell in board.cells), depth
        if key in self.memo:
            return self.memo[key]
        best = -INFINITE if mover == self.player else INFINITE
        for move in self.candidates(board, depth):
            value = self.search(board.put(move, mover), -mover, depth - 1, alpha, beta)
            if mover == self.player:
                best = max(best, value)
                if best > beta:
                    break
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                if best < alpha:
                    break
                beta = min(beta, best)
        self.memo[key] = best
        return best

    def evaluate(self, board: Board) -> float:
        """The ratio of the estimates, for the player who is on turn after an odd depth."""
        return added_estimate(board, -self.player) / (added_estimate(board, self.player) + EPSILON)


class BeamProgram(Beam):
    """What the code of ai-hex-2025 decides, with the randomness of one seed; scores are shares."""

    def path_through(self, board: Board, start: int, player: int) -> list[int] | None:
        """The empty cells of the ways from `start` to the low side and to the high side; None where one is missing."""
        came: dict[int, int | None] = {start: None}
        queue, ends = deque([start]), dict[int, int]()
        while queue:
            cell = queue.popleft()
            for other in around(board, cell, [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]):
                if board.cells[other] != -player and other not in came:
                    came[other] = cell
                    (queue.append if board.cells[other] == 0 else queue.appendleft)(other)
            ends.setdefault(board.along(cell, player), cell)
        found: list[int] = []
        for side in (0, board.size - 1):
            at = ends.get(side)
            if at is None:
                return None
            while at is not None:
                found += [at] if board.cells[at] == 0 else []
                at = came[at]
        return found

    def through(self, board: Board, start: int, player: int) -> list[int]:
        """The lengths of up to four paths through a new stone."""
        board = board.put(start, player)
        key = self.empty
        for cell, owner in enumerate(board.cells):
            key ^= self.keys[cell][owner < 0] if owner else 0
        numbers = splitmix((key + (player < 0)) & MASK)
        found: list[int] = []
        while len(found) < 4:
            path = self.path_through(board, start, player)
            found.append(self.total if path is None else len(path))
            if not path:
                break
            board = board.put(path[below(numbers, len(path))], -player)
        return found

    def share(self, board: Board, move: int, player: int) -> float:
        """Ev of the player with a stone there, rounded step by step."""
        sum_, reach = 0.0, 1.0
        for length in self.through(board, move, player):
            sum_ += reach * (self.total - length) / self.total
            reach = reach * length / self.total
        return sum_

    def program_minimax(self, board: Board, player: int, width: int) -> tuple[float, int]:
        """The value for the searching player, and the move."""
        free = [cell for cell, owner in enumerate(board.cells) if owner == 0]
        scores = {cell: max(self.share(board, cell, player), 1 - self.share(board, cell, -player)) for cell in free}
        moves = sorted(free, key=lambda cell: -scores[cell])
        best = scores[moves[0]]
        if width == 0:
            return best, moves[0]
        if best > 0.99999:
            return best if player == self.player else 1 - best, moves[0]
        values = {move: self.program_minimax(board.put(move, player), -player, width - 2)[0] for move in moves[:width]}
        choose = max if player == self.player else min
        move = choose(values, key=lambda cell: values[cell])
        return values[move], move
