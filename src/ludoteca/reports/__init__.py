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
    """
    from ludoteca.reports.standings import Standings  # slow to import, and most processes never report anything

    return Standings.of(result.records, anchor=anchor)
