from __future__ import annotations

import contextlib
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca import Ending, Match, Record
from ludoteca.adapters.formats import sgf
from ludoteca.adapters.formats.format import Dialect
from ludoteca.agents.identity import Identity
from ludoteca.play.match_tree import MatchTree, Step
from ludoteca.play.record import Who
from ludoteca.players.faults import Fault
from ludoteca.testing import random_actions
from tests.adapters.matches import trees


def played(spec: str, seed: int) -> Record:
    game = ludoteca.game(spec)
    actions = random_actions(game, seed)
    return Match(game, 0, actions, seats=(Who(Identity("a:b=1")), Who(Identity("c]d\\e")))).record()


@pytest.mark.parametrize("orientation", ["left-right", "standard"])
@pytest.mark.parametrize("size", [3, 11, 19])
def test_what_is_written_is_read_back(size: int, orientation: Literal["left-right", "standard"]) -> None:
    records = [played(f"hex:size={size},orientation={orientation}", seed) for seed in range(4)]
    for dialect in sgf.DIALECTS:
        assert sgf.read(sgf.write(records, dialect), orientation) == records


def lines(tree: MatchTree) -> list[list[tuple[int, str]]]:
    return [[(step.action, step.comment) for step in line] for line in tree.lines()]


@given(trees(), st.sampled_from(sgf.DIALECTS))
def test_variations_and_comments_come_back(tree: MatchTree, dialect: Dialect) -> None:
    """SGF keeps who played what with which result; how a fault came about is for JSON Lines."""
    orientation = ludoteca.game(tree.record.game).orientation  # type: ignore[attr-defined]
    (back,) = sgf.read_trees(sgf.write([tree], dialect), orientation)
    assert (lines(back), back.comment) == (lines(tree), tree.comment)
    ours, theirs = tree.record, back.record
    assert [who.agent for who in theirs.seats] == [who.agent for who in ours.seats]
    assert (theirs.game, theirs.actions, theirs.returns, theirs.fault, theirs.finished) == (
        ours.game, ours.actions, ours.returns, ours.fault, ours.finished,
    )  # fmt: skip


def test_the_swap_is_written_and_read_back() -> None:
    game = ludoteca.game("hex:size=2,swap=true")
    actions = [game.parse_action(name) for name in ("b1", "swap", "b2", "a1")]
    match = Match(game, 0, actions)
    match.seats = (Who(Identity("a")), Who(Identity("b")))
    record = match.record()
    text = sgf.write([record])
    assert "W[swap-pieces]" in text
    assert sgf.read(text, "left-right") == [record]


def test_the_course_is_mirrored_for_the_world() -> None:
    """Seat 0 connects left and right by a1 b1 c1: black connects top and bottom by a1 a2 a3."""
    game = ludoteca.game("hex:size=3")
    actions = tuple(game.parse_action(name) for name in ("a1", "a3", "b1", "b3", "c1"))
    record = Match(game, 0, actions, seats=(Who(Identity("black")), Who(Identity("white")))).record()
    text = sgf.write([record])
    assert text.startswith("(;FF[4]GM[11]CA[UTF-8]AP[ludoteca]SZ[3]PB[black]PW[white]RE[B+]")
    assert ";B[a1];W[c1];B[a2];W[c2];B[a3])" in text
    (standard,) = sgf.read(text)
    assert standard.game == "hex:size=3,orientation=standard"
    assert standard.returns == (1.0, -1.0)
    golem = sgf.write([record], "littlegolem")
    assert "PB[white]PW[black]RE[W+]" in golem
    assert ";W[aa];B[ca];W[ab];B[cb];W[ac])" in golem


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
    (back,) = sgf.read(text, "left-right")
    assert (back.returns, back.fault, back.ending, back.actions) == ((-1.0, 1.0), 0, read, (3, 4))


def test_little_golem_is_read() -> None:
    text = "(;FF[4]EV[hex.in.HEX]PB[Ann]PW[Bob]SZ[5]SO[http://www.littlegolem.net];W[ab];B[swap];W[cc];B[resign])"
    (record,) = sgf.read(text)
    game = ludoteca.game(record.game)
    assert game.spec == "hex:size=5,orientation=standard,swap=true"
    assert [game.action_name(action) for action in record.actions] == ["a2", "swap", "c3"]
    assert record.agents == (Identity("Bob"), Identity("Ann"))
    assert (record.returns, record.fault) == ((1.0, -1.0), 1)


