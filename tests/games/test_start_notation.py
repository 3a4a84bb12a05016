from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.errors import InvalidPosition
from ludoteca.games.start_notation import read_number, read_start, write_start

pytestmark = pytest.mark.no_sanitize

KEYS = ("line", "0", "1", "turn")


@given(st.dictionaries(st.sampled_from(KEYS), st.lists(st.from_regex(r"[a-z0-9-]{1,5}", fullmatch=True), max_size=4)))
def test_what_is_written_is_read_back(parts: dict[str, list[str]]) -> None:
    assert read_start(write_start(parts), KEYS) == parts


def test_case_and_spaces_do_not_matter() -> None:
    assert read_start(" Turn:1 ;LINE : 6-6  6-4;", KEYS) == {"turn": ["1"], "line": ["6-6", "6-4"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deck: 1", "'deck: 1' is no part of a start; these are: line, 0, 1, turn"),
        ("turn 1", "'turn 1' is no part"),
        ("turn: 1; turn: 0", "'turn' is there twice"),
    ],
)
def test_what_is_no_start_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        read_start(text, KEYS)


def test_numbers() -> None:
    assert read_number({"turn": ["1"]}, "turn", 0, 1) == 1
    assert read_number({}, "turn", 0, 1) == 0
    for words in (["2"], ["-1"], [], ["1", "1"], ["one"], ["²"]):
        with pytest.raises(InvalidPosition, match="must be a whole number from 0 to 1"):
            read_number({"turn": words}, "turn", 0, 1)
