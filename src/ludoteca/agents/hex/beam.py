"""The Hex player of the document ai-hex-2025: a narrowing minimax over moves that keep four paths hard to block."""

from __future__ import annotations

from typing import Annotated

from ludoteca import _core
from ludoteca.errors import InvalidOption
from ludoteca.games.described import expect
from ludoteca.messages import joined, say, say_as
from ludoteca.protocols import Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, within

__all__ = ["Beam"]


class Beam:
    """Minimax over the moves that look best, 8 wide, then 6, 4 and 2, judged by four shortest paths.

    A path is found, one of its cells is blocked at random, and so on four times; a move's score is the chance that a
    random opponent does not break them all. It never swaps.
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        width: Annotated[
            int,
            Label(
                say("moves on the first ply"),
                say("moves on the first ply, two fewer on each next; a multiple of 4, 0 to 28"),
            ),
        ] = 8,
    ) -> None:
        self._width = within("beam", "width", width, 0, 28)
        if width % 4:
            raise InvalidOption(
                say("beam: width={width} must be a multiple of 4, so that the last ply is its own", width=width)
            )
        self._game, self._seed = game, seed

    def act(self, view: View, limit: Limit) -> Decision:
        """The move with the best minimax score; when the limit comes first, the best of those searched until then."""
        board = expect(view, _core.HexView)
        found = _core.hex_beam(board, self._width, self._seed, limit.seconds, limit.nodes)
        return Decision(
            found.action,
            value=2 * found.value - 1 if found.nodes else None,
            scores={action: 2 * score - 1 for action, score in found.scores},
            line=found.line,
            note=self._note(board, found),
            nodes=found.nodes,
            depth=self._width // 2 + 1,
        )

    def _note(self, board: _core.HexView, found: _core.HexChoice) -> str:
        after = board.sample(0)
        after.apply(found.action)
        name = self._game.action_name(found.action)
        if after.turn is None:
            return say("{name} wins at once", name=name)
        lengths = _core.hex_four_paths(after.view(board.seat), board.seat, self._seed)
        paths = [str(length) if length < len(board.stones) else say_as("path", "none") for length in lengths]
        note = say(
            "score {score:.6f}: after {name} four paths of {paths} stones", score=found.value, name=name, paths=paths
        )
        if found.complete:
            return note
        late = say("out of time after {number} of the best moves", number=len(found.scores))
        return joined([note, late], "; ")
