"""The Hex player of the document hex-ai-player: alpha-beta over neighbouring cells, judged by shortest paths."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from ludoteca import _core
from ludoteca.agents.search_agent import SearchAgent, SearchTask
from ludoteca.games.core_game import expect
from ludoteca.messages import Message, joined, say, say_count
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, View
from ludoteca.spec import Label, one_of, within

RECENT = 3
"""So many last moves of each seat make the candidates below the first ply."""


class Astar(SearchAgent):
    """Alpha-beta to a fixed depth; the value of a position is the opponent's distance to connection divided by its own.

    Takes a win in one. Else looks only at the centre and at the neighbours of stones, below the first ply only of each
    seat's last three. Under a limit it looks three plies ahead, then four, up to its depth, and plays the best that it
    has found when the limit comes. It never swaps.

    ``variant=program`` is the program behind the document: its distance adds the estimate again at each step, only
    seat 0's stones make candidates, and it searches one ply more (see core/hex/astar_program.hpp).
    """

    games = frozenset({"hex"})

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        depth: Annotated[
            int, Label(say("plies ahead"), say("plies to search, 1 to 9; variant=program searches one more"))
        ] = 3,
        variant: Annotated[
            Literal["document", "program"],
            Label(
                say("variant"),
                say("document: as it is written; program: as its code does it, with a distance that adds up"),
                {"document": say("as it is written"), "program": say("as its code does it")},
            ),
        ] = "document",
    ) -> None:
        self._depth = within("astar", "depth", depth, 1, 9)
        self._program = one_of("astar", "variant", variant, ("document", "program")) == "program"
        self._game = game
        self._memory, self._seen = Memory(seat), SeenStones()

    def _task(self, view: View, limit: Limit) -> SearchTask:
        board = expect(view, _core.HexView)
        if self._program:
            search = _core.hex_astar_program(board, self._depth, self._seen.update(board), limit.seconds, limit.nodes)
            return SearchTask(board, search, lambda found: self._program_decision(board, found))
        recent = self._memory.recent(board)
        search = _core.hex_astar(board, self._depth, recent, limit.seconds, limit.nodes)
        return SearchTask(board, search, lambda found: self._decision(board, found))

    def _decision(self, board: _core.HexView, found: _core.Choice) -> Decision:
        value = as_value(found.value) if found.depth else None
        scores = {action: as_value(ratio) for action, ratio in found.scores}
        depth = len(found.line) if math.isinf(found.value) else found.depth
        return Decision(found.action, value, scores, found.line, self._note(board, found), found.nodes, depth)

    def _note(self, board: _core.HexView, found: _core.Choice) -> Message:
        names = " ".join(self._game.action_name(action) for action in found.line)
        if not found.depth:
            return say("no time to search: the first candidate, {names}", names=names)
        if found.nodes == 0:
            return say("{names} wins at once", names=names)
        if math.isinf(found.value):
            return say("wins by {names}", names=names)
        parts = [say("loses, as after {names}", names=names) if found.value == 0 else _ratio(board, found, names)]
        if not found.complete:
            parts.append(self._hurry(found, self._depth))
        return joined(parts, "; ")

    def _program_decision(self, board: _core.HexView, found: _core.Choice) -> Decision:
        """The program's values are infinite where it finds no move too, so a win or a loss counts only if it is one."""
        end, line = board.sample(0), []
        for action in found.line:
            if end.turn is not None:
                end.apply(action)
                line.append(action)
        value = as_value(found.value) if found.depth and math.isfinite(found.value) else None
        if end.turn is None:
            value = end.returns()[board.seat]
        scores = {action: as_value(ratio) for action, ratio in found.scores}
        note = self._program_note(board, found, end, " ".join(self._game.action_name(action) for action in line))
        return Decision(found.action, value, scores, line, note, found.nodes, found.depth)

    def _program_note(self, board: _core.HexView, found: _core.Choice, end: _core.HexState, names: str) -> Message:
        if not found.depth:
            return say("no time to search: the first candidate, {names}", names=names)
        if found.nodes == 0:
            return say("{names} wins at once", names=names)
        if end.turn is None:
            won = end.returns()[board.seat] > 0
            note = say("wins by {names}", names=names) if won else say("loses, as after {names}", names=names)
        elif math.isinf(found.value):
            note = say("finds no move after {names}", names=names)
        else:
            own, other = (_core.hex_added_estimate(end.view(board.seat), each) for each in (board.seat, 1 - board.seat))
            note = say(
                "distances that add up: {own}, the other {other}; expects {names} (ratio {ratio:.2f})",
                ratio=found.value, names=names, own=own, other=other,
            )  # fmt: skip
        return note if found.complete else joined([note, self._hurry(found, self._depth + 1)], "; ")

    def _hurry(self, found: _core.Choice, wanted: int) -> Message:
        """How far it came, when the limit came first."""
        candidates = len(found.scores)
        if found.depth == wanted:
            return say_count("out of time after {count} candidate", "out of time after {count} candidates", candidates)
        return say_count(
            "out of time after {count} candidate, {plies} plies deep instead of {wanted}",
            "out of time after {count} candidates, {plies} plies deep instead of {wanted}",
            candidates, plies=found.depth, wanted=wanted,
        )  # fmt: skip


