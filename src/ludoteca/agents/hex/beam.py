"""The Hex player of the document ai-hex-2025: beam minimax that evaluates how hard four paths are to block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say, say_as
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within


class Beam(SearchAgent):
    """Minimax over the moves that look best, 8 wide, then 6, 4 and 2, evaluated by four shortest paths.

    Four times it finds a shortest path and blocks one of its cells at random. A move's score is the chance that a
    random opponent does not break all four. Under a limit it evaluates all moves first, then searches 4 wide, 8 wide,
    up to its width, and plays the best move found so far when the limit is reached. It never swaps.

    ``variant=program`` is the program behind the document: its paths lead through the new stone, the opponent is
    evaluated as if it had put its own there, and a score above 0.99999 is searched no further (see
    core/hex/beam_program.hpp).
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
        variant: Annotated[
            Literal["document", "program"],
            Label(
                say("variant"),
                say("document: as it is written; program: as its code does it, with paths through the new stone"),
                {"document": say("as it is written"), "program": say("as its code does it")},
            ),
        ] = "document",
    ) -> None:
        self._width = within("beam", "width", width, 0, 28)
        if width % 4:
            raise InvalidOption(
                "beam: width={width} must be a multiple of 4, so that the last ply is its own", width=width
            )
        self._program = one_of("beam", "variant", variant, ("document", "program")) == "program"
        self._game, self._seed = game, seed

    def _task(self, view: View, limit: Limit) -> SearchTask:
        board = expect(view, _core.HexView)
        start = _core.hex_beam_program if self._program else _core.hex_beam
        search = start(board, self._width, self._seed, limit.seconds, limit.nodes)
        return SearchTask(board, search, lambda found: self._decision(board, found))

    def _decision(self, board: _core.HexView, found: _core.Choice) -> Decision:
        end = board.sample(0)
        for action in found.line:
            end.apply(action)
        other = _mean(_core.hex_four_paths(end.view(board.seat), 1 - board.seat, self._seed))

        def value(score: float) -> float:
            return as_value(score, len(board.stones), other, certain=not self._program)

        best = value(found.value) if found.depth else None
        if self._program and end.turn is None:
            best = end.returns()[board.seat]
        scores = {action: value(score) for action, score in found.scores}
        return Decision(found.action, best, scores, found.line, self._note(board, found), found.nodes, found.depth)

    def _note(self, board: _core.HexView, found: _core.Choice) -> Message:
        after = board.sample(0)
        after.apply(found.action)
        name = self._game.action_name(found.action)
        if after.turn is None:
            return say("{names} wins at once", names=name)
        if not found.depth:
            return say("no time to search: {name}, the empty cell nearest to the centre", name=name)
        if self._program:
            paths = self._program_paths(board, found.action, name)
        else:
            lengths = _core.hex_four_paths(after.view(board.seat), board.seat, self._seed)
            paths = say("after {name} four paths of {paths} stones", name=name, paths=_listed(lengths, board))
        parts = [paths, self._score(found)]
        return joined(parts if found.complete else [*parts, self._progress(board, found)], "; ")

    def _score(self, found: _core.Choice) -> Message:
        """The score, and the position that has it: the one at the end of the line."""
        if len(found.line) == 1:
            return say("score {score:.6f}", score=found.value)
        names = " ".join(self._game.action_name(action) for action in found.line)
        return say("expects {names}, with a score of {score:.6f} there", names=names, score=found.value)

    def _program_paths(self, board: _core.HexView, action: Action, name: str) -> Message:
        """The paths through the new stone, of the seat whose paths decide the score of the move."""
        own, other = (_core.hex_paths_through(board, action, seat, self._seed) for seat in (board.seat, 1 - board.seat))
        cells = len(board.stones)
        if _share(own, cells) >= 1 - _share(other, cells):
            return say("through {name} paths of {paths} stones", name=name, paths=_listed(own, board))
        if other == [cells]:
            return say("no path of the other leads through {name}", name=name)
        return say(
            "through {name} the other would have paths of {paths} stones", name=name, paths=_listed(other, board)
        )

    def _progress(self, board: _core.HexView, found: _core.Choice) -> Message:
        """How far the search came before the limit stopped it."""
        width, count, empty = 2 * (found.depth - 1), len(found.scores), board.stones.count(None)
        if width == 0:
            return say("out of time: {count} of {empty} moves judged, none searched", count=count, empty=empty)
        best = min(width, empty)
        if width == self._width:
            return say("out of time: {count} of the {best} best moves searched", count=count, best=best)
        return say(
            "out of time: {count} of the {best} best moves searched, {width} wide instead of {wanted}",
            count=count,
            best=best,
            width=width,
            wanted=self._width,
        )


def as_value(score: float, cells: int, other: float, *, certain: bool = True) -> float:
    """A score, 0 to 1, as a value in [-1, 1] that says who is ahead. It keeps the order of scores.

    The score is 1 - (L / cells)^4, where L is the geometric mean length of the seat's own four paths. So it is close to
    1 as long as there is any path. The value compares L with the mean length of the opponent's paths, as `astar`
    compares its distances. At the end of a search the seat has one stone more than the opponent, so L is raised by 1.
    certain: a score of 1 is a win and one of 0 a loss.
    """
    if certain and score in (0, 1):
        return 2 * score - 1
    own = cells * math.pow(max(0.0, 1 - score), 1 / 4) + 1
    return (other - own) / (other + own)


def _mean(lengths: Sequence[int]) -> float:
    """The geometric mean, as in the score."""
    return math.pow(math.prod(lengths), 1 / len(lengths))


def _share(lengths: Sequence[int], cells: int) -> float:
    """Ev of these paths; those that are missing add nothing."""
    return 1 - math.prod(length / cells for length in lengths)


def _listed(lengths: Sequence[int], board: _core.HexView) -> Message:
    return joined(str(length) if length < len(board.stones) else say_as("path", "none") for length in lengths)