def test_variations_and_comments_are_read() -> None:
    text = (
        "(;GM[11]SZ[3:3]C[a\\\nb];B[a1]C[not ;W\\[b1\\] (really)];C[more];W[a2](;B[b1];W[b2](;B[c1])(;B[c2]))(;B[c3]))"
    )
    (tree,) = sgf.read_trees(text)
    game = ludoteca.game(tree.record.game)
    assert [[game.action_name(step.action) for step in line] for line in tree.lines()] == [
        ["a1", "a2", "b1", "b2", "c1"], ["a1", "a2", "b1", "b2", "c2"], ["a1", "a2", "c3"],
    ]  # fmt: skip
    assert tree.steps[0] == Step(-1, 0, "not ;W[b1] (really)\nmore")
    assert (tree.comment, tree.variations) == ("ab", 2)
    assert sgf.read(text)[0].actions == (0, 3, 1, 4, 2)


def test_a_thousand_nested_brackets_and_a_long_chain_are_no_burden() -> None:
    text = "(;GM[11]SZ[3]" + "(;C[x]" * 5000 + ")" * 5001
    assert sgf.read(text)[0].actions == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello", "line 1, column 1: this is no SGF"),
        ("", "line 1, column 1: this is no SGF"),
        ("(;GM[11];B[a1]", "line 1, column 1: this ( has no )"),
        ("(;GM[11]\n(;B[a1])\n(;B[b1]", "line 3, column 1: this ( has no )"),
        ("(;GM[11]\n;B[a1", "line 2, column 3: this [ has no ]"),
        ("(;GM[11]\n;B;W[a1])", "line 2, column 2: the property B has no value"),
        ("(;GM[11])\n\n)", "line 3, column 1: a ) without its ("),
        ("(GM[11])", "line 1, column 2: 'GM[11])' stands where a node should begin"),
        ("(;GM[11]\n5)", "line 2, column 1: '5)' stands where a node should begin"),
        ("()", "line 1, column 2: a branch must begin with a node"),
        ("((;GM[11]))", "line 1, column 2: a branch must begin with a node"),
        ("(;GM[1]SZ[19])", "line 1, column 3: this SGF holds game GM[1], and Hex is GM[11]"),
        ("(;GM[11]SZ[big])", "line 1, column 9: SZ[big] is no size"),
        ("(;GM[11]SZ[11:13])", "SZ[11:13] is no size"),
        (f"(;GM[11]SZ[{'9' * 5000}])", "is no size"),
        ("(;GM[11]SZ[20])", "size=20 must be a whole number from 1 to 19"),
        ("(;GM[11]SZ[3]\n;B[d4])", "line 2, column 2: move 1, d4: 'd4' is no cell"),
        ("(;GM[11]SZ[3];B[a1]\n;W[a1])", "line 2, column 2: move 2, a1: 'a1' (action 0) is not legal"),
        ("(;GM[11]SZ[3];B[a1](;W[b1])\n(;W[a1]))", "line 2, column 3: move 2, a1: 'a1' (action 0) is not legal"),
        ("(;GM[11]SZ[3];B[a1];B[a2])", "move 2, B[a2], is out of turn; W moves there"),
        ("(;GM[11]SZ[3];B[a1]W[a2])", "two moves in one node"),
        ("(;GM[11]SZ[3];B[a1][a2])", "two moves in one node"),
        ("(;GM[11]SZ[3];B[a1];W[resign];B[a2])", "a player resigned before this move"),
        ("(;GM[11]SZ[3];B[a1];W[swap-sides])", "swap-sides swaps the players"),
        ("(;GM[11]SZ[3];B[a1];W[pass])", "no pass in Hex"),
        ("(;GM[11]SZ[3];B[])", "no pass in Hex"),
        ("(;GM[11]SZ[3];B[swap-pieces])", "'swap' (action 9) is not legal"),
        ("(;GM[11]SZ[3]AB[a1][b2];W[c1])", "AB sets stones up by hand"),
        ("(;GM[11]SZ[1];B[a1];W[a1])", "is over"),
        ("(;GM[11]SZ[1]\nRE[W+];B[a1])", "line 2, column 1: RE[W+] names the other side: by the moves B won"),
        ("(;GM[11]SZ[1]RE[B+];W[a1])", "RE[B+] names the other side: by the moves W won"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidFile) as caught:
        sgf.read(text)
    assert complaint in str(caught.value)


@settings(max_examples=60)
@given(st.text(alphabet="(;)[]\\BWCSZ3ab12 \nswap-", max_size=60))
def test_nothing_that_is_not_ours_is_raised(text: str) -> None:
    with contextlib.suppress(ludoteca.InvalidFile):
        sgf.read(f"(;GM[11]SZ[3]{text}")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("horses:size=5", "cannot be written as SGF"),
        ("hex:size=3,layout=odd-r", "layout=odd-r cannot be written as SGF"),
    ],
)
def test_what_cannot_be_written_is_explained(spec: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidGame, match=complaint):
        sgf.write([Match(ludoteca.game(spec), 0).record()])
