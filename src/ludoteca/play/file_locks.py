"""Files that say that somebody is alive: the kernel unlocks them when their holder dies, however it dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import IO

__all__ = ["abandoned", "locked"]

ATTEMPTS, PAUSE = 3, 0.05  # seconds: whoever only asks whether somebody is alive holds the file for a moment


def locked(path: Path) -> IO[str] | None:
    """The file, made, emptied and locked until it is closed; None if somebody else has it."""
    refused = 0
    while True:
        handle = path.open("w")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.close()
            refused += 1
            if refused == ATTEMPTS:
                return None
            time.sleep(PAUSE)
            continue
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(handle.fileno()).st_ino == path.stat().st_ino:
                return handle
        handle.close()  # the last holder removed the file just before we had it: try again


def abandoned(handle: IO[bytes]) -> bool:
    """Whether nobody holds this open file locked, so that whoever wrote it is gone."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
