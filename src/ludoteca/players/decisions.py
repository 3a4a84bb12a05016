"""Checks what agents answer, and encodes decisions for the wire."""

from __future__ import annotations

import functools
import json
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from ludoteca.agents.tracebacks import shown
from ludoteca.messages import Message, from_json, printable, say, to_json
from ludoteca.players.faults import Ending, Fault
from ludoteca.protocols import Action, Decision, Reason

MAX_LINE = 200
"""Actions in the line of a decision."""
MAX_SCORES = 4096
"""Actions with a score."""
MAX_NOTE = 600
"""Characters of its note."""
MAX_REASONS, MAX_REASON, MAX_PLACES = 3, 160, 64
"""Reasons of a decision, characters of one, and places on the board of one."""
MAX_TEMPLATE = 2048
"""Bytes of a note or reason with its template and fields; a longer one becomes a plain text."""
MAX_BYTES, BYTES_PER_SCORE = 1 << 14, 48
"""Bytes of an encoded decision without its scores, and for each action with a score."""
MAX_COUNT = 2**53
"""Nodes and depths are smaller than this; JSON holds such numbers exactly."""
MAX_DIGITS = 16
"""Digits of the numbers below `MAX_COUNT`."""
MAX_ACTION = 10**100
"""Larger numbers, which no game has as actions, are not even shown."""


def to_decision(choice: object, num_actions: int) -> Decision:
    """The Decision that an agent returned, or the Decision with the action that it returned.

    Every field becomes a plain Python value; NumPy numbers are accepted. Invalid optional fields are left out: values
    and scores that are not finite, actions that do not exist, negative nodes and depths. Long scores, lines and notes
    are cut. Raises Fault for anything that is neither a Decision nor an integer.
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
        reasons=_reasons(choice.reasons, num_actions),
    )


@functools.lru_cache(maxsize=4096)
def _plain(action: Action) -> Decision:
    """A decision with only an action, cached: building one takes longer than the rest of a referee's turn."""
    return Decision(action)


def encode(decision: Decision) -> bytes:
    """A checked decision as JSON without its empty fields; only the number of the action when there is nothing else."""
    if 0 <= decision.action < MAX_COUNT and decision is _plain(decision.action):
        return b"%d" % decision.action
    scores = list(decision.scores.items())
    return json.dumps({"action": decision.action, **json_fields(decision, scores)}).encode()


def json_fields(decision: Decision, scores: object) -> dict[str, Any]:
    """A decision without its action as a dictionary for JSON, without empty fields. scores: in the form wanted."""
    fields = {
        "value": decision.value,
        "scores": scores,
        "line": list(decision.line),
        "note": to_json(decision.note),
        "nodes": decision.nodes,
        "depth": decision.depth,
        "proven": decision.proven,
        "reasons": [[to_json(each.text), *each.places] for each in decision.reasons],
    }
    return {name: field for name, field in fields.items() if field or (name == "value" and field is not None)}


def decode(data: bytes, num_actions: int) -> Decision:
    """The decision that another process sent, checked like in `to_decision`, with work that its length limits.

    Raises ValueError for what is too long, or neither a JSON object nor a number, and Fault for an object without an
    action.
    """
    if data.isdigit() and len(data) <= MAX_DIGITS:
        return _plain(int(data))
    if len(data) > MAX_BYTES + BYTES_PER_SCORE * min(num_actions, MAX_SCORES):
        raise ValueError(f"a decision of {len(data)} bytes")
    try:
        parts = json.loads(data)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply") from None
    if not isinstance(parts, dict):
        raise ValueError(f"JSON of type {type(parts).__name__}")
    action = parts.get("action")
    if type(action) is not int or not -MAX_ACTION < action < MAX_ACTION:
        raise Fault(Ending.illegal, "the agent's process answered with no action but {what}", what=shown(action))
    return Decision(
        action,
        value=_number(parts.get("value")),
        scores=_pairs(parts.get("scores"), num_actions),
        line=_line(parts.get("line"), num_actions),
        note=_note(_text(parts.get("note"))),
        nodes=_count(parts.get("nodes")),
        depth=_count(parts.get("depth")),
        proven=parts.get("proven") is True,
        reasons=_sent_reasons(parts.get("reasons"), num_actions),
    )


