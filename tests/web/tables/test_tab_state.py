from __future__ import annotations

import pytest

from ludoteca.protocols import Decision
from ludoteca.web.tables.tab_state import Sight
from ludoteca.web.tables.table import PERSON, Asked, Table, new_match


def looking(game: str, seats: tuple[str, str] = (PERSON, "random")) -> tuple[Table, Sight]:
    table = Table(new_match(Asked(game, seats, 1)))
    return table, Sight(table)


def step(table: Table, sight: Sight) -> None:
    """The seat on turn plays its first legal action; agents say what they thought."""
    turn = table.turn
    assert turn is not None
    action = table.match.view(turn).legal()[0]
    if turn in table.persons:
        table.play(action)
    else:
        table.answer(Decision(action, value=0.5), 0.1)
    sight.changed()


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_hidden_hands_stay_hidden_until_the_end(game: str) -> None:
    table, sight = looking(game)
    while not table.over:
        sight.look_from(1)
        view = sight.view()
        assert sight.seats == [0] and view is not None and view.seat == 0
        assert all(sight.thought(ply) is None for ply in range(len(table.match.actions)))
        assert (sight.question() is None) is (table.turn == 1)
        step(table, sight)
    sight.look_from(1)
    assert sight.go_to(1)
    view = sight.view()
    assert sight.seats == [0, 1] and view is not None and view.seat == 1
    assert any(sight.thought(ply) for ply in range(len(table.match.actions)))


def test_where_a_bomb_went_back_is_not_told() -> None:
    table, sight = looking("kittens:deck=bomb5+safe1", ("random", PERSON))
    while "place the bomb" not in sight.names():
        step(table, sight)
    assert "place top" not in sight.names()
    table.resign(1)
    assert "place top" in sight.names()


@pytest.mark.parametrize("game", ["dominoes", "kittens"])
def test_two_persons_see_the_seat_on_turn_once_it_is_uncovered(game: str) -> None:
    table, sight = looking(game, (PERSON, PERSON))
    turns = set()
    while not table.over and len(table.match.actions) < 12:
        before = table.turn
        assert sight.covered and sight.view() is None and sight.question() is None
        assert "Uncover when you sit there" in sight.obstacle and sight.legal() == [] and not sight.go_to(0)
        sight.uncover()
        while table.turn == before:
            view = sight.view()
            assert view is not None and view.seat == table.turn and sight.legal() == view.legal() != []
            step(table, sight)
        turns.add(before)
    assert turns == {0, 1}


def test_who_was_cut_off_uncovers_again() -> None:
    _, sight = looking("dominoes", (PERSON, PERSON))
    sight.uncover()
    assert not sight.covered
    sight.cover()
    assert sight.covered


def test_where_nothing_is_hidden_everything_is_shown() -> None:
    table, sight = looking("hex:size=3", (PERSON, "random"))
    step(table, sight)
    step(table, sight)
    assert sight.seats == [0, 1] and sight.thought(1) is not None and sight.question() is not None
    assert sight.go_to(1) and "the past" in sight.obstacle and not sight.go_to(9)
    view = sight.view()
    assert view is not None and len(view.legal()) in (0, 8)


def test_a_match_of_agents_is_shown_from_both_sides() -> None:
    table, sight = looking("dominoes", ("random", "random"))
    step(table, sight)
    sight.look_from(1)
    view = sight.view()
    assert view is not None and view.seat == 1 and sight.thought(0) is not None
    assert sight.obstacle == "It is not your turn."
