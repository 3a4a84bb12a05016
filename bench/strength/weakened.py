"""Agents made weaker, so that there is something to measure between them.

Between Hex agents that always win and one that plays at random there is nothing: `Astar` plays a share of its actions
at random, to be a rung in between. `Slowed` gives an agent fewer nodes than its match allows.
"""

from __future__ import annotations

import random
from typing import ClassVar

import ludoteca
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View


class Astar:
    """The agent `astar`, but for a share of its actions, which are random."""

    games: ClassVar = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int, depth: int = 3, chance: float = 0.0) -> None:
        self._agent = ludoteca.agent(f"astar:depth={depth}")(game, seat, seed)
        self._dice, self._chance = random.Random(seed), chance

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """The agent's action, or any."""
        if self._dice.random() < self._chance:
            return self._dice.choice(view.legal())
        return self._agent.act(view, limit)


class Slowed:
    """Any agent of ours, with so many nodes for each action whatever else it is allowed."""

    def __init__(self, game: Game, seat: Seat, seed: int, agent: str = "engine", nodes: int = 1000) -> None:
        self._agent, self._nodes = ludoteca.agent(agent)(game, seat, seed), nodes

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """What it chooses with these nodes."""
        return self._agent.act(view, Limit(limit.seconds, self._nodes))
