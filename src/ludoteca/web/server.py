"""Puts the pages together and serves them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI
from nicegui import app, core, ui
from nicegui.client import Client
from nicegui.page import page as nicegui_page
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp

from ludoteca import games
from ludoteca.catalogues import SOURCE, Language, languages
from ludoteca.errors import InvalidStore, LudotecaError
from ludoteca.play.file_locks import locked
from ludoteca.play.match import Match
from ludoteca.play.store import Store, default_path
from ludoteca.players.pool import Pool
from ludoteca.players.processes.memory import MEMORY
from ludoteca.protocols import Drawable
from ludoteca.web import STATIC
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import still_picture
from ludoteca.web.drawing.theme import with_theme
from ludoteca.web.pages import home, join, strength
from ludoteca.web.pages.advise import page as advise
from ludoteca.web.pages.edit import page as edit
from ludoteca.web.pages.frame import OUR_FAULT, PALETTES, THEMES, Visit, error_card, frame
from ludoteca.web.pages.learn import page as learn
from ludoteca.web.pages.link_previews import PICTURES
from ludoteca.web.pages.play import page as play
from ludoteca.web.pages.puzzles import page as puzzles
from ludoteca.web.pages.replay import page as replay
from ludoteca.web.pages.replay import review
from ludoteca.web.pages.setup import page as setup
from ludoteca.web.pages.training import own
from ludoteca.web.pages.training import page as training
from ludoteca.web.pages.watch import page as watch
from ludoteca.web.pages.watch import spectate
from ludoteca.web.serving.cache import MOST_BODY_BYTES, StaticCache
from ludoteca.web.serving.connections import Connections, protocols, raise_file_limit
from ludoteca.web.serving.framework_texts import register_framework_texts
from ludoteca.web.serving.garbage import collect_when_idle, configure_gc
from ludoteca.web.serving.origin_check import OriginCheck
from ludoteca.web.serving.overload import LoopLag, PageQueue
from ludoteca.web.serving.socket_guard import SocketGuard, guard_messages, has_too_many_tabs
from ludoteca.web.serving.visitors import VisitorMiddleware, Visitors
from ludoteca.web.tables.match_request import MatchRequest
from ludoteca.web.tables.uploads import read_actions, read_seed

YEAR = 365 * 24 * 3600
NICE = 10
"""The niceness of agents' processes, so that they yield to clicks."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    names: Collection[str] = (),
    proxies: Collection[str] = (),
    store: Path | None = None,
    show: bool = False,
    thinkers: int | None = None,
    queue: int = 256,
    memory: int = MEMORY,
    runs: Path = Path("runs"),
) -> None:
    """Serves the page until Ctrl-C.

    names: further names by which visitors reach the server, besides `host` (see `OriginCheck`). proxies: addresses of
    reverse proxies, which say in X-Forwarded-For where a visitor comes from. store: the file of all matches. thinkers:
    how many agents think at once; by default one fewer than there are cores. queue: how many agents may wait. memory:
    MiB that an agent's process may take. runs: the folder of trainings to show. Raises InvalidStore.
    """
    store = store or default_path()
    with Store(store) as opened:
        opened.check()
    lock = _lock(store)
    app_state = AppState(store, Pool(memory=memory, shared=True, slots=thinkers, nice=NICE), queue, runs)
    _register(app_state)
    # We need only the visitor's id; NiceGUI's own sessions would also keep a storage for each visitor.
    visitors = Visitors(secret_of(store.parent / "cookie-secret"))
    try:
        run_server(
            app_state, visitors, host, port, names=names, proxies=proxies, show=show,
            direct=lambda path: path.startswith(PICTURES),  # drawn in another process, which may take seconds
        )  # fmt: skip
    finally:
        lock.close()


