"""The Hex engine without a network: simulations that keep bridges, in a tree that knows what is settled."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.search_agent import SearchAgent, SearchTask, decision_of_simulations
from ludoteca.games.core_game import expect
from ludoteca.messages import joined, say
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["LEVELS", "HexClassicalEngine", "decision_of"]

UNLIMITED: Final = 20_000
"""Simulations for a decision when nobody says how long it may think."""


@dataclass(frozen=True)
class Level:
    """How an opponent for people is weaker than the engine."""

    simulations: int
    """For each action."""
    spread: float
    """How far it strays from the best: an action whose value is worse by this is chosen 1/e as often."""


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
    """Simulates the match from here again and again and plays what it tried most often, or what surely wins.

    Its simulations answer every attack on a bridge, share what they find out about a cell (RAVE), and know cells that
    no longer matter. Its scores are the returns that the seat may expect. With the same seed and the same number of
    nodes it decides the same, on one thread whatever `threads` says. With a limit of seconds, or none, it goes on from
    what it has found out about the position before, on all its threads. Each simulation counts as a node.
    """

    games = frozenset({"hex"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if options.level else None
        self._options = options
        self._seed = seed
        self._classical: _core.HexClassical | None = None

    def act(self, view: View, limit: Limit) -> Decision:
        """What it finds within the limit; without one, with 20,000 simulations."""
        if limit.nodes is None and limit.seconds is None:
            limit = replace(limit, nodes=UNLIMITED)
        return super().act(view, limit)

    def _task(self, view: View, limit: Limit) -> SearchTask | Decision:
        board = expect(view, _core.HexView)
        if len(legal := board.legal()) == 1:
            return Decision(legal[0], note=say("forced: the only legal action"))
        if self._classical is None:
            self._classical = _core.HexClassical(self._options.threads, self._options.memory, self._seed % 2**64)
        level = self._level
        if level is None:
            return SearchTask(self._classical.search(board, None, limit.nodes, limit.seconds), decision_of)
        search = self._classical.search(board, level.simulations, limit.nodes, limit.seconds)
        return SearchTask(search, lambda found: self._among_close(board, found, level))

    def _among_close(self, board: _core.HexView, found: _core.Choice, level: Level) -> Decision:
        """One of what it has tried, the better the likelier; the same one for the same view and seed."""
        best = decision_of(found)
        if best.proven or not level.spread or len(found.scores) < 2:
            return best
        weights = [math.exp((score - found.value) / level.spread) for _, score in found.scores]
        chance = random.Random(self._seed * 512 + sum(stone is not None for stone in board.stones))
        (action, score) = chance.choices(found.scores, weights)[0]
        if action == best.action:
            return best
        note = joined([best.note, say("takes one that is about as good")], "; ")
        return replace(best, action=action, value=score, line=(action,), note=note)


def decision_of(found: _core.Choice) -> Decision:
    """What a search has chosen for the seat on turn, in words."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the nearest to the centre"), nodes=found.nodes)
    return decision_of_simulations(found)
