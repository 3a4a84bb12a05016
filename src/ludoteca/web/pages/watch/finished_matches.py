"""Finished matches of people, played here or in the terminal; of those played here a visitor sees only their own.

Matches in progress are not shown: a replay would show hidden hands.
"""

from __future__ import annotations

import datetime
from html import escape

from nicegui import ui

from ludoteca.dates import say_day
from ludoteca.play.record import Record
from ludoteca.play.store import PEOPLE_RUNS, Run, Store, StoredMatch
from ludoteca.players.faults import Ending
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.pages.replay.page import ReplayedMatch
from ludoteca.web.pages.watch.run import result_text, run_kind
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.runs import find_match, find_run, open_store

LISTED = 60


def is_standing(run: Run) -> bool:
    """Whether a run holds matches of people."""
    return run.key.get("kind") in PEOPLE_RUNS


def finished(store: Store, run: Run, visitor: str) -> list[StoredMatch]:
    """The finished matches of a run that a visitor may see, the latest first."""
    owner = owner_of(visitor) if run.key.get("kind") == "page" else None
    return [each for each in store.people.of_owner(run.id, owner) if each.ending is not Ending.unfinished]


def build_list(visit: Visit, number: int) -> bool:
    """Lists the matches of a run of people; returns False for another run. Raises NotFound and InvalidStore."""
    with open_store() as store:
        run = find_run(store, number)
        if not is_standing(run):
            return False
        kept = finished(store, run, visit.visitor)[:LISTED]
        rows = [_row(visit, number, each, find_match(store, run, each.place)) for each in kept]
    ui.page_title(f"{run_kind(visit, run)} · Ludoteca")
    raw(f'<a href="/watch">← {escape(visit.say("Watch"))}</a>')
    raw(escape(run_kind(visit, run)), tag="h1").classes("title")
    raw("".join(rows) or f"<p>{escape(visit.say('No match yet: choose a game.'))}</p>").classes("card stored")
    return True


def finished_match(visit: Visit, number: int, place: int) -> ReplayedMatch | None:
    """A match of a run of people; None for another run. Raises NotFound unless it is finished and this visitor's."""
    with open_store() as store:
        run = find_run(store, number)
        if not is_standing(run):
            return None
        if place not in {each.place for each in finished(store, run, visit.visitor)}:
            raise NotFound("run {run} has no finished match {place} of yours", run=number, place=place)
        return ReplayedMatch.of_record(find_match(store, run, place), f"/watch/{number}/{place}")


def _row(visit: Visit, number: int, kept: StoredMatch, record: Record) -> str:
    who = " – ".join(
        each.nickname or visit.say("a person") if each.person else visit.agent(each.agent) for each in record.seats
    )
    day = datetime.datetime.fromtimestamp(kept.updated, datetime.UTC)
    return (
        f'<a href="/watch/{number}/{kept.place}"><b>{escape(visit.game(record.game))}</b> {escape(who)} '
        f"<small>{result_text(record)} · {len(record.actions)} · {visit.translate(say_day(day))}</small></a>"
    )
