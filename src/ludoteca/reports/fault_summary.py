"""Faults of agents and replayed matches, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.agents.tracebacks import in_brief
from ludoteca.messages import Message, joined, say_count
from ludoteca.play.record import Record
from ludoteca.players.faults import FaultTally

LONGEST = 300
"""Longer messages are cut; `ludoteca replay` shows them in full."""


def fault_lines(faults: Iterable[tuple[str, FaultTally]]) -> list[Message]:
    r"""A line for each agent and kind of fault: how many, and the message of the first.

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
    """The message in one line: what went wrong, and where in the player's file."""
    line = in_brief(message)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def replay_note(record: Record) -> Message | None:
    """Says that a match was replayed because the machine caused its time-out; None for any other match."""
    if record.before is None:
        return None
    return say_count(
        "This match was replayed. The first time, an agent ran out of time after {count} move because the machine was "
        "busy, so only this second match counts.",
        "This match was replayed. The first time, an agent ran out of time after {count} moves because the machine was "
        "busy, so only this second match counts.",
        len(record.before.actions),
    )
