from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.errors import IllegalAction, InvalidAction, LudotecaError
from ludoteca.play.match import Match
from ludoteca.protocols import Decision
from ludoteca.web.table import PERSON, Head, InvalidTable, Table, Thought, check_head, understand


def table(
    game: str = "hex:size=3", seats: tuple[str, str] = (PERSON, "random"), seed: int = 1
) -> tuple[Table, list[str]]:
    lines: list[str] = []
    made = Table(check_head(Head(game, seats, seed)), lines.append)
    return made, lines


def same(one: Table, other: Table) -> bool:
    def facts(each: Table) -> tuple[object, ...]:
        return each.head, each.match.actions, each.movers, each.thoughts, each.resigned

    return facts(one) == facts(other)


def test_the_journal_is_the_table() -> None:
    made, lines = table()
    made.play(4)
    made.play(0, Thought("random", value=0.0, scores={0: 0.5}, line=(0, 1), note="why", seconds=0.25))
    made.play(8)
    made.undo()
    made.change_seats()
    made.resign(1)
    again = Table.from_lines([made.head_line(), *lines])
    assert same(made, again)
    assert again.match.actions == [4, 0]
    assert again.returns() == (1.0, -1.0)
    assert again.over and again.turn is None


@given(st.lists(st.sampled_from(["play", "undo", "seats", "resign"]), max_size=30))
def test_any_course_of_events_survives_a_restart(events: list[str]) -> None:
    made, lines = table("hex:size=4", (PERSON, PERSON))
    for event in events:
        try:
            if event == "play":
                made.play(made.match.view(made.turn or 0).legal()[0] if made.turn is not None else 0)
            elif event == "undo":
                made.undo()
            elif event == "seats":
                made.change_seats()
            else:
                made.resign(0)
        except LudotecaError:
            pass
    assert same(made, Table.from_lines([made.head_line(), *lines]))


def test_a_line_cut_off_at_the_end_is_forgotten_but_damage_is_told() -> None:
    made, lines = table()
    made.play(4)
    journal = [made.head_line(), *lines]
    assert Table.from_lines([*journal, '{"play": 0, "tho']).match.actions == [4]
    for damaged in ([], ["{"], [journal[0], "{", lines[0]], [journal[0], '{"play": 99}'], [journal[0], '{"x": 1}']):
        with pytest.raises(InvalidTable):
            Table.from_lines(damaged)


def test_an_illegal_action_changes_and_writes_nothing() -> None:
    made, lines = table()
    made.play(4)
    with pytest.raises(IllegalAction):
        made.play(4)
    assert made.match.actions == [4] and len(lines) == 1 and len(made.movers) == 1


def test_undo_goes_back_to_the_last_choice_of_a_person() -> None:
    made, _ = table()
    with pytest.raises(InvalidTable):
        made.undo()
    made.play(4)
    made.play(0)
    made.play(8)
    made.undo()
    assert made.match.actions == [4, 0]
    made.undo()
    assert made.match.actions == []


def test_undo_takes_back_a_resignation_first() -> None:
    made, _ = table()
    made.play(4)
    made.resign(0)
    made.undo()
    assert made.resigned is None and made.match.actions == [4]


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_nothing_is_taken_back_once_every_hand_has_been_shown(game: str) -> None:
    made, _ = table(game)
    made.play(made.match.view(made.turn or 0).legal()[0])
    made.resign(0)
    with pytest.raises(InvalidTable, match="every hand has been shown"):
        made.undo()


def test_a_hidden_hand_cannot_be_had_by_changing_seats() -> None:
    made, _ = table("kittens")
    with pytest.raises(InvalidTable):
        made.change_seats()


@pytest.mark.parametrize(
    "head",
    [
        Head("chess", (PERSON, PERSON), 1),
        Head("hex:size=99", (PERSON, PERSON), 1),
        Head("hex", (PERSON, "nobody"), 1),
        Head("hex", (PERSON, PERSON), -1),
        Head("hex", (PERSON, PERSON), 1, "3600s"),
        Head("hex", (PERSON, PERSON), 1, "forever"),
        Head("hex", (PERSON, PERSON), 1, "60s/match"),
        Head("hex" * 1000, (PERSON, PERSON), 1),
    ],
)
def test_what_cannot_be_played_is_refused(head: Head) -> None:
    with pytest.raises(LudotecaError):
        check_head(head)


def test_a_thought_keeps_what_a_page_can_show() -> None:
    wild = Decision(1, value=7.0, scores={0: math.nan, 1: 2.0}, line=list(range(99)), note="x" * 9999)
    thought = Thought.of("random", wild, 0.5)
    assert thought.value == 1.0 and thought.scores == {1: 2.0} and len(thought.line) == 16 and len(thought.note) == 400
    assert Thought.from_json(thought.to_json()) == thought
    assert Thought.of("random", Decision(1, value=math.inf), 0).value is None


def test_what_was_set_up_by_hand_survives_a_restart_and_stays_hidden() -> None:
    lines: list[str] = []
    start = "line: 6-6; 0: 6-4 1-0; 1: 4-4 3-2; turn: 0"
    made = Table(check_head(Head("dominoes", (PERSON, "random"), 3, start=start)), lines.append)
    made.play(made.game.parse_action("6-4"))
    made.play(made.game.parse_action("4-4"))
    again = Table.from_lines([made.head_line(), *lines])
    assert same(made, again) and again.match.view(0) == made.match.view(0)
    again.undo()
    assert again.match == Match(made.game, 3, start=start)


def test_typed_actions_are_understood_or_explained() -> None:
    made, _ = table("dominoes:start=seat", (PERSON, PERSON))
    legal = made.match.view(0).legal()
    name = made.game.action_name(legal[0])
    assert understand(made.game, f" {name.upper()} ", legal) == legal[0]
    assert understand(made.game, name[:4], legal) == legal[0]
    for text in ("", "zz", "draw", "9-9", "x" * 10_000):
        with pytest.raises(InvalidAction):
            understand(made.game, text, legal)
