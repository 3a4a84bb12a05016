"""The agent that everybody should beat."""

from __future__ import annotations

import random
from typing import Final

from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Game, Limit, Reason, Seat, View

REASONS: Final = (Reason(say("it chose at random")),)


class Random:
    """Plays a uniformly random legal action."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Decision:
        """One of the legal actions, each equally likely."""
        return Decision(self._chance.choice(view.legal()), reasons=REASONS)

    def action_probabilities(self, view: View, limit: Limit) -> dict[Action, float]:
        """Each legal action is equally likely."""
        legal = view.legal()
        return dict.fromkeys(legal, 1 / len(legal))
