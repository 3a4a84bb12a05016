"""The agent that everybody should beat."""

from __future__ import annotations

import random

from ludoteca.protocols import Action, Game, Limit, Seat, View

__all__ = ["Random"]


class Random:
    """Plays a uniformly random legal action."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Action:
        """One of the legal actions, each equally likely."""
        return self._chance.choice(view.legal())
