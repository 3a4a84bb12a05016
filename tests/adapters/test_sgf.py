from __future__ import annotations

from typing import Literal

import pytest

import ludoteca
from ludoteca import Ending, Match, Record
from ludoteca.adapters import sgf
from ludoteca.play.record import Who
from ludoteca.players.faults import Fault
from ludoteca.testing import random_actions


def played(spec: str, seed: int) -> Record:
    game = ludoteca.game(spec)
    actions = random_actions(game, seed)
    return Match(game, 0, actions, seats=(Who("a:b=1"), Who("c]d\\e"))).record()


@pytest.mark.parametrize("orientation", ["course", "standard"])
@pytest.mark.parametrize("size", [3, 11, 19])
def test_what_is_written_is_read_back(size: int, orientation: Literal["course", "standard"]) -> None:
    records = [played(f"hex:size={size},orientation={orientation}", seed) for seed in range(4)]
    assert sgf.read(sgf.write(records), orientation) == records


def test_the_swap_is_written_and_read_back() -> None:
    game = ludoteca.game("hex:size=2,swap=true")
    actions = [game.parse_action(name) for name in ("b1", "swap", "b2", "a1")]
    match = Match(game, 0, actions)
    match.seats = (Who("a"), Who("b"))
    record = match.record()
    text = sgf.write([record])
    assert "W[swap-pieces]" in text
    assert sgf.read(text, "course") == [record]


def test_the_course_is_mirrored_for_the_world() -> None:
    """Seat 0 connects left and right by a1 b1 c1: black connects top and bottom by a1 a2 a3."""
    game = ludoteca.game("hex:size=3")
    actions = tuple(game.parse_action(name) for name in ("a1", "a3", "b1", "b3", "c1"))
    text = sgf.write([Match(game, 0, actions, seats=(Who("black"), Who("white"))).record()])
    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]AP[ludoteca]SZ[3]PB[black]PW[white]RE[B+]")
    assert ";B[a1];W[c1];B[a2];W[c2];B[a3])" in text
    (standard,) = sgf.read(text)
    assert standard.game == "hex:size=3,orientation=standard"
    assert standard.returns == (1.0, -1.0)


@pytest.mark.parametrize(
    ("ending", "result", "read"),
    [(Ending.timeout, "RE[W+T]", Ending.timeout), (Ending.crash, "RE[W+F]", Ending.resigned)],
)
def test_a_fault_is_a_result(ending: Ending, result: str, read: Ending) -> None:
    match = Match(ludoteca.game("hex:size=5"), 0, [3, 4])
    match.end_by(0, Fault(ending, "it [failed]"))
    record = match.record()
    text = sgf.write([record])
    assert result in text
    assert r"it [failed\]" in text
    (back,) = sgf.read(text, "course")
    assert (back.returns, back.fault, back.ending, back.actions) == ((-1.0, 1.0), 0, read, (3, 4))


def test_little_golem_is_read() -> None:
    text = "(;FF[4]EV[hex.in.HEX]PB[Ann]PW[Bob]SZ[5]SO[http://www.littlegolem.net];W[ab];B[swap];W[cc];B[resign])"
    (record,) = sgf.read(text)
    game = ludoteca.game(record.game)
    assert game.spec == "hex:size=5,orientation=standard,swap=true"
    assert [game.action_name(action) for action in record.actions] == ["a2", "swap", "c3"]
    assert record.agents == ("Bob", "Ann")
    assert (record.returns, record.fault) == ((1.0, -1.0), 1)


def test_variations_and_comments_are_passed_over() -> None:
    text = "(;GM[11]SZ[3];B[a1]C[not ;W\\[b1\\] (really)];W[a2](;B[b1];W[b2](;B[c1])(;B[c2]))(;B[c3]))"
    (record,) = sgf.read(text)
    game = ludoteca.game(record.game)
    assert [game.action_name(action) for action in record.actions] == ["a1", "a2", "b1", "b2", "c1"]


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("hello", ludoteca.InvalidGame, "no whole SGF"),
        ("(;GM[11];B[a1]", ludoteca.InvalidGame, "no whole SGF"),
        ("(GM[11])", ludoteca.InvalidGame, "'GM[11])' stands where a node should begin"),
        ("(;GM[1]SZ[19])", ludoteca.InvalidGame, "GM[1], and Hex is GM[11]"),
        ("(;GM[11]SZ[big])", ludoteca.InvalidGame, "SZ[big] is no size"),
        ("(;GM[11]SZ[20])", ludoteca.InvalidOption, "size=20 must be a whole number from 1 to 19"),
        ("(;GM[11]SZ[3];B[d4])", ludoteca.InvalidAction, "'d4' is no cell"),
        ("(;GM[11]SZ[3];B[a1];W[a1])", ludoteca.IllegalAction, "move 2, a1: 'a1' (action 0) is not legal"),
        ("(;GM[11]SZ[3];B[a1];B[a2])", ludoteca.InvalidAction, "move 2, B[a2], is out of turn"),
        ("(;GM[11]SZ[3];B[a1];W[swap-sides])", ludoteca.InvalidAction, "swap-sides exchanges the seats"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as caught:
        sgf.read(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [("horses:size=5", "only Hex is written as SGF"), ("hex:size=3,layout=odd-r", "layout=odd-r; use JSON Lines")],
)
def test_what_cannot_be_written_is_explained(spec: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidGame, match=complaint):
        sgf.write([Match(ludoteca.game(spec), 0).record()])
