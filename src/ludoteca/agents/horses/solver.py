"""Proves the value of a Horses position: who wins with best play, then by how many points."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca import _core
from ludoteca.agents.horses.engine import decision_of
from ludoteca.agents.search_agent import SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.protocols import Decision, Game, View


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """A stream of improving decisions for the seat on turn.

    They are `proven` as soon as the result is. After that the points become more exact; those of the last decision
    are exact. memory: megabytes for its table. Close the stream to stop the search. Raises InvalidOption for
    `against`: it solves for best play by both seats.
    """
    if against:
        raise InvalidOption("horses is solved for best play by both seats, not against {agent}", agent=against)
    board = expect(view, _core.HorsesView)
    search = _core.horses_engine(board, exact_margin=True, memory=memory, threads=threads)
    return SearchTask(board, search, lambda found: decision_of(board, found)).stream()
