"""Leaves a daemon, started in every way there is."""

import os
import subprocess
import sys

from attempts import all_refused, fork


class Leaves:
    def __init__(self, me):
        pass

    def play(self, board):
        all_refused(
            fork,
            lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {}),
            lambda: subprocess.Popen([sys.executable, "-c", "pass"], start_new_session=True),
            lambda: os.execv("/bin/sh", ["sh", "-c", "sleep 1000 &"]),
            fork,
        )
