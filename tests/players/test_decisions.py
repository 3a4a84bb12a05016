"""Decisions are checked, encoded and decoded; every field of a received decision is checked."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.messages import Message, printable, say, say_count
from ludoteca.players.decisions import (
    BYTES_PER_SCORE,
    MAX_BYTES,
    MAX_LINE,
    MAX_NOTE,
    MAX_PLACES,
    MAX_REASON,
    MAX_REASONS,
    MAX_SCORES,
    decode,
    encode,
    to_decision,
)
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes.wire import MAX_PAYLOAD
from ludoteca.protocols import Decision, Reason

ACTIONS = 20

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=8,
)
DECISIONS = st.builds(
    Decision,
    st.integers(0, ACTIONS - 1),
    value=st.none() | st.floats(-1, 1),
    scores=st.dictionaries(st.integers(0, ACTIONS - 1), st.floats(-1e6, 1e6), max_size=ACTIONS),
    line=st.lists(st.integers(0, ACTIONS - 1), max_size=MAX_LINE).map(tuple),
    note=st.text(max_size=60).map(printable),
    nodes=st.integers(0, 2**52),
    depth=st.integers(0, 100),
    proven=st.booleans(),
    reasons=st.lists(
        st.builds(Reason, st.text(max_size=40).map(printable), st.lists(st.integers(0, ACTIONS - 1)).map(tuple)),
        max_size=MAX_REASONS,
    ).map(tuple),
)


@given(DECISIONS)
def test_a_decision_arrives_as_it_was_sent(decision: Decision) -> None:
    assert to_decision(decision, ACTIONS) == decision
    assert decode(encode(decision), ACTIONS) == decision


def test_a_note_arrives_with_its_template_and_fields() -> None:
    inner = say_count("{count} action", "{count} actions", 3)
    note = decode(encode(Decision(1, note=say("after {what} I am {far:.1f} away", what=inner, far=2.0))), ACTIONS).note
    assert note == "after 3 actions I am 2.0 away"
    assert isinstance(note, Message)
    assert note.template == "after {what} I am {far:.1f} away"
    field = note.fields["what"]
    assert isinstance(field, Message) and field.plural == "{count} actions"


@given(
    st.dictionaries(st.sampled_from(["action", "value", "scores", "line", "note", "nodes", "depth", "reasons"]), JSON)
)
def test_whatever_is_sent_a_decision_is_of_its_form(parts: dict[str, Any]) -> None:
    try:
        decision = decode(json.dumps(parts).encode(), ACTIONS)
    except Fault:
        assert type(parts.get("action")) is not int
        return
    assert type(decision.action) is int
    assert decision.value is None or (type(decision.value) is float and math.isfinite(decision.value))
    assert all(0 <= action < ACTIONS and math.isfinite(score) for action, score in decision.scores.items())
    assert len(decision.line) <= MAX_LINE and all(0 <= action < ACTIONS for action in decision.line)
    assert isinstance(decision.note, str) and len(decision.note) <= MAX_NOTE
    assert decision.nodes >= 0 and decision.depth >= 0
    assert len(decision.reasons) <= MAX_REASONS
    assert all(len(reason.text) <= MAX_REASON and len(reason.places) <= MAX_PLACES for reason in decision.reasons)
    assert all(0 <= action < ACTIONS for reason in decision.reasons for action in reason.places)


@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
def test_what_is_no_decision_is_refused(data: bytes) -> None:
    try:
        decode(data, ACTIONS)
    except (ValueError, Fault):
        pass
    else:
        assert isinstance(json.loads(data), dict)


def test_scores_and_lines_lose_what_does_not_exist() -> None:
    sent = b'{"action": 3, "scores": [[0, 0.5], [99, 1.0], ["1", 2], [2, NaN], [4, 1e999]], "line": [3, 4, -1, 5]}'
    decision = decode(sent, ACTIONS)
    assert decision.scores == {0: 0.5}
    assert decision.line == (3, 4)


@pytest.mark.parametrize("actions", [2, 50, 362, 5000])
def test_the_longest_decision_arrives_and_a_longer_one_does_not(actions: int) -> None:
    """So the work of reading a reply, and the size of a record, is limited by the game."""
    number = -1.2345678901234567e-300
    longest = to_decision(
        Decision(
            actions - 1,
            value=number,
            scores=dict.fromkeys(range(actions), number),
            line=(actions - 1,) * 1000,
            note="😀" * 1000,
            nodes=2**53 - 1,
            depth=2**53 - 1,
            proven=True,
            reasons=[Reason("😀" * 1000, (actions - 1,) * 1000)] * 10,
        ),
        actions,
    )
    assert len(longest.scores) == min(actions, MAX_SCORES)
    data = encode(longest)
    assert decode(data, actions) == longest
    assert len(data) < MAX_PAYLOAD
    with pytest.raises(ValueError, match="a decision of"):
        decode(data[:-1] + b" " * (MAX_BYTES + BYTES_PER_SCORE * actions) + b"}", actions)


def test_numpy_is_understood() -> None:
    said = Decision(
        np.int64(3),  # type: ignore[arg-type]
        value=np.float32(0.5),  # type: ignore[arg-type]
        scores={np.int32(1): np.float64(0.25)},  # type: ignore[dict-item]
        line=np.array([3, 4]),  # type: ignore[arg-type]
        nodes=np.uint8(7),  # type: ignore[arg-type]
    )
    understood = to_decision(said, ACTIONS)
    assert understood == Decision(3, value=0.5, scores={1: 0.25}, line=(3, 4), nodes=7)
    assert type(understood.value) is float and type(understood.action) is int
    assert to_decision(np.int16(5), ACTIONS) == Decision(5)


@pytest.mark.parametrize("choice", [None, "a1", True, np.True_, 1.0, [1], Decision("x")])  # type: ignore[arg-type]
def test_what_is_no_action_is_a_fault(choice: object) -> None:
    with pytest.raises(Fault, match="which is no action; an action is a whole number") as caught:
        to_decision(choice, ACTIONS)
    assert caught.value.ending is Ending.illegal


@pytest.mark.parametrize("action", [0, 7, -1, 2**53 - 1, 2**53, 10**30, -(10**30)])
def test_an_action_alone_arrives_whatever_number_it_is(action: int) -> None:
    assert decode(encode(to_decision(action, ACTIONS)), ACTIONS) == Decision(action)
