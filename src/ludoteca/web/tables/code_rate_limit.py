"""How often codes may be mistyped: short codes are safe as long as nobody can try many of them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from ludoteca.messages import say
from ludoteca.web.errors import InvalidTable

__all__ = ["CodeRateLimit"]

MOST, WITHIN = 60, 60.0
"""So many wrong codes of all visitors together within so many seconds: of 31⁸ codes that finds none in a lifetime."""


class CodeRateLimit:
    """Counts wrong codes. All visitors together: a cookie costs nothing, so each could be a new one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=MOST)

    def check(self) -> None:
        """Raises InvalidTable while there have been too many."""
        if len(self._wrong) == MOST and self._clock() - self._wrong[0] < WITHIN:
            raise InvalidTable(say("too many wrong codes were typed just now; please try again in a minute"))

    def wrong(self) -> None:
        """Another one."""
        self._wrong.append(self._clock())
