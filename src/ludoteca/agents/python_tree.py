"""The tree search of ``core/search/tree.hpp`` for a game in pure Python: the same algorithm, slower, without proofs.

A node is what the searching seat sees. On its own turn that is its information set; on the other's turn the sampled
worlds differ in what is legal, and an action is measured by the worlds in which it was. The core's games can be
searched by it too: the tests compare the two.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ludoteca.protocols import Action, Limit, Seat, State, View

Evaluation = Callable[[State, random.Random], Sequence[float]]
"""The expected return of each seat in a state that is not over, in [-1, 1]."""

TICK = 0.002
"""Seconds between two results of `Tree.search`."""
NODE_BYTES = 4096
"""The memory of a node, roughly: its view, its edges and their dictionary."""


def random_playout(state: State, chance: random.Random) -> Sequence[float]:
    """The returns of a random playout from here."""
    end = state.copy()
    while end.turn is not None:
        end.apply(chance.choice(end.legal()))
    return end.returns()


@dataclass
class Edge:
    """The statistics of one action in one node."""

    sum: float = 0.0
    """Returns of the seat that chose it, over all visits."""
    visits: int = 0
    available: int = 0
    """In how many of the worlds that reached the node the action was legal."""

    @property
    def q(self) -> float:
        """The mean return of the seat."""
        return self.sum / self.visits

    def ucb(self, exploration: float) -> float:
        """The upper confidence bound: higher, the less the action has been tried."""
        if not self.visits:
            return math.inf
        return self.q + exploration * math.sqrt(math.log(self.available) / self.visits)


Node = dict[Action, Edge]


@dataclass(frozen=True)
class Found:
    """The result of a search so far."""

    action: Action
    nodes: int
    """Simulations."""
    depth: int = 0
    value: float | None = None
    scores: dict[Action, float] = field(default_factory=dict)
    """Mean returns of the actions that were tried, the most visited first; none is shown higher than that one."""


class Tree:
    """Searches for one seat of one match. The result depends on the seed, the view and the number of simulations."""

    def __init__(
        self,
        exploration: float,
        evaluate: Evaluation = random_playout,
        *,
        playouts: int = 1,
        reuse: bool = False,
        memory: int = 256,
        seed: int = 0,
    ) -> None:
        self._exploration, self._evaluate, self._playouts = exploration, evaluate, playouts
        self._reuse, self._seed = reuse, seed
        self._most_nodes = max(1, memory * 2**20 // NODE_BYTES)
        self._nodes: dict[View, Node] = {}
        self._chance = random.Random()
        self._deepest = 0

    def search(self, view: View, simulations: int | None = None, limit: Limit | None = None) -> Iterator[Found]:
        """Simulate until the number of simulations or the limit is reached; yield results every 2 ms and at the end."""
        limit = limit or Limit()
        begun = last = time.monotonic()
        most = min((each for each in (simulations, limit.nodes) if each is not None), default=math.inf)
        deadline = math.inf if limit.seconds is None else begun + limit.seconds
        self._set_root(view)
        done = 0
        while done < most and (now := time.monotonic()) < deadline:
            if now - last >= TICK:
                yield self.found(view, done)
                last = time.monotonic()
            self.simulate(view)
            done += 1
        yield self.found(view, done)

    def _set_root(self, view: View) -> None:
        self._chance = random.Random(self._seed.to_bytes(8, "little", signed=self._seed < 0) + bytes(view))
        self._deepest = 0
        if not self._reuse or len(self._nodes) > self._most_nodes // 2:
            self._nodes.clear()
        self._nodes.setdefault(view, {})

    def simulate(self, view: View) -> None:
        """Sample a world, select a path down the tree, expand it by a node, evaluate, and back the result up."""
        state = view.sample(self._chance.getrandbits(63))
        node: Node | None = self._nodes[view]
        path: list[tuple[Seat, Edge]] = []
        while node is not None and (turn := state.turn) is not None:
            action, edge = self._select(node, state)
            path.append((turn, edge))
            state.apply(action)
            if state.turn is None:
                break
            seen = state.view(view.seat)
            node = self._nodes.get(seen)
            if node is None and len(self._nodes) < self._most_nodes:
                self._nodes[seen] = {}
        self._backup(path, self._evaluated(state))
        self._deepest = max(self._deepest, len(path))

    def _select(self, node: Node, state: State) -> tuple[Action, Edge]:
        """The legal action with the highest bound; ties are broken at random."""
        legal = state.legal()
        self._chance.shuffle(legal)
        for action in legal:
            node.setdefault(action, Edge()).available += 1
        action = max(legal, key=lambda each: node[each].ucb(self._exploration))
        return action, node[action]

    @staticmethod
    def _backup(path: list[tuple[Seat, Edge]], returns: Sequence[float]) -> None:
        for turn, edge in path:
            edge.visits += 1
            edge.sum += returns[turn]

    def _evaluated(self, state: State) -> Sequence[float]:
        if state.turn is None:
            return state.returns()
        values = [self._evaluate(state, self._chance) for _ in range(self._playouts)]
        return [sum(seat) / self._playouts for seat in zip(*values, strict=True)]

    def found(self, view: View, simulations: int) -> Found:
        """The most visited action; the first legal one before any simulation."""
        tried = [(action, edge) for action, edge in self._nodes[view].items() if edge.visits]
        if not tried:
            return Found(view.legal()[0], simulations)
        tried.sort(key=lambda each: (-each[1].visits, -each[1].q, each[0]))
        best, value = tried[0][0], tried[0][1].q
        scores = {action: min(edge.q, value) for action, edge in tried}
        return Found(best, simulations, max(1, self._deepest), value, scores)
