"""The Hex engine: a network guides the search, and static proofs overrule the network."""

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
from ludoteca.agents.reasons import with_reasons
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, Seat, View


@dataclass(frozen=True)
class Level:
    """How a level for people is weaker than the full engine."""

    temperature: float
    """Temperature at which it samples the network's policy: 1 leaves the policy as it is, more makes it more even."""
    floor: float
    """Actions whose prior is below this share of the highest prior are never played."""


LEVELS: Final = (
    Level(6.0, 1e-7),
    Level(4.0, 1e-6),
    Level(2.5, 1e-5),
    Level(1.8, 1e-4),
    Level(1.35, 1e-3),
    Level(1.0, 0.01),
    Level(0.3, 0.2),
)
"""Levels 1 to 7 sample the network's policy without search. Level 8 searches."""
LEVEL_8_SIMULATIONS: Final = 32
"""Simulations for a decision of level 8."""


class HexNetworkEngine(NetworkPlayer):
    """Searches with the network's priors; plays a proven win and never a proven loss.

    Virtual connections and dead or captured cells prove a position before the network evaluates it. Its scores are
    expected returns of the seat. A simulation counts as a node; the same number of nodes gives the same decision.
    """

    games: ClassVar = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if 0 < options.level <= len(LEVELS) else None
        self._seed = seed
        simulations = LEVEL_8_SIMULATIONS if options.level > len(LEVELS) else 0
        super().__init__(
            game, load_network(shipped_network(game)), simulations, options.threads, options.memory, static_proofs=True
        )

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """A stream of improving decisions; see `Thinker.think`."""
        if self._level is None or len(view.legal()) == 1:
            yield from super().think(view, limit)
        else:
            best = last_of(super().think(view, replace(limit, nodes=1)))
            yield best if best.proven else self._sample_policy(expect(view, _core.HexView), best, self._level)

    def _sample_policy(self, view: _core.HexView, best: Decision, level: Level) -> Decision:
        """An action sampled from the network's policy; the same one for the same view and seed."""
        if view.game.action_name(best.action) == "swap":
            return best
        seen = _core.network_input(view).astype("float32")
        logits = evaluate_both_ways(self._network, seen)[0][0]
        logit_of = {
            action: float(logits[_core.policy_index(view, action)]) for action in view.legal() if action < len(logits)
        }
        highest = max(logit_of.values())
        weights = {action: math.exp(logit - highest) for action, logit in logit_of.items()}
        close = [action for action, weight in weights.items() if weight >= level.floor]
        stones = sum(stone is not None for stone in view.stones)
        chance = random.Random(self._seed * 512 + stones)
        action = chance.choices(close, [weights[each] ** (1 / level.temperature) for each in close])[0]
        note = say("at this level it plays by instinct")
        return with_reasons(view, Decision(action, best.value, {}, (action,), note, 1, 1))
