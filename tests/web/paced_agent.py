"""An agent that acts when a test lets it: so a tournament lasts until the test has seen enough of it."""

from __future__ import annotations

import os
import random

from ludoteca.protocols import Action, Game, Limit, Seat, View

GATE = "LUDOTECA_TEST_GATE"
"""The environment variable that names a FIFO: a byte in it for each action."""


class Paced:
    """Plays at random, one action for each byte that the test writes."""

    games = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Action:
        """Any legal action, as soon as it may."""
        gate = os.open(os.environ[GATE], os.O_RDONLY)
        os.read(gate, 1)
        os.close(gate)
        return self._chance.choice(view.legal())
