"""A student's own page: hand in, see the check, compare versions, choose the one that stands."""

from __future__ import annotations

from html import escape

from starlette.requests import Request

from ludoteca.league.pages.site import STUDENTS, LeagueSite, LeagueVisit, Page


def register(site: LeagueSite) -> None:
    """The page at ``/league/me``."""

    @site.page("/league/me", STUDENTS)
    def show(visit: LeagueVisit, request: Request) -> Page:
        return Page(visit.say("My page"), f'<h1 class="title">{escape(visit.person.name)}</h1>')
