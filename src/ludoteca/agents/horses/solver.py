"""Proves what a position of Horses is worth with best play by both: who wins, then by how many points."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca import _core
from ludoteca.agents.horses.engine import decision_of
from ludoteca.agents.search_agent import SearchTask
from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.messages import say
from ludoteca.protocols import Decision, Game, View

__all__ = ["solve"]


def solve(game: Game, view: View, *, threads: int = 1, memory: int = 256, against: str = "") -> Iterator[Decision]:
    """Decisions for the seat on turn, each better known than the last.

    They are `proven` as soon as the result is; after that the points become better known, and the last one says them
    exactly. memory: megabytes. Closing it stops it. Raises InvalidOption for `against`: both play their best here.
    """
    if against:
        raise InvalidOption(say("horses is solved for best play by both seats, not against {agent}", agent=against))
    board = expect(view, _core.HorsesView)
    search = _core.horses_engine(board, exact_margin=True, memory=memory, threads=threads)
    return SearchTask(search, lambda found: decision_of(board, found)).stream()
