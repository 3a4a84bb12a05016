"""A rate limit for wrong invitation codes: a short code is safe only if guesses are few."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from ludoteca.messages import say
from ludoteca.web.errors import InvalidTable

__all__ = ["CodeRateLimit"]

MOST, WITHIN = 60, 60.0
"""Wrong codes of all visitors together in so many seconds: so one of 31⁸ codes takes more than a lifetime."""


class CodeRateLimit:
    """Counts the wrong codes of all visitors together: a cookie costs nothing, so each could come from a new one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=MOST)

    def check(self) -> None:
        """Raises InvalidTable while there have been too many wrong codes."""
        if len(self._wrong) == MOST and self._clock() - self._wrong[0] < WITHIN:
            raise InvalidTable(say("too many wrong codes; please try again in a minute"))

    def count_wrong(self) -> None:
        """Counts one more wrong code."""
        self._wrong.append(self._clock())
