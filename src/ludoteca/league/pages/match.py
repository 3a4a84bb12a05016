"""The replay of a league's match, its downloads, and the way to its review.

Everybody may see every finished match. What they see names the players as the leaderboard does, and says what went
wrong in a player's code only to its student and to teachers.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape

from nicegui import app
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.agents.identity import Identity
from ludoteca.league.database import Person, Version
from ludoteca.league.pages.site import LeagueSite, LeagueVisit
from ludoteca.league.pages.version import sees_inside
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.protocols import Seat
from ludoteca.reports.fault_summary import replay_note
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, page, raw
from ludoteca.web.pages.match_links import asked_ply, review_address
from ludoteca.web.pages.replay.downloads import answer
from ludoteca.web.pages.replay.page import Replay, ReplayedMatch
from ludoteca.web.tables.match_request import PERSON


def register(site: LeagueSite, app_state: AppState) -> None:
    """The page at ``/league/match/<place>``, and the match as a file below it."""

    @page("/league/match/{place}")
    def show(visit: Visit, request: Request) -> None:
        asking, place = site.visit(request), request.path_params["place"]
        versions, record = find(site, place)
        public = public_record(site, asking, versions, record)
        address = f"/league/match/{int(place)}"
        replayed = replace(ReplayedMatch.of_record(public, address), twice=replay_note(record))
        raw(_heading(site, asking, versions, public)).classes("row")
        Replay(app_state, visit, replayed, asked_ply(request, len(record.actions), 0), alone=True).build()

    def load(request: Request, place: str, kind: str) -> Response:
        visit = site.visit(request)

        def found() -> Record:
            return public_record(site, visit, *find(site, place))

        return answer(visit, kind, f"ludoteca-league-{place}", found)

    load.__annotations__ = {"request": Request, "place": str, "kind": str, "return": Response}
    app.get("/league/match/{place}/match.{kind}")(load)


def find(site: LeagueSite, place: str) -> tuple[tuple[Version, Version], Record]:
    """By seat the versions of a finished match, and its record. Raises NotFound, and InvalidStore for a damaged one."""
    database = site.database
    if place.isascii() and place.isdigit() and len(place) < 12:
        row = database.store.base.execute(
            "SELECT first, second FROM league_pairs JOIN records ON run = ? AND place = ? WHERE id = ?",
            (database.run.id, int(place), int(place) // 2),
        ).fetchone()
        if row is not None:
            first, second = (database.version(each) for each in (row[::-1] if int(place) % 2 else row))
            return (first, second), database.store.record(database.run.id, int(place))
    raise NotFound(say("There is no such match, or it is not finished."))


def public_record(site: LeagueSite, visit: LeagueVisit, versions: tuple[Version, Version], record: Record) -> Record:
    """A record as this viewer may see it."""
    names = site.names(visit)
    first, second = (
        replace(who, identity=Identity(names.title(version)), seed=None)
        for who, version in zip(record.seats, versions, strict=True)
    )
    shown = record.fault is None or sees_inside(visit, versions[record.fault])
    return replace(record, seats=(first, second), message=record.message if shown else "", before=None)


def _heading(site: LeagueSite, visit: LeagueVisit, versions: tuple[Version, Version], public: Record) -> str:
    """Links to the two versions, and to the review, which speaks to the viewer of their own seat."""
    names, own = site.names(visit), _own_seat(visit, versions)
    called = [PERSON if seat == own else who.agent for seat, who in enumerate(public.seats)]
    review = escape(review_address(Match.of_record(public), called), quote=True)
    return (
        f"{names.link(versions[0])} – {names.link(versions[1])}"
        f'<span class="grow"></span><a class="button" href="{review}">{escape(visit.say("Review"))}</a>'
    )


def _own_seat(visit: LeagueVisit, versions: tuple[Version, Version]) -> Seat | None:
    if not isinstance(visit.viewer, Person):
        return None
    own = [seat for seat, version in enumerate(versions) if version.person == visit.viewer.id]
    return own[0] if len(own) == 1 else None
