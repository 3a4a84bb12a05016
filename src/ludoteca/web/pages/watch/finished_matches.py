"""Matches that people have played, here and in the terminal, to be replayed: at the page each visitor sees their own.

One that goes on is not shown: in a game of hidden hands the replay would show them all.
"""

from __future__ import annotations

import datetime
from html import escape

from nicegui import ui

from ludoteca.messages import say
from ludoteca.play.record import Record
from ludoteca.play.store import STANDING, Run, Store, StoredMatch
from ludoteca.players.faults import Ending
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.pages.replay.page import ReplayedMatch
from ludoteca.web.pages.watch.run import what
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.runs import match_of, opened, run_of

__all__ = ["build_list", "is_standing", "over", "story_of"]

LISTED = 60


def is_standing(run: Run) -> bool:
    """Whether a run holds matches that people play."""
    return run.key.get("kind") in STANDING


def over(store: Store, run: Run, visitor: str) -> list[StoredMatch]:
    """The finished matches of people in a run that a visitor may see, the latest first."""
    owner = owner_of(visitor) if run.key.get("kind") == "page" else None
    return [each for each in store.matches_of(run.id, owner) if each.ending is not Ending.unfinished]


def build_list(visit: Visit, number: int) -> bool:
    """Lists the matches of such a run; False, and nothing is made, for any other. Raises NotFound and InvalidStore."""
    with opened() as store:
        run = run_of(store, number)
        if not is_standing(run):
            return False
        kept = over(store, run, visit.visitor)[:LISTED]
        rows = [_row(visit, number, each, match_of(store, run, each.place)) for each in kept]
    ui.page_title(f"{what(visit, run)} · Ludoteca")
    raw(f'<a href="/watch">← {escape(visit.say("Watch"))}</a>')
    raw(escape(what(visit, run)), tag="h1").classes("title")
    raw("".join(rows) or f"<p>{escape(visit.say('No match yet: choose a game.'))}</p>").classes("card stored")
    return True


def story_of(visit: Visit, number: int, place: int) -> ReplayedMatch | None:
    """A match of such a run; None for any other. Raises NotFound for what is not over or not this visitor's."""
    with opened() as store:
        run = run_of(store, number)
        if not is_standing(run):
            return None
        if place not in {each.place for each in over(store, run, visit.visitor)}:
            raise NotFound(say("run {run} holds no finished match {place} of yours", run=number, place=place))
        return ReplayedMatch.of_record(match_of(store, run, place), f"/watch/{number}/{place}")


def _row(visit: Visit, number: int, kept: StoredMatch, record: Record) -> str:
    who = " – ".join(visit.say("a person") if each.person else visit.agent(each.agent) for each in record.seats)
    result = {1.0: "1–0", 0.5: "½–½", 0.0: "0–1"}[record.score]
    day = datetime.datetime.fromtimestamp(kept.updated, datetime.UTC).strftime("%Y-%m-%d")
    return (
        f'<a href="/watch/{number}/{kept.place}"><b>{escape(record.game)}</b> {escape(who)} '
        f"<small>{result} · {len(record.actions)} · {day}</small></a>"
    )
