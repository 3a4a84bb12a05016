"""The Horses engine: alpha-beta that searches for the result first, then for the points."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.horses.facts import proof
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View

SPREAD: Final = {"once": 5.5, "every": 14.0}
"""By penalty rule: an estimated lead of p points has the value tanh(p / SPREAD)."""
MAX_ESTIMATE: Final = 0.9999
"""The highest value of an estimate; only a proven win has 1."""

LEVEL_MEMORY: Final = 1
"""Megabytes for the shallow search of a level: clearing a larger table only takes longer."""


@dataclass(frozen=True)
class Level:
    """How a level for people is weaker than the full engine."""

    depth: int
    """Plies that it looks ahead."""
    tolerance: float
    """It chooses at random among the moves that are worse than the best by less than this many points."""


LEVELS: Final = (
    Level(1, 24.0),
    Level(1, 16.0),
    Level(1, 11.0),
    Level(1, 7.0),
    Level(1, 3.0),
    Level(3, 1.5),
    Level(7, 0.5),
    Level(128, 0.0),
)
"""Levels 1 to 8, each about 110 Elo above the one below: the first is close to random, the last is full strength."""


class HorsesEngine(SearchAgent):
    """Searches by iterative deepening for the result; once that is proven, for the most points.

    Its scores are expected returns, as its value: 1 is a proven win, 0 even or a draw, -1 a proven loss. The best
    action's score is the value. Every other score is an upper bound, because such an action is searched only until it
    is shown to be no better. The note has the points. With a limit of nodes it uses one thread, and the same view,
    options, seed and nodes give the same decision.
    """

    unlimited = 1_000_000
    games = frozenset({"horses"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if options.level else None
        self._options = options
        self._seed = seed

    def _task(self, view: View, limit: Limit) -> SearchTask:
        board = expect(view, _core.HorsesView)
        if self._level is None or not self._level.tolerance:
            search = _core.horses_engine(
                board,
                memory=self._options.memory,
                threads=self._options.threads,
                nodes=limit.nodes,
                seconds=limit.seconds,
            )
            return SearchTask(board, search, lambda found: decision_of(board, found))
        level = self._level
        search = _core.horses_engine(
            board,
            depth=level.depth,
            tolerance=level.tolerance,
            memory=min(self._options.memory, LEVEL_MEMORY),
            nodes=limit.nodes,
            seconds=limit.seconds,
        )
        return SearchTask(board, search, lambda found: self._sample_move(board, found, level))

    def _sample_move(self, board: _core.HorsesView, found: _core.Choice, level: Level) -> Decision:
        """One of the actions within the level's tolerance; the same one for the same view and seed."""
        best = decision_of(board, found)
        close = [action for action, score in found.scores if score > found.value - level.tolerance]
        if len(close) < 2:
            return best
        left = sum(not gone for gone in board.destroyed)
        action = random.Random(self._seed * 64 + left).choice(sorted(close))
        if action == best.action:
            return best
        note = joined([part for part in (best.note, say("takes one that is about as good")) if part], "; ")
        value = best.scores[action]
        return replace(best, action=action, value=value, line=(action,), proven=False, reasons=(), note=note)


def decision_of(board: _core.HorsesView, found: _core.Choice) -> Decision:
    """The decision of a search, with its note."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
    proven_win = _core.HORSES_PROVEN_WIN
    proven = found.exhaustive or abs(found.value) >= proven_win
    sign = (found.value > 0) - (found.value < 0)
    spread = SPREAD[board.game.penalty]
    scores = {action: _expected(points, spread) for action, points in found.scores}
    value = float(sign) if proven else _expected(found.value, spread)
    margin = found.value - sign * proven_win if proven else found.value
    known_margin = round(margin) if found.exhaustive and margin else None
    if found.action in scores:
        scores[found.action] = value
    return Decision(
        found.action,
        value=value,
        scores=scores,
        line=found.line,
        note="" if proven and (found.exhaustive or not margin) else _note(found, margin),
        nodes=found.nodes,
        depth=found.depth,
        proven=proven,
        reasons=(proof(sign, known_margin),) if proven else (),
    )


def _expected(points: float, spread: float) -> float:
    """The expected return for a value of the search; 1 or -1 only if the result is proven."""
    if abs(points) >= _core.HORSES_PROVEN_WIN:
        return math.copysign(1.0, points)
    return min(max(math.tanh(points / spread), -MAX_ESTIMATE), MAX_ESTIMATE)


def _note(found: _core.Choice, points: float) -> Message:
    """How far it looked, and the lead that it expects."""
    return say_count(
        "{count} ply ahead: about {points:+z.1f} points", "{count} plies ahead: about {points:+z.1f} points",
        found.depth, points=points,
    )  # fmt: skip
