"""Serves a league's page, while a process of its own plays."""

from __future__ import annotations

import signal
import sys
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from ludoteca.errors import InvalidStore
from ludoteca.league.pages import challenges, leaderboard, match, my_page, sign_in, upload, version
from ludoteca.league.pages.document import LINKS
from ludoteca.league.pages.site import LeagueSite, SignInGate
from ludoteca.league.pages.teacher import page as teacher
from ludoteca.league.playing.playing_process import PlayingProcess
from ludoteca.league.settings import LeagueSettings
from ludoteca.play.file_locks import locked
from ludoteca.players.pool import Pool
from ludoteca.web.app_state import AppState
from ludoteca.web.pages import frame
from ludoteca.web.pages.replay import page as replay
from ludoteca.web.pages.replay import review
from ludoteca.web.server import NICE, register_common, run_server, secret_of
from ludoteca.web.serving.visitors import Visitors

SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that builds a page lets the event loop go on (Python's own default is 0.005)."""


def serve(
    folder: Path,
    settings: LeagueSettings,
    host: str,
    port: int,
    *,
    public_url: str = "",
    names: Collection[str] = (),
    proxies: Collection[str] = (),
    playing: PlayingProcess | None = None,
) -> None:
    """Serves the page until Ctrl-C, and keeps `playing` going meanwhile. See `web.server.serve` for the rest."""
    lock = locked(folder / "page.lock")
    if lock is None:
        raise InvalidStore("another server shows the league in {folder}; close it first", folder=folder)
    secret = secret_of(folder / "cookie-secret")
    site = LeagueSite(folder, settings, secret, public_url)
    stack = ExitStack()
    stack.enter_context(lock)
    unused = Path(stack.enter_context(TemporaryDirectory(prefix="ludoteca-league-")))  # nobody plays at tables here
    app_state = AppState(unused / "tables.sqlite", Pool(shared=True, slots=1, nice=NICE), has_tables=False)
    frame.NAVIGATION[:] = LINKS
    for each in (sign_in, leaderboard, my_page, version, challenges, teacher):
        each.register(site)
    uploads = upload.register(site)
    stack.callback(uploads.close)
    match.register(site, app_state)
    for page in (replay, review):
        page.register(app_state)
    register_common(app_state)
    sys.setswitchinterval(SWITCH_INTERVAL)
    named = [*names, *([urlsplit(public_url).hostname or ""] if public_url else [])]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service that is stopped closes like Ctrl-C
    if playing is not None:
        playing.start()
    try:
        run_server(
            app_state, Visitors(secret), host, port, names=named, proxies=proxies, address=public_url,
            around=lambda inner: SignInGate(inner, site),
            most_body=uploads.most_bytes, direct=site.has_page,
        )  # fmt: skip
    finally:
        if playing is not None:
            playing.stop()
        site.threads.shutdown(cancel_futures=True)
        stack.close()
