"""Hex agents that leave something to chance, so that a ladder of them can stand.

Two agents that leave nothing to chance would play the same two matches again and again: here the first action of each
is random, and the same in both matches of a pair. And between agents that always win and one that plays at random there
is nothing to measure: here an agent can be made to play a share of its actions at random, to be a rung in between.
"""

from __future__ import annotations

import random
from typing import ClassVar

import ludoteca
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View

__all__ = ["Astar", "Beam"]


class _Unsteady:
    """Another agent, but for its first action and a share of the others, which are random."""

    games: ClassVar = frozenset({"hex"})

    def __init__(self, agent: str, game: Game, seat: Seat, seed: int, chance: float) -> None:
        self._agent = ludoteca.agent(agent)(game, seat, seed)
        self._random = ludoteca.agent("random")(game, seat, seed)
        self._dice, self._chance, self._begun = random.Random(seed + 1), chance, False

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """The agent's action, or any."""
        strays = self._dice.random() < self._chance or not self._begun
        self._begun = True
        return (self._random if strays else self._agent).act(view, limit)


class Astar(_Unsteady):
    """The agent `astar`, unsteady."""

    def __init__(self, game: Game, seat: Seat, seed: int, depth: int = 3, chance: float = 0.0) -> None:
        super().__init__(f"astar:depth={depth}", game, seat, seed, chance)


class Beam(_Unsteady):
    """The agent `beam`, unsteady."""

    def __init__(self, game: Game, seat: Seat, seed: int, width: int = 8, chance: float = 0.0) -> None:
        super().__init__(f"beam:width={width}", game, seat, seed, chance)
