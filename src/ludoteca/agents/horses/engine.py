"""The Horses engine: alpha-beta that searches for the result first, then for the points."""

from __future__ import annotations

import math
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.horses.facts import proof
from ludoteca.agents.horses.levels import LEVELS
from ludoteca.agents.levels import Level, level_of, overlook
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View

SPREAD: Final = {"once": 5.5, "every": 14.0}
"""By penalty rule: an estimated lead of p points has the value tanh(p / SPREAD)."""
MAX_ESTIMATE: Final = 0.9999
"""The highest value of an estimate; only a proven win has 1."""

LEVEL_MEMORY: Final = 1
"""Megabytes for the shallow search of a level: clearing a larger table only takes longer."""


class HorsesEngine(SearchAgent):
    """Searches by iterative deepening for the result; once that is proven, for the most points.

    Its scores are expected returns, as its value: 1 is a proven win, 0 even or a draw, -1 a proven loss. The best
    action's score is the value. Every other score is an upper bound, because such an action is searched only until it
    is shown to be no better. The note has the points. With a limit of nodes it uses one thread, and the same view,
    options, seed and nodes give the same decision.
    """

    unlimited = 1_000_000
    games = frozenset({"horses"})

    def __init__(
        self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, level: Level | None = None
    ) -> None:
        self._level = level or level_of(LEVELS, options)
        self._options = options
        self._seed = seed

    def _task(self, view: View, limit: Limit) -> SearchTask:
        board = expect(view, _core.HorsesView)
        if self._level is None:
            search = _core.horses_engine(
                board,
                memory=self._options.memory,
                threads=self._options.threads,
                nodes=limit.nodes,
                seconds=limit.seconds,
            )
            return SearchTask(board, search, lambda found: decision_of(board, found))
        margin = self._level.draw_margin(board, self._seed)
        search = _core.horses_engine(
            board,
            depth=self._level.budget,
            tolerance=min(margin, _core.HORSES_PROVEN_WIN),
            memory=min(self._options.memory, LEVEL_MEMORY),
            nodes=limit.nodes,
            seconds=limit.seconds,
        )
        return SearchTask(board, search, lambda found: self._weakened(board, found, margin))

    def _weakened(self, board: _core.HorsesView, found: _core.Choice, margin: float) -> Decision:
        best = decision_of(board, found)
        return overlook(board, best, dict(found.scores), margin, self._seed) if found.depth else best


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
