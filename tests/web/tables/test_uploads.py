from __future__ import annotations

import contextlib
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import games
from ludoteca.adapters.formats import hexworld, sgf, text
from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.protocols import Decision
from ludoteca.web.tables.uploads import MOST_BYTES, read_address, read_file, write_actions


def played() -> Record:
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity("random", "12345678"), 5), Who()))
    for action in (4, 0, 3, 1, 5):
        match.answer(Decision(action, value=0.5, scores={action: 0.25}, line=(action,), note="so"), 0.5)
    return match.record()


RECORD = played()


def changed(**fields: Any) -> bytes:
    return json.dumps(json.loads(RECORD.to_json()) | fields).encode()


def test_an_address_is_a_match() -> None:
    match = ludoteca.Match(ludoteca.game("dominoes"), 7)
    for _ in range(5):
        assert match.turn is not None
        match.play(match.view(match.turn).legal()[0])
    assert read_address("dominoes", "7", write_actions(match.actions)).actions == match.actions
    assert read_address("hex", "0", "").actions == []


def test_an_address_may_have_a_start() -> None:
    start = "line: 6-6; 0: 6-4 1-0; 1: 3; turn: 0"
    match = ludoteca.Match(ludoteca.game("dominoes"), 7, start=start)
    match.play(match.view(0).legal()[0])
    assert read_address("dominoes", "7", write_actions(match.actions), start) == match
    for game, odd in (("dominoes", "line: 9-9"), ("dominoes", "x" * 3000), ("hex", start), ("dominoes", "0: <script>")):
        with pytest.raises(LudotecaError):
            read_address(game, "7", "", odd)


@pytest.mark.parametrize(
    "parts",
    [("", "1", ""), ("chess", "1", ""), ("hex", "-1", ""), ("hex", "x", ""), ("hex", "9" * 30, ""), ("hex", "1", "0.0"),
     ("hex", "1", "a.b"), ("hex", "1", "999999999"), ("hex", "1", ".."), ("hex" * 999, "1", ""), ("hex", "²", "")],
)  # fmt: skip
def test_odd_addresses_are_refused(parts: tuple[str, str, str]) -> None:
    with pytest.raises(LudotecaError):
        read_address(*parts)


def test_files_of_all_kinds_are_read() -> None:
    assert read_file(RECORD.to_json().encode()) == [RECORD]
    assert len(read_file((RECORD.to_json() + "\n").encode() * 3)) == 3
    (read,) = read_file(sgf.write([RECORD]).encode())
    assert len(read.actions) == len(RECORD.actions) and read.returns == RECORD.returns
    (read,) = read_file(text.write([RECORD]).encode())
    assert (read.actions, read.returns) == (RECORD.actions, RECORD.returns)
    (read,) = read_file(hexworld.write([RECORD]).encode())
    assert read.returns == RECORD.returns


def test_of_what_a_stranger_says_was_thought_only_what_can_be_shown_is_kept() -> None:
    wild = {"value": 1e400, "scores": {"4": 1e400, "99": 1, "5": 0.5}, "line": [5, 4, 99, 3], "note": "x" * 9999}
    (read,) = read_file(changed(decisions=[wild, None, None, None, None]))
    decision = read.decisions[0]
    assert decision is not None and decision.value is None and decision.scores == {5: 0.5} and decision.line == (5, 4)
    assert len(decision.note) < 1000


def test_an_agent_in_a_file_is_a_name_and_nothing_is_opened() -> None:
    for agent in ("dqn:weights=/etc/passwd", "os.system", "/etc/passwd", "<script>"):
        seats = [{"agent": agent, "digest": "", "seed": 1}, {"person": True}]
        (read,) = read_file(changed(seats=seats))
        assert read.seats[0].agent == agent


