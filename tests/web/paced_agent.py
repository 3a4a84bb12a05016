"""An agent that thinks exactly as long as a test wants: so a tournament lasts until the test has seen enough of it."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from ludoteca.protocols import Action, Game, Limit, Seat, View

__all__ = ["PACE", "Paced"]

PACE = "LUDOTECA_TEST_PACE"
"""The environment variable that names a file with the seconds for each action."""


class Paced:
    """Plays at random, at the pace that the file says."""

    games = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Action:
        """Any legal action, after a while."""
        time.sleep(float(Path(os.environ[PACE]).read_text()))
        return self._chance.choice(view.legal())
