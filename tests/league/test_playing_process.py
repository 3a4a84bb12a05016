"""The process that plays beside the page: it is started again when it dies, and stopped with the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from ludoteca.league.database import Database
from ludoteca.league.opened_league import League
from ludoteca.league.playing.playing_process import PlayingProcess
from tests.league.pages.conftest import begin

PATIENCE = 120.0  # seconds; a busy machine is slow, but it gets there


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        threading.Event().wait(0.05)


def test_it_is_started_again_after_a_kill_and_stops_when_asked(tmp_path: Path) -> None:
    begin(tmp_path)
    with ExitStack() as stack:
        League.of(tmp_path, stack)
    playing = PlayingProcess(tmp_path, "--workers", "1")
    playing.start()
    with Database(tmp_path) as database:
        until(lambda: database.being_played)
        first = playing.process
        assert first is not None
        first.kill()
        until(lambda: playing.process is not first and database.being_played)
        second = playing.process
        playing.stop()
        assert second is not None and second.poll() is not None
        assert not database.being_played
