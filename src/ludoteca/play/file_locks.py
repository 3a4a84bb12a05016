"""Lock files that show whether their holder is alive: the kernel unlocks them when the holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path
from typing import IO

ATTEMPTS, PAUSE = 3, 0.05  # seconds: a process that only calls `abandoned` holds the lock for a moment


def locked(path: Path) -> IO[str] | None:
    """Create, empty and lock a file until it is closed; None if another process holds it."""
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
        handle.close()  # its last holder deleted the file before we locked it: try again


def abandoned(handle: IO[bytes]) -> bool:
    """Whether no process holds the lock of this open file, so that its writer is gone."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
