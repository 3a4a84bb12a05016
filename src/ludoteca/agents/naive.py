"""The agent `naive`: a beginner's first idea in each game, without looking ahead."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Final, cast

from ludoteca.messages import say
from ludoteca.protocols import Action, Decision, Game, Limit, Reason, Seat, View

PREFERENCES: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.naive.preferences",
    "hex": "ludoteca.agents.hex.naive.preferences",
    "horses": "ludoteca.agents.horses.naive.preferences",
    "kittens": "ludoteca.agents.kittens.naive.preferences",
}
"""By game the function that says how much a beginner likes each action, imported on first use."""
REASONS: Final = (Reason(say("a beginner's first idea")),)


class Naive:
    """Plays the action that a beginner likes most; chance decides between equals."""

    games = frozenset(PREFERENCES)

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self._chance = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Decision:
        """The beginner's first idea."""
        return Decision(first_idea(view, view.legal(), self._chance), reasons=REASONS)


def first_idea(view: View, actions: Collection[Action], chance: random.Random) -> Action:
    """Of these legal actions, the one that a beginner likes most."""
    module, _, name = PREFERENCES[view.game.name].rpartition(".")
    preferences = cast(Callable[[View], dict[Action, float]], getattr(import_module(module), name))(view)
    most = max(preferences[action] for action in actions)
    return chance.choice([action for action in sorted(actions) if preferences[action] == most])
