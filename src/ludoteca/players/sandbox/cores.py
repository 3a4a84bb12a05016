"""The cores on which sandboxes run: one per pool, so that both players of a match share one core.

Each playing process reserves a core that no other one uses. The reservation is an abstract Unix socket bound to a name,
so it ends with the process and leaves no file.
"""

from __future__ import annotations

import itertools
import os
import random
import socket

NAME = "\0ludoteca core {core}"


class Cores:
    """Reserves `count` of the cores that this process may use; cores repeat when there are too few. Close it."""

    def __init__(self, count: int) -> None:
        allowed = [*os.sched_getaffinity(0)]
        random.SystemRandom().shuffle(allowed)  # processes in other containers do not see our names
        self._reservations: list[socket.socket] = []
        self.cores: list[int] = []
        for core in allowed:
            if len(self.cores) < count and (reserved := _reserve(core)) is not None:
                self._reservations.append(reserved)
                self.cores.append(core)
        more = itertools.cycle(allowed)  # these are shared with others
        while len(self.cores) < count:
            self.cores.append(next(more))
        self._turns = itertools.cycle(self.cores)

    def next(self) -> int:
        """The core for a new sandbox."""
        return next(self._turns)

    def close(self) -> None:
        """Ends the reservations."""
        while self._reservations:
            self._reservations.pop().close()


def _reserve(core: int) -> socket.socket | None:
    reserved = socket.socket(socket.AF_UNIX)
    try:
        reserved.bind(NAME.format(core=core))
    except OSError:
        reserved.close()
        return None
    return reserved