def _action(choice: object, returned: str) -> Action:
    if not isinstance(choice, bool) and type(choice).__name__ != "bool":  # neither Python's nor NumPy's
        try:
            return operator.index(choice)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise Fault(
        Ending.illegal,
        "{returned} {what} of type {kind}, which is no action; an action is a whole number",
        returned=returned,
        what=shown(choice),
        kind=type(choice).__name__,
    )


def _number(value: object) -> float | None:
    """The value if it is a finite number, else None."""
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
    return _existing_scores(islice(scores.items(), num_actions), num_actions)


def _pairs(scores: object, num_actions: int) -> dict[Action, float]:
    """Scores that another process sent. Only numbers of actions become keys, so no keys can be made to collide."""
    if not isinstance(scores, list):
        return {}
    pairs = ((each[0], each[1]) for each in scores if isinstance(each, list) and len(each) == 2)
    return _existing_scores(pairs, num_actions)


def _existing_scores(scores: Iterable[tuple[object, object]], num_actions: int) -> dict[Action, float]:
    found: dict[Action, float] = {}
    for key, score in scores:
        action, number = _existing(key, num_actions), _number(score)
        if action is not None and number is not None and len(found) < MAX_SCORES:
            found[action] = number
    return found


def _line(line: object, num_actions: int) -> tuple[Action, ...]:
    """The actions before the first one that does not exist."""
    if isinstance(line, str | bytes):
        return ()
    found: list[Action] = []
    try:
        for each in islice(line, MAX_LINE):  # type: ignore[call-overload]
            action = _existing(each, num_actions)
            if action is None:
                break
            found.append(action)
    except TypeError:
        return ()
    return tuple(found)


def _reasons(reasons: object, num_actions: int) -> tuple[Reason, ...]:
    """Those before the first that is not a Reason."""
    if not isinstance(reasons, Sequence):
        return ()
    found: list[Reason] = []
    for each in islice(reasons, MAX_REASONS):
        if not isinstance(each, Reason) or not isinstance(each.text, str):
            break
        found.append(Reason(limited(each.text, MAX_REASON), _line(each.places, num_actions)[:MAX_PLACES]))
    return tuple(found)


def _sent_reasons(reasons: object, num_actions: int) -> tuple[Reason, ...]:
    """Reasons that another process sent: lists of a text and the numbers of actions."""
    if not isinstance(reasons, list):
        return ()
    lists = [each for each in reasons[:MAX_REASONS] if isinstance(each, list) and each]
    return _reasons([Reason(_text(each[0]), each[1 : MAX_PLACES + 1]) for each in lists], num_actions)


def _existing(action: object, num_actions: int) -> Action | None:
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if 0 <= number < num_actions else None


def _note(note: object) -> str:
    return limited(note, MAX_NOTE) if isinstance(note, str) else ""


def limited(text: str, longest: int) -> str:
    """A text that an agent sent, printable and cut to so many characters.

    A Message that holds much more than it shows becomes a plain text.
    """
    if len(text) > longest:
        text = f"{text[: longest - 1]}…"
    if isinstance(text, Message):
        return text if len(json.dumps(to_json(text))) <= MAX_TEMPLATE else str(text)
    return printable(text)


def _text(value: object) -> str:
    try:
        return from_json(value)
    except ValueError:
        return ""


def _count(count: object) -> int:
    try:
        number = operator.index(count)  # type: ignore[arg-type]
    except TypeError:
        return 0
    return number if 0 < number < MAX_COUNT else 0
