"""What the store knows of a run: who plays what in it, how it stands, and its latest matches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ludoteca.agents.identity import Identity
from ludoteca.arena.api import plan_of, stored_result
from ludoteca.arena.results import SeriesResult, TournamentResult
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.messages import say
from ludoteca.play.record import Record
from ludoteca.play.store import Run, Store, default_path
from ludoteca.play.store_schema import canonical
from ludoteca.ratings.elo import Interval
from ludoteca.web.errors import NotFound

__all__ = [
    "LISTED",
    "NOTHING_KEPT",
    "MatchPage",
    "Results",
    "RunStatus",
    "listed",
    "look",
    "match_of",
    "met",
    "opened",
    "run_of",
]

LISTED = 60
"""Matches of a run that are listed at a time."""
MatchPage = tuple[tuple[int, Record], ...]
"""Matches with their places, the highest first; of what was thought nothing is kept."""

NOTHING_KEPT = say("No match has been kept here yet; play some with: ludoteca tournament")


def opened() -> Store:
    """The arena's store. Raises NotFound where nothing has been played: looking must not make a file."""
    path = Path(default_path())
    if not path.exists():
        raise NotFound(NOTHING_KEPT)
    return Store(path)


def run_of(store: Store, number: int) -> Run:
    """The run of this number. Raises NotFound, which names no file of the server."""
    try:
        return store.find(str(number))
    except InvalidStore as error:
        raise NotFound(say("There is no run {number} here.", number=number)) from error


def match_of(store: Store, run: Run, place: int) -> Record:
    """The match at this place of a run. Raises NotFound."""
    try:
        return store.record(run.id, place)
    except InvalidStore as error:
        count = store.count(run.id)
        why = say("Run {run} has no match {place}; it has {count}.", run=run.id, place=place, count=count)
        raise NotFound(why) from error


@dataclass(frozen=True)
class Results:
    """What a look at a run found; shared by all who look, so it says nothing in words."""

    run: Run
    count: int
    total: int
    outcome: SeriesResult | TournamentResult
    intervals: dict[Identity, Interval]
    """By agent its rating, or its distance from the other; empty while nothing can be said."""


@dataclass(frozen=True)
class RunStatus:
    """How a run stands, whether somebody plays it now, and the latest of its matches."""

    results: Results
    playing: bool
    latest: MatchPage


def look(number: int) -> RunStatus | LudotecaError:
    """How a run stands now; if the store was taken away, that."""
    try:
        with opened() as store:
            run = run_of(store, number)
            count = store.count(run.id)
            playing = store.being_played(run.id)
        results = _results(str(store.path), number, run.created, canonical(run.goal), count)
        return RunStatus(results, playing, listed(results, 0))
    except (InvalidStore, NotFound) as error:
        return error


def listed(results: Results, page: int) -> MatchPage:
    """A page of the matches of a run as it stood then. Raises NotFound and InvalidStore."""
    return _listed(str(default_path()), results.run.id, results.run.created, results.count, page)


@lru_cache(maxsize=32)
def _listed(path: str, number: int, created: str, count: int, page: int) -> MatchPage:
    """For all who look: to read records takes longer than all the rest, and those of so many matches never change."""
    with opened() as store:
        found = store.latest(number, LISTED, page * LISTED)
    return tuple((place, replace(record, decisions=())) for place, record in found)


@lru_cache(maxsize=16)
def _results(path: str, number: int, created: str, goal: str, count: int) -> Results:
    """What is stored of a run never changes: so many matches of it always come to the same."""
    with Store(path) as store:
        run = run_of(store, number)
        outcome = stored_result(store, run)
    return Results(run, count, plan_of(run).total, outcome, _intervals(outcome))


def _intervals(outcome: SeriesResult | TournamentResult) -> dict[Identity, Interval]:
    if isinstance(outcome, SeriesResult):
        rows = zip(outcome.agents, outcome.table(), strict=True)
        return {agent: Interval(row["elo"], row["low"], row["high"]) for agent, row in rows}
    try:
        rated = outcome.ratings.agents
    except (LudotecaError, ValueError, ArithmeticError):
        return {}
    return dict(rated)


def met(outcome: TournamentResult, one: Identity, other: Identity) -> tuple[int, int, int] | None:
    """What `one` won, drew and lost against `other`, in both seats together; None where they have not met."""
    won, drawn, lost = outcome.counts.get((one, other), (0, 0, 0))
    lost_too, drawn_too, won_too = outcome.counts.get((other, one), (0, 0, 0))
    found = (won + won_too, drawn + drawn_too, lost + lost_too)
    return found if sum(found) and one != other else None
