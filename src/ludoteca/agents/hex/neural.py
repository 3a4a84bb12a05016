"""The Hex engine: a network leads the search, and what is certain about a position comes before its opinion."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.network_player import NetworkPlayer, last_of, shipped_network
from ludoteca.agents.networks import evaluate_both_ways, load_network
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["LEVELS", "HexNetworkEngine"]


@dataclass(frozen=True)
class Level:
    """How an opponent for people is weaker than the engine."""

    warmth: float
    """How freely it chooses among what the network thinks of: 1 as often as that thinks so, more is more even."""
    floor: float
    """What the network thinks less likely than this part of the likeliest action is never played."""


LEVELS: Final = (
    Level(6.0, 1e-7),
    Level(4.0, 1e-6),
    Level(2.5, 1e-5),
    Level(1.8, 1e-4),
    Level(1.35, 1e-3),
    Level(1.0, 0.01),
    Level(0.3, 0.2),
)
"""Levels 1 to 7: the network's first thoughts, chosen among more or less freely. Level 8 looks ahead."""
LOOKING_AHEAD: Final = 32
"""Simulations of level 8."""


class HexNetworkEngine(NetworkPlayer):
    """Searches where the network sees promise; plays what surely wins, and never what surely loses.

    Virtual connections and dead or captured cells settle a position before the network is asked about it. Its scores
    are the returns that the seat may expect. Each simulation counts as a node; the same nodes decide the same.
    """

    games: ClassVar = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if 0 < options.level <= len(LEVELS) else None
        self._seed = seed
        most = LOOKING_AHEAD if options.level > len(LEVELS) else 0
        super().__init__(
            game, load_network(shipped_network(game)), most, options.threads, options.memory, static_proofs=True
        )

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """A stream of decisions, each better founded than the last; see `Thinker.think`."""
        if self._level is None or len(view.legal()) == 1:
            yield from super().think(view, limit)
        else:
            best = last_of(super().think(view, replace(limit, nodes=1)))
            yield best if best.proven else self._first_thought(expect(view, _core.HexView), best, self._level)

    def _first_thought(self, view: _core.HexView, best: Decision, level: Level) -> Decision:
        """One of the actions that the network thinks of; the same one for the same view and seed."""
        if view.game.action_name(best.action) == "swap":
            return best
        seen = _core.network_input(view).astype("float32")
        logits = evaluate_both_ways(self._network, seen)[0][0]
        likely = {
            action: float(logits[_core.policy_index(view, action)]) for action in view.legal() if action < len(logits)
        }
        highest = max(likely.values())
        weights = {action: math.exp(logit - highest) for action, logit in likely.items()}
        close = [action for action, weight in weights.items() if weight >= level.floor]
        stones = sum(stone is not None for stone in view.stones)
        chance = random.Random(self._seed * 512 + stones)
        action = chance.choices(close, [weights[each] ** (1 / level.warmth) for each in close])[0]
        note = say("at this level it plays by instinct")
        return Decision(action, best.value, {}, (action,), note, 1, 1)
