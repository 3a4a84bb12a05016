"""The strongest player of Horses: it looks for the result first, then for the points."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from ludoteca import _core
from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View

__all__ = ["LEVELS", "HorsesEngine", "decision_of"]

SPREAD: Final = {"once": 5.5, "every": 14.0}
"""By penalty rule: the value of a lead that is guessed to be p points is tanh(p / SPREAD)."""
ALMOST: Final = 0.9999
"""The highest return of what is only guessed."""
UNLIMITED: Final = 1_000_000
"""Nodes that it searches when it has to act and nobody says how long it may think."""

SMALL: Final = 1
"""Megabytes that are enough for a level: a larger table only takes longer to be cleared."""


@dataclass(frozen=True)
class Level:
    """How an opponent for people is weaker than the engine."""

    depth: int
    """Plies that it looks ahead."""
    tolerance: float
    """Points that it gives away for the sake of variety: of moves that are worse by less, it takes any."""


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
"""Levels 1 to 8, each about 110 Elo above the one below: the first is not far from chance, the last is all it can."""


class HorsesEngine(SearchAgent):
    """Searches ever deeper for the result; once that is certain, for the most points that go with it.

    Its scores are returns to expect, on the scale of the value: 1 is a win for certain, 0 even or a draw, -1 a loss for
    certain. The best action's is the value; each other is worth at most its score, for it is searched only until it is
    known to be no better. The note says the points. The same view, options, seed and limit of nodes give the same
    decision; with a limit of nodes it searches on one thread, whatever `threads` says.
    """

    games = frozenset({"horses"})

    def __init__(self, game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH) -> None:
        self._level = LEVELS[options.level - 1] if options.level else None
        self._options = options
        self._seed = seed

    def act(self, view: View, limit: Limit) -> Decision:
        """What it finds within the limit; without one, within a million nodes."""
        if limit.nodes is None and limit.seconds is None:
            limit = replace(limit, nodes=UNLIMITED)
        return super().act(view, limit)

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
            return SearchTask(search, lambda found: decision_of(board, found))
        level = self._level
        search = _core.horses_engine(
            board,
            depth=level.depth,
            tolerance=level.tolerance,
            memory=min(self._options.memory, SMALL),
            nodes=limit.nodes,
            seconds=limit.seconds,
        )
        return SearchTask(search, lambda found: self._among_close(board, found, level))

    def _among_close(self, board: _core.HorsesView, found: _core.Choice, level: Level) -> Decision:
        """Any of the actions that are about as good as the best; the same one for the same view and seed."""
        best = decision_of(board, found)
        close = [action for action, score in found.scores if score > found.value - level.tolerance]
        if len(close) < 2:
            return best
        left = sum(not gone for gone in board.destroyed)
        action = random.Random(self._seed * 64 + left).choice(sorted(close))
        if action == best.action:
            return best
        return replace(
            best, action=action, value=best.scores[action], line=(action,), proven=False,
            note=joined([best.note, say("takes one that is about as good")], "; "),
        )  # fmt: skip


def decision_of(board: _core.HorsesView, found: _core.Choice) -> Decision:
    """What a search of the engine has chosen for the seat on turn, in words."""
    if not found.depth:
        return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
    certain = _core.HORSES_PROVEN_WIN
    proven = found.exhaustive or abs(found.value) >= certain
    sign = (found.value > 0) - (found.value < 0)
    spread = SPREAD[board.game.penalty]
    scores = {action: _expected(points, spread) for action, points in found.scores}
    value = float(sign) if proven else _expected(found.value, spread)
    if found.action in scores:
        scores[found.action] = value
    return Decision(
        found.action,
        value=value,
        scores=scores,
        line=found.line,
        note=joined(list(_note(found, proven, found.value - sign * certain)), "; "),
        nodes=found.nodes,
        depth=found.depth,
        proven=proven,
    )


def _expected(points: float, spread: float) -> float:
    """The return that goes with a value of the search: 1 or -1 only where the result is certain."""
    if abs(points) >= _core.HORSES_PROVEN_WIN:
        return math.copysign(1.0, points)
    return min(max(math.tanh(points / spread), -ALMOST), ALMOST)


def _note(found: _core.Choice, proven: bool, margin: float) -> Iterator[Message]:
    """How certain the value is; margin: the lead at the end where the result is certain, 0 if nobody has looked."""
    if not proven:
        yield say_count(
            "{count} ply ahead: about {points:+z.1f} points", "{count} plies ahead: about {points:+z.1f} points",
            found.depth, points=found.value,
        )  # fmt: skip
    elif found.value == 0:
        yield say("it has proved a draw")
    else:
        yield say("it has proved that it wins") if found.value > 0 else say("it has proved that it loses")
        if margin and found.exhaustive:
            yield say_count("by {count} point with best play", "by {count} points with best play", abs(round(margin)))
        elif margin:
            yield say_count(
                "{count} ply ahead: about {points:+z.1f} points", "{count} plies ahead: about {points:+z.1f} points",
                found.depth, points=margin,
            )  # fmt: skip
