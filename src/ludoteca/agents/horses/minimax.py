"""The player of the seed document smart-horses-heuristic: minimax over points and freedom to move."""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal

from ludoteca import _core
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import one_of, within

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

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        level: Annotated[Literal["beginner", "amateur", "expert"], "looks 2, 4 or 6 plies ahead"] = "expert",
        depth: Annotated[int, "plies to look ahead, 1 to 64, whatever the level; 0: as the level says"] = 0,
        mobility: Annotated[float, "points that one more move is worth, 0 to 10"] = 0.5,
    ) -> None:
        one_of("minimax", "level", level, LEVELS)
        self._depth = within("minimax", "depth", depth, 0, DEEPEST) or LEVELS[level]
        if not 0 <= mobility <= MOST_MOBILITY:
            raise InvalidOption(f"minimax: mobility={mobility} must be a number from 0 to {MOST_MOBILITY:g}")
        self._mobility = float(mobility)

    def act(self, view: View, limit: Limit) -> Decision:
        """The action with the best utility after best play from both seats."""
        board = expect(view, _core.HorsesView)
        found = _core.horses_minimax(board, self._depth, self._mobility, limit.nodes, limit.seconds)
        if not found.depth:
            return Decision(found.action, note="no time to look ahead: the first legal action", nodes=found.nodes)
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
            told = [f"seen to the end: {f'{points:+d} points' if points else 'a draw'}"]
        else:
            plies = "1 ply" if found.depth == 1 else f"{found.depth} plies"
            told = [f"{plies} ahead: points {points:+d}, moves {moves:+d}, utility {utility:+g}"]
        if passes:
            told.append("this seat has to pass" if me in passes else "the other seat has to pass")
        if equal := [game.action_name(each) for each in scores if scores[each] == utility and each != found.action]:
            told.append(f"as good: {', '.join(equal)}")
        if found.depth < self._depth and not found.exhaustive:
            told.append(f"the limit left no time for {self._depth} plies")
        return "; ".join(told)


def _value(utility: float, exhaustive: bool, spread: float) -> float:
    """The expected return: what the result is when every line was seen to its end, else an estimate."""
    if exhaustive:
        return float((utility > 0) - (utility < 0))
    return math.tanh(utility / spread)
