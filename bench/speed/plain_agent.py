"""A Python agent that is not ours, for measuring what it costs to play one."""

from __future__ import annotations

import random

from ludoteca.protocols import Action, Game, Limit, Seat, View


class PlainAgent:
    """Plays a random action."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Action:
        """Any of the legal ones."""
        return self._chance.choice(view.legal())
