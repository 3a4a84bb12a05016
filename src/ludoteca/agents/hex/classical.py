"""The Hex engine without a network: MCTS with RAVE, playouts that keep bridges, and static proofs."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.reasons import only_action
from ludoteca.agents.search_agent import SearchAgent, SearchTask, decision_of_simulations
from ludoteca.games.core_game import expect
from ludoteca.messages import joined, say
from ludoteca.protocols import Decision, Game, Limit, Seat, View


@dataclass(frozen=True)
class Level:
    """How a level for people is weaker than the full engine."""

    simulations: int
    """Simulations for a decision."""
    temperature: float
    """An action whose value is worse than the best by this much is chosen 1/e as often; 0: always the best."""


LEVELS: Final = (
    Level(100, 0.25),
    Level(150, 0.17),
    Level(200, 0.12),
    Level(300, 0.08),
    Level(500, 0.05),
    Level(1_000, 0.02),
    Level(3_000, 0.0),
    Level(20_000, 0.0),
)
"""Levels 1 to 8."""


class HexClassicalEngine(SearchAgent):
    """Searches with simulations and plays the move with the most visits, or a proven win.

    Its playouts answer every attack on a bridge, share statistics of a cell (RAVE), and skip dead cells. Its scores are
    expected returns of the seat. A simulation counts as a node. With a limit of nodes it uses one thread, and the same
    seed and nodes give the same decision. With a limit of seconds, or none, it uses all its threads and reuses the tree
    of its last search.
    """

    unlimited = 20_000
    games = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if options.level else None
        self._options = options
        self._seed = seed
        self._classical: _core.HexClassical | None = None

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        board = expect(view, _core.HexView)
        if len(legal := board.legal()) == 1:
            return only_action(legal[0])
        if self._classical is None:
            self._classical = _core.HexClassical(self._options.threads, self._options.memory, self._seed % 2**64)
        level = self._level
        if level is None:
            return SearchTask(board, self._classical.search(board, None, limit.nodes, limit.seconds), decision_of)
        search = self._classical.search(board, level.simulations, limit.nodes, limit.seconds)
        return SearchTask(board, search, lambda found: self._sample_move(board, found, level))

    def _sample_move(self, board: _core.HexView, found: _core.Choice, level: Level) -> Decision:
        """One of the moves that it tried, better ones more often; the same one for the same view and seed."""
        best = decision_of(found)
        if best.proven or not level.temperature or len(found.scores) < 2:
            return best
        weights = [math.exp((score - found.value) / level.temperature) for _, score in found.scores]
        chance = random.Random(self._seed * 512 + sum(stone is not None for stone in board.stones))
        (action, score) = chance.choices(found.scores, weights)[0]
        if action == best.action:
            return best
        note = joined([best.note, say("takes one that is about as good")], "; ")
        return replace(best, action=action, value=score, line=(action,), note=note)


def decision_of(found: _core.Choice) -> Decision:
    """The decision of a search, with its note."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the nearest to the centre"), nodes=found.nodes)
    return decision_of_simulations(found)
