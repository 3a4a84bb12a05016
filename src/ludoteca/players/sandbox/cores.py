"""The cores on which sandboxes run: one per pool, so that both players of a match share one core.

Each playing process reserves a core that no other one uses. The reservation is an abstract Unix socket bound to a name,
so it ends with the process and leaves no file.
"""

from __future__ import annotations

import itertools
import os
import random
import socket

NAME = "\0ludoteca core {core} {share}"


class Cores:
    """Reserves `count` of the cores that this process may use, those with the fewest reservations. Close it."""

    def __init__(self, count: int) -> None:
        allowed = [*os.sched_getaffinity(0)]
        random.SystemRandom().shuffle(allowed)  # processes in other containers do not see our names
        self._reservations: list[socket.socket] = []
        self.cores: list[int] = []
        for share in itertools.count():
            free = ((core, reserved) for core in allowed if (reserved := _reserve(core, share)) is not None)
            for core, reserved in itertools.islice(free, count - len(self.cores)):
                self._reservations.append(reserved)
                self.cores.append(core)
            if len(self.cores) == count:
                break
        self._turns = itertools.cycle(self.cores)

    def next(self) -> int:
        """The core for a new sandbox."""
        return next(self._turns)

    def close(self) -> None:
        """Ends the reservations."""
        while self._reservations:
            self._reservations.pop().close()


def _reserve(core: int, share: int) -> socket.socket | None:
    """One share of a core; None if another process has it."""
    reserved = socket.socket(socket.AF_UNIX)
    try:
        reserved.bind(NAME.format(core=core, share=share))
    except OSError:
        reserved.close()
        return None
    return reserved
