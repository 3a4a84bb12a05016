"""The player of the seed document smart-horses-heuristic: minimax over points and freedom to move."""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal

from ludoteca import _core
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

__all__ = ["LEVELS", "HorsesMinimax"]

LEVELS: Final = {"beginner": 2, "amateur": 4, "expert": 6}
"""Plies that each level looks ahead."""
DEEPEST = 64
MOST_MOBILITY = 10.0
SPREAD: Final = {"once": 5.5, "every": 14.0}
"""By penalty rule: the value of a utility u is tanh(u / SPREAD), fitted to the results of the expert against itself."""


class HorsesMinimax:
    """Looks a fixed number of plies ahead and values points, then freedom to move.

    Its scores are the utility that each action leads to, (own score − the other's) + mobility × (own moves − the
    other's), exact for the depth. Of equal actions it takes the first. Under a limit that stops it early, it
    decides by the deepest look that it finished.
    """

    games = frozenset({"horses"})
    native = True  # the core keeps to the limits

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
            Label(say("plies ahead"), say("plies to look ahead, 1 to 64, whatever the level; 0: as the level says")),
        ] = 0,
        mobility: Annotated[
            float, Label(say("worth of a move"), say("points that one more move is worth, 0 to 10"))
        ] = 0.5,
    ) -> None:
        one_of("minimax", "level", level, LEVELS)
        self._depth = within("minimax", "depth", depth, 0, DEEPEST) or LEVELS[level]
        if not 0 <= mobility <= MOST_MOBILITY:
            raise InvalidOption(
                say("minimax: mobility={value} must be a number from 0 to {most:g}", value=mobility, most=MOST_MOBILITY)
            )
        self._mobility = float(mobility)

    def act(self, view: View, limit: Limit) -> Decision:
        """The action with the best utility after best play from both seats."""
        board = expect(view, _core.HorsesView)
        found = _core.horses_minimax(board, self._depth, self._mobility, limit.nodes, limit.seconds)
        if not found.depth:
            note = say("no time to look ahead: the first legal action")
            return Decision(found.action, note=note, nodes=found.nodes)
        scores = dict(zip(board.legal(), found.values, strict=True))
        return Decision(
            found.action,
            value=_value(scores[found.action], found.exhaustive, SPREAD[board.game.penalty]),
            scores=scores,
            line=found.line,
            note=self._note(board, found, scores),
            nodes=found.nodes,
            depth=found.depth,
        )

    def _note(self, board: _core.HorsesView, found: _core.Look, scores: dict[Action, float]) -> str:
        """What the utility is made of at the end of the expected line, and what else is worth knowing."""
        me, game = board.seat, board.game
        state, passes = board.sample(0), set()
        for action in found.line:
            if action == game.pass_action:
                passes.add(state.turn)
            state.apply(action)
        end, utility = state.view(me), scores[found.action]
        points = end.scores[me] - end.scores[1 - me]
        moves = len(end.moves[me]) - len(end.moves[1 - me])
        if found.exhaustive:
            end_is = say("{points:+d} points", points=points) if points else say("a draw")
            told = [say("seen to the end: {what}", what=end_is)]
        else:
            what = say(
                "points {points:+d}, moves {moves:+d}, utility {utility:+g}",
                points=points,
                moves=moves,
                utility=utility,
            )
            told = [say_count("{count} ply ahead: {what}", "{count} plies ahead: {what}", found.depth, what=what)]
        if passes:
            told.append(say("this seat has to pass") if me in passes else say("the other seat has to pass"))
        if equal := [game.action_name(each) for each in scores if scores[each] == utility and each != found.action]:
            told.append(say("as good: {names}", names=equal))
        if found.depth < self._depth and not found.exhaustive:
            told.append(
                say_count(
                    "the limit left no time for {count} ply", "the limit left no time for {count} plies", self._depth
                )
            )
        return joined(told, "; ")


def _value(utility: float, exhaustive: bool, spread: float) -> float:
    """The expected return: what the result is when every line was seen to its end, else an estimate."""
    if exhaustive:
        return float((utility > 0) - (utility < 0))
    return math.tanh(utility / spread)
