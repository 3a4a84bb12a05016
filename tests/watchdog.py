"""When a run of the tests ends, even by Ctrl-C or ``kill -9``, every process that it started ends too.

Each process of a run inherits an environment variable with the run's name. A watchdog of the run, which has another
environment, waits for the main process of pytest to end and then kills every process that carries the name: workers,
servers, browsers, and what has left its session or its parent.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from pathlib import Path

VARIABLE = "LUDOTECA_TEST_RUN"


def start() -> None:
    """Names this run and starts its watchdog."""
    name = os.environ[VARIABLE] = uuid.uuid4().hex
    command = [sys.executable, "-I", "-S", __file__, str(os.getpid()), f"{VARIABLE}={name}"]
    subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, env={}).returncode = 0  # never awaited


def processes_with(setting: str) -> list[int]:
    """The numbers of the processes that were started with ``NAME=value`` in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:  # it has ended, or belongs to another user
            continue
        if setting.encode() in environment.split(b"\0"):
            found.append(int(folder.name))
    return found


def watch(process: int, setting: str) -> None:
    """Kills every process with this setting once `process` has ended."""
    with suppress(ProcessLookupError):  # it may have ended before we came to watch it
        select.select([os.pidfd_open(process)], [], [])
    while left := processes_with(setting):  # again, as one may have started another meanwhile
        for number in left:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue


if __name__ == "__main__":
    watch(int(sys.argv[1]), sys.argv[2])
