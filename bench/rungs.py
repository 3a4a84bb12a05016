"""Hex agents that stray, so that a ladder of them reaches down to chance.

Between agents that always win and one that plays at random there is nothing to measure: here an agent is made to play
a share of its actions at random, to be a rung in between.
"""

from __future__ import annotations

import random
from typing import ClassVar

import ludoteca
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View

__all__ = ["Astar"]


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