def run_server(
    app_state: AppState,
    visitors: Visitors,
    host: str,
    port: int,
    *,
    names: Collection[str] = (),
    proxies: Collection[str] = (),
    show: bool = False,
    address: str = "",
    around: Callable[[ASGIApp], ASGIApp] = lambda inner: inner,
    most_body: int = MOST_BODY_BYTES,
    direct: Callable[[str], bool] = lambda path: False,
) -> None:
    """Serves the registered pages until Ctrl-C; see `serve` for what is not explained here.

    address: where people find the page, if that is behind a proxy. around: wraps the application in further middleware,
    which knows the visitor. most_body: bytes of the longest form or upload. direct: whether the
    answer at an address costs so little that it need not wait for its turn (see `StaticCache`).
    """
    app.colors(primary="#8a4b2a", dark="#272320", dark_page="#1d1a17")
    outer = FastAPI(openapi_url=None)
    ui.run_with(
        outer,
        title="Ludoteca",
        favicon=STATIC / "icon.svg",
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        binding_refresh_interval=None,  # no bindings, so nothing to poll
        reconnect_timeout=6.0,
        message_history_length=100,
        gzip_middleware_factory=lambda inner: GZipMiddleware(inner, compresslevel=1),
    )
    guarded = VisitorMiddleware(around(SocketGuard(outer)), visitors)
    cached = StaticCache(
        guarded, PageQueue(app_state.lag), visitors.of, has_too_many_tabs, most_body=most_body, direct=direct
    )
    connections = Connections(raise_file_limit(), proxies=proxies)
    http, websockets = protocols(connections)
    address = address or f"http://{'localhost' if host in ('127.0.0.1', '::1') else host}:{port}"
    config = uvicorn.Config(
        OriginCheck(cached, host, names),
        host=host,
        port=port,
        http=http,
        ws=websockets,
        timeout_keep_alive=20,  # longer than browsers need between two pages: they may be as late as we are
        ws_ping_interval=None,  # socket.io has its own, see `socket_guard`
        ws_max_size=2**20,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_level="warning",
        # Boards are a few kilobytes: compressing each message costs more time than it saves.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,  # open tabs must not keep the server from closing
    )
    try:
        with contextlib.suppress(KeyboardInterrupt):  # the usual way to close it
            _Server(config, address, show, app_state.lag).run()
    finally:
        gc.unfreeze()  # or objects of our core would outlive it, and nanobind would report leaks


class _Server(uvicorn.Server):
    """Prints the address once the server can be reached."""

    def __init__(self, config: uvicorn.Config, address: str, show: bool, lag: LoopLag) -> None:
        super().__init__(config)
        self._address, self._show, self._lag = address, show, lag

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts uvicorn, then prints the address, and opens a browser if asked."""
        await super().startup(sockets)
        if self.started:
            configure_gc()
            guard_messages(core.sio)
            self._tasks = [asyncio.create_task(each) for each in (collect_when_idle(), self._lag.measure())]
            print(f"Ludoteca is open at {self._address} (Ctrl-C closes it)", flush=True)
            if self._show:
                threading.Thread(target=webbrowser.open, args=[self._address], daemon=True).start()


def _register(app_state: AppState) -> None:
    pages = (
        home, strength, setup, join, play, spectate, replay, review, watch, edit, advise, learn, puzzles, training, own,
    )  # fmt: skip
    for each in pages:
        each.register(app_state)
    app.post("/table")(_table_route(app_state))
    register_common(app_state)


def register_common(app_state: AppState) -> None:
    """What every site of ours has: its files, the choice of language and theme, and pages for errors."""
    register_framework_texts()
    app.add_static_files("/static", STATIC, max_cache_age=YEAR)  # `frame.HEAD` names them by their content
    app.get("/picture/{name}.svg")(_picture)
    app.get("/language/{value}")(_preference("language", languages()))
    app.get("/theme/{value}")(_preference("theme", tuple(THEMES)))
    app.get("/palette/{value}")(_preference("palette", tuple(PALETTES)))
    app.exception_handler(404)(_not_found)
    app.on_page_exception(_server_error)
    app.on_shutdown(app_state.close)


def _preference(name: str, values: tuple[str, ...]) -> Callable[[Request], Response]:
    """A route that stores a preference in a cookie and redirects back."""

    def choose(request: Request) -> Response:
        back = request.query_params.get("back", "/")
        parts = urlsplit(back)
        if parts.scheme or parts.netloc or not back.startswith("/") or back.startswith(("//", "/\\")):
            back = "/"  # never to another host
        response = RedirectResponse(back, status_code=303)
        if request.path_params["value"] in values:
            response.set_cookie(name, request.path_params["value"], max_age=YEAR, samesite="lax")
        return response

    choose.__annotations__ = {"request": Request, "return": Response}
    return choose


def _table_route(app_state: AppState) -> Callable[[Request], Awaitable[Response]]:
    """The route that opens a table from a form.

    Its fields: game, seats, and optionally seed, start, actions, limit, clock (of people) and names (by seat).
    """

    async def open_table(request: Request) -> Response:
        form = await request.form()
        given = {name: str(value) for name, value in form.items() if isinstance(value, str)}
        visit = Visit.of(request)
        try:
            seats = "|".join(map(str, form.getlist("seats"))).split("|")  # one field for both, or one for each
            limit, start = given.get("limit", "1s"), given.get("start", "")
            seed = read_seed(given["seed"]) if given.get("seed") else None
            actions = read_actions(given.get("actions", ""))
            names = [*(str(each) for each in form.getlist("names")), "", ""][:2]
            wanted = MatchRequest(
                given.get("game", ""), seats, seed, limit, start, actions, given.get("clock", ""),
                names,
            )  # fmt: skip
            key = await app_state.open(visit.visitor, wanted, visit.address)
        except LudotecaError as error:
            with Client(nicegui_page(""), request=request) as client, frame(visit):
                error_card(visit, visit.explain(error))
            return client.build_response(request, 400)
        return RedirectResponse(f"/table/{key}", status_code=303)

    open_table.__annotations__ = {"request": Request, "return": Response}
    return open_table


def _picture(
    name: str, language: str = "en", theme: str = "auto", palette: str = "usual", narrow: str = "", cover: str = ""
) -> Response:
    """A game's cover, or the game in the middle of a match, in the theme of the page or else in that of the system."""
    try:
        drawn = (cover == "1" and name in games.names() and games.cover(name)) or _drawn(
            name, language if language in languages() else SOURCE, narrow == "1" or cover == "1"
        )
        drawing = with_theme(drawn, theme, next((each for each in PALETTES if each == palette), "usual"))
    except LudotecaError as error:
        return Response(str(error), status_code=404, media_type="text/plain")
    return Response(drawing, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})


