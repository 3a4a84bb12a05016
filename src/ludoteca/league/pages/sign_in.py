"""Signing in with a personal link.

The link `/league/enter/CODE` only puts the code into a short-lived cookie and leads to `/league/enter`, an address
without the code: so the code stands in no address that a page could pass on. There a button signs in, because programs
open links too, for previews.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from nicegui import app
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludoteca.errors import LudotecaError
from ludoteca.league.database import Person, Viewer
from ludoteca.league.database.sessions import LONGEST
from ludoteca.league.pages.site import COOKIE, LeagueSite, LeagueVisit, Page, TooMany, small_form
from ludoteca.messages import say
from ludoteca.web.serving.addresses import AddressRateLimit

ENTERING = "league-code"
"""The cookie that carries a code from the link to the button."""
ENTERING_SECONDS = 900
LONGEST_CODE = 64
MOST_WRONG, WITHIN = 30, 60.0
"""Wrong codes of one address in so many seconds. Guessing 128 bits is hopeless; this keeps the server free."""


def register(site: LeagueSite) -> None:
    """The link, the page with the button, what the button does, and signing out."""
    wrong = AddressRateLimit(MOST_WRONG, WITHIN)

    async def linked(request: Request) -> Response:
        response = RedirectResponse("/league/enter", status_code=303, headers=SECRET)
        code = request.path_params["code"][:LONGEST_CODE]
        response.set_cookie(
            ENTERING, code, max_age=ENTERING_SECONDS, path="/league/enter",
            httponly=True, samesite="lax", secure=site.is_secure(request),
        )  # fmt: skip
        return response

    async def entrance(request: Request) -> Response:
        visit, code = site.visit(request), request.cookies.get(ENTERING, "")
        return await site.in_thread(_entrance, site, visit, code, wrong)

    async def enter(request: Request) -> Response:
        visit = site.visit(request)
        try:
            given = await small_form(request)
        except LudotecaError as error:
            return await site.in_thread(site.error, visit, error)
        code = given.get("code", "").strip() or request.cookies.get(ENTERING, "")
        return await site.in_thread(_enter, site, visit, given, code, wrong, site.is_secure(request))

    app.add_route("/league/enter/{code}", linked, methods=["GET", "HEAD"])
    app.add_route("/league/enter", entrance, methods=["GET", "HEAD"])
    app.add_route("/league/enter", enter, methods=["POST"])

    async def leave(request: Request) -> Response:
        visit = site.visit(request)

        def left(given: Mapping[str, str]) -> Response:
            site.check(visit, given.get("token", ""))
            site.database.sign_out(request.cookies.get(COOKIE, ""))
            response = RedirectResponse("/league/enter", status_code=303)
            response.delete_cookie(COOKIE, path="/")
            return response

        try:
            return await site.in_thread(left, await small_form(request))
        except LudotecaError as error:
            return await site.in_thread(site.error, visit, error)

    app.add_route("/league/leave", leave, methods=["POST"])


SECRET = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
"""Headers of an answer to an address that holds a code."""
UNKNOWN = say("This link or code does not work. Perhaps there is a newer one: ask your teacher.")


def _viewer(site: LeagueSite, visit: LeagueVisit, code: str, wrong: AddressRateLimit) -> Viewer | None:
    """The viewer with this code; None for a wrong one. Raises TooMany."""
    if wrong.is_exceeded(visit.address):
        raise TooMany(say("Too many wrong codes came from your network. Please wait a minute."))
    viewer = site.database.viewer_with(code[:LONGEST_CODE]) if code else None
    if viewer is None and code:
        wrong.count(visit.address)
    return viewer


def _entrance(site: LeagueSite, visit: LeagueVisit, code: str, wrong: AddressRateLimit) -> Response:
    try:
        viewer = _viewer(site, visit, code, wrong)
    except LudotecaError as error:
        return site.error(visit, error)
    if viewer is None and visit.viewer is not None:  # who is signed in needs no code
        return RedirectResponse("/league", status_code=303)
    say, title = visit.say, site.title
    if viewer is not None:
        who = escape(viewer.name if isinstance(viewer, Person) else say("the teacher"))
        body = (
            f"<p>{escape(say('This personal link belongs to'))} <b>{who}</b>.</p>"
            + visit.form("/league/enter", f'<button class="button begin">{escape(say("Sign in"))}</button>')
            + f'<p class="soft">{escape(say("Keep the link to yourself: with it, anybody can sign in as you."))}</p>'
        )
    else:
        trouble = f'<p class="trouble" role="alert">{escape(visit.translate(UNKNOWN))}</p>' if code else ""
        field = (
            f'<label class="field"><span>{escape(say("Your personal code"))}</span><input name="code" required '
            f'autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="{LONGEST_CODE}"></label>'
            f'<button class="button begin">{escape(say("Sign in"))}</button>'
        )
        body = (
            f"{trouble}<p>{escape(say('Open the personal link that your teacher gave you, or type its code.'))}</p>"
            + visit.form("/league/enter", field, classes="stack")
        )
    page = Page(title, f'<section class="card message"><h1 class="title">{escape(title)}</h1>{body}</section>')
    return site.shown(visit, page)


def _enter(
    site: LeagueSite, visit: LeagueVisit, given: Mapping[str, str], code: str, wrong: AddressRateLimit, secure: bool
) -> Response:
    try:
        site.check(visit, given.get("token", ""))
        viewer = _viewer(site, visit, code, wrong)
        token = None if viewer is None else site.database.sign_in(code)
        if viewer is None or token is None:
            raise LudotecaError(UNKNOWN)
    except LudotecaError as error:
        return site.error(visit, error)
    response = RedirectResponse("/league/me" if isinstance(viewer, Person) else "/league/teacher", status_code=303)
    response.set_cookie(COOKIE, token, max_age=int(LONGEST), path="/", httponly=True, samesite="lax", secure=secure)
    response.delete_cookie(ENTERING, path="/league/enter")
    return response
