"""Proves who wins a Hex position, or for each move whether it wins."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca import _core
from ludoteca.agents.reasons import proof_of
from ludoteca.agents.search_agent import SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
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
