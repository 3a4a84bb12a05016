from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoteca
from ludoteca import Match, Record
from ludoteca.adapters.formats import text
from ludoteca.play.match_tree import MatchTree
from tests.adapters.matches import comments, finished, records


@given(st.lists(records(), min_size=1, max_size=3))
def test_records_come_back(matches: list[Record]) -> None:
    assert text.read(text.write(matches)) == [finished(record) for record in matches]


@settings(max_examples=20)
@given(records(), st.dictionaries(st.integers(0, 5), comments), comments)
def test_comments_come_back(record: Record, said: dict[int, str], comment: str) -> None:
    known = {ply: note for ply, note in said.items() if ply < len(record.actions)}
    tree = MatchTree.of(finished(record), known, comment=comment)
    assert text.read_trees(text.write([tree])) == [tree]


def test_a_person_can_read_it() -> None:
    record = Match.of_spec("kittens", 5, [0]).record()
    assert text.write([record]) == (
        '[Game "kittens"]\n[Seed "5"]\n[Seat0 "person"]\n[Seat1 "person"]\n[Result "*"]\n\n'
        f"1. {ludoteca.game('kittens').action_name(0)} *\n"
    )


GOOD = '[Game "hex:size=3"]\n[Seed "3"]\n'


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "there is no match here"),
        ("1. a1 *", "line 1, column 1: the match lacks a header [Game"),
        ('[Game "horses"]\n1. a1 *', "line 1, column 1: the match lacks a header [Seed"),
        ('[Game "chess"]\n[Seed "3"]\n*', "line 1, column 1: no game is called 'chess'"),
        ('[Game "horses:size=99"]\n[Seed "3"]\n*', "line 1, column 1: horses: size=99 must be"),
        ('[Game "horses"]\n[Seed "-3"]\n*', "line 2, column 1: Seed is a whole number from 0 on, not '-3'"),
        (f'[Game "horses"]\n[Seed "{"9" * 5000}"]\n*', "line 2, column 1: Seed is a whole number"),
        (GOOD + '[Limit "soon"]\n*', "line 3, column 1:"),
        (GOOD + '[Start "here"]\n*', "line 3, column 1: hex begins with a deal"),
        (GOOD + '[Seed "4"]\n*', "line 3, column 1: the header Seed stands here a second time"),
        (GOOD + "[Seat0 ana]\n*", "line 3, column 1: '[Seat0 ana]' is no header"),
        (GOOD + '[Seat0 "ana]\n*', "is no header"),
        (GOOD + '[Opening "4"]\n*', "line 3, column 1: the opening is longer than the match"),
        (GOOD + '[SideSwaps "x"]\n*', "line 3, column 1: 'x' is the number of no action"),
        (GOOD + '[Ending "boredom"]\n0-1', "line 3, column 1: 'boredom' is no ending"),
        (GOOD + '[Ending "crash"]\n0-1', "lacks a header [Fault"),
        (GOOD + '[Ending "crash"]\n[Fault "2"]\n0-1', "line 4, column 1: the fault is that of seat 0 or 1, not 2"),
        (
            GOOD + '[Ending "crash"]\n[Fault "0"]\n1-0',
            "line 5, column 1: the result is 1-0, and the actions lead to 0-1",
        ),
        (GOOD + '[Result "1-0"]\n*', "line 3, column 1: the result is 1-0, and the actions lead to *"),
        (GOOD + "1-0", "line 3, column 1: the result is 1-0, and the actions lead to *"),
        (GOOD, "line 3, column 1: the match has no result at its end"),
        (GOOD + "1. a1\n[Game", "line 4, column 1: the match has no result at its end"),
        (GOOD + "\n2. a1 *", "line 4, column 1: number 2 stands where 1 should"),
        (GOOD + "1... a1 *", "1... is for the other seat; seat 0 is on turn: 1."),
        (GOOD + "a1 *", "'a1' stands where action 1 should, as in 1."),
        (GOOD + "1. z9 *", "line 3, column 4: action 1, 'z9': 'z9' is no"),
        (GOOD + "1. a1 2... a1 *", "line 3, column 12: action 2, 'a1': 'a1' (action 0) is not legal"),
        (GOOD + "1. a1 {so *", "line 3, column 7: this { has no }"),
        (GOOD + "1. a1 } *", "action 1, 'a1 }'"),
        (GOOD + "*\nrest", "line 4, column 1: the match lacks a header [Game"),
    ],
)
def test_what_cannot_be_read_is_explained(content: str, complaint: str) -> None:
    with pytest.raises(ludoteca.InvalidFile) as caught:
        text.read(content)
    assert complaint in str(caught.value)


@settings(max_examples=50)
@given(st.text(alphabet='[]{}"\\. \n0123aA*-/GameSd', max_size=40))
def test_nothing_that_is_not_ours_is_raised(content: str) -> None:
    with contextlib.suppress(ludoteca.InvalidFile):
        text.read(GOOD + content)
