"""What agents did wrong, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.messages import Message, joined
from ludoteca.players.faults import FaultTally

__all__ = ["fault_lines"]

LONGEST = 300
"""Characters of a fault's message; `ludoteca replay` shows all of it."""


def fault_lines(faults: Iterable[tuple[str, FaultTally]]) -> list[Message]:
    """For each agent by its name a line for every kind of its faults: how many, and what was said of the first.

    >>> tally = FaultTally()
    >>> for _ in range(2):
    ...     tally.add(Ending.error, "ValueError: no such cell")
    >>> fault_lines([("mine.Player", tally), ("random", FaultTally())])
    ['mine.Player: 2 × error: ValueError: no such cell']
    """
    lines = []
    for agent, tally in faults:
        for ending, count in tally.counts.items():
            parts = [agent, joined([f"{count} ×", ending.words], " "), _first_line(tally.messages[ending])]
            lines.append(joined(filter(None, parts), ": "))
    return lines


def _first_line(message: str) -> str:
    """What can be read in one line: all of it, to be translated, or the beginning of it as it is."""
    line = next((each for each in message.splitlines() if each.strip()), "").strip()
    if line == message and len(line) <= LONGEST:
        return message
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
