"""Results as people read them: standings, tables, plots, ladders."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoteca.arena.results import SeriesResult, TournamentResult
    from ludoteca.reports.standings import Standings

__all__ = ["standings_of"]


def standings_of(result: SeriesResult | TournamentResult, *, anchor: str | None = None) -> Standings:
    """Everything that the matches of a series or tournament say about their agents: crosstable, ratings, faults, times.

    anchor: the agent whose rating is 0; by default 0 is the mean. Raises InvalidOption.

    >>> import ludoteca
    >>> result = ludoteca.series("horses:size=5", "minimax:depth=2", "random", 4, seed=1, store=":memory:", workers=1)
    >>> [row["agent"] for row in ludoteca.standings(result).table()]
    ['minimax:depth=2', 'random']
    """
    from ludoteca.reports.standings import Standings  # slow to import, and most processes never report anything

    return Standings.of(result.records, anchor=anchor)