def _ratio(board: _core.HexView, found: _core.Choice, names: str) -> Message:
    """Where the value comes from: how far both seats are at the end of the line."""
    end = board.sample(0)
    for action in found.line:
        end.apply(action)
    own, other = (_core.hex_distance(end.view(board.seat), seat) for seat in (board.seat, 1 - board.seat))
    return say(
        "stones needed: {own}, the other {other}; expects {names} (ratio {ratio:.2f})",
        ratio=found.value, names=names, own=own, other=other,
    )  # fmt: skip


def as_value(ratio: float) -> float:
    """A ratio of distances, 0 to infinity, as a value in [-1, 1]; the order stays, and equal distances are worth 0."""
    return math.copysign(1.0, ratio) if math.isinf(ratio) else (ratio - 1) / (ratio + 1)


class SeenStones:
    """The stones of seat 0 in the order in which the program notes them: as they appear, and row by row among those."""

    def __init__(self) -> None:
        self._cells: list[Action] = []

    def update(self, board: _core.HexView) -> list[Action]:
        """All that lie on the board now."""
        owners = board.stones
        known = [cell for cell in self._cells if owners[cell] == 0]
        self._cells = known + [cell for cell, owner in enumerate(owners) if owner == 0 and cell not in known]
        return self._cells


class Memory:
    """The last moves of both seats, found by comparing each view with the one before.

    A view has a position and its last action, no more. If a view does not follow from the one before, or the first view
    is in the middle of a match, the history is unknown and all stones count as recent. Only views count, not the
    decisions: an agent that gets the views of a match again has the same history.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._seen: _core.HexView | None = None
        self._moves: tuple[list[Action], list[Action]] = ([], [])  # by seat, up to what was seen

    def recent(self, board: _core.HexView) -> tuple[list[Action], list[Action]]:
        """Up to three last moves of each seat, the latest last."""
        if board != self._seen:
            self._moves, self._seen = self._moves_up_to(board), board
        return self._moves[0][-RECENT:], self._moves[1][-RECENT:]

    def _moves_up_to(self, board: _core.HexView) -> tuple[list[Action], list[Action]]:
        other, last, stones = 1 - self._seat, board.last, board.stones
        moves: tuple[list[Action], list[Action]] = ([], [])
        if last is None or last >= len(stones) or stones[last] != other:
            return moves
        if self._seen is not None:
            before = self._seen.stones
            changed = [cell for cell, owner in enumerate(stones) if owner != before[cell] and cell != last]
            # Since the last view one stone of this seat has been added, and the other's last one; nothing else.
            if before[last] is None and [(before[cell], stones[cell]) for cell in changed] == [(None, self._seat)]:
                moves = ([*self._moves[0]], [*self._moves[1]])
                moves[self._seat].append(changed[0])
        moves[other].append(last)
        return moves
