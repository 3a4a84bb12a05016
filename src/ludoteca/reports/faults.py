"""What agents did wrong, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.players.faults import FaultTally

__all__ = ["fault_lines"]

LONGEST = 300
"""Characters of a fault's message; `ludoteca replay` shows all of it."""


def fault_lines(faults: Iterable[tuple[str, FaultTally]]) -> list[str]:
    """For each agent by its name a line for every kind of its faults: how many, and what was said of the first.

    >>> tally = FaultTally()
    >>> for _ in range(2):
    ...     tally.add(Ending.error, "ValueError: no such cell")
    >>> fault_lines([("mine.Player", tally), ("random", FaultTally())])
    ['mine.Player: 2 × error: ValueError: no such cell']
    """
    return [
        f"{agent}: {count} × {ending.value}" + (f": {said}" if (said := _first_line(tally.messages[ending])) else "")
        for agent, tally in faults
        for ending, count in tally.counts.items()
    ]


def _first_line(message: str) -> str:
    line = next((each for each in message.splitlines() if each.strip()), "").strip()
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
