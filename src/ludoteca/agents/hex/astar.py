"""The Hex player of the document hex-ai-player: alpha-beta over neighbouring cells, judged by shortest paths."""

from __future__ import annotations

import math
from typing import Annotated

from ludoteca import _core
from ludoteca.games.described import expect
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, within

__all__ = ["Astar"]

RECENT = 3
"""So many last moves of each seat make the candidates below the first ply."""


class Astar:
    """Alpha-beta to a fixed depth; a position is worth the other's distance to connection over one's own.

    Takes a win in one. Else looks only at the centre and at the neighbours of stones, below the first ply only of each
    seat's last three. It never swaps.
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        depth: Annotated[int, Label(say("plies ahead"), say("plies to search, 1 to 9"))] = 3,
    ) -> None:
        self._depth = within("astar", "depth", depth, 1, 9)
        self._game = game
        self._memory = _Memory(seat)

    def act(self, view: View, limit: Limit) -> Decision:
        """The action with the best ratio; when the limit comes first, the best of those searched until then."""
        board = expect(view, _core.HexView)
        recent = self._memory.recent(board)
        found = _core.hex_astar(board, self._depth, recent, limit.seconds, limit.nodes)
        self._memory.play(found.action)
        return Decision(
            found.action,
            value=as_value(found.value) if found.scores else None,
            scores={action: as_value(ratio) for action, ratio in found.scores},
            line=found.line,
            note=self._note(board, found),
            nodes=found.nodes,
            depth=len(found.line) if math.isinf(found.value) else self._depth,
        )

    def _note(self, board: _core.HexView, found: _core.HexChoice) -> str:
        names = " ".join(self._game.action_name(action) for action in found.line)
        if not found.scores:
            return say("no time to search: the first candidate, {names}", names=names)
        if found.nodes == 0:
            return say("{name} wins at once", name=names)
        if math.isinf(found.value):
            return say("wins by {names}", names=names)
        if found.value == 0:
            return say("loses, as after {names}", names=names)
        end = board.sample(0)
        for action in found.line:
            end.apply(action)
        own, other = (_core.hex_distance(end.view(board.seat), seat) for seat in (board.seat, 1 - board.seat))
        note = say(
            "ratio {ratio:.2f}: after {names} I am {own} away, the other {other}",
            ratio=found.value,
            names=names,
            own=own,
            other=other,
        )
        if found.complete:
            return note
        tried = len(found.scores)
        return joined(
            [note, say_count("out of time after {count} candidate", "out of time after {count} candidates", tried)],
            "; ",
        )


def as_value(ratio: float) -> float:
    """A ratio of distances, 0 to infinity, as a value in [-1, 1]; the order stays, and equal distances are worth 0."""
    return 1.0 if math.isinf(ratio) else (ratio - 1) / (ratio + 1)


class _Memory:
    """The last moves of both seats, gathered by comparing what is seen from turn to turn.

    A view shows a position and its last action, no more. Whoever is put before a position in the middle of a match,
    or sees one that does not follow from the last, knows nothing of the past: then all stones count as recent.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._seen: _core.HexView | None = None
        self._played: Action | None = None  # the answer to what was seen
        self._moves: tuple[list[Action], list[Action]] = ([], [])  # by seat, up to what was seen

    def recent(self, board: _core.HexView) -> tuple[list[Action], list[Action]]:
        """Up to three last moves of each seat, the latest last."""
        if board != self._seen:
            self._moves, self._seen = self._moves_up_to(board), board
        return self._moves[0][-RECENT:], self._moves[1][-RECENT:]

    def play(self, action: Action) -> None:
        """Remembers what was answered to the board just seen."""
        self._played = action

    def _moves_up_to(self, board: _core.HexView) -> tuple[list[Action], list[Action]]:
        other, last = 1 - self._seat, board.last
        moves: tuple[list[Action], list[Action]] = ([], [])
        if last is None or last >= len(board.stones) or board.stones[last] != other:
            return moves
        if self._seen is not None and self._played is not None:
            expected: list[Seat | None] = [*self._seen.stones]
            expected[self._played], expected[last] = self._seat, other
            if expected == board.stones:
                moves = ([*self._moves[0]], [*self._moves[1]])
                moves[self._seat].append(self._played)
        moves[other].append(last)
        return moves