def test_a_file_of_sgf_keeps_its_coordinates() -> None:
    (read,) = read_file(b"(;FF[4]GM[11]SZ[5]PB[Ana]PW[Bea];B[b1];W[c4];B[e2])")
    game = games.game(read.game)
    assert [game.action_name(action) for action in read.actions] == ["b1", "c4", "e2"]
    assert read.agents == (Identity("Ana"), Identity("Bea"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello", "line 1, column 1: this begins like none of the formats"),
        (b'{"game": ', "line 1 is no record: it is no JSON; the first odd character is number"),
        (b"\x89PNG\r\n\x1a\n", "not UTF-8"),
        (b"[1, 2]", "it is JSON, but no object in braces"),
        (b'{"game": "hex"}', "it lacks version, seed, actions"),
        (changed(game="chess"), "no game is called 'chess'"),
        (changed(actions=[0, 0]), "is not legal"),
        (b"(;GM[1])", "this SGF holds game GM[1], and Hex is GM[11]"),
    ],
)
def test_the_reason_why_a_file_is_refused_is_shown(data: bytes, reason: str) -> None:
    with pytest.raises(LudotecaError, match=re.escape(reason)):
        read_file(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"  \n", b"\xff\xfe\x00", b"hello", b"{}", b"[]", b"null", b"(;GM[1])", b"(" * 100_000, b"[" * 100_000,
     b"x" * (MOST_BYTES + 1), changed(game="chess"), changed(actions=[0, 0]), changed(actions=["a"]), changed(seed="x"),
     changed(seed=-1), changed(seed=2**70), changed(returns=[1]), changed(seats=["a"]), changed(seats=[1, 2]),
     changed(ending="bored"), changed(version=99), changed(seconds=[float("nan")]), changed(actions=[True]),
     changed(game=7), changed(decisions=[7]), changed(decisions=[{"line": ["x"]}]), changed(message={"template": 1}),
     changed(fault=7), changed(start="line: 6-6"),
     changed(seats=[{"agent": "\ud800", "digest": ""}, {"person": True}])],
)  # fmt: skip
def test_bad_files_are_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(LudotecaError) as caught:
        read_file(data)
    assert 0 < len(str(caught.value)) < 800 and "\n" not in str(caught.value)


COLLIDING = {str(number * (2**61 - 1)): 0.5 for number in range(20_000)}
"""Numbers with one hash: a dictionary of so many takes half a minute to build."""


@pytest.mark.parametrize(
    "data",
    [changed(decisions=[{"scores": COLLIDING}] + [None] * 4),
     changed(decisions=[{"note": {"template": "{a}", "fields": {"a": ["x" * 9] * 100_000}}}] + [None] * 4),
     changed(seed=10**4000), b'{"game":"hex","seed":' + b"9" * 1_900_000 + b',"actions":[]}',
     changed(actions=[0] * 600_000), changed(game="hex:size=1000000"), changed(game="horses:size=9999"),
     b'{"a":' * 100_000, b"(;" * 20_000,
     b"(;FF[4]GM[11]SZ[19]" + b";B[a1](" * 20_000, b"(;GM[11]SZ[99999])", b"(;C[" + b"\\]" * 600_000,
     b'[Game "hex"]\n[Seed "1"]\n1. a1' + b" " * 1_900_000 + b"x", b'[Game "hex"]\n' + b'[A "b"]\n' * 200_000,
     b'[Game "openspiel:game=hex(board_size=99999)"]\n[Seed "1"]\n*', b"PK\x03\x04" + b"\0" * 1000,
     b"https://hexworld.org/board/#19c1," + b"a1" * 900_000, b"\n" * 1_999_999 + b"{", b"\xed\xa0\x80" * 1000],
)  # fmt: skip
def test_files_made_to_take_long_are_refused_at_once(data: bytes) -> None:
    """Without the limits of `upload_process`: a test that takes minutes has found a way to freeze the page."""
    with pytest.raises(LudotecaError) as caught:
        read_file(data)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 800


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_gets_further_than_a_message(data: bytes) -> None:
    with contextlib.suppress(LudotecaError):
        read_file(data)
