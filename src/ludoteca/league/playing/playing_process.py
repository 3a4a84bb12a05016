"""The process that plays a league while another one serves its page: started, watched, started again, stopped."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ludoteca.players.processes.linux import die_with_parent

PATIENCE = 30.0
"""Seconds that it may take to stop."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before it is started again; doubled each time that it ends soon."""
SOON = 60.0
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""NumPy's threads of a rating would take the cores from players and pages, and are hardly quicker."""


class PlayingProcess:
    """``ludoteca league run`` as a child. It dies with this process, whatever ends that."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._command = [sys.executable, "-P", "-m", "ludoteca.cli", "league", "run", *options, "--", str(folder)]
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="league-playing", daemon=True)
        self.process: subprocess.Popen[bytes] | None = None
        """The child that plays now."""

    def start(self) -> None:
        """Begin to play."""
        self._watcher.start()

    def stop(self) -> None:
        """Stop playing; every finished match is kept."""
        self._stopping.set()
        process = self.process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)
        if self._watcher.is_alive():
            self._watcher.join(2 * PATIENCE)

    def _watch(self) -> None:
        parent, pause = os.getpid(), FIRST_PAUSE
        while not self._stopping.is_set():
            begun = time.monotonic()
            # A session of its own: a Ctrl-C in the terminal reaches the page alone, which then stops the child once.
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
                preexec_fn=lambda: _prepare(parent), env=os.environ | ONE_THREAD,
            )  # fmt: skip
            if self._stopping.is_set():
                self.process.send_signal(signal.SIGINT)
            self._wait(self.process)
            if self._stopping.is_set() or self.process.returncode == 0:  # 0: the league is over
                return
            pause = FIRST_PAUSE if time.monotonic() - begun > SOON else min(LONGEST_PAUSE, 2 * pause)
            logging.getLogger(__name__).error(
                "the process that plays ended (%s); it starts again in %.0f s", self.process.returncode, pause
            )
            self._stopping.wait(pause)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Until it ends; one that does not end when asked is killed."""
        while process.poll() is None:
            if self._stopping.is_set():
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
            else:
                try:
                    process.wait(1.0)
                except subprocess.TimeoutExpired:
                    continue


def _prepare(parent: int) -> None:
    """Before the child runs. A server that a shell started in the background ignores Ctrl-C; the child must not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent(parent)
