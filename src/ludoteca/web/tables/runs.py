"""A run as the store knows it: its results so far and its latest matches."""

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
from ludoteca.play.store.schema import canonical
from ludoteca.ratings.elo import Interval
from ludoteca.web.errors import NotFound

LISTED = 60
"""Matches on one page of the list."""
MatchPage = tuple[tuple[int, Record], ...]
"""Matches with their numbers, the highest first, without the agents' decisions."""

NO_MATCHES = say("None yet. Finish a match, or play a tournament: ludoteca tournament hex astar beam mcts")


def open_store() -> Store:
    """The arena's store. Raises NotFound where there is none: watching must not create a file."""
    path = Path(default_path())
    if not path.exists():
        raise NotFound(NO_MATCHES)
    return Store(path)


def find_run(store: Store, number: int) -> Run:
    """The run of this number. Raises NotFound, which names no file on the server."""
    try:
        return store.find(str(number))
    except InvalidStore as error:
        raise NotFound("There is no run {number} here.", number=number) from error


def find_match(store: Store, run: Run, place: int) -> Record:
    """The match of this number in a run. Raises NotFound."""
    try:
        return store.record(run.id, place)
    except InvalidStore as error:
        count = store.count(run.id)
        why = say("Run {run} has no match {place}; it has {count}.", run=run.id, place=place, count=count)
        raise NotFound(why) from error


@dataclass(frozen=True)
class RunResults:
    """The results of a run so far; shared by visitors of all languages, so it holds no text."""

    run: Run
    count: int
    total: int
    outcome: SeriesResult | TournamentResult
    intervals: dict[Identity, Interval]
    """By agent its rating, or its distance from the other; empty while there are no results."""


@dataclass(frozen=True)
class RunStatus:
    """The results of a run, whether it is being played now, and its latest matches."""

    results: RunResults
    playing: bool
    latest: MatchPage


def run_status(number: int) -> RunStatus | LudotecaError:
    """The status of a run now, or the error if the store is gone."""
    try:
        with open_store() as store:
            run = find_run(store, number)
            count = store.count(run.id)
            playing = store.being_played(run.id)
        results = _results(str(store.path), number, run.created, canonical(run.goal), count)
        return RunStatus(results, playing, match_page(results, 0))
    except (InvalidStore, NotFound) as error:
        return error


def match_page(results: RunResults, page: int) -> MatchPage:
    """A page of the matches that the results cover. Raises NotFound and InvalidStore."""
    return _match_page(str(default_path()), results.run.id, results.run.created, results.count, page)


@lru_cache(maxsize=32)
def _match_page(path: str, number: int, created: str, count: int, page: int) -> MatchPage:
    """Cached: reading records is the slowest part, and the first `count` matches never change."""
    with open_store() as store:
        found = store.latest(number, LISTED, page * LISTED)
    return tuple((place, replace(record, decisions=())) for place, record in found)


@lru_cache(maxsize=16)
def _results(path: str, number: int, created: str, goal: str, count: int) -> RunResults:
    """Cached: the first `count` matches of a run never change."""
    with Store(path) as store:
        run = find_run(store, number)
        outcome = stored_result(store, run)
    return RunResults(run, count, plan_of(run).total, outcome, _intervals(outcome))


def _intervals(outcome: SeriesResult | TournamentResult) -> dict[Identity, Interval]:
    if isinstance(outcome, SeriesResult):
        rows = zip(outcome.agents, outcome.table(), strict=True)
        return {agent: Interval(row["elo"], row["low"], row["high"]) for agent, row in rows}
    try:
        rated = outcome.ratings.agents
    except (LudotecaError, ValueError, ArithmeticError):
        return {}
    return dict(rated)


def head_to_head(outcome: TournamentResult, one: Identity, other: Identity) -> tuple[int, int, int] | None:
    """What `one` won, drew and lost against `other` in both seats; None when they have not met."""
    won, drawn, lost = outcome.counts.get((one, other), (0, 0, 0))
    lost_too, drawn_too, won_too = outcome.counts.get((other, one), (0, 0, 0))
    found = (won + won_too, drawn + drawn_too, lost + lost_too)
    return found if sum(found) and one != other else None
