"""OpenSpiel without the lines that its C++ code writes to standard error.

Before it raises SpielError it writes ``OpenSpiel exception: …`` there. We turn the error into a message of our own, so
people must not read it twice.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from typing import Final

STDERR: Final = 2
OPENSPIEL: Final = b"OpenSpiel exception: "
LARGEST: Final = 65_536
"""Bytes that a pipe holds."""
_lock = threading.RLock()
_open = 0
"""How many `quiet` blocks are open: only the outermost one redirects."""


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Inside it, OpenSpiel writes nothing to standard error; what others write there meanwhile appears afterwards."""
    global _open
    with _lock:
        if _open:
            yield
            return
        try:
            before = os.dup(STDERR)
        except OSError:  # this process has no standard error
            yield
            return
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        os.dup2(writer, STDERR)
        os.close(writer)
        _open += 1
        try:
            yield
        finally:
            _open -= 1
            os.dup2(before, STDERR)
            os.close(before)
            with open(reader, "rb") as pipe:
                lines = pipe.read(LARGEST).splitlines(keepends=True)
            others = b"".join(line for line in lines if not line.startswith(OPENSPIEL))
            if others:
                os.write(STDERR, others)
