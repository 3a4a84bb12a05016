"""Proves who wins a position of Hex, or of every move whether it wins."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca import _core
from ludoteca.agents.search_agent import SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, View

__all__ = ["solve", "solve_every"]


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """Decisions for the seat on turn; the last one is `proven` once it is known who wins.

    Its line is the proof's: the winner's moves, and of the loser's those that took longest to refute, up to where a
    winning chain is seen. memory: megabytes for its table. Closing it stops it. Raises InvalidOption for `against`:
    both play their best here.
    """
    if against:
        raise InvalidOption(say("hex is solved for best play by both seats, not against {agent}", agent=against))
    search = _core.hex_solver(expect(view, _core.HexView), memory=memory, threads=threads)
    return SearchTask(search, _decision).stream()


def solve_every(game: Game, view: View, *, threads: int = 1, memory: int = 256) -> Iterator[Decision]:
    """Decisions for the seat on turn whose `scores` say of more and more moves whether they win, 1, or lose, -1.

    The last one is `proven` once all are known. memory: megabytes for its table. Closing it stops it.
    """
    search = _core.hex_solver(expect(view, _core.HexView), all_moves=True, memory=memory, threads=threads)
    return SearchTask(search, _decision).stream()


def _decision(found: _core.Choice) -> Decision:
    known = bool(found.scores) and found.value > 0  # one move that wins is enough to know the value
    return Decision(
        found.action,
        value=found.value if found.complete or known else None,
        scores=dict(found.scores),
        line=found.line,
        note="" if found.complete or found.scores else say("nothing is proven yet: this is where it looks"),
        nodes=found.nodes,
        depth=found.depth,
        proven=found.complete,
    )
