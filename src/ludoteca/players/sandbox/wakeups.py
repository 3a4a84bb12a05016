"""The sockets with which asyncio wakes an event loop, made before the filter refuses new ones.

The kernel numbers pipes and sockets for the whole machine, and `fstat` shows the number: who may make thousands of them
in one match can leave a number for the next. So a sandbox has a few pairs from its start, and each event loop gets
duplicates of one.
"""

from __future__ import annotations

import itertools
import socket
from typing import Any

PAIRS = 4
"""More event loops than this at once share pairs."""


class Wakeups:
    """Pairs of connected sockets for this process."""

    def __init__(self) -> None:
        self._pairs = [socket.socketpair() for _ in range(PAIRS)]
        self._turns = itertools.cycle(self._pairs)
        self.fds = [end.fileno() for pair in self._pairs for end in pair]

    def install(self) -> None:
        """Makes `socket.socketpair` return them; with arguments it does what it did."""
        unchanged = socket.socketpair

        def socketpair(*arguments: Any, **named: Any) -> tuple[socket.socket, socket.socket]:
            if arguments or named:
                return unchanged(*arguments, **named)
            one, other = next(self._turns)
            return one.dup(), other.dup()

        socket.socketpair = socketpair
