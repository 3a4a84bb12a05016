"""Proves who wins a Hex position, or for each move whether it wins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from ludoteca import _core
from ludoteca.agents.reasons import proof_of
from ludoteca.agents.search_agent import SearchTask
from ludoteca.agents.solvers.starts import Solution, Start, StartSolver
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, View


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """A stream of decisions for the seat on turn; the last one is `proven`, unless you close the stream before.

    Its line follows the proof: the winner's moves and the loser's replies that took longest to refute, until a
    winning chain is recognised. memory: megabytes for its table. Close the stream to stop the search. Raises
    InvalidOption for `against`: it solves for best play by both seats.
    """
    if against:
        raise InvalidOption("hex is solved for best play by both seats, not against {agent}", agent=against)
    search = _core.hex_solver(expect(view, _core.HexView), memory=memory, threads=threads)
    return SearchTask(view, search, _decision).stream()


def solve_every(game: Game, view: View, *, threads: int = 1, memory: int = 256) -> Iterator[Decision]:
    """A stream of decisions whose `scores` have 1 for each move that is proven to win and -1 for one that loses.

    The last one is `proven`: it scores every move. memory: megabytes for its table. Close the stream to stop.
    """
    search = _core.hex_solver(expect(view, _core.HexView), all_moves=True, memory=memory, threads=threads)
    return SearchTask(view, search, _decision).stream()


def _decision(found: _core.Choice) -> Decision:
    known = bool(found.scores) and found.value > 0  # one winning move proves the value
    value, scores = found.value if found.complete or known else None, dict(found.scores)
    note = "" if found.complete or found.scores else say("nothing is proven yet; it is searching this line")
    reasons = (proof_of(found.value),) if found.complete else ()
    return Decision(found.action, value, scores, found.line, note, found.nodes, found.depth, found.complete, reasons)


class HexStartSolver(StartSolver):
    """Solves openings of Hex with one table of proofs, so that a proof helps those that come later."""

    first_nodes = 4_000

    def __init__(self, game: Game, threads: int, memory: int) -> None:
        """memory: megabytes for the table."""
        super().__init__(game, threads, memory)
        rules = expect(game, Hex)
        self._cells, self._swap = rules.size**2, rules.swap
        self._proofs = _core.HexProofs(rules, memory)

    def openings(self) -> list[Start]:
        """Every first stone; first those near the middle, and of those the ones on the short diagonal."""
        size = math.isqrt(self._cells)

        def order(cell: int) -> tuple[int, int]:
            row, column = divmod(cell, size)
            return abs(2 * row - size + 1) + abs(2 * column - size + 1), abs(row + column - size + 1)

        return [Start(opening=cell) for cell in sorted(range(self._cells), key=order)]

    def decisions(self, view: View) -> Iterator[Decision]:
        """See `StartSolver.decisions`."""
        search = _core.hex_solver(expect(view, _core.HexView), threads=self.threads, proofs=self._proofs)
        return SearchTask(view, search, _decision).stream()

    def representative(self, start: Start) -> Start:
        """See `StartSolver.representative`: half a turn exchanges two stones."""
        assert start.opening is not None
        return Start(opening=min(start.opening, self._cells - 1 - start.opening)) if self._proofs.half_turn else start

    def implied(self, start: Start, solution: Solution) -> list[Start]:
        """The stone after half a turn of the board, and if it loses all stones that lose to the same answer."""
        assert start.opening is not None
        found = {start.opening}
        if solution.value == -1 and not self._swap:
            state = self.game.deal(0)
            state.apply(start.opening)
            if (proof := self._proofs.find(expect(state.view(1), _core.HexView))) is not None:
                found |= set(range(self._cells)) - set(proof[1])
        if self._proofs.half_turn:
            found |= {self._cells - 1 - cell for cell in found}
        return [Start(opening=cell) for cell in sorted(found - {start.opening})]

    def save(self, path: Path) -> None:
        """Write the table. Raises OSError."""
        if not self._proofs.save(str(path)):
            raise OSError(f"{path} cannot be written")

    def load(self, path: Path) -> None:
        """Go on with the proofs of an earlier run. Raises InvalidFile for a damaged file."""
        if not self._proofs.load(str(path)):
            raise InvalidFile("{path} is damaged, or belongs to another board", path=path)