@lru_cache(maxsize=32)
def _drawn(name: str, language: Language, narrow: bool) -> str:
    if name not in games.names():
        raise LudotecaError(f"no game is called {name!r}")
    game = games.game(games.example_spec(name))
    match = Match(game, 7)
    for step in range(12):
        if match.turn is None:
            break
        legal = match.view(match.turn).legal()
        match.play(legal[(5 * step + 3) % len(legal)])
    view = match.view(0)
    if match.turn is None or not isinstance(game, Drawable):
        view = game.deal(7).view(0)
    return still_picture(view, narrow=narrow, language=language)


def _not_found(request: Request, error: Exception) -> Response:
    visit = Visit.of(request) if "session" in request.scope else Visit("en", "", "auto", "/")
    with Client(nicegui_page(""), request=request) as client, frame(visit):
        error_card(visit, visit.say("There is no such page: {path}", path=request.url.path[:200]))
    return client.build_response(request, 404)


def _server_error() -> None:
    """Our own fault: the log has the traceback, the visitor sees an apology."""
    request = ui.context.client.request
    visit = Visit.of(request)
    with frame(visit):
        error_card(visit, visit.translate(OUR_FAULT))


def _lock(store: Path) -> IO[str]:
    """Keeps other servers from serving this store until it is closed. Raises InvalidStore if one does.

    A server holds the tables that are in use in memory: two would overwrite each other's moves.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        held = locked(Path(f"{store}-page.lock"))
    except OSError as error:
        raise InvalidStore("{path} cannot be written: {error}", path=store, error=error) from error
    if held is None:
        raise InvalidStore(
            "another server uses {path}; close it, or set XDG_STATE_HOME to another folder here", path=store
        )
    return held


def secret_of(path: Path) -> str:
    """The key that signs cookies; stored, so that visitors find their matches after a restart. Raises InvalidStore."""
    try:
        if not path.exists():
            new = path.with_suffix(".new")  # a key is never seen half-written
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        secret = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidStore("{path} cannot be written: {error}", path=path, error=error) from error
    if len(secret) < 64:  # with the key anyone can forge every visitor's cookie
        raise InvalidStore("{path} is damaged; delete it, and visitors get new cookies", path=path)
    return secret
