"""What an agent says, understood or refused; the same words for agents here and in processes of their own."""

from __future__ import annotations

import math
import operator
import re
import traceback
from dataclasses import dataclass
from pathlib import PurePath

from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action, Decision

__all__ = ["Answer", "explain", "understand"]

FRAMES = 3
"""How many of the innermost calls a message about an exception names."""
LONGEST = 600
"""Characters that a message may have."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the record keeps of a decision."""

    action: Action
    value: float | None = None
    nodes: int = 0


def understand(choice: object) -> Answer:
    """The answer in whatever `act` returned. Raises Fault for what is neither a Decision nor a whole number.

    NumPy's whole numbers are welcome. A value that is no number and nodes that are none are left out: they decide
    nothing.
    """
    if type(choice) is int:
        return Answer(choice)
    if not isinstance(choice, Decision):
        return Answer(_whole(choice, "act returned"))
    value = choice.value
    if value is not None:
        value = float(value) if hasattr(value, "__float__") else math.nan
        value = value if math.isfinite(value) else None
    nodes = choice.nodes if isinstance(choice.nodes, int) and choice.nodes > 0 else 0
    return Answer(_whole(choice.action, "act returned a Decision whose action is"), value, nodes)


def _whole(choice: object, said: str) -> int:
    if not isinstance(choice, bool) and type(choice).__name__ != "bool":  # nor NumPy's
        try:
            return operator.index(choice)  # type: ignore[arg-type]
        except TypeError:
            pass
    message = f"{said} {_show(choice)} of type {type(choice).__name__}, which is no action; an action is a whole number"
    raise Fault(Ending.illegal, message)


def _show(value: object) -> str:
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))  # an address would make equal play look different
    return text if len(text) <= 80 else f"{text[:77]}…"


def explain(error: BaseException) -> str:
    """An exception as the last lines of its traceback, the same on every machine: no folders, no addresses."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    lines = [f"{PurePath(frame.filename).name}, line {frame.lineno}, in {frame.name}: {frame.line}" for frame in frames]
    lines.append("".join(traceback.format_exception_only(error)).strip())
    text = re.sub(r" at 0x[0-9a-f]+", "", "\n".join(lines))
    return text if len(text) <= LONGEST else f"…{text[1 - LONGEST :]}"
