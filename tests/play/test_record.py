"""Records come back as they were written, and fit the published schema."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.messages import printable, say
from ludoteca.play.match import Match
from ludoteca.play.record import VERSION, Record, Who
from ludoteca.players.faults import Ending, Usage
from ludoteca.protocols import Decision, Reason

SCHEMA = json.loads(resources.files("ludoteca.play").joinpath("record.schema.json").read_text())
VALUES = st.floats(-1, 1)
NOTES = st.text(max_size=20).map(printable) | st.builds(
    lambda count: say("{count} points", count=count), st.integers(0, 9)
)
DECISIONS = st.none() | st.builds(
    Decision,
    st.just(0),
    value=st.none() | VALUES,
    scores=st.dictionaries(st.integers(0, 8), VALUES.map(lambda score: float(f"{score:.4g}")), max_size=3),
    line=st.lists(st.integers(0, 8), max_size=3).map(tuple),
    note=NOTES,
    nodes=st.integers(0, 10**9),
    depth=st.integers(0, 64),
    proven=st.booleans(),
    reasons=st.lists(st.builds(Reason, NOTES, st.lists(st.integers(0, 8), max_size=3).map(tuple)), max_size=3).map(
        tuple
    ),
)
WHO = st.just(Who()) | st.builds(
    Who,
    st.builds(
        Identity, st.sampled_from(["random", "astar:depth=4", "a/b.py:X"]), st.sampled_from(["", "1f3a9c20" * 4])
    ),
    st.integers(0, 2**53),
)
USAGES = st.builds(Usage, st.floats(0, 10), st.floats(0, 10))
RECORDS = st.builds(
    Record,
    game=st.just("hex:size=3"),
    seed=st.integers(0, 2**53),
    seats=st.tuples(WHO, WHO),
    actions=st.just((0, 0)),
    movers=st.just((0, 1)),
    start=st.sampled_from(["", "0: 3-1"]),
    opening=st.integers(0, 2),
    side_swaps=st.sampled_from([(), (1,)]),
    helped=st.booleans(),
    limit=st.sampled_from(["", "1s", "20n,60s/match"]),
    seconds=st.tuples(st.floats(0, 10), st.floats(0, 10)),
    decisions=st.just(()) | st.tuples(DECISIONS, DECISIONS),
    returns=st.sampled_from([(1.0, -1.0), (0.0, 0.0)]),
    ending=st.sampled_from(list(Ending)),
    fault=st.sampled_from([None, 0, 1]),
    message=NOTES,
    digest=st.sampled_from(["", "0123456789abcdef"]),
    usage=st.just(()) | st.tuples(st.none() | USAGES, st.none() | USAGES),
)


@given(RECORDS)
def test_what_is_written_is_read_and_fits_the_schema(record: Record) -> None:
    text = record.to_json()
    assert Record.from_json(text) == record
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(text))
    for before, after in zip(record.decisions, Record.from_json(text).decisions, strict=True):
        if before is not None and after is not None:
            assert type(before.note) is type(after.note), "a note keeps its template"


@given(RECORDS)
def test_a_record_holds_the_first_try_of_its_match(record: Record) -> None:
    twice = replace(record, before=record)
    assert Record.from_json(twice.to_json()) == twice
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(twice.to_json()))


def test_the_schema_refuses_what_is_no_record() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    good = json.loads(Record("hex", 1, (Who(), Who(Identity("random", "12345678" * 4), 3))).to_json())
    validator.validate(good)
    for wrong in (
        {"version": 2},
        {"seats": [{"person": True}]},
        {"seats": [{"person": True}, {"agent": ""}]},
        {"ending": "lost"},
        {"returns": [2, -2]},
        {"movers": [2]},
        {"colour": "red"},
    ):
        assert not validator.is_valid(good | wrong), wrong


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        "{",
        "null",
        '{"version": 99}',
        f'{{"version": {VERSION}}}',
        '{"game": "hex"}',
    ],
)
def test_what_is_no_record_is_refused(damage: str) -> None:
    with pytest.raises(ValueError, match="this is not a record of a match"):
        Record.from_json(damage)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("actions", [True]),
        ("actions", [-1]),
        ("actions", ["0"]),
        ("seed", 2**70),
        ("game", 7),
        ("fault", 2),
        ("seats", [{"agent": 1}, {"person": True}]),
        ("decisions", [{"scores": {"x": 1}}]),
        ("message", {"template": "{x.__class__}", "fields": {"x": 1}}),
    ],
)
def test_fields_of_the_wrong_kind_are_refused(field: str, value: object) -> None:
    fields = json.loads(Record("hex:size=3", 1, (Who(), Who()), (4,), (0,)).to_json()) | {field: value}
    with pytest.raises(ValueError, match="this is not a record of a match"):
        Record.from_json(json.dumps(fields))


def test_who_made_each_action_is_known_after_the_seats_were_exchanged() -> None:
    agent = Who(Identity("random", "12345678"), 5)
    match = Match(ludoteca.game("hex:size=3"), 1, [4, 0], seats=(Who(), agent))
    match.swap_sides()
    match.play(1)
    record = match.record()
    assert record.seats == (agent, Who())
    assert [record.who(ply) for ply in range(3)] == [Who(), agent, agent]
    assert [record.final_seat(ply) for ply in range(3)] == [match.final_seat(ply) for ply in range(3)] == [1, 0, 0]
    assert Match.of_record(record).record() == record
    assert match.before(1).seats == (Who(), agent)
