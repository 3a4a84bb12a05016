"""The cores on which sandboxes run: one for all of a pool, so that both players of a match have the same, and no more.

A process of ours that plays takes a core that no other one has. It holds it by a name of the kernel's (an abstract
socket, which nobody connects to): that is free again when the process ends, however it ends, and leaves no file.
"""

from __future__ import annotations

import itertools
import os
import random
import socket

__all__ = ["Cores"]

NAME = "\0ludoteca core {core}"


class Cores:
    """So many cores of those that this process may use; the same again where there are not so many. Close it."""

    def __init__(self, count: int) -> None:
        allowed = [*os.sched_getaffinity(0)]
        random.SystemRandom().shuffle(allowed)  # what plays in another container does not see our names
        self._held: list[socket.socket] = []
        self.taken: list[int] = []
        """By their numbers."""
        for core in allowed:
            if len(self.taken) < count and (held := _hold(core)) is not None:
                self._held.append(held)
                self.taken.append(core)
        more = itertools.cycle(allowed)  # somebody has them too
        while len(self.taken) < count:
            self.taken.append(next(more))
        self._turns = itertools.cycle(self.taken)

    def next(self) -> int:
        """The one for a new sandbox."""
        return next(self._turns)

    def close(self) -> None:
        """Gives them back."""
        while self._held:
            self._held.pop().close()


def _hold(core: int) -> socket.socket | None:
    held = socket.socket(socket.AF_UNIX)
    try:
        held.bind(NAME.format(core=core))
    except OSError:
        held.close()
        return None
    return held
