"""How the benches count: work per CPU second, ours and theirs in turns, so that a busy machine slows both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5
"""How often ours and theirs take turns; the best of each counts, as noise only ever slows down."""

Work = Callable[[], int]
"""Does a fixed piece of work and says how many units it was."""


@dataclass(frozen=True)
class Row:
    """One comparison: units per CPU second, and the ratio that was aimed at."""

    what: str
    unit: str
    ours: float
    theirs: float | None
    peer: str
    target: str
    """In words, as the table shows it: at least 18 times, 5 million a second…"""

    @property
    def ratio(self) -> float | None:
        """How many times faster ours is."""
        return None if self.theirs is None else self.ours / self.theirs


def side_by_side(
    what: str, unit: str, ours: Work, theirs: Work | None = None, *, peer: str = "", target: str = ""
) -> Row:
    """Runs both in turns in this process and keeps the best CPU rate of each."""
    best_ours, best_theirs = 0.0, 0.0
    for _ in range(ROUNDS):
        best_ours = max(best_ours, _rate(ours))
        if theirs is not None:
            best_theirs = max(best_theirs, _rate(theirs))
    return Row(what, unit, best_ours, best_theirs if theirs is not None else None, peer, target)


def _rate(work: Work) -> float:
    start = time.process_time()
    units = work()
    return units / (time.process_time() - start)


def markdown(rows: list[Row]) -> str:
    """The rows as a table for a terminal and for docs/performance.md alike."""
    lines = ["| what | ours | theirs | ratio | aimed at |", "|---|---:|---:|---:|---|"]
    for row in rows:
        theirs = "" if row.theirs is None else f"{row.theirs:,.0f}/s ({row.peer})"
        ratio = "" if row.ratio is None else f"**{row.ratio:,.1f}×**"
        lines.append(f"| {row.what} | {row.ours:,.0f} {row.unit}/s | {theirs} | {ratio} | {row.target} |")
    return "\n".join(lines)
