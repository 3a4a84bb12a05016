"""The player of the seed document smart-horses-heuristic: minimax over points and mobility."""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal

from ludoteca import _core
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

LEVELS: Final = {"beginner": 2, "amateur": 4, "expert": 6}
"""The search depth of each level, in plies."""
MAX_DEPTH = 64
MAX_MOBILITY = 10.0
SPREAD: Final = {"once": 5.5, "every": 14.0}
"""By penalty rule: the value of a utility u is tanh(u / SPREAD), fitted to the results of the expert against itself."""


class HorsesMinimax(SearchAgent):
    """Searches a fixed number of plies and evaluates points and mobility.

    Its scores are the utility that each action leads to, (own score − the other's) + mobility × (own moves − the
    other's), exact for the depth. Of equal actions it takes the first. If a limit stops it early, it decides by the
    deepest search that it finished.
    """

    games = frozenset({"horses"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: Annotated[
            Literal["beginner", "amateur", "expert"],
            Label(
                say("level"),
                say("looks 2, 4 or 6 plies ahead"),
                {"beginner": say("beginner"), "amateur": say("amateur"), "expert": say("expert")},
            ),
        ] = "expert",
        depth: Annotated[
            int,
            Label(say("plies ahead"), say("plies to look ahead, 1 to 64; 0: as the level says")),
        ] = 0,
        mobility: Annotated[
            float, Label(say("worth of a move"), say("points that one more move is worth, 0 to 10"))
        ] = 0.5,
    ) -> None:
        one_of("minimax", "level", level, LEVELS)
        self._depth = within("minimax", "depth", depth, 0, MAX_DEPTH) or LEVELS[level]
        if not 0 <= mobility <= MAX_MOBILITY:
            raise InvalidOption(
                "minimax: mobility={mobility} must be a number from 0 to {most:g}", mobility=mobility, most=MAX_MOBILITY
            )
        self._mobility = float(mobility)

    def _task(self, view: View, limit: Limit) -> SearchTask:
        board = expect(view, _core.HorsesView)
        search = _core.horses_minimax(board, self._depth, self._mobility, limit.nodes, limit.seconds)
        return SearchTask(board, search, lambda found: self._decision(board, found))

    def _decision(self, board: _core.HorsesView, found: _core.Choice) -> Decision:
        if not found.depth:
            return Decision(found.action, note=say("no time to look ahead: the first legal action"), nodes=found.nodes)
        return Decision(
            found.action,
            value=_value(found.value, found.exhaustive, SPREAD[board.game.penalty]),
            scores=dict(found.scores),
            line=found.line,
            note=self._note(board, found),
            nodes=found.nodes,
            depth=found.depth,
        )

    def _note(self, board: _core.HorsesView, found: _core.Choice) -> Message:
        """The parts of the utility at the end of the principal variation, forced passes and equal actions."""
        me, game = board.seat, board.game
        state, passes = board.sample(0), set()
        for action in found.line:
            if action == game.pass_action:
                passes.add(state.turn)
            state.apply(action)
        end = state.view(me)
        points = end.scores[me] - end.scores[1 - me]
        moves = len(end.moves[me]) - len(end.moves[1 - me])
        if not found.exhaustive:
            parts = [
                say_count(
                    "{count} ply ahead: points {points:+d}, moves {moves:+d}, utility {utility:+zg}",
                    "{count} plies ahead: points {points:+d}, moves {moves:+d}, utility {utility:+zg}",
                    found.depth, points=points, moves=moves, utility=found.value,
                )
            ]  # fmt: skip
        elif points:
            parts = [say("seen to the end: {points:+d} points", points=points)]
        else:
            parts = [say("seen to the end: a draw")]
        if passes:
            parts.append(say("this seat has to pass") if me in passes else say("the other seat has to pass"))
        equal = [each for each, score in found.scores if score == found.value and each != found.action]
        if equal:
            parts.append(say("as good: {names}", names=[game.action_name(each) for each in equal]))
        if found.depth < self._depth and not found.exhaustive:
            parts.append(
                say_count(
                    "the limit left no time for {count} ply", "the limit left no time for {count} plies", self._depth
                )
            )
        return joined(parts, "; ")


def _value(utility: float, exhaustive: bool, spread: float) -> float:
    """The expected return: the exact result if the search was exhaustive, else an estimate."""
    if exhaustive:
        return float((utility > 0) - (utility < 0))
    return math.tanh(utility / spread)
