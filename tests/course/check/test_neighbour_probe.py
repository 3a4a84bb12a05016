"""The questions that tell neighbour layouts apart, and what is made of the answers."""

from __future__ import annotations

import random

import pytest

from ludoteca.course.check.neighbour_probe import LAYOUTS, POSITIONS, Answer, Position, assumed_layout, questions


@pytest.mark.parametrize("position", POSITIONS)
def test_in_every_position_each_layout_has_a_cell_that_is_right_in_no_other(position: Position) -> None:
    """Right is what wins at once, or what alone keeps the other from winning at once."""
    for layout, cells in position.deciding_cells.items():
        assert cells
        for other in LAYOUTS:
            mover = position.seat if position.kind == "win" else 1 - position.seat
            for cell in cells:
                after = position.state(other, mover)
                assert after.turn == mover, "neither side has connected yet, whatever the layout"
                after.apply(cell)
                assert (after.turn is None) == (other == layout)


def believer(layout: str) -> list[Answer]:
    """The answers of a player that takes wins and sees threats, by the neighbours that it believes in."""
    return [
        Answer(position, board, min(position.deciding_cells[board if layout == "board" else layout]))  # type: ignore[index]
        for position, board in questions(7)
    ]


@pytest.mark.parametrize("layout", [*LAYOUTS, "board"])
def test_a_believer_is_seen_through(layout: str) -> None:
    belief = assumed_layout(believer(layout))
    assert belief.layout == layout
    assert belief.fits[layout] == belief.asked == len(questions(7))


def test_a_few_answers_are_enough_and_two_are_not() -> None:
    assert assumed_layout(believer("axial")[:3]).layout == "axial"
    assert assumed_layout(believer("axial")[:2]).layout is None


def test_nothing_is_said_of_a_player_that_plays_by_chance() -> None:
    rng = random.Random(1)
    answers = [Answer(p, board, rng.choice(p.state(board).legal())) for p, board in questions(7)]
    assert assumed_layout(answers).layout is None
    assert assumed_layout([]).layout is None


def test_questions_come_in_the_size_that_is_played_or_else_in_seven() -> None:
    assert {position.size for position, _ in questions(11)} == {11}
    assert {position.size for position, _ in questions(9)} == {7}
    assert {board for _, board in questions(7)} == set(LAYOUTS)
