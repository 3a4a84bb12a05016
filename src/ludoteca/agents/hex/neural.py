"""The Hex engine: a network guides the search, and static proofs overrule the network."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.hex.levels import LEVELS
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.agents.networks.board_networks import evaluate_both_ways, load_network
from ludoteca.agents.networks.network_player import NetworkPlayer, last_of, shipped_network, swap_action
from ludoteca.agents.reasons import with_reasons
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, Limit, Seat, View


class HexNetworkEngine(NetworkPlayer):
    """Searches with the network's priors, by PUCT; plays a proven win and never a proven loss.

    Virtual connections and dead or captured cells prove a position before the network evaluates it. Its scores are
    expected returns of the seat. A simulation counts as a node; the same number of nodes gives the same decision.
    """

    games: ClassVar = frozenset({"hex"})

    def __init__(
        self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, level: Level | None = None
    ) -> None:
        self._level = level or level_of(LEVELS, options)
        self._seed = seed
        simulations = self._level.budget if self._level else 0
        network = load_network(shipped_network(game))
        super().__init__(
            game,
            network,
            simulations,
            options.threads,
            options.memory,
            selection=_core.Selection.puct,
            static_proofs=True,
        )

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """A stream of improving decisions; see `Thinker.think`."""
        if self._level is None or not self._level.margin or len(view.legal()) == 1:
            yield from super().think(view, limit)
            return
        if (swap := swap_action(view)) in view.legal():
            best = last_of(super().think(view, limit))
            if best.action == swap:
                yield best
                return
        yield self._follow_policy(expect(view, _core.HexView), self._level)

    def _follow_policy(self, view: _core.HexView, level: Level) -> Decision:
        """A first idea among the likely actions of the network's policy, without search; a win in one is taken."""
        answers = evaluate_both_ways(self._network, _core.network_input(view).astype("float32"))
        logits, value = answers[0][0], float(answers[1][0])
        priors = {
            action: float(logits[_core.policy_index(view, action)]) for action in view.legal() if action < len(logits)
        }
        note = say("at this level it plays by instinct")
        best = Decision(max(priors, key=lambda action: priors[action]), value, {}, (), note, 1, 1)
        margin = math.inf if _core.hex_distance(view, view.seat) == 1 else level.draw_margin(view, self._seed)
        return with_reasons(view, overlook(view, best, priors, margin, self._seed))
