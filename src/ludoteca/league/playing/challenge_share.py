"""How much of the playing time challenges get, so that no number of them keeps the league from playing."""

from __future__ import annotations

SHARE = 0.25
"""Of the players' time, at most, for challenges."""
MOST_CREDIT = 60.0
"""Seconds of challenges that may be saved up while there are none."""


class ChallengeShare:
    """Counts players' seconds, not matches: a challenge between two slow players costs what it takes."""

    def __init__(self) -> None:
        self._credit = 0.0
        self._unfinished: set[int] = set()
        """The pairs of challenges that are being played."""

    def allows(self, workers: int) -> bool:
        """Whether a pair of a challenge may be given out now, among so many workers."""
        return self._credit > 0 and len(self._unfinished) < max(1, int(SHARE * workers))

    def begin(self, pair: int) -> None:
        """Count a pair of a challenge that is given out."""
        self._unfinished.add(pair)

    def spend(self, seconds: float, *, challenge: bool) -> None:
        """Count a finished match."""
        if challenge:
            self._credit -= seconds
        else:
            self._credit = min(MOST_CREDIT, self._credit + seconds * SHARE / (1 - SHARE))

    def end(self, pair: int) -> None:
        """Count that a pair of a challenge is over."""
        self._unfinished.discard(pair)
