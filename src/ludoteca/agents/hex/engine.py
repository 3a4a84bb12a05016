"""The strongest player of Hex: simulations that keep bridges, in a tree that knows what is settled."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.thinking import Searcher, Thought
from ludoteca.games.described import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import one_of, within

__all__ = ["LEVELS", "NETWORKS", "HexEngine", "decision_of"]

NETWORKS: Final = ("none",)
"""What may judge positions for it; none: simulations alone, the classical engine."""
UNLIMITED: Final = 20_000
"""Simulations for a decision when nobody says how long it may think."""


@dataclass(frozen=True)
class Level:
    """How an opponent for people is weaker than the engine."""

    simulations: int
    """For each action."""
    slips: float
    """How often, of all actions, it takes any that is legal."""


LEVELS: Final = (
    Level(100, 0.5),
    Level(150, 0.35),
    Level(200, 0.24),
    Level(300, 0.15),
    Level(500, 0.08),
    Level(1_000, 0.03),
    Level(3_000, 0.0),
    Level(20_000, 0.0),
)
"""Levels 1 to 8."""


class HexEngine(Searcher):
    """Simulates the match from here again and again and plays what it tried most often, or what surely wins.

    Its simulations answer every attack on a bridge, share what they find out about a cell (RAVE), and know cells that
    no longer matter. Its scores are the returns that the seat may expect. With the same seed and the same number of
    nodes it decides the same, on one thread whatever `threads` says. With a limit of seconds, or none, it goes on from
    what it has found out about the position before, on all its threads. Each simulation counts as a node.
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: int = 0,
        memory: int = 256,
        threads: int = 1,
        network: str = "none",
    ) -> None:
        number = within("engine", "level", level, 0, len(LEVELS))
        self._level = LEVELS[number - 1] if number else None
        self._memory = within("engine", "memory", memory, 1, 65536)
        self._threads = within("engine", "threads", threads, 1, 64)
        self._network = one_of("engine", "network", network, NETWORKS)
        self._seed = seed
        self._classical: _core.HexClassical | None = None

    def act(self, view: View, limit: Limit) -> Decision:
        """What it finds within the limit; without one, with 20,000 simulations."""
        if limit.nodes is None and limit.seconds is None:
            limit = replace(limit, nodes=UNLIMITED)
        return super().act(view, limit)

    def _thought(self, view: View, limit: Limit) -> Thought | Decision:
        board = expect(view, _core.HexView)
        if len(legal := board.legal()) == 1:
            return Decision(legal[0], note=say("forced: the only legal action"))
        if self._classical is None:
            self._classical = _core.HexClassical(self._threads, self._memory, self._seed % 2**64)
        level = self._level
        if level is None:
            return Thought(self._classical.search(board, None, limit.nodes, limit.seconds), decision_of)
        chance = random.Random(self._seed * 512 + sum(stone is not None for stone in board.stones))
        if chance.random() < level.slips:
            return Decision(chance.choice(legal), note=say("a slip: any action will do"))
        return Thought(self._classical.search(board, level.simulations, limit.nodes, limit.seconds), decision_of)


def decision_of(found: _core.Choice) -> Decision:
    """What a search has chosen for the seat on turn, in words."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the nearest to the centre"), nodes=found.nodes)
    note = say_count(
        "{count} simulation, at most {depth} plies into the tree",
        "{count} simulations, at most {depth} plies into the tree",
        found.nodes, depth=found.depth,
    )  # fmt: skip
    if found.exhaustive:
        note = joined([say("a win for certain") if found.value > 0 else say("a loss for certain"), note], "; ")
    return Decision(
        found.action, found.value, dict(found.scores), found.line, note, found.nodes, found.depth, found.exhaustive
    )
