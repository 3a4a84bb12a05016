"""What all pages of a league share: the file, who is signed in, and how pages and forms are registered.

::

    request ── SignInGate: who is it? ── page:   build(visit) in a thread ── document
                                     └── action: token? may they? ── handle(visit, form) in a thread ── redirect
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ludoteca.errors import LudotecaError
from ludoteca.league.database import Database, Person, Teacher, Viewer
from ludoteca.league.pages.document import document, error_body
from ludoteca.league.pages.names import Names
from ludoteca.league.pages.snapshot import Snapshot, Snapshots
from ludoteca.league.settings import LeagueSettings
from ludoteca.messages import say
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit
from ludoteca.web.serving.addresses import AddressRateLimit
from ludoteca.web.serving.cache import refuse

COOKIE = "league"
"""Holds the token of the session."""
READERS = 2
"""Threads that build pages; each has its own connection to the file."""
OPEN = (
    "/league/enter", "/static/", "/picture/", "/language/", "/theme/", "/palette/", "/favicon.ico", "/_nicegui/",
)  # fmt: skip
"""The beginnings of addresses that need no sign-in: the sign-in itself, and files that are the same for everybody."""
EVERYBODY: tuple[type, ...] = (Person, Teacher)
STUDENTS: tuple[type, ...] = (Person,)
TEACHERS: tuple[type, ...] = (Teacher,)
MOST_ACTIONS, ACTIONS_WITHIN = 60, 60.0
"""Forms of one person in so many seconds."""
MOST_FORM_BYTES = 20_000
MOST_LOOKS, LOOKS_WITHIN = 900, 60.0
"""Looks of one person at pages and at parts of them; an open page needs at most 60."""
LIVE = "/league/live/"
"""The beginning of the addresses of these parts."""
T = TypeVar("T")


@dataclass(frozen=True)
class LeagueVisit(Visit):
    """One request for a page of the league."""

    viewer: Viewer | None = None
    token: str = ""
    """What every form of this viewer must send back, as `form` does."""
    origin: str = ""
    """Where people find the league, such as https://league.example.org."""

    @property
    def person(self) -> Person:
        """The student who is signed in."""
        assert isinstance(self.viewer, Person)
        return self.viewer

    def form(self, action: str, content: str, *, classes: str = "", files: bool = False) -> str:
        """A form as HTML, with its token; content: our own HTML, with its buttons."""
        kind = ' enctype="multipart/form-data"' if files else ""
        return (
            f'<form method="post" action="{action}" class="{classes}"{kind}>'
            f'<input type="hidden" name="token" value="{self.token}">{content}</form>'
        )


@dataclass(frozen=True)
class Page:
    """The content of a page."""

    title: str
    """Plain text."""
    body: str
    """HTML, in which every foreign text is escaped."""


