"""What agents did wrong, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.agents.tracebacks import in_brief
from ludoteca.messages import Message, joined
from ludoteca.players.faults import FaultTally

__all__ = ["fault_lines"]

LONGEST = 300
"""Characters of a fault's message; `ludoteca replay` shows all of it."""


def fault_lines(faults: Iterable[tuple[str, FaultTally]]) -> list[Message]:
    r"""For each agent by its name a line for every kind of its faults: how many, and what was said of the first.

    >>> from ludoteca.players.faults import Ending
    >>> tally = FaultTally()
    >>> for _ in range(2):
    ...     tally.add(Ending.error, "ValueError: no such cell")
    >>> fault_lines([("mine.Player", tally), ("random", FaultTally())])
    ['mine.Player: 2 × error: ValueError: no such cell']
    >>> tally = FaultTally()
    >>> tally.add(Ending.error, "solution.py, line 8, in play: return 1 / 0\nZeroDivisionError: division by zero")
    >>> fault_lines([("Ana", tally)])
    ['Ana: 1 × error: ZeroDivisionError: division by zero (solution.py, line 8, in play: return 1 / 0)']
    """
    lines = []
    for agent, tally in faults:
        for ending, count in tally.counts.items():
            parts = [agent, joined([f"{count} ×", ending.words], " "), _reason(tally.messages[ending])]
            lines.append(joined(filter(None, parts), ": "))
    return lines


def _reason(message: str) -> str:
    """What can be read in one line: what went wrong and where in the player's file, to be translated if it can be."""
    line = in_brief(message)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
