from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import Record
from ludoteca.adapters.formats import jsonl
from tests.adapters.matches import records

SCHEMA = json.loads(resources.files("ludoteca.play").joinpath("record.schema.json").read_text(encoding="utf-8"))
GOOD = ludoteca.Match.of_spec("hex:size=2", 0, [0, 2, 1]).record().to_json()


@given(st.lists(records(), max_size=3))
def test_records_come_back_and_fit_the_schema(matches: list[Record]) -> None:
    text = jsonl.write(matches)
    assert jsonl.read(text) == matches
    for line in text.splitlines() if matches else []:
        jsonschema.validate(json.loads(line), SCHEMA)


def changed(**fields: object) -> str:
    return json.dumps(json.loads(GOOD) | fields)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "it is no JSON; the first odd character is number 2"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "it is JSON, but no object"),
        ("{}", "it lacks version, game, seed, actions"),
        (changed(version=4, exchanged=[1]), "another version of Ludoteca wrote it (its format is 4"),
        (changed(actions=[0, "1"]), "'1' is not a whole number"),
        (changed(actions=[0, 0]), "cannot be replayed: 'a1' (action 0) is not legal"),
        (changed(actions=[99]), "cannot be replayed"),
        (changed(game="chess"), "cannot be replayed: no game is called 'chess'"),
        (changed(seed=2**63), "is not a whole number"),
        (changed(movers=[0, 0, 1]), "its movers are 0, 0, 1, and by the rules 0, 1, 0"),
        (changed(actions=[0], movers=[0]), "it says 'finished', and by the rules the match is not over"),
        (changed(ending="unfinished"), "it says 'unfinished', and by the rules the match is over"),
        (changed(returns=[-1, 1]), "its returns are -1.0, 1.0, and by the rules 1.0, -1.0"),
        (changed(limit="soon"), "cannot be replayed"),
    ],
)
def test_what_cannot_be_read_is_explained(line: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidFile) as caught:
        jsonl.read(f"{GOOD}\n\n{line}\n{GOOD}\n")
    assert str(caught.value).startswith("line 3 is no record: ")
    assert complaint in str(caught.value)
