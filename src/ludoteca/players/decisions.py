"""What an agent says, understood or refused; the same words for agents here and in processes of their own."""

from __future__ import annotations

import functools
import json
import math
import operator
from collections.abc import Mapping
from itertools import islice
from typing import Any

from ludoteca.agents.tracebacks import shown
from ludoteca.messages import from_json, say, to_json
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action, Decision

__all__ = ["LINE", "NOTE", "decode", "encode", "to_decision"]

LINE = 200
"""Actions that the line of a decision may have."""
NOTE = 600
"""Characters that its note may have."""
MOST = 2**53
"""Nodes and depths from here on are nonsense; JSON holds everything below exactly."""
DIGITS = 16
"""That the numbers below `MOST` have at most."""


def to_decision(choice: object, num_actions: int) -> Decision:
    """The decision in whatever an agent returned, made of nothing but Python's own numbers and texts.

    NumPy's numbers are welcome. What decides nothing is left out where it is not of its form: a value or scores that
    are no finite numbers, actions that do not exist, nodes and depths below nothing; and it is cut where it is too
    long. Raises Fault for what is neither a Decision nor a whole number.
    """
    if type(choice) is int:
        return _plain(choice)
    if not isinstance(choice, Decision):
        return Decision(_action(choice, say("act returned")))
    return Decision(
        _action(choice.action, say("act returned a Decision whose action is")),
        value=_number(choice.value),
        scores=_scores(choice.scores, num_actions),
        line=_line(choice.line, num_actions),
        note=_note(choice.note),
        nodes=_count(choice.nodes),
        depth=_count(choice.depth),
        proven=choice.proven is True,
    )


@functools.lru_cache(maxsize=4096)
def _plain(action: Action) -> Decision:
    """A decision that says no more than its action; to make it anew costs more than most referees' whole turn."""
    return Decision(action)


def encode(decision: Decision) -> bytes:
    """An understood decision as JSON, what is empty left out; of one that says no more than its action, the number."""
    if 0 <= decision.action < MOST and decision is _plain(decision.action):
        return b"%d" % decision.action
    parts: dict[str, Any] = {"action": decision.action}
    if decision.value is not None:
        parts["value"] = decision.value
    if decision.scores:
        parts["scores"] = list(decision.scores.items())
    if decision.line:
        parts["line"] = decision.line
    if decision.note:
        parts["note"] = to_json(decision.note)
    if decision.nodes:
        parts["nodes"] = decision.nodes
    if decision.depth:
        parts["depth"] = decision.depth
    if decision.proven:
        parts["proven"] = True
    return json.dumps(parts).encode()


def decode(data: bytes, num_actions: int) -> Decision:
    """The decision that another process sent, checked as `to_decision` does; nothing in it is believed.

    Raises ValueError for what is neither a JSON object nor a number, and Fault for an object without an action.
    """
    if data.isdigit() and len(data) <= DIGITS:
        return _plain(int(data))
    try:
        parts = json.loads(data)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    if not isinstance(parts, dict):
        raise ValueError(f"JSON of type {type(parts).__name__}")
    action = parts.get("action")
    if type(action) is not int:
        raise Fault(Ending.illegal, say("the agent's process answered with no action but {what}", what=shown(action)))
    scores = parts.get("scores")
    try:
        scores = dict(scores) if isinstance(scores, list) else {}
    except (TypeError, ValueError):
        scores = {}
    return Decision(
        action,
        value=_number(parts.get("value")),
        scores=_scores(scores, num_actions),
        line=_line(parts.get("line"), num_actions),
        note=_note(_said(parts.get("note"))),
        nodes=_count(parts.get("nodes")),
        depth=_count(parts.get("depth")),
        proven=parts.get("proven") is True,
    )


def _action(choice: object, said: str) -> Action:
    if not isinstance(choice, bool) and type(choice).__name__ != "bool":  # nor NumPy's
        try:
            return operator.index(choice)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise Fault(
        Ending.illegal,
        say(
            "{returned} {what} of type {kind}, which is no action; an action is a whole number",
            returned=said,
            what=shown(choice),
            kind=type(choice).__name__,
        ),
    )


def _number(value: object) -> float | None:
    """A finite number, else None."""
    if type(value) is not float:
        if isinstance(value, str) or not hasattr(value, "__float__"):
            return None
        try:
            value = float(value)
        except (TypeError, ValueError, OverflowError):
            return None
    return value if math.isfinite(value) else None


def _scores(scores: object, num_actions: int) -> dict[Action, float]:
    if not isinstance(scores, Mapping):
        return {}
    found = {}
    for key, score in islice(scores.items(), num_actions):
        action, number = _existing(key, num_actions), _number(score)
        if action is not None and number is not None:
            found[action] = number
    return found


def _line(line: object, num_actions: int) -> tuple[Action, ...]:
    """The actions up to the first that does not exist: what comes after it makes no sense."""
    if isinstance(line, str | bytes):
        return ()
    found: list[Action] = []
    try:
        for each in islice(line, LINE):  # type: ignore[call-overload]
            action = _existing(each, num_actions)
            if action is None:
                break
            found.append(action)
    except TypeError:
        return ()
    return tuple(found)


def _existing(action: object, num_actions: int) -> Action | None:
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if 0 <= number < num_actions else None


def _note(note: object) -> str:
    if not isinstance(note, str):
        return ""
    return note if len(note) <= NOTE else f"{note[: NOTE - 1]}…"


def _said(value: object) -> str:
    try:
        return from_json(value)
    except ValueError:
        return ""


def _count(count: object) -> int:
    try:
        number = operator.index(count)  # type: ignore[arg-type]
    except TypeError:
        return 0
    return number if 0 < number < MOST else 0
