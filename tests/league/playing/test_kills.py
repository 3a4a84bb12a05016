"""A slice of `make kills`: a league that is killed while it plays and while versions are handed in loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from ludoteca.league import settings
from ludoteca.league.database import Database, Status
from ludoteca.league.playing.checking_process import CheckingProcess
from tools.kills.league import begin, campaign
from tools.kills.processes import PATIENCE, descendants

PARENT = """
import sys
from pathlib import Path
from ludoteca.league.playing.playing_process import PlayingProcess
PlayingProcess(Path(sys.argv[1]), "--workers", "1").start()
sys.stdin.read()
"""


def test_a_killed_league_loses_nothing_and_its_ratings_are_those_from_scratch(tmp_path: Path) -> None:
    assert campaign(tmp_path / "league", kills=1, seed=3, hand_ins=2)["playing"] == 1


def test_the_playing_process_is_started_again_and_ends_with_its_parent(tmp_path: Path) -> None:
    begin(tmp_path)
    with (
        Database(tmp_path) as database,
        subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], stdin=subprocess.PIPE) as parent,
    ):
        try:
            first = playing(parent, database)
            os.kill(first, signal.SIGKILL)
            second = playing(parent, database, first)
        finally:
            parent.kill()
        end = time.monotonic() + PATIENCE
        while database.being_played:
            assert time.monotonic() < end, second


def test_a_version_over_which_the_check_itself_fails_is_refused(tmp_path: Path) -> None:
    begin(tmp_path)
    with Database(tmp_path) as database:
        waits = database.add_version(1, "", "random")
        (tmp_path / settings.FILE).unlink()  # the process ends by itself now
        with CheckingProcess(tmp_path) as checking:
            while database.version(waits.id).status is Status.checking:
                checking.follow(database)
            assert "our fault" in database.version(waits.id).reason


def playing(parent: subprocess.Popen[bytes], database: Database, before: int = 0) -> int:
    """The process that plays the league for a parent, once it does; not the one from before."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = [each.pid for each in descendants(parent.pid) if "league run" in each.command and each.pid != before]
        if found and database.being_played:
            return found[0]
        assert parent.poll() is None
    raise AssertionError("the league is not played")
