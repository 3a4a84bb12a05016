"""The page with the leaderboard, which keeps itself up to date."""

from __future__ import annotations

from html import escape

from nicegui import app
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludoteca.league.database import Person
from ludoteca.league.pages.board import Board, Fragment
from ludoteca.league.pages.final_note import FinalNote
from ludoteca.league.pages.site import LIVE, LeagueSite, LeagueVisit, Page
from ludoteca.messages import translate
from ludoteca.web.drawing.charts import ELO_HELP

SECONDS = 4
"""Between two looks of an open page."""


def register(site: LeagueSite) -> None:
    """The pages at ``/`` and ``/league``, and the table alone at ``/league/live/leaderboard``."""
    board, note = Board(), FinalNote(site)

    async def start(request: Request) -> Response:
        return RedirectResponse("/league", status_code=303)

    app.add_route("/", start, methods=["GET", "HEAD"])

    def fragment(visit: LeagueVisit) -> Fragment:
        names = site.names(visit)
        return board.fragment(names.snapshot, visit.language, names.real)

    @site.page("/league")
    def show(visit: LeagueVisit, request: Request) -> Page:
        own = visit.viewer.pseudonym if isinstance(visit.viewer, Person) else ""
        invented = (
            f'<p class="soft">{escape(visit.say("Names are invented. You are {name}.", name=own))}</p>'
            if site.settings.pseudonyms and own
            else ""
        )
        return Page(
            site.title,
            f'<h1 class="title">{escape(site.title)}</h1>{invented}'
            f'<section class="card scroll"><div data-live="{LIVE}leaderboard" data-every="{SECONDS}" '
            f'data-own="{escape(own, quote=True)}">{fragment(visit).html}</div>'
            f'<p class="soft"><small>{escape(visit.say("0 is the mean of the baselines."))} '
            f"{escape(translate(ELO_HELP, visit.language))}</small></p>{note.html(visit)}</section>",
        )

    async def live(request: Request) -> Response:
        visit, snapshot = site.visit(request), site.fresh_snapshot
        if snapshot is not None:
            names = site.names(visit, snapshot)
            found = board.drawn(snapshot, visit.language, names.real)
            if found is not None:
                return answer(request, found)
        return answer(request, await site.in_thread(fragment, visit))

    site.pages.add_route(f"{LIVE}leaderboard", live, methods=["GET"])


def answer(request: Request, fragment: Fragment) -> Response:
    """A fragment, or that it has not changed."""
    headers = {"ETag": f'"{fragment.tag}"', "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(fragment.packed, media_type="text/html; charset=utf-8", headers=headers)
    return Response(fragment.html, media_type="text/html; charset=utf-8", headers=headers)