class LeagueSite:
    """The one object that every page of a league is registered with."""

    def __init__(self, folder: Path, settings: LeagueSettings, secret: str, public_url: str = "") -> None:
        self.folder, self.settings = folder, settings
        self.public_url = public_url.rstrip("/")
        """Where people find the league, such as https://league.example.org; empty: where requests arrive."""
        self._secret, self._local = secret.encode(), threading.local()
        self.threads = ThreadPoolExecutor(READERS, thread_name_prefix="league-page")
        self.actions = AddressRateLimit(MOST_ACTIONS, ACTIONS_WITHIN)
        self._snapshots = Snapshots()
        self.pages = Router()
        """Pages without NiceGUI, and parts of them that open tabs ask for again and again: they take a short way."""

    @property
    def database(self) -> Database:
        """The league's file, with a connection of this thread's own."""
        if not hasattr(self._local, "database"):
            self._local.database = Database(self.folder)
        database: Database = self._local.database
        return database

    @property
    def title(self) -> str:
        """What the league is called."""
        return self.settings.course.title

    @property
    def game(self) -> str:
        """The spec of the game that is played."""
        return self.settings.course.conditions.game

    @property
    def snapshot(self) -> Snapshot:
        """The league as it was at most a second ago."""
        return self._snapshots.latest(self.database)

    @property
    def fresh_snapshot(self) -> Snapshot | None:
        """The same without reading the file, which the event loop must not do; None where it must be read."""
        return self._snapshots.fresh

    def names(self, visit: LeagueVisit, snapshot: Snapshot | None = None) -> Names:
        """What this viewer calls everybody."""
        return Names.of(visit, snapshot or self.snapshot, visit.viewer, self.settings.pseudonyms)

    async def in_thread(self, work: Callable[..., T], *given: object) -> T:
        """What `work` returns, in a thread of those that build pages."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, work, *given)

    def visit(self, request: Request) -> LeagueVisit:
        """Who asks, and in which language."""
        plain = Visit.of(request)
        known = {field.name: getattr(plain, field.name) for field in fields(Visit)}
        return LeagueVisit(
            **known, viewer=signed_in(request), token=self._token(plain.visitor, request),
            origin=self.public_url or f"{request.url.scheme}://{request.url.netloc}",
        )  # fmt: skip

    def _token(self, visitor: str, request: Request) -> str:
        text = f"{visitor}|{request.cookies.get(COOKIE, '')}"
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()[:32]

    def is_secure(self, request: Request) -> bool:
        """Whether the browser reaches us by TLS, so that cookies can insist on it."""
        return request.url.scheme == "https" or self.public_url.startswith("https://")

    def page(
        self, path: str, may: tuple[type, ...] = EVERYBODY
    ) -> Callable[[Callable[[LeagueVisit, Request], Page | Response]], None]:
        """Registers a page: `build` runs in a thread and returns the content; a LudotecaError becomes a message."""

        def register(build: Callable[[LeagueVisit, Request], Page | Response]) -> None:
            async def show(request: Request) -> Response:
                visit = self.visit(request)
                return await self.in_thread(self._answer, visit, may, lambda: build(visit, request))

            self.pages.add_route(path, show, methods=["GET", "HEAD"])

        return register

    def has_page(self, path: str) -> bool:
        """Whether a page, or a part of one, has this address."""
        return any(isinstance(route, Route) and route.path_regex.match(path) for route in self.pages.routes)

    def action(
        self, path: str, may: tuple[type, ...] = EVERYBODY
    ) -> Callable[[Callable[[LeagueVisit, Mapping[str, str]], str | Response]], None]:
        """Registers what a form does: `handle` runs in a thread and returns the address to show next."""

        def register(handle: Callable[[LeagueVisit, Mapping[str, str]], str | Response]) -> None:
            async def act(request: Request) -> Response:
                visit = self.visit(request)
                try:
                    given = await small_form(request)
                except LudotecaError as error:
                    return await self.in_thread(self.error, visit, error)

                def handled() -> Response:
                    self.check(visit, given.get("token", ""))
                    then = handle(visit, given)
                    return RedirectResponse(then, status_code=303) if isinstance(then, str) else then

                return await self.in_thread(self._answer, visit, may, handled)

            self.pages.add_route(path, act, methods=["POST"])

        return register

    def check(self, visit: LeagueVisit, token: str) -> None:
        """Raises LudotecaError for a form that is not of this viewer's own page, and for too many of them."""
        if not hmac.compare_digest(token.encode(), visit.token.encode()):
            raise Forbidden(say("This form is out of date or came from another page. Go back, reload, and try again."))
        key = f"{type(visit.viewer).__name__} {visit.viewer.id}" if visit.viewer else visit.address
        if self.actions.is_exceeded(key):
            raise TooMany(say("That was a lot at once. Please wait a minute."))
        self.actions.count(key)

    def _answer(self, visit: LeagueVisit, may: tuple[type, ...], build: Callable[[], Page | Response]) -> Response:
        try:
            if not isinstance(visit.viewer, may):
                raise Forbidden(say("You may not see this page."))
            built = build()
        except LudotecaError as error:
            return self.error(visit, error)
        return built if isinstance(built, Response) else self.shown(visit, built)

    def shown(self, visit: LeagueVisit, page: Page, status: int = 200) -> Response:
        """A page as the browser gets it. Nobody may keep a copy: after signing out it must be gone."""
        text = document(visit, visit.viewer, visit.token, page.title, page.body)
        return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})

    def error(self, visit: LeagueVisit, error: LudotecaError, back: str = "/league") -> Response:
        """The page that says what went wrong; back: the address that it leads to."""
        status = STATUS.get(type(error), 404 if isinstance(error, NotFound) else 400)
        return self.shown(visit, Page(self.title, error_body(visit, visit.explain(error), back)), status)


async def small_form(request: Request) -> dict[str, str]:
    """The fields of a form without files. Raises TooLarge: the event loop reads it, so it must be short."""
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > MOST_FORM_BYTES:
        raise TooLarge(say("This form is too long."))
    async with request.form(max_files=0, max_fields=100) as form:
        return {name: str(value) for name, value in form.items()}


class Forbidden(LudotecaError):
    """Somebody asked for what is not theirs."""


class TooMany(LudotecaError):
    """Somebody asks too often."""


class TooLarge(LudotecaError):
    """Somebody sends more than is needed."""


STATUS: dict[type, int] = {Forbidden: 403, TooMany: 429, TooLarge: 413}


def signed_in(request: Request) -> Viewer | None:
    """Who is signed in in this browser."""
    viewer: Viewer | None = request.scope.get("viewer")
    return viewer


class SignInGate:
    """ASGI middleware: finds out who is signed in, and lets nobody else further than to the sign-in."""

    def __init__(self, inner: ASGIApp, site: LeagueSite) -> None:
        self.inner, self._site = inner, site
        self._looks = AddressRateLimit(MOST_LOOKS, LOOKS_WITHIN)
        self._pages = GZipMiddleware(site.pages, compresslevel=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.inner(scope, receive, send)
            return
        token = _cookie(scope)
        # One lookup by a primary key: quicker than to ask another thread.
        viewer = scope["viewer"] = self._site.database.viewer_of(token) if token else None
        if viewer is not None and scope["type"] == "http" and self._site.has_page(scope["path"]):
            key = f"{type(viewer).__name__} {viewer.id}"
            if self._looks.is_exceeded(key):
                await Response(status_code=429)(scope, receive, send)
                return
            self._looks.count(key)
            await self._pages(scope, receive, send)
            return
        if scope["viewer"] is not None or scope["path"].startswith(OPEN):
            await self.inner(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif scope["method"] in ("GET", "HEAD"):
            await RedirectResponse("/league/enter", status_code=303)(scope, receive, send)
        else:
            await refuse(scope, send, 403, say("You are not signed in. Open your personal link again."))


def _cookie(scope: Scope) -> str:
    given = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    return cookie_parser(given.decode("latin-1")).get(COOKIE, "")[:200]
