"""The process that checks what students hand in, beside the process that plays: ``python -m`` this file.

It ends with the process that started it, and can be killed at any moment: an interrupted check begins again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Self

from ludoteca.errors import WorkerError
from ludoteca.league import settings as league_settings
from ludoteca.league.database import Database, Version
from ludoteca.league.hand_in import CHECK_PAUSE, check
from ludoteca.league.settings import LeagueSettings
from ludoteca.messages import say
from ludoteca.players.processes.linux import give_way, hide_memory
from ludoteca.players.processes.wire import die_with_pipe

MOST_FAILED_CHECKS = 2
"""After so many checks of a version over which this process ended, the version is refused."""
CHECK_NICENESS = 15
"""Many checks at once must not make the page slow."""
AT_ONCE = 3
"""Checks at the same time while more versions wait: a check waits for the processes that it starts, too."""
MOST_IDLE_ENDS = 3
"""After so many ends in a row while no version waited, we report a bug."""


class CheckingProcess:
    """Checks versions as they come. Use it as a context manager, and call `follow` again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._idle_ends = folder, 0
        self._start(AT_ONCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def follow(self, database: Database) -> None:
        """Start another process if this one has ended, which is our fault and never a submission's.

        A version over whose check it ended twice is refused with that reason. After an end it checks one version at a
        time, so that it is clear which one it was. Raises WorkerError if it ends for ever.
        """
        status = self._process.poll()
        if status is None:
            return
        self._close()
        waiting = database.waiting()
        self._idle_ends = 0 if waiting else self._idle_ends + 1
        if waiting and database.count_failure(waiting[0].id) >= MOST_FAILED_CHECKS:
            database.refuse(
                waiting[0], say("its check could not be made, which is our fault (status {status})", status=status)
            )
        self._start(1)
        if self._idle_ends == MOST_IDLE_ENDS:
            raise WorkerError("the process that checks versions ends by itself (status {status})", status=status)

    def _start(self, at_once: int) -> None:
        child_life, self._life = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(child_life), str(self._folder.absolute()), str(at_once)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[child_life], start_new_session=True,
        )  # fmt: skip
        os.close(child_life)

    def _close(self) -> None:
        """Kill the process, and those of the submissions with it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._life)


def main() -> None:
    """Check every version that waits, the oldest first, until this process is killed."""
    die_with_pipe(int(sys.argv[1]))
    give_way(CHECK_NICENESS)
    hide_memory()  # the league's file holds the secret that all deals come from
    folder, at_once = Path(sys.argv[2]), int(sys.argv[3])
    settings = league_settings.read(folder / league_settings.FILE)
    checks: dict[int, Future[None]] = {}
    """By version."""
    with Database(folder) as database, ThreadPoolExecutor(at_once) as threads:
        while True:
            waiting = database.waiting()
            for version in waiting:
                if version.id not in checks and len(checks) < at_once:
                    checks[version.id] = threads.submit(_check, folder, settings, version, len(waiting))
            if checks:
                wait(checks.values(), CHECK_PAUSE, FIRST_COMPLETED)
            else:
                time.sleep(CHECK_PAUSE)
            for number in [number for number, each in checks.items() if each.done()]:
                if checks.pop(number).exception() is not None:
                    os._exit(1)  # our own fault; `CheckingProcess.follow` starts another process


def _check(folder: Path, settings: LeagueSettings, version: Version, waiting: int) -> None:
    """Check a version with a connection of this thread's own."""
    with Database(folder) as database:
        check(database, settings, version, waiting=waiting)


if __name__ == "__main__":
    main()
