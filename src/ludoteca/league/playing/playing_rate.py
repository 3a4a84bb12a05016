"""What the playing process measures while it plays: matches an hour, and how long the machine made players wait."""

from __future__ import annotations

from collections import deque

from ludoteca.play.record import Record

WINDOW = 600.0
"""Seconds over which matches an hour are counted."""
HALF_LIFE = 1800.0
"""Seconds after which computing and waiting weigh half."""


class PlayingRate:
    """Counts matches and the resource usage of the players' processes."""

    def __init__(self, now: float) -> None:
        self._count, self._times = 0, deque([(now, 0)])
        self.computed, self.waited = 0.0, 0.0
        """CPU seconds of the players' processes, and seconds that they waited for a core, over about an hour."""

    def add(self, record: Record) -> None:
        """Count a finished match."""
        self._count += 1
        for usage in record.usage:
            if usage is not None:
                self.computed += usage.cpu_seconds
                self.waited += usage.wait_seconds

    def matches_an_hour(self, now: float) -> float:
        """Over the last minutes; call it every few seconds."""
        last, _ = self._times[-1]
        weight = 0.5 ** ((now - last) / HALF_LIFE)
        self.computed, self.waited = weight * self.computed, weight * self.waited
        self._times.append((now, self._count))
        while len(self._times) > 2 and self._times[0][0] < now - WINDOW:
            self._times.popleft()
        then, count = self._times[0]
        return 3600 * (self._count - count) / max(1.0, now - then)
