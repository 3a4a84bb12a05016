"""Results for people: standings, tables, charts, reviews, ladders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoteca.agents.identity import Identity

if TYPE_CHECKING:
    from ludoteca.arena.results import SeriesResult, TournamentResult
    from ludoteca.reports.standings import Standings


def standings_of(result: SeriesResult | TournamentResult, *, anchor: str | None = None) -> Standings:
    """The standings of a series or tournament: crosstable, ratings, faults and times.

    anchor: the agent whose rating is 0, as it was entered; by default 0 is the mean. Raises InvalidOption.

    >>> import ludoteca
    >>> result = ludoteca.series("horses:size=5", "minimax:depth=2", "random", 4, seed=1, store=":memory:", workers=1)
    >>> [row["agent"] for row in ludoteca.standings(result).table()]
    ['minimax:depth=2', 'random']
    """
    from ludoteca.reports.standings import Standings  # slow to import, and most processes never report

    if anchor is None:
        return Standings.of(result.records)
    known = [agent for agent in result.agents if agent.is_called(anchor)]
    return Standings.of(result.records, anchor=known[0] if len(known) == 1 else Identity(anchor))
